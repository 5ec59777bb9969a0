"""Names of models that are made of the names of datasets."""

from __future__ import annotations

import re

from pipeline.values.texts.strings import in_ascii

_LONGEST = 64


def model_name_of(name: str) -> str:
    """Return a name that a model may have, made of what people call a dataset."""
    made = re.sub(r"[^a-z0-9_]+", "-", in_ascii(name)).strip("-_")[:_LONGEST].rstrip("-_")
    if not made or not made[0].isalpha():
        made = f"model-{made}".rstrip("-")[:_LONGEST]
    return f"{made}-model" if made == "auto" else made
