"""What the XML of an e-invoice says: the values of the answer, and where the page differs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from pipeline.answers.places.printed import Print
from pipeline.document import Document, EmbeddedInvoice
from pipeline.result import Answer, Candidate, EmbeddedValues, FieldValue, Normalisation, listed
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind

Groups = Mapping[str, Sequence[Mapping[str, FieldValue | None]]]

_WORDS = frozenset({Kind.TEXT, Kind.NAME, Kind.IDENTIFIER})
# Kinds by names that are in the XML. A model's field of the same name and another kind is another.
_KINDS = {
    **dict.fromkeys(("invoice_date", "due_date", "service_start", "service_end"), Kind.DATE),
    **dict.fromkeys(
        ("subtotal", "total_discount", "total_tax", "invoice_total", "amount_due"), Kind.AMOUNT
    ),
    **dict.fromkeys(("items.unit_price", "items.amount"), Kind.AMOUNT),
    **dict.fromkeys(("taxes.base", "taxes.amount"), Kind.AMOUNT),
    **dict.fromkeys(("items.tax_rate", "taxes.rate"), Kind.PERCENT),
    **dict.fromkeys(("vendor_address", "customer_address"), Kind.ADDRESS),
    **dict.fromkeys(("vendor_tax_id", "customer_tax_id"), Kind.TAX_ID),
    "items.quantity": Kind.NUMBER,
    "iban": Kind.IBAN,
}
# Codes in the XML, words on the page: they cannot differ.
_CODED = frozenset({"document_kind", "items.unit", "currency"})
# Figures stand on a page by chance, too: one that is found anywhere proves nothing.
_CHANCE = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.DATE})
_COUNTRY = re.compile(r"(.*), ([A-Z]{2})")
_NEAR = 3  # rows that the page may have more, or in another order
_ROW_WORDS = (12, 30)  # of a row before and after the beginning of its description


@dataclass(frozen=True, slots=True)
class Merged:
    """Fields and groups with the XML's values in their places, and where the page differs."""

    fields: dict[str, Answer]
    groups: dict[str, list[dict[str, FieldValue | None]]]
    warnings: tuple[str, ...]


def embedded_values(invoice: EmbeddedInvoice) -> EmbeddedValues:
    """Return the values of an e-invoice as the answer has them."""
    return EmbeddedValues.model_validate(asdict(invoice))


def with_embedded(
    document: Document,
    invoice: EmbeddedInvoice,
    specs: Sequence[FieldSpec],
    fields: Mapping[str, Answer],
    groups: Groups,
) -> Merged:
    """Return the values of the XML for all fields that it has, and those of the pages for others.

    A value keeps the place where the page says the same. Where the page says something else, there
    is a warning with both, the value is marked for review, and the page's is its first candidate.

    Args:
        document: as read.
        invoice: the XML.
        specs: of the model: fields and columns.
        fields: what was found on the pages.
        groups: rows found there.
    """
    merger = _Merger(document, invoice)
    singles = dict(fields)
    columns: dict[str, list[FieldSpec]] = {}
    for spec in specs:
        if spec.group:
            columns.setdefault(spec.group, []).append(spec)
        elif (text := invoice.fields.get(spec.name)) and _same_kind(spec):
            singles[spec.name] = merger.field(spec, text, fields.get(spec.name))
    rows = {name: list(map(dict, found)) for name, found in groups.items()}
    for group, cells in columns.items():
        if given := invoice.groups.get(group):
            rows[group] = merger.rows(cells, given, groups.get(group, ()))
    return Merged(singles, rows, tuple(merger.warnings))


