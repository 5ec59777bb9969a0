"""Reads the XML of an e-invoice, of whichever syntax in `paths`, into one form.

The XML is not trusted: a document type, and with it every entity, is refused before anything is
expanded or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from pipeline.document import EmbeddedInvoice
from pipeline.errors import CorruptDocument
from pipeline.reading.einvoice.paths import AND, OR, SYNTAXES, Paths

MAX_BYTES = 10_000_000  # of one XML file; invoices of a thousand lines take about two
MAX_ROWS = 5_000  # of all its groups; whoever looks at its answer has to wait for each of them
_MAX_DEPTH = 60  # of elements; the deepest of the standards is 12
_MAX_ELEMENTS = 500_000  # a line has some forty
_DATE = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
_DATES = frozenset({"invoice_date", "due_date", "service_start", "service_end"})
_UNITLESS = frozenset({"quantity", "rate", "tax_rate"})
_AMOUNTS = frozenset({
    "subtotal", "total_discount", "total_tax", "invoice_total", "amount_due",
    "unit_price", "amount", "base",
})  # fmt: skip
_SPACELESS = frozenset({"iban", "vendor_tax_id", "customer_tax_id"})
_MAX_EXPONENT = 30  # of a number; more is no amount of money


def embedded_in(
    files: Iterable[tuple[str, bytes]],
) -> tuple[EmbeddedInvoice | None, tuple[str, ...]]:
    """Return the first e-invoice among XML files, and a warning for each that was refused.

    Args:
        files: name and content of each.
    """
    warnings: list[str] = []
    for name, data in files:
        try:
            if invoice := read_xml(data, name):
                return invoice, tuple(warnings)
        except CorruptDocument as error:
            warnings.append(f"A file in the PDF was not read. {error.detail}")
    return None, tuple(warnings)


def read_xml(data: bytes, file: str) -> EmbeddedInvoice | None:
    """Return what an e-invoice says; None where the file is XML of another kind.

    Values are plain: dates ISO 8601, numbers with a decimal point, texts on one line.

    Args:
        data: content of the XML file.
        file: its name.

    Raises:
        CorruptDocument: it is no well-formed XML, or declares a document type or entities, or is
            too large or too long.
    """
    if len(data) > MAX_BYTES:
        raise CorruptDocument(f"{file} has {len(data)} bytes; e-invoices have at most {MAX_BYTES}.")
    try:
        parser = DefusedXMLParser(target=_Bounded(file), forbid_dtd=True)
        parser.feed(data)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise CorruptDocument(
            f"{file} declares a document type, which no e-invoice does.",
            advice="Export the invoice anew from the program that made it, and send that.",
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise CorruptDocument(f"{file} is not well-formed XML: {error}.") from error
    for syntax in SYNTAXES:
        if root.tag in syntax.roots:
            return _invoice(root, syntax, file)
    return None


class _Bounded(TreeBuilder):
    """Builds a tree without namespaces, and no deeper or larger than an e-invoice's.

    Namespaces differ between releases; names alone are unambiguous here.
    """

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file, self._depth, self._count = file, 0, 0

    def start(self, tag: str, attrs: Mapping[str, str], /) -> Element:
        self._depth += 1
        self._count += 1
        if self._depth > _MAX_DEPTH:
            raise CorruptDocument(f"{self._file} nests its elements too deep for an e-invoice.")
        if self._count > _MAX_ELEMENTS:
            raise CorruptDocument(f"{self._file} has more elements than an e-invoice.")
        return super().start(tag.rpartition("}")[2], dict(attrs))

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag.rpartition("}")[2])


def _invoice(root: Element, paths: Paths, file: str) -> EmbeddedInvoice:
    if (count := len(root.findall(paths.invoice))) > 1:
        raise CorruptDocument(
            f"{file} holds {count} invoices, of which an answer can have one.",
            advice="Split it into a file for each invoice, and send those.",
        )
    _leave_out_other_currencies(root, _value(root, "currency", paths.fields["currency"]))
    fields = {
        name: value
        for name, places in paths.fields.items()
        if (value := _value(root, name, places))
    }
    for name, places in paths.sums.items():
        texts = (text for place in places for text in _texts(root, place))
        amounts = [Decimal(amount) for text in texts if (amount := _plain("amount", text))]
        if amounts:
            fields[name] = _plain(name, str(sum(amounts)))
    for name in _SPACELESS & fields.keys():
        if fields[name].isdigit():
            fields[name] = f"{paths.country}{fields[name]}"
    for name, place in paths.addresses.items():
        if address := _address(root, place, paths.address_lines):
            fields[name] = address
    if code := _text(root, paths.kind):
        is_credit = code in paths.credit_notes
    else:
        is_credit = root.tag == "CreditNote"
    fields["document_kind"] = "credit note" if is_credit else "invoice"
    groups = {}
    for group, (place, cells) in paths.groups.items():
        rows = [
            {name: value for name, places in cells.items() if (value := _value(row, name, places))}
            for row in root.findall(place)
        ]
        groups[group] = tuple(row for row in rows if row)
    if (count := sum(map(len, groups.values()))) > MAX_ROWS:
        raise CorruptDocument(
            f"{file} has {count} lines; of at most {MAX_ROWS} an answer can be given.",
            advice="Split the invoice, or read it with a program that takes its XML.",
        )
    return EmbeddedInvoice(file, paths.name, fields, groups)


def _leave_out_other_currencies(root: Element, currency: str) -> None:
    """Take the amounts out that are not in the invoice's currency, as the tax is said twice then.

    Where the invoice names no currency, all of them stay.
    """
    if currency:
        for element in root.iter():
            if element.get("currencyID", currency).upper() != currency.upper():
                element.text = None


def _value(element: Element, name: str, places: str) -> str:
    """Return the first value found at one of some places, empty where there is none."""
    texts = (text for place in places.split(OR) for text in _texts(element, place))
    return next(filter(None, (_plain(name, text) for text in texts)), "")


def _plain(name: str, text: str) -> str:
    """Return a value in its plain form, empty where it has none."""
    if name in _DATES:
        found = _DATE.match(text)
        try:
            return date.fromisoformat("-".join(found.groups())).isoformat() if found else ""
        except ValueError:
            return ""
    if name in _SPACELESS:
        return text.replace(" ", "")
    if name not in _AMOUNTS | _UNITLESS:
        return text
    try:
        number = Decimal(text)
    except InvalidOperation:
        return ""
    if not number.is_finite() or abs(number.adjusted()) > _MAX_EXPONENT:
        return ""
    whole, _, decimals = f"{number.normalize():f}".partition(".")
    if name in _AMOUNTS:
        decimals = f"{decimals:0<2}"
    return f"{whole}.{decimals}" if decimals else whole


def _text(element: Element, place: str) -> str:
    return next(_texts(element, place), "")


def _texts(element: Element, place: str) -> Iterator[str]:
    """Yield the texts at a place, see `Places`."""
    if AND in place:
        if whole := " ".join(filter(None, (_text(element, part) for part in place.split(AND)))):
            yield whole
        return
    path, _, attribute = place.partition("/@")
    for found in element.findall(path):
        text = found.get(attribute, "") if attribute else (found.text or "")
        if plain := " ".join(text.split()):
            yield plain


def _address(root: Element, place: str, lines: tuple[str, ...]) -> str:
    """Return an address, its lines joined by commas."""
    party = root.find(place)
    if party is None:
        return ""
    parts = ((_text(party, part) for part in line.split()) for line in lines)
    return ", ".join(filter(None, (" ".join(filter(None, found)) for found in parts)))
