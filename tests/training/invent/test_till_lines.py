"""Lines of receipts keep within the paper."""

from __future__ import annotations

import html
import re

import pytest

from training.invent.receipts.lines import Line, in_columns


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (Line("TOTAL FACTURA", "251.947", scale=2.0), ["TOTAL", "FACTURA 251.947"]),
        (Line("TOTAL FACTURA", "251.947 CLP", scale=2.0), ["TOTAL", "FACTURA", "    251.947 CLP"]),
        (
            Line("Ticket  0026-38", "Fecha y hora  13-07-2026 22:14:00"),
            ["Ticket", "0026-38", "Fecha y hora  13-07-2026".rjust(30), "22:14:00".rjust(30)],
        ),
        (Line("", "251.947 CLP", scale=2.0), ["    251.947 CLP"]),
    ],
)
def test_a_value_without_room_beside_its_caption_stands_below(line: Line, shown: list[str]) -> None:
    text = html.unescape(re.sub(r"<[^>]+>", "", in_columns([line], 30)))
    assert text.split("\n") == shown
    assert all(len(row) <= int(30 / line.scale) for row in shown)
