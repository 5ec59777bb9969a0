"""Names of people and companies as values: what makes two writings of a name the same one.

"Nike, Incorporated" and "NIKE INC." are one party; so is "Heidrick & Struggles" with "and" for
the sign. What is shown stays as printed; only the key that compares is canonical.
"""

from __future__ import annotations

import re

from pipeline.values.texts.strings import clean, lenient

_SHORT_FORMS = {"INCORPORATED": "INC", "LIMITED": "LTD", "CORPORATION": "CORP", "COMPANY": "CO"}
_FORM = "INCORPORATED|INC|LIMITED|LTD|CORPORATION|CORP|COMPANY|CO"
_TAIL = re.compile(rf"(?:{_FORM})+$")
_LONG_FORM = re.compile("|".join(_SHORT_FORMS))
_LEGAL_FORMS = frozenset(
    {
        "INC", "LTD", "CORP", "CO", "LLC", "LP", "LLP", "LLLP", "PLC", "PC", "PLLC", "NA", "ULC",
        "CIC", "CLG", "DAC", "PTE", "PTY", "SDN", "BHD", "BERHAD", "KK", "GMBH", "MBH", "AG", "KG",
        "OHG", "UG", "GBR", "KGAA", "PARTG", "SE", "SA", "SAS", "SASU", "SARL", "EURL", "EIRL",
        "SCI", "SCOP", "SNC", "SPRL", "SCRL", "ASBL", "NV", "BV", "BVBA", "CVBA", "VOF", "VZW",
        "AB", "AS", "ASA", "APS", "OY", "OYJ", "OÜ", "RL", "SIA", "UAB", "SPA", "SRL", "SRLS",
        "SAPA", "SL", "SLU", "SLP", "SLL", "CV", "LDA", "LTDA", "EIRELI", "EPP", "OO", "SPJ",
        "SPK", "SRO", "DOO", "KFT", "ZRT", "OOD", "EOOD",
        *_SHORT_FORMS,
    }
)  # fmt: skip
_WRITTEN = frozenset({"e.U.", "e.K.", "e.G.", "eG", "mbB"})  # forms that are words in capitals
_SIGNATURE = re.compile(r"^\W{0,3}/s/\s*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=[^\W\d_.])(?P<stop>\.?)['’`´]s?\W*$", re.IGNORECASE)


def clean_name(text: str) -> str:
    """Return a name as printed, without the mark of a signature ("/s/") and stray ends."""
    return clean(_SIGNATURE.sub("", text))


def without_possessive(text: str) -> str:
    """Return a name without the ending of a genitive: "Nike Inc.'s" gives "Nike Inc."."""
    return _POSSESSIVE.sub(r"\g<stop>", text)


def name_key(text: str) -> str:
    """Return the form in which names are compared: one writing of legal forms, no "and" or "&".

    Empty where the text holds no letter or digit.
    """
    joined = "".join(_words(text)) or lenient(text)
    return _TAIL.sub(
        lambda tail: _LONG_FORM.sub(lambda form: _SHORT_FORMS[form.group()], tail.group()), joined
    )


def core_key(text: str) -> str:
    """Return the key of a name without its legal form, or the whole key where nothing is left.

    "Imagine Exhibitions Pte Ltd." and "Imagine Exhibitions" have one core.
    """
    words = _words(text)
    while words and words[-1] in _LEGAL_FORMS:
        words.pop()
    return "".join(words) or name_key(text)


def is_in_full(name: str) -> bool:
    """Return whether a name ends with its legal form: "Smith & Pell Ltd.", not "Smith's"."""
    _, *others = clean_name(name).split() or [""]
    return bool(others) and is_legal_form(others[-1])


def is_legal_form(word: str) -> bool:
    """Return whether a word says what kind of company a name is of: "Ltd.", "GmbH"."""
    return lenient(word) in _LEGAL_FORMS or word.rstrip(",;") in _WRITTEN


def word_key(word: str) -> str:
    """Return what counts of one word of a name: its letters and digits, legal forms in short.

    Empty for "and", "&" and marks. Joined, the words of two writings of one name are equal.
    """
    letters = lenient(without_possessive(_SIGNATURE.sub("", word)))
    return "" if letters == "AND" else _SHORT_FORMS.get(letters, letters)


def _words(text: str) -> list[str]:
    """Return the letters and digits of each word of a name, words that only join left out."""
    words = map(lenient, clean_name(text).split())
    return [word for word in words if word and word != "AND"]
