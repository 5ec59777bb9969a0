"""What is read of other tools' files, none of it trusted: names, JSON, texts, sizes of pictures."""

from __future__ import annotations

import codecs
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from PIL import Image

from training.errors import DatasetError

UNEXPECTED = (ValueError, KeyError, TypeError, AttributeError, ArithmeticError)
"""What is raised where JSON has another form than is expected of it."""
_LARGEST_MB = 512  # of a file of labels; it is held in memory


def read_text(path: Path, most_mb: int = _LARGEST_MB) -> str:
    """Return the text of a file: UTF-8, with or without a mark, or as spreadsheets write.

    These write UTF-16 with a mark, or Windows-1252, whose euro and quotation marks Latin-1 has not.

    Raises:
        DatasetError: it is not there, or larger than allowed.
    """
    try:
        size = path.stat().st_size
        if size > most_mb << 20:
            raise DatasetError(
                f"{path} has {size >> 20} MB; at most {most_mb} can be read.",
                advice="Split it, or export the project in parts.",
            )
        data = path.read_bytes()
    except OSError as error:
        raise DatasetError(
            f"{path} cannot be read: {error.strerror}.", advice="Check what --from names."
        ) from error
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    return data.decode("latin-1")


def read_json(path: Path) -> Any:
    """Return the JSON value in a file.

    Raises:
        DatasetError: it is not there, too large, not JSON, or nested without end.
    """
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise DatasetError(
            f"{path} is not valid JSON: {error}.", advice="Export it again."
        ) from error


def write_json(path: Path, value: Any, indent: int | None = None) -> None:
    """Write a JSON value, its texts as they are."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent), encoding="utf-8")


def some(paths: list[Path], source: Path, what: str, advice: str) -> list[Path]:
    """Return paths as they are.

    Raises:
        DatasetError: there are none; `what` names them.
    """
    if not paths:
        raise DatasetError(f"{source} holds no {what}.", advice=advice)
    return paths


def json_files(folder: Path) -> list[Path]:
    """Return the JSON files of a folder, by name; the folder may be missing."""
    return sorted(folder.glob("*.json"))


def inside(folder: Path, name: str) -> Path:
    """Return the file of a name in a folder.

    Raises:
        ValueError: the name, or a link, leads out of the folder, or there is no such file.
    """
    path = folder / name
    try:
        resolved = path.resolve()
        found = path.is_file()
    except (OSError, ValueError) as error:  # names with a zero byte, or longer than names may be
        raise ValueError(f"{name[:80]!r} is no file name") from error
    if not resolved.is_relative_to(folder.resolve()):
        raise ValueError(f"{name[:200]} lies outside {folder.name}/")
    if not found:
        raise ValueError(f"{name[:200]} is not there")
    return path


def first_inside(folder: Path, *names: str) -> Path:
    """Return the first of several files that is there; errors as `inside`, of the last name."""
    for name in names[:-1]:
        with suppress(ValueError):
            return inside(folder, name)
    return inside(folder, names[-1])


def picture_size(path: Path) -> tuple[int, int]:
    """Return width and height of a picture in pixels, from its first bytes alone.

    Raises:
        OSError, ValueError: no picture.
    """
    with Image.open(path) as image:
        return image.size
