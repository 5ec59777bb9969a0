"""Splits by issuer: nobody on both sides, nobody too large, always the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec, Kind
from training.data import Row
from training.data.seen import twins
from training.data.split import folds, group_by_issuer, issuer_field, small_folds

COMPANY = FieldSpec("company", Kind.NAME)
ADDRESS = FieldSpec("address", Kind.ADDRESS)
TOTAL = FieldSpec("total", Kind.AMOUNT)
FIELDS = (TOTAL, COMPANY, ADDRESS)


def _row(name: str, **fields: str) -> Row:
    return Row(name, Path("unused"), None, {key: (value,) for key, value in fields.items()})


def _together(*rows: Row, by: str | None = None) -> set[frozenset[str]]:
    groups = group_by_issuer(rows, FIELDS, by)
    return {
        frozenset(name for name, group in groups.items() if group == one) for one in groups.values()
    }


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        pytest.param({"company": "KEDAI BUKU"}, {"company": "Kedai Buku."}, True, id="spelling"),
        pytest.param(
            {"company": "KEDAI BUKU SERI SDN BHD"},
            {"company": "KEDAI BUKU 5ERI SDN BHD"},
            True,
            id="misread",
        ),
        pytest.param({"company": "ALPHA"}, {"company": "OMEGA"}, False, id="two_companies"),
        pytest.param(
            {"company": "ALPHA", "address": "NO 5, JALAN X"},
            {"company": "OMEGA", "address": "NO 5 JALAN X"},
            True,
            id="renamed_at_one_address",
        ),
        pytest.param(
            {"company": "ALPHA", "address": "NO 5"},
            {"company": "OMEGA", "address": "NO 6"},
            False,
            id="two_addresses",
        ),
        pytest.param({"total": "9.00"}, {"total": "9.00"}, False, id="neither_name_nor_address"),
        pytest.param({"company": "--"}, {"company": ""}, False, id="names_without_letters"),
    ],
)
def test_who_is_one_issuer(first: dict[str, str], second: dict[str, str], same: bool) -> None:
    assert (len(_together(_row("a", **first), _row("b", **second))) == 1) == same


def test_links_chain() -> None:
    rows = (
        _row("a", company="ALPHA", address="NO 5"),
        _row("b", company="OMEGA", address="NO 5"),
        _row("c", company="OMEGA", address="NO 6"),
        _row("d", company="SIGMA", address="NO 7"),
    )
    assert _together(*rows) == {frozenset("abc"), frozenset("d")}


def test_an_address_beside_many_names_is_another_partys() -> None:
    names = ("ALPHA", "OMEGA", "SIGMA", "DELTA")
    addressed = [_row(name, company=name, address="MAIN ST 1") for name in names]
    assert len(_together(*addressed)) == len(names)
    at_home = [
        _row(f"{name}{n}", company=name * (n + 1), address=f"NO {name}")
        for name in names
        for n in range(2)
    ]
    # What most addresses are decides: one house may have many shops.
    assert len(_together(*addressed[:3], *at_home)) == 1 + len(names) - 3


def test_the_field_named_tells_issuers_alone() -> None:
    rows = (_row("a", company="X", address="NO 5"), _row("b", company="Y", address="NO 5"))
    assert len(_together(*rows)) == 1
    assert len(_together(*rows, by="company")) == 2


def test_rows_of_one_file_are_together(tmp_path: Path) -> None:
    for name, content in (("a", "1"), ("b", "2"), ("c", "1")):
        (tmp_path / name).write_text(content)
    rows = [Row(name, tmp_path / name, None, {}) for name in "abc"]
    assert twins(rows) == [["a", "c"]]
    assert _together(*rows) == {frozenset("ac"), frozenset("b")}


def test_issuer_is_the_first_name_or_the_field_named() -> None:
    assert issuer_field(FIELDS) == "company"
    assert issuer_field([TOTAL]) is None
    rows = (_row("a", company="X", total="1.00"), _row("b", company="Y", total="1.00"))
    assert len(_together(*rows)) == 2
    assert len(_together(*rows, by="total")) == 1


def test_field_that_no_document_has_is_refused() -> None:
    with pytest.raises(InvalidOption, match="shop"):
        group_by_issuer([_row("a", company="X")], FIELDS, "shop")


sizes = st.lists(st.integers(1, 12), min_size=1, max_size=40)


def groups_of(of_sizes: list[int]) -> dict[str, str]:
    """Return the group of each document, of groups of those sizes."""
    return {
        f"d{number}-{index}": f"g{number}"
        for number, size in enumerate(of_sizes)
        for index in range(size)
    }


@given(sizes, st.floats(0.05, 0.5))
def test_splits_are_whole_issuers_of_about_the_share(of_sizes: list[int], share: float) -> None:
    groups = groups_of(of_sizes)
    size = max(1, round(share * len(groups)))
    most = max(1, size // 12)
    small = [count for count in of_sizes if count <= most]
    if sum(small) < size:
        with pytest.raises(ValueError, match="small enough"):
            folds(groups, share)
        return
    found = folds(groups, share)
    everyone = [name for fold in found for name in fold]
    assert len(everyone) == len(set(everyone))
    members = Counter(groups.values())
    for fold in found:
        assert size <= len(fold) < size + most
        inside = Counter(groups[name] for name in fold)
        assert all(members[group] == count <= most for group, count in inside.items())
    assert folds(dict(reversed(groups.items())), share)[0] != []
    assert folds(groups, share) == found


@given(sizes, st.integers(2, 6))
def test_a_number_of_splits_holds_all_small_issuers(of_sizes: list[int], count: int) -> None:
    groups = groups_of(of_sizes)
    most = max(1, round(len(groups) / count) // 12)
    small = {f"g{number}" for number, size in enumerate(of_sizes) if size <= most}
    if len(small) < count:
        with pytest.raises(ValueError, match="small enough"):
            small_folds(groups, count)
        return
    found = small_folds(groups, count)
    assert len(found) == count
    assert all(found)
    everyone = [name for fold in found for name in fold]
    assert sorted(everyone) == sorted(name for name in groups if groups[name] in small)
    for fold in found:
        assert max(map(len, found)) - len(fold) <= most
        assert all(name in fold for name in groups if groups[name] in {groups[n] for n in fold})


@pytest.mark.parametrize("documents", [23, 24, 28, 103])
def test_any_number_of_documents_makes_the_folds_that_are_asked_for(documents: int) -> None:
    assert len(small_folds(groups_of([1] * documents), 5)) == 5


@pytest.mark.parametrize("share", [0.0, -0.1, 0.51, float("nan")])
def test_share_out_of_range_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="expected above 0 and at most"):
        folds(groups_of([1] * 4), share)
