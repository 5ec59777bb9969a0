"""Numbers in words, in the languages that text2num knows and a few more."""

from __future__ import annotations

import re
from functools import lru_cache

_FEW = {
    "ms": "satu dua tiga empat lima enam tujuh lapan sembilan sepuluh",
    "sv": "ett två tre fyra fem sex sju åtta nio tio elva tolv",
    "da": "et to tre fire fem seks syv otte ni ti elleve tolv",
    "pl": "jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście",
    "ru": "один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    "tr": "bir iki üç dört beş altı yedi sekiz dokuz on",
}
_FEW_NUMBERS = {
    language: {word: number for number, word in enumerate(words.split(), 1)}
    for language, words in _FEW.items()
}
_ONE = {
    "a": 1, "an": 1, "ein": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "eines": 1, "un": 1,
    "une": 1, "una": 1, "uno": 1, "um": 1, "uma": 1, "een": 1, "en": 1,
}  # fmt: skip
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")
"""Languages of text2num in which any number is read."""
_MOST_CHARACTERS = 120


@lru_cache(maxsize=1024)
def number_of(words: str, language: str) -> int | None:
    """Return the number that words spell in a language, or None where they spell none.

    Args:
        words: such as "one hundred and twenty"; an article alone is one.
        language: ISO 639 code.
    """
    words = " ".join(words.lower().split())
    if not words or len(words) > _MOST_CHARACTERS or re.search(r"\d", words):
        return None
    if one := _ONE.get(words):
        return one
    if language in _FEW_NUMBERS:
        return _FEW_NUMBERS[language].get(words)
    if language not in LANGUAGES:
        return None
    from text_to_num import text2num  # a compiled library, loaded where words are read only

    for form in (words, words.replace("-", " "), re.sub(r"\band\b", "", words)):
        try:
            return int(text2num(" ".join(form.split()), language))
        except ValueError:
            continue
    return None


_CJK_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
}
_CJK_UNITS = {"十": 10, "百": 100, "千": 1000}


def cjk_number(text: str) -> int | None:
    """Return the number of Chinese numerals up to 9999, None where a text is none.

    Both ways of writing are read: 二十四, and digit by digit as years are, 二〇二四.
    """
    if not text or not all(c in _CJK_DIGITS or c in _CJK_UNITS for c in text):
        return None
    if not any(c in _CJK_UNITS for c in text):
        return int("".join(str(_CJK_DIGITS[c]) for c in text)) if len(text) <= 4 else None
    total = 0
    digit: int | None = None
    for c in text:
        if c in _CJK_UNITS:
            total += (1 if digit is None else digit) * _CJK_UNITS[c]
            digit = None
        else:
            digit = _CJK_DIGITS[c]
    return total + (digit or 0)