class _Merger:
    """One document and its XML.

    Attributes:
        warnings: of each difference.
    """

    def __init__(self, document: Document, invoice: EmbeddedInvoice) -> None:
        self.warnings: list[str] = []
        self._print = Print(document)
        self._currency = invoice.fields.get("currency")
        self._first = document.pages[0].number if document.pages else 1

    def field(self, spec: FieldSpec, text: str, found: Answer) -> Answer:
        """Return the XML's value of a field; one of many stands among those of the page."""
        printed = listed(found)
        same = next((value for value in printed if _says(value, text, spec)), None)
        value = self._value(spec, text, same or next(iter(printed), None), spec.name)
        if not spec.many:
            return value
        if same is None:
            return [value, *printed]
        return [value if one is same else one for one in printed]

    def rows(
        self,
        specs: Sequence[FieldSpec],
        given: Sequence[Mapping[str, str]],
        printed: Sequence[Mapping[str, FieldValue | None]],
    ) -> list[dict[str, FieldValue | None]]:
        """Return the XML's rows, each located by the row of the page that is most like it."""
        made = []
        following = words = 0
        for number, cells in enumerate(given):
            row = _most_like(specs, cells, printed, following)
            if row is not None:
                following = row + 1
            within = None
            start = self._print.find(Kind.TEXT, cells.get("description", ""), (words, None))
            if start:
                words = start[-1] + 1
                before, after = _ROW_WORDS
                within = (max(0, start[0] - before), start[0] + after)
            of_page = printed[row] if row is not None else {}
            found: dict[str, FieldValue | None] = {}
            for spec in specs:
                page_says = of_page.get(spec.column)
                if not (text := cells.get(spec.column)) or not _same_kind(spec):
                    found[spec.column] = page_says
                    continue
                label = f"{spec.group}.{spec.column}[{number}]"
                found[spec.column] = self._value(spec, text, page_says, label, within or (0, 0))
            made.append(found)
        return made

    def _value(
        self,
        spec: FieldSpec,
        text: str,
        printed: FieldValue | None,
        label: str,
        within: tuple[int, int | None] = (0, None),
    ) -> FieldValue:
        value = _embedded_value(spec, text, self._currency, self._first)
        if printed is not None and (spec.name in _CODED or _agrees(printed, text, spec)):
            return _placed(value, printed, printed.words)
        offered = printed.candidates if printed is not None else []
        if same := next((one for one in offered if _agrees(one, text, spec)), None):
            return _placed(value, same, self._print.words_in(same.page, same.box))
        value = self._located(value, spec, text, within)
        if printed is None or (value.words and spec.kind not in _CHANCE):
            return value
        self.warnings.append(
            f"{label}: the e-invoice in the PDF says {text!r}, its pages say {printed.text!r}."
        )
        page_says = Candidate(
            text=printed.text,
            value=printed.value,
            confidence=printed.confidence,
            page=printed.page,
            box=printed.box,
        )
        candidates = [page_says, *printed.candidates]
        return value.model_copy(update={"needs_review": True, "candidates": candidates})

    def _located(
        self, value: FieldValue, spec: FieldSpec, text: str, within: tuple[int, int | None]
    ) -> FieldValue:
        """Return a value with the first place where it is printed."""
        words = self._print.find(spec.kind, text, within)
        if not words:
            return value
        page, box = self._print.place(words)
        shown = self._print.text(words)
        return value.model_copy(update={"text": shown, "page": page, "box": box, "words": words})


def _embedded_value(spec: FieldSpec, text: str, currency: str | None, page: int) -> FieldValue:
    """Return a value of the XML as an answer has it, without a place.

    Args:
        spec: the field.
        text: the value in plain form, see `EmbeddedInvoice`.
        currency: of the document's amounts.
        page: the one to name.
    """
    return FieldValue(
        kind=spec.kind.value,
        text=text,
        value=_typed(spec, text, currency),
        confidence=1.0,
        page=page,
        box=[],
        words=[],
        normalisation=Normalisation(
            status="ok", precision="day" if spec.kind is Kind.DATE else None
        ),
        needs_review=False,
        source="embedded",
    )


def _typed(spec: FieldSpec, text: str, currency: str | None) -> Any:
    """Return a plain value in the form of its kind; plain figures need no interpretation."""
    match spec.kind:
        case Kind.AMOUNT:
            return {"amount": text, "currency": currency}
        case Kind.DATE | Kind.NUMBER | Kind.PERCENT:
            return text
        case Kind.ADDRESS:
            found = _COUNTRY.fullmatch(text)
            street, country = found.groups() if found else (text, None)
            own = replace(spec, country=country)
            value = normalise(street, own, DocumentContext()).value
            known = value if isinstance(value, dict) else {}
            return {**known, "formatted": text, "lines": text.split(", "), "country": country}
        case _:
            return normalise(text, spec, DocumentContext()).value or text


def _same_kind(spec: FieldSpec) -> bool:
    kind = _KINDS.get(spec.name)
    return spec.kind is kind if kind else spec.kind in _WORDS


def _placed(value: FieldValue, place: FieldValue | Candidate, words: Sequence[int]) -> FieldValue:
    """Return a value at the place where the page says the same."""
    update = {"text": place.text, "page": place.page, "box": place.box, "words": list(words)}
    return value.model_copy(update=update)


def _most_like(
    specs: Sequence[FieldSpec],
    cells: Mapping[str, str],
    printed: Sequence[Mapping[str, FieldValue | None]],
    following: int,
) -> int | None:
    """Return which of the next rows of the page has the most cells equal; None where none has."""
    best, most = None, 0
    for row in range(following, min(len(printed), following + _NEAR)):
        equal = sum(
            _agrees(said, cells[spec.column], spec)
            for spec in specs
            if spec.column in cells and (said := printed[row].get(spec.column)) is not None
        )
        if equal > most:
            best, most = row, equal
    return best


def _says(value: FieldValue, wanted: str, spec: FieldSpec) -> bool:
    offers: tuple[FieldValue | Candidate, ...] = (value, *value.candidates)
    return any(_agrees(offer, wanted, spec) for offer in offers)


def _agrees(offer: FieldValue | Candidate, wanted: str, spec: FieldSpec) -> bool:
    value: Any = offer.value
    if spec.kind in (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT):
        figure = value.get("amount") if isinstance(value, dict) else value
        try:
            return Decimal(str(figure)) == Decimal(wanted)
        except InvalidOperation:
            return False
    if spec.kind is Kind.ADDRESS:  # in any order, and the country often in words or not at all
        found = _COUNTRY.fullmatch(wanted)
        parts = (found.group(1) if found else wanted).split()
        shown = _folded(offer.text)
        return all(_folded(part) in shown for part in parts)
    return _folded(wanted) in (_folded(str(value)), _folded(offer.text))


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
