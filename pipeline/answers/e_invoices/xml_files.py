"""The answer to an e-invoice that is an XML file: read from it alone, by no model."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping

from pipeline.answers.arithmetic.checks import checked, parse_checks
from pipeline.answers.e_invoices.embedded import embedded_value, embedded_values
from pipeline.document import Document
from pipeline.result import DocumentInfo, Extraction, FieldValue, ModelInfo, PageInfo
from pipeline.values.schema import parse_fields

NAME, VERSION = "einvoice", "1"
REFERENCE = f"{NAME}@{VERSION}"
"""What stands in the place of a model's name and version in such answers."""
REFERENCES = (REFERENCE, NAME)

_FIELDS = """
[fields]
invoice_number = { kind = "identifier" }
document_kind = {}
invoice_date = { kind = "date" }
due_date = { kind = "date" }
service_start = { kind = "date" }
service_end = { kind = "date" }
vendor_name = { kind = "name" }
vendor_address = { kind = "address" }
vendor_tax_id = { kind = "tax_id" }
customer_name = { kind = "name" }
customer_address = { kind = "address" }
customer_tax_id = { kind = "tax_id" }
customer_id = { kind = "identifier" }
purchase_order = { kind = "identifier" }
currency = {}
subtotal = { kind = "amount" }
total_discount = { kind = "amount" }
total_tax = { kind = "amount" }
invoice_total = { kind = "amount" }
amount_due = { kind = "amount" }
iban = { kind = "iban" }

[[group]]
name = "items"
[group.fields]
description = {}
product_code = { kind = "identifier" }
quantity = { kind = "number" }
unit = {}
unit_price = { kind = "amount" }
tax_rate = { kind = "percent" }
amount = { kind = "amount" }

[[group]]
name = "taxes"
[group.fields]
rate = { kind = "percent" }
base = { kind = "amount" }
amount = { kind = "amount" }

[[check]]
name = "subtotal and tax make the total"
rules = ["subtotal + total_tax = invoice_total"]

[[check]]
name = "taxes add up"
rules = ["sum(taxes.amount) = total_tax"]

[[check]]
name = "tax is rate times base"
rules = ["taxes.rate * taxes.base = taxes.amount"]
"""
FIELDS = parse_fields(_FIELDS, source=NAME)
"""The fields of such answers."""
_CHECKS = parse_checks(_FIELDS, FIELDS)
_SHA256 = hashlib.sha256(_FIELDS.encode()).hexdigest()


def answer_e_invoice(
    document: Document, *, job_id: str, timings: Mapping[str, float], with_words: bool = False
) -> Extraction:
    """Return the answer: every value is the XML's, of confidence 1 and without a place.

    Args:
        document: an e-invoice by itself, see `Document.is_e_invoice`.
        job_id: goes into the answer as its id.
        timings: seconds by stage so far; this adds its own.
        with_words: the answer holds the words too, of which there are none.

    Raises:
        ValueError: it is another document.
    """
    invoice = document.embedded
    if invoice is None or not document.is_e_invoice:
        raise ValueError("no e-invoice by itself")
    started = time.perf_counter()
    page, currency = document.pages[0].number, invoice.fields.get("currency")
    fields: dict[str, FieldValue | list[FieldValue] | None] = {}
    groups: dict[str, list[dict[str, FieldValue | None]]] = {}
    columns = [spec for spec in FIELDS if spec.group]
    for spec in FIELDS:
        if not spec.group:
            text = invoice.fields.get(spec.name)
            fields[spec.name] = embedded_value(spec, text, currency, page) if text else None
    for name in dict.fromkeys(spec.group for spec in columns):
        own = [spec for spec in columns if spec.group == name]
        groups[name] = [
            {
                spec.column: embedded_value(spec, row[spec.column], currency, page)
                if spec.column in row
                else None
                for spec in own
            }
            for row in invoice.groups.get(name, ())
        ]
    checks = checked(_CHECKS, fields, groups)
    warnings = [
        f"The e-invoice does not add up: {check.name}; {check.found} instead of {check.expected}."
        for check in checks
        if not check.ok
    ]
    answer = Extraction(
        id=job_id,
        document=DocumentInfo(
            sha256=document.sha256,
            media_type=document.media_type,
            page_count=document.page_count,
            word_count=0,
            pages=[
                PageInfo.model_validate(
                    {name: getattr(one, name) for name in PageInfo.model_fields}
                )
                for one in document.pages
            ],
        ),
        model=ModelInfo(name=NAME, version=VERSION, sha256=_SHA256),
        fields=fields,
        groups=groups,
        checks=checks,
        words=[] if with_words else None,
        embedded=embedded_values(invoice),
        warnings=[*document.warnings, *warnings],
        timings={**timings, "resolve": time.perf_counter() - started},
    )
    return answer.with_need()
