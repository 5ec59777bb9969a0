"""The words that the characters of a page make, in numpy: doubles out, then runs, then joins.

1.  A character drawn again on the same spot (bold by drawing twice) counts once. An accent that is
    set over a letter is a part of it.
2.  In the order of the content, a word ends at white space, at a gap wider than `_LETTER_GAP`, at
    a step back, at a step up or down, between a figure and a smaller one raised beside it (cents,
    marks of footnotes), and where the direction changes. What the letters of a text object are set
    apart by is no gap; letters drawn one by one along a line are as one object. Where PDFium sees a
    space within such, a word ends if the gap is wider than one beside it: letters that are spaced
    out stand equally apart.
3.  Some producers draw the letters of a line in any order: what then touches end to start on one
    line, without white space drawn between, is joined.

All of it happens in the frame of the text: `along` its direction and `down` across it, so that
sideways and slanting text is grouped as upright text is.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, fields, replace
from itertools import compress, pairwise

import numpy as np

from pipeline.reading.layout.direction import in_reading_order, way_of
from pipeline.reading.layout.table import grouped
from pipeline.reading.text_layer.characters import UNMAPPED, Characters, in_text_frame
from pipeline.reading.text_layer.text_objects import Codes, Flags, Floats, Numbers

_LETTER_GAP = 0.15  # of the font size: wider gaps between letters part words
# Of the font size: letters of a text object are spaced out from the first gap on, up to the second,
# and in so many places at least; figures in a row are more likely to be many than to be spaced out.
_APART, _FAR_APART, _PLACES = 0.1, 0.5, 3
# Letters drawn one by one and further apart may stand in columns, as those of weekdays do.
_IN_COLUMNS = 0.35
_WIDER = 0.04  # of the font size: what a gap between words is wider than one between letters
_OVERLAP = 0.3  # of the font size that parts of one word, drawn apart, may overlap
_STEP, _STEP_SHARE = 3.0, 0.5  # points, of the font size: what letters of a word differ in height
# Of two figures side by side: times the one's font size, and of it. More parts them, if both.
_SMALLER, _RAISED = 1.1, 0.25
_DOUBLE = 0.1  # of the font size: nearer, equal letters are one letter drawn twice
_BIN = 4.0  # points of height in which doubles are looked for
# By code point, the last for all beyond: zero, and white space.
_BLANK = np.zeros(0x3002, np.bool_)
_BLANK[[0, 0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B)]] = True
_BLANK[[0x202F, 0x205F, 0x3000]] = True
# Accents that are set by themselves, as in old fonts of TeX, and what they are over a letter.
_OVER_LETTERS = (
    "\u0300\u0302\u0303\u0308\u0304\u0301\u0327\u0302\u030c\u0306\u0307\u030a\u0328\u0303\u030b"
)
_ACCENTS = dict(zip(map(ord, "`^~¨¯´¸ˆˇ˘˙˚˛˜˝"), _OVER_LETTERS, strict=True))
_DOTLESS = str.maketrans("ıȷ", "ij")
_MAX_PAIRS = 20_000_000  # of accents and characters; a page of more is made to do harm
_SHARED = 0.5  # of the narrower one's width that an accent shares with its letter
_TURNED = str.maketrans("()[]{}", ")(][}{")
_SIGN = np.array([not chr(code).isalnum() for code in range(0x80)])
# Hebrew and Arabic with their presentation forms; PDFium gives them in reading order.
_RIGHT_TO_LEFT = ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC))


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a page; `texts` and the arrays share their length m.

    Attributes:
        texts: as drawn, without white space.
        boxes: (m, 4) x0, top, x1, bottom in points as shown.
        direction, skew: (m,) degrees clockwise, as of `Characters`.
        size: (m,) font size in points.
        invisible: (m,) drawn with no paint at all.
        doubtful: (m,) may not be seen as it is drawn.
    """

    texts: list[str]
    boxes: Floats
    direction: Numbers
    skew: Floats
    size: Floats
    invisible: Flags
    doubtful: Flags

    def where(self, chosen: Flags) -> Words:
        """Return the words for which `chosen`, (m,), is True."""
        columns = [getattr(self, column.name)[chosen] for column in fields(self)[1:]]
        return Words(list(compress(self.texts, chosen.tolist())), *columns)


@dataclass(frozen=True, slots=True)
class _Runs:
    """Characters, or runs of them, in the frame of their text; arrays of one length, in points."""

    along0: Floats
    along1: Floats
    down: Floats  # upper edge
    low: Floats  # lower edge
    size: Floats
    way: Numbers  # differs where the direction does, or whether they are drawn
    begins: Flags  # with a digit
    ends: Flags


