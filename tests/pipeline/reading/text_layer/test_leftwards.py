"""Words of scripts that run from right to left, however a producer draws their letters."""

from __future__ import annotations

import pytest

from tests.builders import change_pdf, texts
from tests.pipeline.reading.text_layer.pages import content, layer, state_meaning

# Letters of the font that stand for Hebrew ones; F is a ligature of two Arabic ones.
HEBREW = dict(zip("abcdeghijklmnopqrstuvwxyz", map(chr, range(0x5D0, 0x5E9)), strict=True))
LIGATURE = "\u0644\u0623"


def hebrew(text: str) -> str:
    return "".join(HEBREW.get(letter, letter) for letter in text)


def read(code: bytes) -> list[str]:
    """Return the words of a page of hand-written content."""
    codes = {**HEBREW, "F": LIGATURE, **{sign: sign for sign in '0123456789ABC:.,()"-/ '}}
    meant = {ord(letter): text for letter, text in codes.items()}
    page = change_pdf(content(code, "/Courier"), lambda pdf: state_meaning(pdf, meant))
    return texts(layer(page))


def at(x: float, y: float, text: str) -> bytes:
    escaped = text.replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 10 Tf {x} {y} Td ({escaped}) Tj ET\n".encode()


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("cba fed", ["fed", "abc"]),
        ("56.00 :cba", ["abc:", "56.00"]),
        ('d"cb a', ["a", 'bc"d']),
        ("(20) ba ABC dc", ["cd", "ABC", "ab", "(20)"]),
        ("3/12/25 cba", ["abc", "3/12/25"]),
    ],
)
def test_words_are_read_from_the_right(shown: str, words: list[str]) -> None:
    """Each drawn in one go, word by word, and letter by letter, as it is shown on the page."""
    shown = shown.replace("fed", "hgi")  # no f among the letters
    expected = [hebrew(word.replace("fed", "igh")) for word in words]
    by_word, x = b"", 100.0
    for word in shown.split(" "):
        by_word += at(x, 700, word)
        x += 6 * (len(word) + 1)
    by_letter = b"".join(
        at(100 + 6 * place, 700, letter) for place, letter in enumerate(shown) if letter != " "
    )
    for code in (at(100, 700, shown), by_word, by_letter):
        assert read(code) == expected


def test_letters_of_a_ligature_keep_their_order() -> None:
    assert read(at(100, 700, "bFa")) == [hebrew("a") + LIGATURE + hebrew("b")]


def test_hebrew_in_an_english_line_stays_in_its_place() -> None:
    assert read(at(100, 700, "ABC cba gd CAB 12")) == [
        "ABC", hebrew("dg"), hebrew("abc"), "CAB", "12",
    ]  # fmt: skip
