"""Makes what the README and docs/answers.md show: answers, and pictures of the pages.

Usage: python examples/refresh.py

Writes `invoice_fields.png`, `answer.json`, `receipt_fields.png` and a sheet of thirty invented
invoices (`pictures/invented.webp`) beside this file, and puts what the invoice says between its
marks in the README, and the receipt's whole answer between its in docs/answers.md. The models that
fit the documents read them as the service does.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
from draw_fields import draw_fields
from PIL import Image

from models.packages import Registry
from pipeline.auto import AutoExtractor
from store.settings import Settings
from training.invent import Delivery, Invented
from training.invent.invoices import Invoices

_HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- answer of examples/receipt.png -->\n", "<!-- end of answer -->\n"
BEGIN_LINES = "<!-- values of examples/invoice.pdf -->\n"
_DPI = 110  # of the invoice's picture
_SHEET, _COLUMNS, _SIDE = 30, 6, 270  # documents, and pixels across one
_WIDTH = 100
_ROUNDED = 4  # decimals in the page; `answer.json` has them all


def compact(value: Any, indent: int = 0, used: int = 0) -> str:
    """Return JSON where whatever fits goes on one line.

    Args:
        value: of JSON's types.
        indent: columns in front of the lines after the first.
        used: columns of the first line that are taken.
    """
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or used + len(flat) < _WIDTH:
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        keys = [f"{json.dumps(key)}: " for key in value]
        items = [
            key + compact(item, inner, inner + len(key))
            for key, item in zip(keys, value.values(), strict=True)
        ]
    else:
        items = [compact(item, inner, inner) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = f",\n{' ' * inner}".join(items)
    return f"{opening}\n{' ' * inner}{lines}\n{' ' * indent}{closing}"


def rounded(value: Any) -> Any:
    """Return a JSON value with its numbers rounded, for reading."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, _ROUNDED) if isinstance(value, float) else value


def values(answer: dict[str, Any]) -> Iterator[str]:
    """Yield a line of JSON for each field found, row and check, as the README's jq does."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    for name, found in answer["fields"].items():
        if found is not None:
            said = found["value"]
            yield line({name: said.get("formatted", said) if isinstance(said, dict) else said})
    for row in answer["groups"]["items"]:
        yield line({name: cell["text"] for name, cell in row.items() if cell is not None})
    for check in answer["checks"]:
        yield line({check["name"]: check["ok"]})


def with_answer(page: str, answer: dict[str, Any]) -> str:
    """Return docs/answers.md with the answer between its marks.

    Raises:
        ValueError: the marks are not there.
    """
    return _between(page, BEGIN, f"```json\n{compact(rounded(answer))}\n```\n")


def with_values(readme: str, answer: dict[str, Any]) -> str:
    """Return the README with what an answer says between its marks.

    Raises:
        ValueError: the marks are not there.
    """
    lines = "\n".join(values(answer))
    return _between(readme, BEGIN_LINES, f"```json\n{lines}\n```\n")


def _between(page: str, mark: str, text: str) -> str:
    before, begin, rest = page.partition(mark)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page lacks the mark {(END if begin else mark).strip()}")
    return f"{before}{mark}{text}{END}{after}"


def _drawn(page: Image.Image, answer: dict[str, Any], name: str, colours: int) -> None:
    """Write the picture of a page with its fields, small."""
    drawn = draw_fields(page, answer)
    drawn.quantize(colours, dither=Image.Dither.NONE).save(_HERE / name, optimize=True)


def _sheet() -> Image.Image:
    """Return the first pages of thirty invented invoices, in rows."""
    invent = Invoices(seed=30, delivery=Delivery(scans=0.2, photos=0.15))
    height = round(_SIDE * 2**0.5)
    sheet = Image.new("RGB", (_COLUMNS * _SIDE, _SHEET // _COLUMNS * height), "#777")
    for number in range(_SHEET):
        page = _first_page(invent(number + 1))
        page.thumbnail((_SIDE - 6, height - 6), Image.Resampling.LANCZOS)
        sheet.paste(page, (number % _COLUMNS * _SIDE + 3, number // _COLUMNS * height + 3))
    return sheet


def _first_page(invented: Invented) -> Image.Image:
    if invented.suffix != ".pdf":
        return Image.open(io.BytesIO(invented.data)).convert("RGB")
    page = pypdfium2.PdfDocument(invented.data)[0]
    image: Image.Image = page.render(scale=3 * _SIDE / page.get_width()).to_pil()
    return image.convert("RGB")


def _answer(document: Path) -> dict[str, Any]:
    extractor = AutoExtractor(Registry(Settings().home / "models"))
    extractor.extract(document.read_bytes())  # a service has its models in memory
    return extractor.extract(document.read_bytes()).model_dump(mode="json")


def main() -> None:
    """Write the answer, the pictures and the two pages."""
    receipt, invoice = _HERE / "receipt.png", _HERE / "invoice.pdf"
    of_invoice = _answer(invoice)
    [page] = pypdfium2.PdfDocument(invoice)
    _drawn(page.render(scale=_DPI / 72).to_pil(), of_invoice, "invoice_fields.png", 128)
    answer = _answer(receipt)
    text = json.dumps(answer, indent=2, ensure_ascii=False) + "\n"
    (_HERE / "answer.json").write_text(text, encoding="utf-8")
    with Image.open(receipt) as image:
        # A drawing needs few colours, and the noise of the scan would make a large file of more.
        _drawn(image, answer, "receipt_fields.png", 64)
    _sheet().save(_HERE / "pictures" / "invented.webp", quality=50, method=6)
    readme = _HERE.parent / "README.md"
    readme.write_text(with_values(readme.read_text("utf-8"), of_invoice), encoding="utf-8")
    answers = _HERE.parent / "docs" / "answers.md"
    answers.write_text(with_answer(answers.read_text("utf-8"), answer), encoding="utf-8")


if __name__ == "__main__":
    main()