def words_of(characters: Characters) -> Words:
    """Return the words that characters make, in the order in which they begin in the content."""
    doubled = _doubled(characters)
    if doubled.any():
        characters = characters.where(~doubled)
    characters = _accented(characters)
    blank = is_blank(characters.codes)
    letters = characters.where(~blank)
    leftwards = _is_right_to_left(letters.codes)
    mixed = bool(leftwards.any())
    if mixed:
        letters = _unfolded(letters, leftwards)
    count = len(letters)
    if not count:
        none = np.zeros(0)
        return Words([], np.zeros((0, 4)), none.astype(np.int64), none, none, none > 0, none > 0)
    along0, along1, down, low = in_text_frame(letters.boxes, letters.direction, letters.size)
    digit = (letters.codes >= ord("0")) & (letters.codes <= ord("9"))
    # What is seen and what is not make no word together.
    way = 2 * letters.direction + letters.invisible
    frame = _Runs(along0, along1, down, low, letters.size, way, digit, digit)
    drawn = np.diff(np.cumsum(blank)[~blank], prepend=0) > 0
    gap, parted, apart = _parted(frame, letters.codes, leftwards, letters.piece, drawn)
    apart &= letters.spaced
    spaced = letters.spaced & ~apart
    if mixed:  # PDFium sees spaces where the way that text runs changes
        spaced &= np.append(True, gap > _LETTER_GAP * letters.size[:-1])
    spaced |= drawn | ((letters.stepped | apart) & _stands_out(gap, parted, letters.size))
    begins = np.ones(count, np.bool_)
    begins[1:] = spaced[1:] | parted
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], count)
    runs = _Runs(
        np.minimum.reduceat(along0, starts),
        np.maximum.reduceat(along1, starts),
        down[starts],
        low[starts],
        letters.size[starts],
        way[starts],
        digit[starts],
        digit[ends - 1],
    )
    # Where text runs both ways, what follows a space in the content may stand on either side of it.
    known = spaced & (not mixed)
    word_of = _joined(runs, known[starts], np.append(known[1:], not mixed)[ends - 1])  # (runs,)
    order = np.argsort(word_of, kind="stable")  # runs in the order of their words
    firsts = np.flatnonzero(np.diff(word_of[order], prepend=-1))
    text = letters.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    pieces = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    sides = [
        reduce.reduceat(reduce.reduceat(letters.boxes[:, side], starts)[order], firsts)
        for side, reduce in enumerate((np.minimum, np.minimum, np.maximum, np.maximum))
    ]
    leaders = starts[order][firsts]  # a character of each word
    return Words(
        _texts(pieces, order, firsts, runs.along0),
        np.stack(sides, axis=1),
        letters.direction[leaders],
        letters.skew[leaders],
        letters.size[leaders],
        letters.invisible[leaders],
        letters.doubtful[leaders],
    )


def _texts(pieces: list[str], order: Numbers, firsts: Numbers, along: Floats) -> list[str]:
    """Return the texts of the words, the runs of each as they are read."""
    runs, places = order.tolist(), along.tolist()
    return [
        pieces[runs[start]]
        if end == start + 1
        else _text(sorted(runs[start:end], key=places.__getitem__), pieces)
        for start, end in pairwise([*firsts.tolist(), len(runs)])
    ]


def _text(runs: list[int], pieces: list[str]) -> str:
    """Return the text of runs, given from left to right."""
    texts = [pieces[run] for run in runs]
    text = "".join(pieces[run] for run in in_reading_order(runs, texts, way_of(texts)))
    # PDFium turns the brackets of text that runs leftwards round, be it around figures.
    return text.translate(_TURNED) if text[0] in ")]}" and text[-1] in "([{" else text


def _unfolded(letters: Characters, leftwards: Flags) -> Characters:
    """Return letters, those of ligatures that run leftwards in the order in which they are read.

    PDFium turns the letters of such text round one by one, also those that are one sign.
    """
    begins = np.ones(len(letters), np.bool_)
    begins[1:] = ~(leftwards[1:] & leftwards[:-1]) | (np.diff(letters.piece) != 0)
    begins[1:] |= (np.diff(letters.boxes, axis=0) != 0).any(axis=1)
    backwards = np.lexsort((-np.arange(len(letters)), np.cumsum(begins)))
    return replace(letters, codes=letters.codes[backwards])


