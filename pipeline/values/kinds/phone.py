"""Phone numbers in E.164: ``"+60312345678"``.

A number without a country code needs a country: that of the page, else that of the field, which is
a guess and so ambiguous.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.values.context import DocumentContext
from pipeline.values.figures.misread import MISREAD, with_any_digits
from pipeline.values.normalised import ASSUMED, Normalised, failed, first_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.strings import clean

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

_MOST_CHARACTERS = 120
_INTERNATIONAL = re.compile(r"(?<![\d+])(?:00|011)[\s-]?(?=[1-9][\s\d])")
_NORTH_AMERICAN = re.compile(
    r"(?<!\d)(?:1[\s.-]?)?(?:\([2-9]\d\d\)\s?|[2-9]\d\d[\s./-]{1,3})[2-9]\d\d[\s.-]{1,3}\d{4}(?!\d)"
)
# "+49 30 901820Fax": a word right behind a number, which on American keys would be more digits
_GLUED = re.compile(r"(?<=\d)(?=(?![ol])[A-Z]?[a-zà-ÿ]{2}|(?:FAX|TEL|MOB)(?![^\W_]))")
# "+49 30 901820-0 / -11": what the stroke parts can also be one number
_AND_MORE = re.compile(r"\s?/\s?[-\d][-\d\s]*(?!.*\d)")


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the phone number of a text; ambiguous where it holds several or rests on a guess."""
    if len(source.text) > _MOST_CHARACTERS:
        return failed(source, "The text is too long for a phone number.")
    text = _GLUED.sub(" ", source.numeric)
    region, reason = context.country, None
    # 011 is Riyadh's own code, and how Americans dial the world
    own = "+" in text or (region is not None and _numbers(text, region))
    international = text if own else _INTERNATIONAL.sub("+", text, count=1)
    if "+" not in international and region is None:
        if _NORTH_AMERICAN.search(text):
            region, reason = "US", "The form is North American; no country code is printed."
        elif spec.country is not None:
            region, reason = spec.country, f"{ASSUMED}: a number of {spec.country}."
        else:
            reason = "No country code is printed, and the page does not tell its country."
            return failed(source, reason)
    numbers = _numbers(international, region)
    # A number whose letter is left out is short of a digit, and may be another one all the same.
    misread = with_any_digits(international)
    if misread:
        numbers = [*(one for other in misread for one in _numbers(other, region)), *numbers]
        reason = MISREAD
    if not numbers:
        return failed(source, "No valid phone number was found in the text.")
    from phonenumbers import PhoneNumberFormat, format_number

    if (more := _AND_MORE.search(international)) is not None:
        numbers = [*_numbers(international[: more.start()], region), *numbers]
    values = list(dict.fromkeys(format_number(n, PhoneNumberFormat.E164) for n in numbers))
    if len(values) > 1 and not misread:
        reason = "The text holds more than one number."
    extension = numbers[0].extension
    note = f"The extension {extension} is left out." if extension else None
    return first_of(clean(source.printed), values, note=note, doubt=reason)


def _numbers(text: str, region: str | None) -> list[PhoneNumber]:
    """Return the valid numbers of a text, as numbers of a region where no country code leads."""
    from phonenumbers import (
        Leniency,
        NumberParseException,
        PhoneNumberMatcher,
        is_valid_number,
        parse,
    )

    found = [match.number for match in PhoneNumberMatcher(text, region, leniency=Leniency.VALID)]
    if found:
        return found
    digits = text[next((i for i, c in enumerate(text) if c in "+(" or c.isdigit()), 0) :]
    try:
        number = parse(digits, region)
    except NumberParseException:
        return []
    return [number] if is_valid_number(number) else []
