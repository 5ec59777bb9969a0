"""Receipts in fixed columns, which need none of the generator's libraries."""

from __future__ import annotations

import random
from decimal import Decimal

from training.invent.plain_receipts import draw_receipt


def test_what_a_receipt_lists_adds_up() -> None:
    for seed in range(50):
        receipt = draw_receipt(random.Random(seed))
        amounts = {
            line.rsplit(" ", 1)[0].strip(): line.rsplit(" ", 1)[-1] for line in receipt.lines
        }
        if "CASH" in amounts:
            assert Decimal(amounts["CASH"]) - Decimal(amounts["CHANGE"]) == Decimal(receipt.total)
        if "SUBTOTAL" in amounts:
            extra = sum(Decimal(amounts.get(name, "0")) for name in ("GST 6%", "ROUNDING"))
            assert Decimal(amounts["SUBTOTAL"]) + extra == Decimal(receipt.total)