def _parted(
    frame: _Runs, codes: Codes, leftwards: Flags, piece: Numbers, drawn: Flags
) -> tuple[Floats, Flags, Flags]:
    """Return the gap from each character to the next, and whether a word ends there: (n - 1,).

    Gaps are without what the letters of their text object are spaced out by. Last, (n,), come the
    characters that are spaced out from the one before.

    Args:
        frame: the characters.
        codes: (n,) which they are.
        leftwards: (n,) which of them run from right to left.
        piece: (n,) number of the text object, in ascending order.
        drawn: (n,) which follow white space that is drawn.
    """
    reach = _LETTER_GAP * frame.size[:-1]
    gap = frame.along0[1:] - frame.along1[:-1]
    back = frame.along0[1:] < frame.along0[:-1]
    if leftwards.any():
        # Signs run with the letters beside them.
        both = leftwards[1:] & leftwards[:-1]
        sign = (codes < 0x7F) & _SIGN[np.minimum(codes, 0x7F)]
        mixed = (leftwards[1:] & sign[:-1]) | (sign[1:] & leftwards[:-1])
        both |= mixed & (frame.along0[1:] < frame.along0[:-1])
        gap = np.where(both, frame.along0[:-1] - frame.along1[1:], gap)
        back = np.where(both, frame.along1[1:] > frame.along1[:-1], back)
    step = np.abs(np.diff(frame.down)) > _step(frame.size[:-1])
    step |= _raised(frame, slice(None, -1), slice(1, None))
    turn = back | step | (np.diff(frame.way) != 0)
    # Letters drawn one by one along a line are as one text object.
    objects = grouped(piece)
    single = (objects.sizes == 1)[objects.numbers]
    follows = single[1:] & single[:-1] & (np.diff(frame.size) == 0) & ~turn
    piece = np.append(0, np.cumsum((np.diff(piece) != 0) & ~follows))
    inside = (piece[1:] == piece[:-1]) & ~drawn[1:]
    apart = np.zeros(len(piece), np.bool_)
    if ((gap > reach) & inside).any():
        spacing = _spacing(frame, gap, inside, piece)
        spacing[single[:-1] & (spacing > _IN_COLUMNS * frame.size[:-1])] = 0.0
        apart[1:] = spacing > 0
        gap = np.where(apart[1:], np.maximum(gap - spacing, 0.0), gap)
    return gap, (gap > reach) | turn, apart


def _spacing(frame: _Runs, gap: Floats, inside: Flags, piece: Numbers) -> Floats:
    """Return, (n - 1,), how far apart the letters of a text object are set; 0 where they are not.

    Args:
        frame: the characters.
        gap: (n - 1,) from each character to the next.
        inside: (n - 1,) the next one is of the same text object, with no white space between.
        piece: (n,) number of the text object, in ascending order.
    """
    spacing = np.zeros(len(gap))
    objects = grouped(piece)
    apart = inside & (gap > _APART * frame.size[:-1])
    places, wide, figures = (
        objects.sums(flags.astype(np.float64))
        for flags in (np.append(inside, False), np.append(apart, False), frame.begins)
    )
    # More than half of the gaps: else they part words.
    spaced_out = (places >= _PLACES) & (2 * wide > places) & (2 * figures < objects.sizes)
    chosen = np.flatnonzero(spaced_out[objects.numbers][:-1] & inside)
    if len(chosen):
        gaps = grouped(piece[chosen])
        usual = gaps.middles(gap[chosen])[0][gaps.numbers]
        spacing[chosen] = np.where(usual <= _FAR_APART * frame.size[chosen], usual, 0.0)
    return spacing


def _raised(frame: _Runs, left: slice | Numbers, right: slice | Numbers) -> Flags:
    """Return whether figures side by side are two numbers: of two sizes, and on two lines.

    Their upper edges may be alike, as those of cents and of marks of footnotes are.
    """
    one, other = frame.size[left], frame.size[right]
    raised: Flags = (one != other) & frame.ends[left] & frame.begins[right]
    if raised.any():  # on few pages
        small, large = np.minimum(one, other), np.maximum(one, other)
        raised &= large > _SMALLER * small
        raised &= np.abs(frame.low[right] - frame.low[left]) > _RAISED * small
    return raised


def _stands_out(gap: Floats, parted: Flags, size: Floats) -> Flags:
    """Return, (n,), whether the gap before a character is wider than that on one of its sides.

    Args:
        gap: (n - 1,) from each character to the next.
        parted: (n - 1,) a word ends in the gap: it says nothing about those beside it.
        size: (n,) font size.
    """
    beside = np.concatenate(([np.inf, np.inf], np.where(parted, np.inf, gap), [np.inf]))
    narrower = np.minimum(beside[:-2], beside[2:])  # of the gaps before and behind the one before
    return np.append(-np.inf, gap) > narrower + _WIDER * size


def _step(size: Floats) -> Floats:
    return np.minimum(_STEP, _STEP_SHARE * size)


