"""Strings as values: one form to show, one form to compare."""

from __future__ import annotations

import unicodedata

# What OCR and layout leave at the ends of a run, and no name or address begins or ends with.
# Brackets, full stops and "&" stay: "SDN. BHD.", "(M)", "S/B".
_STRAY_FRONT = " ,;:.*-–—_=~|/\\'\"`!^+>"
_STRAY_BACK = " ,;:*-–—_=~|\\'\"`^+<"
_CLIPPED = ("s-", "t ")  # 's-Hertogenbosch, 't Zand
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))
_AROUND = (
    *_PAIRS, ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("‹", "›"), ("‘", "’"),
    ("‚", "‘"), ("「", "」"), ("『", "』"), ("<", ">"),
)  # fmt: skip
_JOINERS = "\u200c\u200d"
_DOTTED_OR_NOT = str.maketrans("İı", "ii")
# Letters that are no base and accent.
_NO_ACCENTS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ł": "l", "ø": "o", "đ": "d", "ı": "i"}
)


def fold_space(text: str) -> str:
    """Return `text` with every run of white space or control characters as one space, ends bare.

    What only tells in which direction to write, or where a word may break, goes; joiners are of
    Persian and Indian words.
    """
    # Line ends are control characters too, and NUL must reach no data base. Half a surrogate
    # pair cannot be written as UTF-8: it is a fault of the reader, not a character.
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kinds = ((c, unicodedata.category(c)) for c in text)
    kept = (
        " " if kind in ("Cc", "Cs", "Zs") else c
        for c, kind in kinds
        if kind != "Cf" or c in _JOINERS
    )
    return " ".join("".join(kept).split())


def clean(text: str, *, keep: str = "") -> str:
    """Return `text` with white space folded and stray punctuation taken off its ends.

    A bracket at an end goes only where its partner is missing. Characters in `keep` stay at the
    back. ``clean(clean(x)) == clean(x)``.
    """
    current = fold_space(text)
    back = "".join(c for c in _STRAY_BACK if c not in keep)
    while True:
        bare = current.lstrip(_STRAY_FRONT)
        stray = current[: len(current) - len(bare)]
        if bare[:1].isdecimal() and stray.endswith("+") and not stray.endswith("+++"):
            bare = f"+{bare}"  # a phone number's; three frame a payment in Belgium
        if current.endswith(f"'{bare}") and bare.startswith(_CLIPPED):
            bare = f"'{bare}"
        trimmed = _without_lone_bracket(bare.rstrip(back))
        if trimmed == current:
            return current
        current = trimmed


def within_pair(text: str) -> str | None:
    """Return what quotes or brackets around all of a text hold; None where there are none."""
    inner = text[1:-1]
    for opening, closing in _AROUND:
        if text.startswith(opening) and text.endswith(closing):
            return inner if inner and opening not in inner and closing not in inner else None
    return None


def lenient(text: str) -> str:
    """Return the form in which strings are compared: NFKC, upper case, letters and digits only.

    Accents are kept. ``lenient(lenient(x)) == lenient(x)``.
    """
    if text.isascii():
        return "".join(filter(str.isalnum, text)).upper()
    previous, current = text, _lenient_once(text)
    # Upper case may bring characters that compose or expand again (ß, ǰ): two rounds at most
    # in practice, and a form that compares must be a fixed point.
    while current != previous:
        previous, current = current, _lenient_once(current)
    return current


def without_accents(text: str) -> str:
    """Return the form in which names of places are compared: `lenient`, and without accents."""
    if text.isascii():
        return lenient(text)
    return lenient(unaccented(text))


def unaccented(text: str) -> str:
    """Return a text without the accents and vowel signs of its letters; ı is an i."""
    apart = unicodedata.normalize("NFKD", text).replace("ı", "i")
    return "".join(c for c in apart if not unicodedata.combining(c))


def as_matched(text: str) -> str:
    """Return the form in which patterns compare letters of either case: `DAKİKA` is `dakika`.

    What one has matched, ignoring case, is looked up in this form; lower case has others.
    """
    return text.translate(_DOTTED_OR_NOT).casefold()


def in_ascii(text: str) -> str:
    """Return a text in lower case whose Latin letters are those from a to z: `Größe` is `grosse`.

    Letters of other scripts stay as they are. The page Teach writes the names of fields so, too.
    """
    return unaccented(text).lower().translate(_NO_ACCENTS)


def _lenient_once(text: str) -> str:
    upper = unicodedata.normalize("NFKC", text).upper()
    return unicodedata.normalize("NFKC", "".join(filter(str.isalnum, upper)))


def _without_lone_bracket(text: str) -> str:
    for opening, closing in _PAIRS:
        if text.startswith(opening) and closing not in text:
            return text[1:].strip()
        if text.startswith(closing):
            return text[1:].strip()
        if text.endswith(closing) and opening not in text:
            return text[:-1].strip()
        if text.endswith(opening):
            return text[:-1].strip()
    return text
