"""International bank account numbers without spaces, their check digits verified."""

from __future__ import annotations

import re

from pipeline.values.context import DocumentContext
from pipeline.values.figures.misread import as_digits
from pipeline.values.normalised import Normalised, failed, first_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded

_CANDIDATE = re.compile(
    r"(?:(?<![A-Z0-9])|(?<=IBAN))[A-Z]{2}\s?[0-9OIlSBZG]{2}(?:[\s.-]?[A-Z0-9l]){11,40}"
)
_SHORTEST, _LONGEST = 15, 34


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the IBAN of a text; failed where no reading has the right check digits."""
    text = source.numeric.upper() if source.numeric.islower() else source.numeric
    found: dict[str, tuple[int, int, str | None]] = {}
    position = 0
    while (match := _CANDIDATE.search(text, position)) is not None:
        valid = _valid(text, match.start(), match.end())
        if valid is not None:
            value, end, note = valid
            found.setdefault(value, (match.start(), end, note))
        position = valid[1] if valid else match.start() + 1
    if not found:
        printed = _CANDIDATE.search(text) is not None
        return failed(
            source,
            "The check digits or the length of the IBAN are wrong."
            if printed
            else "No IBAN was found in the text.",
        )
    start, end, note = next(iter(found.values()))
    several = "The text holds more than one IBAN."
    return first_of(source.cut(start, end), tuple(found), several, note=note)


def _valid(text: str, start: int, end: int) -> tuple[str, int, str | None] | None:
    """Return the IBAN that begins at `start`, where it ends, and how it was read."""
    from stdnum import iban

    places = [index for index in range(start, end) if text[index].isalnum()]
    compact = "".join(text[index] for index in places)
    for form, note in (
        (compact, None),
        (compact[:2] + as_digits(compact[2:]), "Letters were read as digits."),
    ):
        for length in range(min(len(form), _LONGEST), _SHORTEST - 1, -1):
            # The countries' own rules ask for banks of a list, which is never complete.
            if iban.is_valid(form[:length].upper(), check_country=False):
                return form[:length].upper(), places[length - 1] + 1, note
    return None
