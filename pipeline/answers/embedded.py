"""What the XML of an e-invoice says beside what is printed, and where the two differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from decimal import Decimal, InvalidOperation
from typing import Any

from pipeline.answers.rendering import Answer
from pipeline.document import EmbeddedInvoice
from pipeline.result import Candidate, EmbeddedValues, FieldValue


def embedded_values(invoice: EmbeddedInvoice) -> EmbeddedValues:
    """Return the values of an e-invoice as the answer has them."""
    return EmbeddedValues.model_validate(asdict(invoice))


def differences(invoice: EmbeddedInvoice, fields: Mapping[str, Answer]) -> Iterator[str]:
    """Yield a warning for each field of which the page says something else than the XML.

    A page on which the XML's value was found, too, does not contradict it.

    Args:
        invoice: the XML.
        fields: what was found on the pages, by the same names.
    """
    for name, wanted in invoice.fields.items():
        found = fields.get(name)
        printed = found if isinstance(found, list) else [found] if found is not None else []
        if printed and not any(_says(value, wanted) for value in printed):
            yield (
                f"{name}: the e-invoice in the PDF says {wanted!r}, "
                f"its pages say {printed[0].text!r}."
            )


def _says(value: FieldValue, wanted: str) -> bool:
    return _agrees(value, wanted) or any(_agrees(other, wanted) for other in value.candidates)


def _agrees(offer: FieldValue | Candidate, wanted: str) -> bool:
    value: Any = offer.value
    if isinstance(value, dict) and "amount" in value:
        try:
            return Decimal(str(value["amount"])) == Decimal(wanted)
        except InvalidOperation:
            return False
    return _folded(wanted) in (_folded(str(value)), _folded(offer.text))


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
