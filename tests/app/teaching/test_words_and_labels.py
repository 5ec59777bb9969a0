"""Texts found among the words of a document, and labels placed before anything is locked."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.teaching import Teaching
from app.teaching.labels import NewLabels
from app.words import DocumentWords
from pipeline.errors import InvalidOption
from pipeline.values.texts import strings
from pipeline.values.texts.strings import lenient
from store.access import ANY_OWNER
from store.access.keys import OPEN
from store.datasets import Example
from store.jobs import Jobs
from tests.submitting import answer, claimed, uploads

FIELD: dict[str, Any] = {"kind": "text", "guessed": False, "many": True, "range_start": None}


def kept(texts: list[str]) -> bytes:
    """Return words of a page as the last stage of a job leaves them."""
    words = [{"text": text, "box": [0, 0, 0.1, 0.1], "line": 0} for text in texts]
    return json.dumps({"pages": [{"number": 1, "words": words}]}).encode()


def first_in_a_row(texts: list[str], wanted: str) -> list[int]:
    """Return what `find` is to return, found by trying every word with every other."""
    forms, spelt = [lenient(text) for text in texts], lenient(wanted)
    for start in range(len(texts)):
        for end in range(start, len(texts)):
            whole = "".join(forms[start : end + 1])
            if spelt and forms[start] and forms[end] and whole == spelt:
                return list(range(start, end + 1))
    return []


@given(
    st.lists(st.text("abß-", min_size=1, max_size=3), max_size=12),
    st.text("aBẞ -", max_size=6),
)
def test_text_is_found_at_the_first_words_that_spell_it(texts: list[str], wanted: str) -> None:
    assert DocumentWords(kept(texts)).find(wanted) == first_in_a_row(texts, wanted)


def test_words_are_made_comparable_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def count(text: str) -> str:
        seen.append(text)
        return lenient(text)

    monkeypatch.setattr(strings, "lenient", count)
    words = DocumentWords(kept([f"word{n}" for n in range(100)]))
    for number in range(50):
        assert words.find(f"WORD{number} word{number + 1}") == [number, number + 1]
    assert len(seen) == 150


def test_what_ends_every_word_is_looked_for_once() -> None:
    words, began = DocumentWords(kept(["19"] * 5000)), time.process_time()
    for _ in range(4000):
        assert words.find("9") == []
    assert time.process_time() - began < 1


@pytest.fixture
def document(teaching: Teaching, jobs: Jobs) -> Example:
    """A document of 600 words in a dataset with a field and a column."""
    dataset = teaching.store.create("Notes", "notes", None)
    fields = [{**FIELD, "name": "note", "group": None}, {**FIELD, "name": "what", "group": "items"}]
    teaching.store.set_fields(dataset.id, ANY_OWNER, fields, {})
    (added,) = teaching.add(dataset.id, OPEN, uploads("a.pdf")).added
    job = claimed(jobs)
    jobs.blobs.put(job.id, "words.json", kept([f"word{n}" for n in range(600)]))
    answer(jobs, job)
    return teaching.store.document(dataset.id, added.id)


def label(teaching: Teaching, document: Example, wanted: dict[str, Any]) -> Example:
    asked = NewLabels.model_validate(wanted)
    return teaching.label(document.dataset_id, document.id, ANY_OWNER, asked)


def test_texts_are_looked_for_before_anything_is_locked(
    teaching: Teaching, document: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = teaching.store.label

    def without_looking(*given: Any) -> Example:
        def fail(*given: object) -> list[int]:
            raise AssertionError("the store is locked")

        monkeypatch.setattr(DocumentWords, "find", fail)
        monkeypatch.setattr(DocumentWords, "within", fail)
        return stored(*given)

    monkeypatch.setattr(teaching.store, "label", without_looking)
    cells = [{"what": {"text": f"Word{n}"}} for n in range(3)]
    box = {"page": 2, "box": [0, 0, 1, 1], "text": "by hand"}
    after = label(teaching, document, {"fields": {"note": [box]}, "groups": {"items": cells}})
    assert [row["what"]["words"] for row in after.rows["items"]] == [[0], [1], [2]]
    assert after.labels["note"][0]["text"] == "by hand"


def test_box_of_a_whole_document_is_no_value(teaching: Teaching, document: Example) -> None:
    with pytest.raises(InvalidOption, match="600 words in that box"):
        label(teaching, document, {"fields": {"note": {"box": [0, 0, 1, 1]}}})
    assert teaching.store.document(document.dataset_id, document.id).labels == {}


@pytest.mark.parametrize(
    "wanted",
    [
        {"fields": {"note": {"suggestion": 0}}},
        {"fields": {"note": {"text": "x", "box": [0.9, 0.9, 0.8, 0.95]}}},
        {"groups": {"items": [{"what": {"suggestion": 0}}]}},
        {"fields": {"nothing": {"text": "x"}}},
        {"groups": {"items": [{"nothing": {"text": "x"}}]}},
    ],
)
def test_what_the_dataset_lacks_is_refused(
    teaching: Teaching, document: Example, wanted: dict[str, Any]
) -> None:
    with pytest.raises(InvalidOption):
        label(teaching, document, wanted)
