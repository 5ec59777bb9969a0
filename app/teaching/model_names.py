"""Names of models that are made of the names of datasets."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 64


def model_name_of(name: str) -> str:
    """Return a name that a model may have, made of what people call a dataset."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    made = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:_LONGEST].rstrip("-_")
    if not made or not made[0].isalpha():
        made = f"model-{made}".rstrip("-")[:_LONGEST]
    return f"{made}-model" if made == "auto" else made
