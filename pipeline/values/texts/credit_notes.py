"""What credit notes are called."""

from __future__ import annotations

import re

_CREDIT = re.compile(
    r"cr[eé]dit|gutschrift|storno|avoir|abono|rectificativa|kredit|kreditera|kor+ekt|korygują",
    re.IGNORECASE,
)


def is_credit_note(title: str) -> bool:
    """Return whether a title is that of a credit note: "Gutschrift", "Facture d'avoir"."""
    return _CREDIT.search(title) is not None
