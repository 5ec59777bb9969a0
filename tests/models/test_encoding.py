"""Words to pieces to windows and back: nothing lost, nothing too long, whatever the words."""

from __future__ import annotations

import math
from unittest.mock import patch

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from models.encoding import IGNORED, MASK, NO_WORD, PieceEncoder, Window, collate, join_votes
from models.example import Example
from models.labels import LabelSet
from models.tagger import Tagger
from pipeline.tagging import example_of
from tests.builders import document_of
from tests.packages import tiny_config, tiny_tokenizer
from tests.strategies import FIELDS, examples, hostile_words

TOKENIZER = tiny_tokenizer()
CLS, SEP, UNK = (TOKENIZER.token_to_id(name) for name in ("[CLS]", "[SEP]", "[UNK]"))


def _encoder(window: int = 24, overlap: int = 8, *, separator: bool = True) -> PieceEncoder:
    config = tiny_config(window=window, overlap=overlap, line_separator=separator)
    return PieceEncoder(TOKENIZER, config)


def _one_line(*words: str) -> Example:
    """Words of equal width that fill the page's width."""
    edges = np.linspace(0, 1, len(words) + 1, dtype=np.float32)
    zeros = np.zeros(len(words), np.int64)
    boxes = np.stack([edges[:-1], np.zeros_like(edges[1:]), edges[1:], edges[1:] * 0 + 0.5], axis=1)
    return Example("line", words, boxes, zeros, zeros, np.ones(len(words), np.float32))


@given(
    examples(hostile_words), st.sampled_from([(8, 0), (8, 4), (24, 8), (512, 128)]), st.booleans()
)
def test_every_word_is_whole_in_a_window(
    example: Example, sizes: tuple[int, int], separator: bool
) -> None:
    window, overlap = sizes
    encoder = _encoder(window, overlap, separator=separator)
    windows = encoder.windows(example)
    [whole] = _encoder(100_000, 0, separator=separator).windows(example)
    sizes_of = np.bincount(whole.word[whole.word != NO_WORD], minlength=len(example.words))
    assert (sizes_of > 0).all()
    found = np.zeros_like(sizes_of)
    for cut in windows:
        assert len(cut) <= window
        assert (cut.input_ids[0], cut.input_ids[-1]) == (CLS, SEP)
        assert (cut.word[0], cut.word[-1]) == (NO_WORD, NO_WORD)
        here = np.bincount(cut.word[cut.word != NO_WORD], minlength=len(example.words))
        fits = sizes_of <= window - 2
        assert ((here == 0) | (here == sizes_of))[fits].all()
        assert (np.diff(cut.word[cut.word != NO_WORD]) >= 0).all()
        found += here
    assert (found >= sizes_of).all()
    if len(whole) <= window:
        [only] = windows
        assert np.array_equal(only.input_ids, whole.input_ids)


@given(examples(hostile_words))
def test_pieces_stay_in_the_box_and_on_the_page_of_their_word(example: Example) -> None:
    for window in _encoder().windows(example):
        assert len({len(part) for part in (window.boxes, window.page, window.aspect)}) == 1
        assert np.isfinite(window.boxes).all()
        assert (window.boxes[:, 0] <= window.boxes[:, 2] + 1e-6).all()
        real = window.word != NO_WORD
        own = example.boxes[window.word[real]]
        assert (window.boxes[real, :2] >= own[:, :2] - 1e-6).all()
        assert (window.boxes[real, 2:] <= own[:, 2:] + 1e-6).all()
        assert np.array_equal(window.page[real], example.page[window.word[real]])
        assert np.array_equal(window.aspect[real], example.aspect[window.word[real]])


def test_pieces_share_the_box_by_characters() -> None:
    [window] = _encoder(separator=False).windows(_one_line("abcd", "x"))
    assert window.boxes[1:6, 0].tolist() == pytest.approx([0, 0.125, 0.25, 0.375, 0.5])
    assert window.boxes[1:6, 2].tolist() == pytest.approx([0.125, 0.25, 0.375, 0.5, 1])
    assert set(window.boxes[1:, 3].tolist()) == {0.5}


def test_specials_are_corners_of_their_neighbours() -> None:
    [window] = _encoder(separator=False).windows(_one_line("ab", "cd"))
    assert window.boxes[0].tolist() == [0, 0, 0, 0]
    assert window.boxes[-1].tolist() == [1, 0.5, 1, 0.5]


