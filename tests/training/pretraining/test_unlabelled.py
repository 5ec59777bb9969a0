"""Documents without labels: how a file of pages is read, and that documents are held out whole."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.encoding import PieceEncoder, Window
from tests.builders import document_of
from tests.packages import tiny_config, tiny_tokenizer
from training.errors import DatasetError
from training.pretraining.unlabelled import hold_out, load_pages, text_mark, windows_of

PIECES = PieceEncoder(tiny_tokenizer(), tiny_config(window=32, overlap=0))
[WINDOW] = windows_of([document_of("a page of some twenty pieces")], PIECES).popitem()[1]


def test_pages_of_one_document_stay_together() -> None:
    document = document_of("the first page of a document", "x", "the third page of a document")
    pages = [replace(document, pages=(page,)) for page in document.pages]
    other = document_of("another document, of one page")
    found = windows_of([*pages, other], PIECES)
    # Page two is too short to teach anything.
    assert [len(windows) for windows in found.values()] == [2, 1]
    assert list(found) == [document.sha256, other.sha256]


@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=12), st.floats(0.01, 0.5), st.integers(0, 9)
)
def test_documents_are_held_out_whole(counts: list[int], share: float, seed: int) -> None:
    windows: dict[str, list[Window]] = {
        str(number): [replace(WINDOW) for _ in range(count)] for number, count in enumerate(counts)
    }
    owner = {id(window): name for name, items in windows.items() for window in items}
    try:
        training, held = hold_out(windows, share, seed)
    except DatasetError:
        # Only where one document, held out last, is most of all.
        assert max(counts) > (1 - share) * sum(counts)
        return
    assert {owner[id(window)] for window in training}.isdisjoint(held)
    assert len(training) + sum(map(len, held.values())) == sum(counts)
    assert all(items == windows[name] for name, items in held.items())
    kept = sum(map(len, held.values()))
    assert kept >= share * sum(counts)
    last = len(list(held.values())[-1])
    assert kept - last < share * sum(counts)  # and no document more than it takes
    assert hold_out(windows, share, seed)[1].keys() == held.keys()


def test_one_document_is_too_few() -> None:
    with pytest.raises(DatasetError, match="1 documents are too few"):
        hold_out({"x": [WINDOW, WINDOW]}, 0.1, 0)


def _write(path: Path, *lines: str) -> Path:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return path


def test_mark_tells_texts_and_what_is_held_out_of_them_apart() -> None:
    marks = {
        text_mark([WINDOW], {"x": [WINDOW]}),
        text_mark([WINDOW, WINDOW], {"x": [WINDOW]}),
        text_mark([WINDOW], {"x": [WINDOW, WINDOW]}),
        text_mark([WINDOW], {"x": [WINDOW], "y": [WINDOW]}),
    }
    assert len(marks) == 4
    assert text_mark([WINDOW], {"x": [WINDOW]}) in marks


def test_pages_are_read_with_words_in_their_places(tmp_path: Path) -> None:
    page = {
        "number": 3,
        "width": 100,
        "height": 200,
        "words": ["low", " ", "up a", "per"],
        "boxes": [[10, 100, 30, 110], [0, 0, 1, 1], [10, 20, 30, 30], [40, 20, 120, 30]],
    }
    path = _write(tmp_path / "pages.jsonl.gz", json.dumps({"id": "x", "pages": [page]}))
    [document] = load_pages(path)
    found = [(at.number, token.text, token.box.as_list()) for at, token in document.words()]
    assert [item[:2] for item in found] == [(3, "upa"), (3, "per"), (3, "low")]
    assert found[1][2] == pytest.approx([0.4, 0.1, 1.0, 0.15])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"not gzip", id="not_gzip"),
        pytest.param(gzip.compress(b"{"), id="not_json"),
        pytest.param(gzip.compress(b'{"id": "x"}\n'), id="no_pages"),
        pytest.param(
            gzip.compress(
                b'{"id": "x", "pages": [{"number": 1, "width": 0, "height": 1,'
                b' "words": ["a"], "boxes": [[0, 0, 1, 1]]}]}\n'
            ),
            id="no_width",
        ),
        pytest.param(gzip.compress(b'{"id": "x", "pages": []}\n' * 99)[:-9], id="truncated"),
    ],
)
def test_file_that_holds_no_pages_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=r"pages.jsonl.gz is not a file of pages"):
        list(load_pages(path))
