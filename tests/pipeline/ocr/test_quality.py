"""Which text layers are real text."""

from __future__ import annotations

import pytest

from pipeline.ocr.quality import NO_TEXT, judge

WORDS = ["Invoice", "42", "of", "KEDAI", "CONTOH", "for", "two", "pens", "Total", "12.50"] * 2


@pytest.mark.parametrize(
    ("words", "characters", "share", "reach", "reason"),
    [
        ([], [], 0.0, 0.0, NO_TEXT),
        (["x"], [" ", "\u00a0"], 0.0, 0.1, NO_TEXT),
        (WORDS, ["(cid:3)"] * 20 + ["a"] * 80, 0.0, 0.9, "text layer has 20% unmapped characters"),
        (WORDS, ["\ue001"] * 50 + ["a"] * 50, 0.0, 0.9, "text layer has 50% unmapped characters"),
        (WORDS, ["\ufffd"] * 11 + ["a"] * 89, 0.0, 0.9, "text layer has 11% unmapped characters"),
        (["#$%!"] * 9, list("#$%!") * 9, 0.0, 0.9, "text layer has hardly any letters"),
        (list("invoice") * 4, list("invoice") * 4, 0.0, 0.9,
         "text layer has its letters spaced out"),
        (["a" * 60] * 20, ["a"] * 1200, 0.0, 0.9, "text layer has lost its spaces"),
        (["SCAN", "0001"], list("SCAN0001"), 1.0, 0.9, "scan with few words in its text layer"),
        (WORDS, list("".join(WORDS)), 1.0, 0.3,
         "scan with a text layer that does not cover the page"),
    ],
)  # fmt: skip
def test_refused(
    words: list[str], characters: list[str], share: float, reach: float, reason: str
) -> None:
    verdict = judge(characters, words, picture_share=share, reach=reach)
    assert (verdict.trusted, verdict.reason) == (False, reason)


@pytest.mark.parametrize(
    ("words", "share", "reach"),
    [
        (WORDS, 0.0, 0.05),  # a line of text on an empty page
        (WORDS * 4, 1.0, 0.8),  # a scan with a whole text layer under it
        (["TOTAL", "9.10"], 0.3, 0.1),  # a logo and two words
    ],
)
def test_trusted(words: list[str], share: float, reach: float) -> None:
    assert judge(list("".join(words)), words, picture_share=share, reach=reach).trusted