def _joined(runs: _Runs, space_before: Flags, space_after: Flags) -> Numbers:
    """Return, (runs,), the number of the word that each run belongs to (step 3).

    Words are numbered by their first run in the content.
    """
    # Rows of runs: a row ends where the next upper edge lies more than a step further down.
    by_height = np.lexsort((runs.down, runs.way))
    down, way = runs.down[by_height], runs.way[by_height]
    new_row = (np.diff(down) > _step(runs.size[by_height])[:-1]) | (np.diff(way) != 0)
    row = np.empty(len(down), np.int64)
    row[by_height] = np.concatenate(([0], np.cumsum(new_row)))
    order = np.lexsort((runs.along0, row))
    left, right = order[:-1], order[1:]
    gap = runs.along0[right] - runs.along1[left]
    size = runs.size[left]
    touching = (
        (row[left] == row[right])
        & (gap <= _LETTER_GAP * size)
        & (gap >= -_OVERLAP * size)
        & (runs.along1[right] > runs.along1[left])
        & (np.abs(runs.down[right] - runs.down[left]) <= _step(size))
        & ~_raised(runs, left, right)
        & ~space_after[left]
        & ~space_before[right]
    )
    word = np.empty(len(order), np.int64)
    word[order] = np.concatenate(([0], np.cumsum(~touching)))
    # Numbered anew by the first run of each word.
    _, first, inverse = np.unique(word, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def is_blank(codes: Codes) -> Flags:
    """Return, (n,), which code points are white space, or none at all."""
    blank: Flags = _BLANK[np.minimum(codes, len(_BLANK) - 1)]
    return blank


def _accented(characters: Characters) -> Characters:
    """Return characters, letters with the accents that are set over them by themselves."""
    accents = np.flatnonzero(np.isin(characters.codes, list(_ACCENTS)))
    if not 0 < len(accents) * len(characters) <= _MAX_PAIRS:  # none on most pages
        return characters
    codes, spaced = characters.codes.copy(), characters.spaced.copy()
    low, high, down, _ = in_text_frame(characters.boxes, characters.direction, characters.size)
    alone = np.ones(len(codes), np.bool_)
    alone[accents] = False  # none is the letter of another
    for at in accents.tolist():
        shared = np.minimum(high, high[at]) - np.maximum(low, low[at])
        over = shared >= _SHARED * np.minimum(high - low, high[at] - low[at])
        over &= alone & (np.abs(down - down[at]) <= _STEP_SHARE * characters.size)
        letter = int(np.where(over, shared, -np.inf).argmax())
        plain = chr(codes[letter]).translate(_DOTLESS)
        whole = unicodedata.normalize("NFC", plain + _ACCENTS[int(codes[at])])
        if over[letter] and len(whole) == 1:
            codes[letter] = ord(whole)
            if letter == at + 1:  # PDFium may see a space between the two
                spaced[letter] = spaced[at]
        else:
            alone[at] = True
    return replace(characters, codes=codes, spaced=spaced).where(alone)


def _is_right_to_left(codes: Codes) -> Flags:
    result = np.zeros(len(codes), np.bool_)
    if len(codes) and codes.max() >= _RIGHT_TO_LEFT[0][0]:
        for low, high in _RIGHT_TO_LEFT:
            result |= (codes >= low) & (codes <= high)
    return result


def _doubled(characters: Characters) -> Flags:
    """Return which characters repeat one that is drawn on the same spot (step 1).

    Of a visible and an invisible one, the visible one stays. The parts of a ligature share one
    box and are no doubles, nor are characters that say nothing.
    """
    count = len(characters)
    result = np.zeros(count, np.bool_)
    if count < 2:
        return result
    x0, top, x1, bottom = characters.boxes.T
    across, down = (x0 + x1) / 2, (top + bottom) / 2
    reach = _DOUBLE * characters.size
    codes = characters.codes.astype(np.float64)
    for shift in (0.0, 0.5):  # pairs that one set of bins parts share a bin of the other
        bins = np.floor(down / _BIN + shift)
        order = np.argsort(codes * 1e8 + bins * 2e4 + across)
        one, other = order[:-1], order[1:]
        near = (
            (codes[one] == codes[other])
            & (np.abs(across[one] - across[other]) <= np.minimum(reach[one], reach[other]))
            & (np.abs(down[one] - down[other]) <= np.minimum(reach[one], reach[other]))
        )
        if not near.any():  # as on most pages
            continue
        ligature = (np.abs(one - other) == 1) & (across[one] == across[other])
        ligature &= characters.piece[one] == characters.piece[other]
        known = (codes[one] != UNMAPPED) & (codes[one] != 0x20)
        # Drawn three times and more, a character has as many doubles beside each other.
        drawn = np.cumsum(np.append(True, ~(near & known & ~ligature)))
        first = np.lexsort((order, characters.invisible[order], drawn))
        result[order[first[np.diff(drawn, prepend=0) == 0]]] = True
    return result
