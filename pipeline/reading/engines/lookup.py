"""Finds an engine by its name, loaded once a process."""

from __future__ import annotations

from functools import cache

from pipeline.reading.engines.base import Engine
from pipeline.reading.options import EngineName


@cache
def engine_named(name: EngineName) -> Engine:
    """Return an engine, the same one for each call.

    Raises:
        DependencyMissing: its packages are not installed.
    """
    # Imported late: only an engine that is used loads its libraries.
    if name == "tesseract":
        from pipeline.reading.engines.tesseract import Tesseract

        return Tesseract()
    from pipeline.reading.engines.rapidocr import RapidOcr

    return RapidOcr()
