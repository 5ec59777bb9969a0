"""Templates: documents of one form are together, contents do not matter, linkage is as defined."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.document import Document
from tests.builders import document_of
from tests.training.data.test_split import groups_of
from training.data.plot import plot_templates
from training.data.split import template_splits, whole_folds
from training.data.templates import Similarity, average_linkage, group_by_template

FORMS = {
    "order": "ORDER FORM | Advertiser {} | Station {} | Gross {} | Buyer signs here please",
    "bill": "INVOICE | Remit to {} | Customer account {} | Amount due {} | Thank you for business",
    "deed": "This deed between {} and {} says that each party shall keep all secrets for {} years",
}
WORDS = [
    *("ALMA", "BRET", "CORA", "DORN", "ELSA", "FINN", "GRET", "HUGO", "IDA"),
    *("JON", "KAI", "LEA", "MIA", "NED", "OLA", "PIA", "QUI", "RON"),
]


def _documents(each: int, seed: int = 0) -> dict[str, Document]:
    chance = random.Random(seed)
    return {
        f"{form}{index}": document_of(text.format(*chance.sample(WORDS, 3)))
        for form, text in FORMS.items()
        for index in range(each)
    }


def test_documents_of_one_form_are_one_template_whatever_they_say() -> None:
    found = group_by_template(_documents(5))
    assert [Counter(name[:-1] for name in names) for names in found.clusters()] == [
        Counter({form: 5}) for form in ("bill", "deed", "order")
    ]
    assert np.array_equal(found.similarity, found.similarity.T)
    assert np.all(found.similarity.diagonal() == 1)


def test_documents_without_words_are_templates_of_their_own() -> None:
    found = group_by_template(_documents(3) | {"x": document_of(""), "y": document_of("", "")})
    assert found.groups["x"] == "x"
    assert found.groups["y"] == "y"


def test_copies_of_one_file_are_together_even_where_all_documents_are_alike() -> None:
    documents = {name: document_of(FORMS["order"]) for name in "abcdef"}
    assert set(group_by_template(documents).groups.values()) == {"a"}
    documents = _documents(3) | {name: document_of("") for name in "xy"}
    assert group_by_template(documents).groups["y"] == "x"


def test_no_documents_have_no_templates() -> None:
    assert group_by_template({}).clusters() == []


def _always_nearest(similarity: Similarity, least: float) -> list[set[int]]:
    """The definition: merge the two groups that are nearest in the mean, again and again."""
    groups = [{index} for index in range(len(similarity))]

    def mean(pair: tuple[set[int], set[int]]) -> float:
        return float(np.mean([similarity[a, b] for a in pair[0] for b in pair[1]], dtype=float))

    while len(groups) > 1:
        pair = max(itertools.combinations(groups, 2), key=mean)
        if mean(pair) < least:
            break
        groups = [group for group in groups if group not in pair] + [pair[0] | pair[1]]
    return groups


@given(st.integers(1, 9), st.integers(0, 10**6), st.floats(0.1, 0.9))
def test_linkage_is_that_of_its_definition(n: int, seed: int, least: float) -> None:
    # Random similarities have no ties, so that there is one tree.
    drawn = np.random.default_rng(seed).random((n, n)).astype(np.float32)
    similarity = np.triu(drawn, 1) + np.triu(drawn, 1).T
    found: dict[int, set[int]] = {}
    for index, leader in enumerate(average_linkage(similarity, least)):
        found.setdefault(leader, set()).add(index)
    assert all(leader == min(group) for leader, group in found.items())
    expected = _always_nearest(similarity, least)
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected))


def test_picture_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "templates.png"
    plot_templates(group_by_template(_documents(3)), picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


@given(st.lists(st.integers(1, 12), min_size=2, max_size=30), st.integers(2, 6))
def test_folds_hold_every_document_once_and_groups_whole(of_sizes: list[int], count: int) -> None:
    groups = groups_of(of_sizes)
    if len(of_sizes) < count:
        with pytest.raises(ValueError, match="do not make"):
            whole_folds(groups, count)
        return
    found = whole_folds(groups, count)
    assert sorted(itertools.chain.from_iterable(found)) == sorted(groups)
    owners = [{groups[name] for name in fold} for fold in found]
    assert all(a.isdisjoint(b) for a, b in itertools.combinations(owners, 2))
    # The emptiest fold is filled first: no fold is fuller than another by more than a group.
    assert max(map(len, found)) - min(map(len, found)) <= max(of_sizes)


@pytest.mark.parametrize(
    ("of_sizes", "share", "held_out"),
    [([6] * 5, 0.25, [6, 6, 6, 12]), ([12, 6, 6, 6], 0.25, [6, 6, 6, 12]), ([9, 1], 0.5, [9, 1])],
)
def test_split_nearest_to_the_share_is_the_first(
    of_sizes: list[int], share: float, held_out: list[int]
) -> None:
    assert [len(split) for split in template_splits(groups_of(of_sizes), share)] == held_out


def test_one_fold_leaves_nothing_to_train_on() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        whole_folds({"a": "a", "b": "b"}, 1)
