"""The fields and rules of answers to e-invoices that are XML files, and what names no model."""

from __future__ import annotations

import hashlib

from pipeline.answers.arithmetic.checks import parse_checks
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
CHECKS = parse_checks(_FIELDS, FIELDS)
SHA256 = hashlib.sha256(_FIELDS.encode()).hexdigest()
"""In the place of a model's."""