def test_lines_end_with_a_separator_at_their_right_end() -> None:
    document = document_of("a b | c", "d")
    [window] = _encoder().windows(example_of(document))
    ids = [TOKENIZER.id_to_token(int(piece)) for piece in window.input_ids]
    assert ids == ["[CLS]", "a", "b", "[SEP]", "c", "[SEP]", "d", "[SEP]", "[SEP]"]
    assert window.word.tolist() == [-1, 0, 1, -1, 2, -1, 3, -1, -1]
    assert window.page.tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 1]
    b, separator = window.boxes[2], window.boxes[3]
    assert separator.tolist() == pytest.approx([b[2], b[1], b[2], b[3]])
    [bare] = _encoder(separator=False).windows(example_of(document))
    assert SEP not in bare.input_ids[:-1]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        pytest.param("", 1, id="empty"),
        pytest.param("\x00\x07", 1, id="control_characters"),
        pytest.param("🙂", 1, id="emoji"),
        pytest.param("\ud800x", None, id="half_a_surrogate_pair"),
        pytest.param("a" * 5000, 1, id="letters_beyond_any_word"),
        pytest.param("!" * 5000, 5000, id="marks_beyond_any_window"),
        pytest.param("é", 1, id="accent"),
    ],
)
def test_hostile_words_have_pieces(word: str, pieces: int | None) -> None:
    windows = _encoder(64, 16).windows(_one_line("before", word, "after"))
    place = [cut.word.tolist().count(1) for cut in windows]
    assert sum(place) >= (pieces or 1)
    assert max(map(len, windows)) <= 64
    assert {0, 1, 2} <= {int(word) for cut in windows for word in cut.word}


@pytest.mark.parametrize("length", range(1, 30))
def test_no_window_is_of_separators_alone(length: int) -> None:
    # A word that fills a window leaves its line's separator behind.
    windows = _encoder(8, 2).windows(_one_line("ab", "x" * length))
    assert all((window.word != NO_WORD).any() for window in windows)


@pytest.mark.parametrize("length", [50, 62, 63, 200])
def test_words_before_one_that_fills_a_window_are_read_twice_at_most(length: int) -> None:
    words = [*["x"] * 12, "x" * length] * 3
    windows = _encoder(64, 16, separator=False).windows(_one_line(*words))
    read = np.bincount(np.concatenate([np.unique(cut.word[1:-1]) for cut in windows]))
    short = [place for place, word in enumerate(words) if len(word) == 1]
    assert read[short].min() >= 1
    assert read[short].max() <= 2


def test_nothing_gives_no_window() -> None:
    assert _encoder().windows(example_of(document_of(""))) == []


def test_neighbouring_windows_overlap_by_what_is_asked() -> None:
    example = _one_line(*["x"] * 100)
    first, second, *_ = _encoder(22, 8, separator=False).windows(example)
    assert first.word[1:-1].tolist() == list(range(20))
    assert second.word[1:-1].tolist() == list(range(12, 32))
    apart = _encoder(22, 0, separator=False).windows(example)
    assert np.concatenate([cut.word[1:-1] for cut in apart]).tolist() == list(range(100))


def test_tokenizer_that_cuts_is_told_not_to() -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=50)
    [window] = PieceEncoder(tokenizer, tiny_config()).windows(_one_line("abcdef"))
    assert len(window) == 1 + 6 + 1 + 1


def test_tokenizer_without_a_named_piece_is_refused() -> None:
    tokenizer = Tokenizer(WordLevel({"[CLS]": 0, "</s>": 1}, unk_token="[CLS]"))
    with pytest.raises(ValueError, match=r"no piece \[UNK\] or <unk>"):
        PieceEncoder(tokenizer, tiny_config())


def test_specials_are_found_as_roberta_writes_them() -> None:
    pieces = {"<s>": 0, "</s>": 1, "<unk>": 2, "<mask>": 3, "a": 4}
    tokenizer = Tokenizer(WordLevel(pieces, unk_token="<unk>"))
    tokenizer.add_special_tokens(["<s>", "</s>", "<unk>", "<mask>"])
    [window] = PieceEncoder(tokenizer, tiny_config()).windows(_one_line("a", "", MASK, "b"))
    assert window.input_ids.tolist() == [0, 4, 2, 3, 2, 1, 1]


def test_batch_is_padded_and_labelled_by_words() -> None:
    encoder = _encoder(separator=False)
    [short], [long] = encoder.windows(_one_line("ab")), encoder.windows(_one_line("a", "bcd"))
    batch = collate([short, long], [np.array([3]), np.array([1, 2])])
    assert batch.input_ids.shape == (2, 6)
    assert batch.boxes.shape == (2, 6, 4)
    assert batch.keep.tolist() == [[True] * 4 + [False] * 2, [True] * 6]
    assert batch.input_ids[0, 4:].tolist() == [0, 0]
    assert batch.labels is not None
    assert batch.labels.tolist() == [
        [IGNORED, 3, 3, IGNORED, IGNORED, IGNORED],
        [IGNORED, 1, 2, 2, 2, IGNORED],
    ]
    assert collate([short]).labels is None


