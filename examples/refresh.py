"""Makes what the README shows of a request: the answer to `receipt.png`, and the picture of it.

Usage: python examples/refresh.py [--model receipts]

Writes `answer.json` and `receipt_fields.png` beside this file, and puts the answer between its
two marks in the README. The model reads the receipt as the service does.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from draw_fields import draw_fields
from PIL import Image

from models.packages import Registry
from pipeline.extract import Extractor
from store.settings import Settings

_HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- answer of examples/receipt.png -->\n", "<!-- end of answer -->\n"
_WIDTH = 100
_ROUNDED = 4  # decimals in the README; `answer.json` has them all


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


def with_answer(readme: str, answer: dict[str, Any]) -> str:
    """Return the README with the answer between its marks.

    Raises:
        ValueError: the marks are not there.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the README lacks the mark {(END if begin else BEGIN).strip()}")
    return f"{before}{BEGIN}```json\n{compact(rounded(answer))}\n```\n{END}{after}"


def main() -> None:
    """Write the answer, the picture and the README."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="receipts", help="NAME or NAME@VERSION")
    arguments = parser.parse_args()
    package = Registry(Settings().home / "models").resolve(arguments.model)
    receipt = _HERE / "receipt.png"
    extraction = Extractor(package.path).extract(receipt.read_bytes())
    answer = extraction.model_dump(mode="json")
    text = json.dumps(answer, indent=2, ensure_ascii=False) + "\n"
    (_HERE / "answer.json").write_text(text, encoding="utf-8")
    with Image.open(receipt) as image:
        drawn = draw_fields(image, answer)
    # A drawing needs few colours, and the noise of the scan would make a large file of more.
    drawn.quantize(64, dither=Image.Dither.NONE).save(_HERE / "receipt_fields.png", optimize=True)
    readme = _HERE.parent / "README.md"
    readme.write_text(with_answer(readme.read_text(encoding="utf-8"), answer), encoding="utf-8")


if __name__ == "__main__":
    main()
