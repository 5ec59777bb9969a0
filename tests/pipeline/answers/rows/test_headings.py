"""Lines of captions: which of two columns they say is left."""

from __future__ import annotations

import pytest

from pipeline.answers.rows.headings import Headings
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

QUANTITY = FieldSpec("items.quantity", Kind.NUMBER, many=True, captions=("Qty", "Q.tà"))
PRICE = FieldSpec("items.price", Kind.AMOUNT, many=True, captions=("Unit price", "Price", "#"))


@pytest.mark.parametrize(
    ("line", "in_order"),
    [
        ("Qty.     Item     UNIT PRICE:     Amount", True),
        ("Unit     price     Q.tà", False),  # words of a caption may be apart
        ("Item     Amount", None),
        ("Qty     Item     #", None),  # a caption without a letter or digit is none
        ("Price     Qty     Total price", None),
        ("Unit     price | Qty", None),  # two lines
    ],
)
def test_a_line_with_captions_of_both_columns_tells(line: str, in_order: bool | None) -> None:
    words = list(document_of(f"{line} | 3 4.00").words())
    assert Headings(QUANTITY, PRICE, words).in_order(len(words) - 1) is in_order


def test_a_word_has_its_order_from_the_last_line_before_it() -> None:
    words = list(document_of("1 | Qty Price | 2 | Price Qty | 3").words())
    found = Headings(QUANTITY, PRICE, words)
    numbers = [at for at, (_, token) in enumerate(words) if token.text.isdecimal()]
    assert [found.in_order(at) for at in numbers] == [None, True, False]


def test_columns_without_captions_say_nothing() -> None:
    words = list(document_of("quantity price | 3 4.00").words())
    plain = [FieldSpec(f"items.{name}", many=True) for name in ("quantity", "price")]
    assert Headings(*plain, words).in_order(len(words) - 1) is None
