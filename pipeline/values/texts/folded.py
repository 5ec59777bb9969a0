"""The door of every reader: one form of characters to read, with the way back to the print."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from pipeline.values.texts.strings import fold_space

# Marks that say the same one for one, so that places stay.
_SAME = str.maketrans("´`ʼ‘’ˈ٬٫、⁄", "'''''''.,/")
_MARKS_WITHIN = frozenset(".,/-")
_LEAST_LETTERS, _LEAST_WITH_MARKS, _LEAST = 4, 6, 8  # characters of a text that is spaced out
# A number as it is often read: "$112, 000", "780, 900. 00", "58 ,000", "0. 51"
_PARTED = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?: ?, ?\d{3}(?!\d))+(?P<cents> ?\. ?\d\d(?!\d))?(?! ?%)|0\. \d{1,4})"
    r"(?! ?[\d.,])"
)
_MONEY = frozenset("$€£¥₹")
_KEPT = ("<super>", "<sub>", "<circle>", "<square>", "<fraction>")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is read.

    Attributes:
        raw: as given, line ends and all.
        printed: as printed, white space folded, composed (NFC).
        text: NFKC form of `printed`: full-width letters as usual ones, ligatures apart, and what is
            spaced out closed up.
        numeric: `text` with the digits of all scripts as 0 to 9 and one form of each mark;
            as long as `text`.
        origins: index in `printed` of each character of `text`; None where they are equal.
    """

    raw: str
    printed: str
    text: str
    numeric: str
    origins: tuple[int, ...] | None = None

    def cut(self, start: int, end: int) -> str:
        """Return what is printed where characters [start, end) of `text` stand."""
        return self.printed[slice(*self.span(start, end))]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of `printed` where characters [start, end) of `text` stand."""
        if self.origins is None or start == end:
            return start, end
        return self.origins[start], self.origins[end - 1] + 1


def fold(raw: str) -> Folded:
    """Return a text as it is read; see `Folded`.

    Raised, circled and squared characters are kept, as 5² is no 52; a fraction is set apart
    ("1½" becomes "1 1/2") and two raised digits behind a number are its decimals ("12⁵⁰"). Letters
    or digits set apart for looks or by the boxes of a form ("R E W E") are closed up; wider gaps
    between them, where there are some, part words.
    """
    printed = fold_space(unicodedata.normalize("NFC", raw))
    closed = _gaps_to_close(raw, printed)
    if printed.isascii() and not closed:
        return Folded(raw, printed, printed, printed.translate(_SAME))
    pieces: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(printed):
        if index in closed:
            continue
        piece = _compatible(printed, index, character, pieces)
        pieces.append(piece)
        origins += [index] * len(piece)
    text = "".join(pieces)
    numeric = "".join(
        str(unicodedata.decimal(c)) if c.isdecimal() and not c.isascii() else c for c in text
    ).translate(_SAME)
    same = len(text) == len(printed) and origins == list(range(len(printed)))
    return Folded(raw, printed, text, numeric, None if same else tuple(origins))


def without_gaps(source: Folded) -> Folded:
    """Return a text of figures as one without the spaces within its numbers.

    Those behind a comma stay where nothing tells a number from a list: "100, 200".
    """
    closed: set[int] = set()
    for match in _PARTED.finditer(source.numeric):
        before = source.numeric[: match.start()].rstrip(" -")[-1:]
        if match["cents"] or before in _MONEY or " ," in match[0] or match[0][0] == "0":
            closed |= {at for at in range(*match.span()) if source.numeric[at] == " "}
    if not closed:
        return source
    kept = [at for at in range(len(source.text)) if at not in closed]
    text, numeric = ("".join(form[at] for at in kept) for form in (source.text, source.numeric))
    places = source.origins or range(len(source.text))
    return replace(source, text=text, numeric=numeric, origins=tuple(places[at] for at in kept))


def _gaps_to_close(raw: str, printed: str) -> frozenset[int]:
    """Return the places of the spaces in a printed text that part the characters of its words."""
    if printed[1:2] != " " or printed[3:4] != " ":
        return frozenset()
    characters = printed.rstrip(".,:;").split(" ")
    letters, count = sum(map(str.isalpha, characters)), len(characters)
    # Few single digits are a list, or the figures of columns.
    least = _LEAST_LETTERS if letters >= _LEAST_LETTERS else _LEAST
    if not _MARKS_WITHIN.isdisjoint(characters):
        least = min(least, _LEAST_WITH_MARKS)
    if count < least or max(map(len, characters)) > 1:
        return frozenset()
    wide = [len(gap) > 1 for gap in re.findall(r"\s+", raw.strip())]
    if len(wide) != count - 1 or all(wide):
        wide = [False] * (count - 1)
    return frozenset(2 * place + 1 for place, is_wide in enumerate(wide) if not is_wide)


def _compatible(printed: str, index: int, character: str, before: list[str]) -> str:
    """Return the characters that stand for one printed character."""
    kind = unicodedata.decomposition(character).partition(" ")[0]
    if kind == "<fraction>":
        piece = unicodedata.normalize("NFKC", character)
        return f" {piece}" if before and before[-1][-1:].isdecimal() else piece
    if kind == "<super>" and character.isdigit():
        pair = printed[index : index + 2]
        if pair.isdigit() and not pair.isdecimal() and printed[index - 1 : index].isdecimal():
            following = printed[index + 2 : index + 3]
            if index and len(pair) == 2 and not (following.isdigit() or pair[1].isdecimal()):
                return f".{unicodedata.digit(character)}"
        if index >= 2 and before[-1].startswith(".") and len(before[-1]) == 2:
            return str(unicodedata.digit(character))
        return character
    # Thai and Lao write the vowel am as one letter, which its two parts are not.
    if kind in _KEPT or not kind.startswith("<") or character in "ำຳ":
        return character
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) > 1 and folded.isalpha() and unicodedata.category(character) == "So":
        return f"{folded} " if printed[index + 1 : index + 2].isdecimal() else folded  # №123
    return character if folded[:1].isspace() else folded
