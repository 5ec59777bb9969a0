"""Answers in the shape of Azure's prebuilt invoice model, for programs that were written for it.

What such a program reads is there: `status`, the pages, and one document with typed fields, each
with `content`, `confidence` and `boundingRegions`. `spans` are not: answers have no running text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from pipeline.formats.export import Reply
from pipeline.result import Extraction, FieldValue, PageInfo, listed

API_VERSION = "2024-11-30"  # of Document Intelligence whose field names these are

_POINTS_PER_INCH = 72

# Fields of invoices by the names that they have there; others keep theirs in CamelCase.
_NAMES = {
    "invoice_number": "InvoiceId",
    "service_start": "ServiceStartDate",
    "service_end": "ServiceEndDate",
    "subtotal": "SubTotal",
    "taxes": "TaxDetails",
}


def azure_result(reply: Reply) -> dict[str, Any]:
    """Return a reply as the result of an analysis: `analyzeResult`, or `error` where it failed."""
    if reply.answer is None:
        error = reply.error
        code, message = (error.code, error.detail) if error else ("internal", "Not processed.")
        return {"status": "failed", "error": {"code": code, "message": message}}
    return {"status": "succeeded", "analyzeResult": _analysis(reply.answer)}


def _analysis(answer: Extraction) -> dict[str, Any]:
    pages = {page.number: _page(page) for page in answer.document.pages}
    return {
        "apiVersion": API_VERSION,
        "modelId": f"{answer.model.name}@{answer.model.version}",
        "pages": list(pages.values()),
        "documents": [
            {
                "docType": answer.model.name,
                "boundingRegions": [
                    _region(number, [0.0, 0.0, 1.0, 1.0], pages) for number in pages
                ],
                "fields": _fields(answer, pages),
                **({} if answer.model.fit is None else {"confidence": answer.model.fit}),
            }
        ],
        "warnings": [{"code": "Warning", "message": text} for text in answer.warnings],
    }


def _page(page: PageInfo) -> dict[str, Any]:
    """Return a page, in inches: an answer does not keep how many pixels a picture has."""
    # Angles there are how the content lies, clockwise and in (-180, 180]; rotation undoes that.
    angle = -page.rotation if page.rotation < 180 else 360 - page.rotation
    return {
        "pageNumber": page.number,
        "angle": angle,
        "width": round(page.width / _POINTS_PER_INCH, 4),
        "height": round(page.height / _POINTS_PER_INCH, 4),
        "unit": "inch",
    }


def _fields(answer: Extraction, pages: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in answer.fields.items():
        if isinstance(value, list):
            if value:
                fields[_name(name)] = _array([_field(one, pages) for one in value])
        elif value is not None and name != "iban":
            fields[_name(name)] = _field(value, pages)
    iban = answer.fields.get("iban")
    payees = listed(iban)
    if payees:
        rows = [_object({"IBAN": _field(payee, pages)}) for payee in payees]
        fields["PaymentDetails"] = _array(rows)
    for group, found in answer.groups.items():
        cells = (
            {_name(column): _field(cell, pages) for column, cell in row.items() if cell is not None}
            for row in found
        )
        if rows := [_object(row) for row in cells if row]:
            fields[_name(group)] = _array(rows)
    return fields


def _name(name: str) -> str:
    """Return the name there: `vendor_name` is ``VendorName``."""
    return _NAMES.get(name) or "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _array(values: Sequence[Any]) -> dict[str, Any]:
    return {"type": "array", "valueArray": list(values)}


def _object(cells: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "valueObject": dict(cells)}


def _field(found: FieldValue, pages: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a value; one that could not be normalised has `content` alone, as it has there.

    What is printed nowhere, such as values of embedded XML and of people, has no region.
    """
    printed = {"boundingRegions": [_region(found.page, found.box, pages)]} if found.box else {}
    return {**_typed(found), "content": found.text, **printed, "confidence": found.confidence}


def _typed(found: FieldValue) -> dict[str, Any]:
    value = found.value
    match found.kind:
        case "amount":
            money = value if isinstance(value, dict) else {}
            amount = _number(money.get("amount"))
            if amount is None:
                return {"type": "currency"}
            currency = {"currencyCode": money["currency"]} if money.get("currency") else {}
            return {"type": "currency", "valueCurrency": {"amount": amount, **currency}}
        case "date":
            whole = value is not None and found.normalisation.precision in (None, "day")
            return {"type": "date", **({"valueDate": value} if whole else {})}
        case "number":
            number = _number(value)
            return {"type": "number", **({} if number is None else {"valueNumber": number})}
        case "boolean":
            return {"type": "boolean", **({} if value is None else {"valueBoolean": value})}
        case "address" if isinstance(value, dict):
            return {"type": "address", "valueAddress": _address(value, found.text)}
        case "phone":
            return {"type": "phoneNumber", **({} if value is None else {"valuePhoneNumber": value})}
        case "percent":  # a string with its sign, as TaxRate is there
            return {"type": "string", "valueString": f"{value}%" if value else found.text}
        case _:
            text = value if isinstance(value, str) else found.text
            return {"type": "string", "valueString": text}


def _number(value: object) -> float | None:
    try:
        return float(Decimal(str(value)))
    except InvalidOperation:
        return None


def _address(value: Mapping[str, Any], text: str) -> dict[str, str]:
    """Return the parts of an address that are known, by their names there.

    Args:
        value: its parts.
        text: as it is printed, which tells whether the number stands before or behind the street.
    """
    names = {
        "house_number": "houseNumber",
        "street": "road",
        "postcode": "postalCode",
        "city": "city",
        "region": "state",
        "country": "countryRegion",
    }
    parts = {there: value[here] for here, there in names.items() if value.get(here)}
    number, street = value.get("house_number"), value.get("street")
    behind = text.partition(street)[2] if street else ""
    follows = number and behind.lstrip(" ,.\n").startswith(number)
    line = " ".join(filter(None, (street, number) if follows else (number, street)))
    return {**parts, **({"streetAddress": line} if line else {})}


def _region(
    number: int, box: Sequence[float], pages: Mapping[int, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a place: corners from the upper left, clockwise, in the page's unit."""
    page = pages.get(number, {"width": 1.0, "height": 1.0})
    width, height = page["width"], page["height"]
    x0, top, x1, bottom = box
    corners = ((x0, top), (x1, top), (x1, bottom), (x0, bottom))
    polygon = [round(edge, 4) for x, y in corners for edge in (x * width, y * height)]
    return {"pageNumber": number, "polygon": polygon}