def _votes(windows: list[Window], labels: int, seed: int) -> list[np.ndarray]:
    random = torch.Generator().manual_seed(seed)
    return [
        torch.randn(len(cut), labels, generator=random).log_softmax(-1).double().numpy()
        for cut in windows
    ]


@given(examples(max_words=20), st.integers(0, 5))
def test_votes_are_the_mean_of_logarithms(example: Example, seed: int) -> None:
    windows = _encoder().windows(example)
    votes = _votes(windows, 3, seed)
    joined = join_votes(windows, votes, len(example.words))
    for index in range(len(example.words)):
        rows = [
            values[place]
            for cut, values in zip(windows, votes, strict=True)
            for place in range(len(cut))
            if cut.word[place] == index
        ]
        means = [sum(row[label] for row in rows) / len(rows) for label in range(3)]
        weights = [math.exp(mean) for mean in means]
        expected = [weight / sum(weights) for weight in weights]
        assert joined[index].tolist() == pytest.approx(expected)


def test_votes_far_below_zero_still_sum_to_one() -> None:
    windows = _encoder().windows(_one_line("a"))
    votes = [np.full((len(cut), 3), -1e4) for cut in windows]
    assert join_votes(windows, votes, 1).tolist() == [pytest.approx([1 / 3] * 3)]


def test_word_without_votes_is_an_error() -> None:
    windows = _encoder().windows(_one_line("a", "b"))
    with pytest.raises(ValueError, match="1 words are in no window"):
        join_votes(windows, _votes(windows, 3, 0), 3)


@settings(max_examples=25)
@given(examples(max_words=12))
def test_document_of_one_window_has_the_same_spans_whatever_the_overlap(example: Example) -> None:
    torch.manual_seed(0)
    tagger = Tagger(tiny_config(window=512), LabelSet(FIELDS))
    found = [
        tagger.tag(example, _encoder(512, overlap, separator=True)) for overlap in (0, 64, 256)
    ]
    assert found[0] == found[1] == found[2]


@settings(max_examples=8)
@given(examples(hostile_words))
def test_long_documents_have_probabilities_for_every_word(example: Example) -> None:
    torch.manual_seed(0)
    encoder = _encoder(16, 6)
    tagger = Tagger(tiny_config(window=16, overlap=6), LabelSet(FIELDS))
    found = tagger.probabilities(example, encoder)
    assert found.shape == (len(example.words), 13)
    assert found.sum(axis=1).tolist() == pytest.approx([1.0] * len(example.words))
    for pieces in (10**6, 1):  # all in one pass, and windows one by one
        with patch("models.tagger.pass_size", return_value=pieces):
            otherwise = tagger.probabilities(example, encoder)
        np.testing.assert_allclose(found, otherwise, atol=1e-5)


def test_document_without_words_has_no_spans() -> None:
    tagger = Tagger(tiny_config(), LabelSet(FIELDS))
    empty = example_of(document_of(""))
    assert tagger.probabilities(empty, _encoder()).shape == (0, 13)
    assert tagger.tag(empty, _encoder()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"boxes": np.zeros((3, 4), np.float32)}, "boxes of shape", id="boxes"),
        pytest.param({"line": np.zeros(1, np.int64)}, "line of shape", id="lines"),
        pytest.param({"boxes": np.full((2, 4), np.nan, np.float32)}, "finite", id="nan"),
        pytest.param({"boxes": np.full((2, 4), 1.5, np.float32)}, "0 to 1", id="off_the_page"),
    ],
)
def test_examples_that_do_not_fit_are_refused(change: dict[str, np.ndarray], message: str) -> None:
    good = _one_line("a", "b")
    parts = {name: getattr(good, name) for name in ("boxes", "page", "line", "aspect")} | change
    with pytest.raises(ValueError, match=message):
        Example("bad", good.words, **parts)


@given(examples(hostile_words), st.sampled_from([8, 512]))
def test_where_pages_are_split_no_window_holds_two(example: Example, window: int) -> None:
    config = tiny_config(window=window, overlap=0, split_pages=True)
    encoder = PieceEncoder(TOKENIZER, config)
    windows = encoder.windows(example)
    assert all(len(set(cut.page)) == 1 for cut in windows)
    found = np.concatenate([cut.word[cut.word != NO_WORD] for cut in windows])
    assert set(found) == set(range(len(example.words)))
    if encoder.count(example) <= window - 2:
        assert len(windows) == len(set(example.page))
