"""Which text layers are real text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reading.text_layer.coverage import Coverage
from pipeline.reading.text_layer.quality import NO_TEXT, belongs, bits_per_letter, judge

WORDS = ["Invoice", "42", "of", "KEDAI", "CONTOH", "for", "two", "pens", "Total", "12.50"] * 2
WHOLE = Coverage(alignment=0.5, covered=0.6, reach=0.98)

PROSE = {
    "english": "This agreement is made between the parties named below, who wish to exchange "
    "information that one of them holds and that the other needs for the purpose stated.",
    "german": "Dieser Vertrag wird zwischen den unten genannten Parteien geschlossen, die für den "
    "angegebenen Zweck vertrauliche Unterlagen austauschen möchten und sie schützen.",
    "french": "Le présent contrat est conclu entre les parties désignées ci-dessous, qui "
    "souhaitent échanger des informations confidentielles pour le besoin indiqué.",
    "polish": "Niniejsza umowa zostaje zawarta pomiędzy stronami wymienionymi poniżej, które "
    "zamierzają wymieniać informacje poufne w celu określonym w dokumencie.",
    "turkish": "Bu sözleşme aşağıda adları yazılı taraflar arasında, belirtilen amaçla gizli "
    "bilgilerin karşılıklı olarak paylaşılması için yapılmıştır ve korunur.",
    "indonesian": "Perjanjian ini dibuat antara para pihak yang disebutkan di bawah ini, yang "
    "hendak saling bertukar keterangan rahasia untuk keperluan tersebut.",
}


def shifted(text: str, by: int) -> str:
    """Return a text as a font shows it whose encoding is off by some letters."""
    return "".join(
        chr((ord(c.lower()) - 97 + by) % 26 + 97) if c.isascii() and c.isalpha() else c
        for c in text
    )


@pytest.mark.parametrize(
    ("words", "unmapped", "coverage", "reason"),
    [
        ([], 0.0, None, NO_TEXT),
        (WORDS, 0.2, None, "text layer has 20% unmapped characters"),
        (["(cid:12)(cid:3)"] * 20, 0.0, None, "text layer has 100% unmapped characters"),
        (["#$%!"] * 9, 0.0, None, "text layer has hardly any letters"),
        (list("invoice") * 4, 0.0, None, "text layer has its letters spaced out"),
        (["a" * 60] * 20, 0.0, None, "text layer has lost its spaces"),
        (shifted(PROSE["english"] * 2, 3).split(), 0.0, None,
         "text layer has letters that form no words"),
        (WORDS, 0.0, Coverage(0.5, 0.1, 0.9),
         "scan with a text layer that covers little of it"),
        (WORDS, 0.0, Coverage(0.5, 0.5, 0.3),
         "scan with a text layer that does not cover the page"),
    ],
)  # fmt: skip
def test_refused(words: list[str], unmapped: float, coverage: Coverage | None, reason: str) -> None:
    verdict = judge(words, unmapped=unmapped, coverage=coverage)
    assert (verdict.trusted, verdict.reason) == (False, reason)


@pytest.mark.parametrize(
    ("words", "unmapped", "coverage"),
    [
        (WORDS, 0.0, None),
        (WORDS, 0.05, None),  # bullets of a symbol font
        (WORDS * 4, 0.0, WHOLE),  # a scan with a whole text layer under it
        (["TOTAL", "9.10"], 0.0, None),
        (["TOTAL", "9.10"], 0.0, WHOLE),  # a scan of two words
    ],
)
def test_trusted(words: list[str], unmapped: float, coverage: Coverage | None) -> None:
    assert judge(words, unmapped=unmapped, coverage=coverage).trusted


def test_lost_words_are_refused_whatever_the_others_are() -> None:
    verdict = judge(WORDS, unmapped=0.01, coverage=None, lost=True)
    assert verdict.reason == "text layer has words without a meaning outside their font"
    assert not verdict.trusted


def test_a_table_of_few_words_is_trusted_where_a_scan_is_not() -> None:
    sparse = Coverage(alignment=0.2, covered=0.1, reach=0.4)
    assert judge(WORDS, unmapped=0.0, coverage=sparse, scan=False).trusted
    assert not judge(WORDS, unmapped=0.0, coverage=sparse).trusted


@pytest.mark.parametrize("language", PROSE)
def test_words_of_any_european_language_are_words(language: str) -> None:
    words = (PROSE[language] * 2).split()
    assert bits_per_letter("".join(words)) < 4.75
    assert judge(words, unmapped=0.0, coverage=None).trusted


@pytest.mark.parametrize("by", range(1, 26))
def test_letters_all_shifted_cost_more_than_words(by: int) -> None:
    text = PROSE["english"] * 2
    assert bits_per_letter(shifted(text, by)) > bits_per_letter(text) + 0.4


def test_other_scripts_and_short_texts_are_not_judged_by_their_letters() -> None:
    assert bits_per_letter("договор между сторонами " * 30) == 0
    assert bits_per_letter("XQZJ" * 20) == 0


@given(st.text(max_size=600))
def test_letters_cost_the_same_in_any_case_and_order(text: str) -> None:
    cost = bits_per_letter(text)
    assert 0 <= cost < 10
    assert bits_per_letter(text[::-1]) == pytest.approx(cost)


def test_hidden_words_belong_where_they_follow_the_print() -> None:
    assert belongs(WHOLE)
    assert not belongs(Coverage(alignment=0.12, covered=0.4, reach=1.0))
