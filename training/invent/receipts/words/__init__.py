"""What tills print: captions, goods, kinds of shops, and lines beside the sale.

A line holds the wordings of one role. ``{...}`` stands for a value, see `Till` in
`training.invent.receipts.till`; ``{last}``, ``{first}``, ``{place}`` and ``{brand}`` are names.
"""

from __future__ import annotations

from training.invent.receipts.words.eastern import EASTERN
from training.invent.receipts.words.northern import NORTHERN
from training.invent.receipts.words.western import WESTERN

ROLES = (
    *("title", "date", "time", "number", "cashier", "register", "table", "phone", "tax_id"),
    *("subtotal", "discount", "tax", "net", "gross", "rounding", "tip", "total", "saved", "items"),
    *("cash", "card", "change", "other_date", "points", "thanks", "note", "slip", "shop", "goods"),
    *("meals", "owner", "registry", "entry", "exit", "fare", "night", "balance"),
)
"""What a wording can stand for; every language has some for each."""

WORDS = {**WESTERN, **NORTHERN, **EASTERN}
