"""The forms of answers, by name: what a command line offers before anything is loaded."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """How the fields are written."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    AZURE = "azure"
    XLSX = "xlsx"
    CII = "cii"
    FACTURX = "facturx"  # as the same is called inside of PDFs
