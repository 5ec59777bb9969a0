"""Names of people and companies as values: what makes two writings of a name the same one.

"Nike, Incorporated" and "NIKE INC." are one party; so is "Heidrick & Struggles" with "and" for
the sign. What is shown stays as printed; only the key that compares is canonical.
"""

from __future__ import annotations

import re

from pipeline.values.texts.around_names import LONGEST, lines_of_name, without_surroundings
from pipeline.values.texts.legal_forms import LEGAL_FORMS, SHORT_FORMS, is_legal_form
from pipeline.values.texts.strings import clean, lenient

_FORM = "INCORPORATED|INC|LIMITED|LTD|CORPORATION|CORP|COMPANY|CO"
_TAIL = re.compile(rf"(?:{_FORM})+$")
_LONG_FORM = re.compile("|".join(SHORT_FORMS))
_SIGNATURE = re.compile(r"^\W{0,3}/s/\s*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=[^\W\d_.])(?P<stop>\.?)['’`´]s?\W*$", re.IGNORECASE)


def clean_name(text: str) -> str:
    """Return a name as printed, without what stands around it and stray ends.

    Captions ("Bill to:"), numbers of registers, phones, the mark of a signature ("/s/") and the
    like go, see `around_names`; line ends, if any, tell captions and addresses.
    ``clean_name(clean_name(x)) == clean_name(x)``.
    """
    line = " ".join(lines_of_name(text))
    current = line
    while True:
        bare = clean(_SIGNATURE.sub("", current))
        if len(bare) <= LONGEST:
            bare = without_surroundings(bare)
        if bare == current:
            break
        current = bare
    return _with_quote(current, line)


def _with_quote(name: str, printed: str) -> str:
    """Return a name with the quote back at its end that belongs to one in it: Café "Rose"."""
    if name.count('"') % 2 == 0:
        return name
    return next((whole for whole in (f'{name}"', f'"{name}') if whole in printed), name)


def without_possessive(text: str) -> str:
    """Return a name without the ending of a genitive: "Nike Inc.'s" gives "Nike Inc."."""
    return _POSSESSIVE.sub(r"\g<stop>", text)


def name_key(text: str) -> str:
    """Return the form in which names are compared: one writing of legal forms, no "and" or "&".

    Empty where the text holds no letter or digit.
    """
    joined = "".join(_words(text)) or lenient(text)
    return _TAIL.sub(
        lambda tail: _LONG_FORM.sub(lambda form: SHORT_FORMS[form.group()], tail.group()), joined
    )


def core_key(text: str) -> str:
    """Return the key of a name without its legal form, or the whole key where nothing is left.

    "Imagine Exhibitions Pte Ltd." and "Imagine Exhibitions" have one core.
    """
    words = _words(text)
    while words and words[-1] in LEGAL_FORMS:
        words.pop()
    return "".join(words) or name_key(text)


def is_in_full(name: str) -> bool:
    """Return whether a name ends with its legal form: "Smith & Pell Ltd.", not "Smith's"."""
    _, *others = clean_name(name).split() or [""]
    return bool(others) and is_legal_form(others[-1])


def word_key(word: str) -> str:
    """Return what counts of one word of a name: its letters and digits, legal forms in short.

    Empty for "and", "&" and marks. Joined, the words of two writings of one name are equal.
    """
    letters = lenient(without_possessive(_SIGNATURE.sub("", word)))
    return "" if letters == "AND" else SHORT_FORMS.get(letters, letters)


def _words(text: str) -> list[str]:
    """Return the letters and digits of each word of a name, words that only join left out."""
    words = map(lenient, clean_name(text).split())
    return [word for word in words if word and word != "AND"]
