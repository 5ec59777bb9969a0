"""An invented invoice of two pages with items, and an answer to it with two mistakes in its rows.

The document is really sent and read; what a model would say of it, with mistakes that are known, is
put in the place of the answer.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from models.packages.manifest import FIELDS, write_sums
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import draw_pdf
from tests.packages import tiny_package
from tests.service import Service

MODEL = "goods"
SPECS = (
    FieldSpec("vendor", Kind.NAME),
    FieldSpec("subtotal", Kind.AMOUNT, currency="EUR"),
    FieldSpec("items.description", Kind.TEXT),
    FieldSpec("items.amount", Kind.AMOUNT, currency="EUR"),
)
CHECK = """
[[check]]
name = "items add up to the subtotal"
rules = ["sum(items.amount) = subtotal"]
"""
ITEMS = (  # of each page: description and amount
    (("Copy paper", "12.00"), ("Blue pens", "4.50"), ("Desk lamp", "31.00")),
    (("Staples", "2.50"), ("Letter tray", "8.00")),
)


@dataclass(frozen=True, slots=True)
class Read:
    """A word as it was read, with its number and page."""

    number: int
    page: int
    text: str
    box: list[float]


def install(home: Path) -> None:
    """Put a package with a group and a check into a home; its weights are random."""
    folder = home / "models" / MODEL / "0.0.1"
    folder.parent.mkdir(parents=True, exist_ok=True)
    tiny_package(folder, name=MODEL, fields=SPECS)
    with (folder / FIELDS).open("a", encoding="utf-8") as file:
        file.write(CHECK)
    write_sums(folder)


def invoice_pdf() -> bytes:
    """Return the invoice."""

    def draw(number: int) -> Any:
        def on(canvas: Canvas) -> None:
            canvas.setFont("Helvetica", 14)
            canvas.drawString(60, 780, "Papierhaus Muster GmbH" if number == 0 else "Page two")
            canvas.drawString(60, 740, "Amounts in EUR")
            for line, (description, amount) in enumerate(ITEMS[number]):
                canvas.drawString(60, 700 - 40 * line, description)
                canvas.drawRightString(520, 700 - 40 * line, amount)
            if number == 1:
                canvas.drawString(60, 560, "Subtotal")
                canvas.drawRightString(520, 560, "58.00")

        return on

    return draw_pdf(draw(0), draw(1))


def send(service: Service, name: str = "goods.pdf") -> str:
    """Have the invoice read, put the answer with mistakes in its place; return the job.

    There is no check yet, for an amount cannot be read: the rows of the second page are one. Of
    the first page, the second row is missing.
    """
    response = service.post(invoice_pdf(), name, model=MODEL)
    assert response.status_code == 200, response.text
    job_id = str(response.json()["id"])
    answer = service.client.get(f"/jobs/{job_id}/result", params={"reviewed": False}).json()
    words = words_of(service, job_id)
    say = dict.fromkeys(("fields", "groups"))
    say["fields"] = {
        "vendor": value("name", chosen(words, "Papierhaus Muster GmbH")),
        "subtotal": value("amount", chosen(words, "58.00")),
    }
    rows = [ITEMS[0][:1], ITEMS[0][2:], ITEMS[1]]
    say["groups"] = {
        "items": [
            {
                "description": value("text", chosen(words, *(item[0] for item in row))),
                "amount": value("amount", chosen(words, *(item[1] for item in row))),
            }
            for row in rows
        ]
    }
    body = json.dumps({**answer, **say, "warnings": []})
    with closing(sqlite3.connect(service.home / "jobs.db", timeout=30)) as connection, connection:
        changed = connection.execute("UPDATE results SET body = ? WHERE job_id = ?", (body, job_id))
        assert changed.rowcount == 1
    return job_id


def words_of(service: Service, job_id: str) -> list[Read]:
    """Return the words of a document in reading order."""
    pages = service.client.get(f"/jobs/{job_id}/words").json()["pages"]
    found = [(page["number"], word) for page in pages for word in page["words"]]
    return [Read(n, page, word["text"], word["box"]) for n, (page, word) in enumerate(found)]


def chosen(words: Sequence[Read], *texts: str) -> list[Read]:
    """Return the words of texts that each stand in the document once."""
    wanted = [part for text in texts for part in text.split()]
    return [word for word in words if word.text in wanted]


def value(kind: str, words: Sequence[Read]) -> dict[str, Any]:
    """Return a value of words; an amount of more than one word is none, and doubtful."""
    text = " ".join(word.text for word in words)
    doubtful = kind == "amount" and len(words) > 1
    amount = None if doubtful else {"amount": text, "currency": "EUR"}
    boxes = [word.box for word in words]
    return {
        "kind": kind,
        "text": text,
        "value": amount if kind == "amount" else text,
        "confidence": 0.6 if doubtful else 0.97,
        "page": words[0].page,
        "box": [
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        ],
        "words": [word.number for word in words],
        "normalisation": {
            "status": "failed" if doubtful else "ok",
            "reason": "there are two amounts" if doubtful else None,
            "alternatives": [],
            "precision": None,
        },
        "candidates": [],
        "needs_review": doubtful,
    }
