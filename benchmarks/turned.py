"""The same pictures turned, skewed and scaled: how many values differ from those as delivered.

Usage: python -m benchmarks.turned FOLDER [--model NAME] [--every 20]

Each picture of a dataset folder is read as it is and in six other ways. A value differs where it
is not the same one by kind (`training.scoring`), is missing, or is new. Prints a row for each way,
and every difference on standard error; exits with 1 where more than one value in 200 differs.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from models.packages import Registry
from pipeline.extract import Extractor
from pipeline.result import Extraction
from store.settings import Settings
from training.data import load_dataset

_MOST = 1 / 200
Way = Callable[[Image.Image], Image.Image]


def _rotated(degrees: float) -> Way:
    return lambda image: image.rotate(
        degrees, resample=Image.Resampling.BICUBIC, expand=True, fillcolor="white"
    )


def _scaled(factor: float) -> Way:
    return lambda image: image.resize(
        (round(image.width * factor), round(image.height * factor)), Image.Resampling.LANCZOS
    )


WAYS: dict[str, Way] = {
    "left": lambda image: image.transpose(Image.Transpose.ROTATE_90),
    "right": lambda image: image.transpose(Image.Transpose.ROTATE_270),
    "upside down": lambda image: image.transpose(Image.Transpose.ROTATE_180),
    "skewed by 3 degrees": _rotated(3),
    "skewed by -7 degrees": _rotated(-7),
    "scaled by 1.5": _scaled(1.5),
}


def values(answer: Extraction) -> dict[str, str]:
    """Return the value of each field as text, empty for none."""
    found = {}
    for name, given in answer.fields.items():
        items = given if isinstance(given, list) else [given] if given else []
        found[name] = "; ".join(sorted(str(item.value or item.text) for item in items))
    return found


def main() -> None:
    """Print a row for each way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="dataset folder of pictures")
    parser.add_argument("--model", help="the one that fits by default")
    parser.add_argument("--every", type=int, default=20, help="take each so-manieth document")
    arguments = parser.parse_args()
    registry = Registry(Settings.load().home / "models")
    extractor = Extractor(registry.resolve(arguments.model).path)
    counts, wrong = dict.fromkeys(WAYS, 0), dict.fromkeys(WAYS, 0)
    for row in load_dataset(arguments.folder).rows[:: arguments.every]:
        data = row.document.read_bytes()
        plain = values(extractor.extract(data))
        with Image.open(io.BytesIO(data)) as image:
            picture = image.convert("RGB")
        for name, way in WAYS.items():
            buffer = io.BytesIO()
            way(picture).save(buffer, "PNG")
            other = values(extractor.extract(buffer.getvalue()))
            for field, value in plain.items():
                counts[name] += 1
                if other[field] != value:
                    wrong[name] += 1
                    print(
                        f"{row.id}, {name}, {field}: {value!r}, {other[field]!r}", file=sys.stderr
                    )
    print("| way | values | different |\n| --- | --- | --- |")
    for name in WAYS:
        print(f"| {name} | {counts[name]} | {wrong[name]} |")
    share = sum(wrong.values()) / max(1, sum(counts.values()))
    print(f"\n{share:.2%} of the values differ (at most {_MOST:.2%}).")
    sys.exit(share > _MOST)


if __name__ == "__main__":
    main()
