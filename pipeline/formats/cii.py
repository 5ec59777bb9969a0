"""Answers as e-invoices: EN 16931 in the syntax of UN/CEFACT, which Factur-X and ZUGFeRD embed.

An answer rarely says all that the norm asks for. What can be worked out of the rest is (a total of
its parts, a country of its tax number); what cannot is listed by its business term, and nothing is
made up to please the schema. The file is validated before it is handed out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from pipeline.errors import InvoiceIncomplete
from pipeline.result import Extraction, FieldValue, listed
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.credit_notes import is_credit_note

_GUIDELINE = "urn:cen.eu:en16931:2017"
_INVOICE, _CREDIT_NOTE = "380", "381"  # UNTDID 1001
_TRANSFER = "30"  # UNTDID 4461
_ONE = "C62"  # UN/ECE recommendation 20: one, where no unit is told
_CENT, _MILLIONTH = Decimal("0.01"), Decimal("0.000001")
_DIGITS = 28  # before or behind the point; a figure of more counts as unread
_WHERE = re.compile(r"\{[^}]*\}|\(<string>, line \d+\)")  # what says nothing to a reader
# Units as they are printed, by their code; first letters decide, in lower case.
_UNITS = (
    ("H87", r"st(u?ks?|[uü]?ck|yk)?|pcs?|p(i[eè])?ces?|pza?s?|szt|ks|un(its?|id(ad)?(es)?)?|uds?"),
    ("HUR", r"h|hrs?|hours?|std|stunden?|heures?|or[ae]|u?ur|uren|horas?|godz|tim(mar)?"),
    ("DAY", r"days?|tage?|jours?|d[ií]as?|giorn[io]|dag(en)?|dni"),
    ("MON", r"months?|monate?|mois|mes(es)?|mes[ei]|maand(en)?"),
    ("ANN", r"years?|jahre?|ans?|années?|años?|ann[io]|jaar|jaren"),
    ("KGM", r"kg|kilos?"),
    ("GRM", r"g"),
    ("TNE", r"t|tonnen?|tons?"),
    ("MTR", r"m|meters?|m[eè]tres?"),
    ("KMT", r"km"),
    ("MTK", r"m2|m²|qm|mq"),
    ("MTQ", r"m3|m³|cbm|mc"),
    ("LTR", r"l|liters?|litres?"),
    ("KWH", r"kwh"),
    ("LS", r"pauschale?|psch|forfait|lump ?sum"),
)
_CODE = re.compile(r"[A-Z][A-Z0-9]{1,2}")
# Codes that are printed as they are. Of the others, many mean something else on paper: PAL is the
# code of pascals, STK of sticks of cigarettes.
_PRINTED_CODES = frozenset({_ONE, "EA", "SET", "PR", "DZN", "MIN"})
_CODES = _PRINTED_CODES.union(code for code, _ in _UNITS)
_TAX_ID = FieldSpec("tax_id", Kind.TAX_ID)
_VAT_PREFIXES = {"EL": "GR", "XI": "GB"}  # those that are no codes of countries
_UNPRINTABLE = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class CrossIndustryInvoice:
    """An e-invoice.

    Attributes:
        xml: the file; it is valid by the schema, and names what is missing in a comment.
        missing: what the norm asks for beyond, as sentences that begin with a business term.
    """

    xml: bytes
    missing: tuple[str, ...]


def cii_of(answer: Extraction) -> CrossIndustryInvoice:
    """Return an answer as an invoice of EN 16931 in XML (CII).

    Raises:
        InvoiceIncomplete: the answer lacks what no such file can be without; all that it lacks is
            named.
    """
    writer = _Writer(answer)
    document = writer.document()
    missing = tuple(dict.fromkeys(writer.missing))
    if writer.essential:
        lacks = " ".join(dict.fromkeys((*writer.essential, *missing)))
        raise InvoiceIncomplete(f"The answer is too little for an e-invoice. It lacks: {lacks}")
    from lxml.etree import LxmlError

    try:
        xml: bytes = document.serialize(schema="FACTUR-X_EN16931")
    except LxmlError as error:
        lacks = " ".join((f"{_WHERE.sub('', str(error))}.", *missing))
        raise InvoiceIncomplete(f"No valid e-invoice can be made of it: {lacks}") from error
    return CrossIndustryInvoice(_commented(xml, missing), missing)


def terms_of(missing: tuple[str, ...]) -> str:
    """Return the business terms of what is missing, joined by commas: ``BT-40, BT-55``."""
    return ", ".join(dict.fromkeys(text.partition(" ")[0] for text in missing))


def _commented(xml: bytes, missing: tuple[str, ...]) -> bytes:
    if not missing:
        return xml
    listed = "\n".join(f"  {text}" for text in missing)
    listed = re.sub(r"-(?=-)", "- ", listed)  # two of them would end the comment
    comment = f"<!-- EN 16931 asks for more than the document told:\n{listed}\n-->\n"
    head, _, rest = xml.partition(b"\n")
    return head + b"\n" + comment.encode() + rest


_Line = tuple[Decimal | None, Decimal]  # tax rate and amount


class _Writer:
    """One answer on its way.

    Attributes:
        missing: what the norm asks for and the answer does not tell.
        essential: of that, what the schema does not let pass.
    """

    def __init__(self, answer: Extraction) -> None:
        self.missing: list[str] = []
        self.essential: list[str] = []
        self._answer = answer
        total = self._amount("invoice_total")
        said = self._text("document_kind") or answer.title or ""
        self._credit = is_credit_note(said) or (total is not None and total < 0)
        # A credit note has positive amounts: that they go back is in its type.
        self._sign = -1 if self._credit and total is not None and total < 0 else 1
        self._currency = self._said_currency()
        self._rates = self._printed_rates()

    def document(self) -> Any:
        """Return the invoice as drafthorse has it."""
        from drafthorse.models.document import Document

        made = Document()
        made.context.guideline_parameter.id = _GUIDELINE
        made.header.id = named = self._text("invoice_number")
        if not named:
            self.essential.append("BT-1 the invoice's number.")
        made.header.type_code = _CREDIT_NOTE if self._credit else _INVOICE
        issued = self._date("invoice_date")
        if issued is None:
            self.essential.append("BT-2 the invoice's date.")
        else:
            made.header.issue_date_time = issued
        if not self._currency:
            self.essential.append("BT-5 the currency.")
        agreement = made.trade.agreement
        self._party(agreement.seller, "vendor", ("BT-27", "BT-40"), "the seller")
        self._party(agreement.buyer, "customer", ("BT-44", "BT-55"), "the buyer")
        if not self._text("vendor_tax_id"):
            self.missing.append("BT-31 the seller's VAT number, or BT-32 its tax number.")
        if customer := self._text("customer_id"):
            agreement.buyer.id = customer
        if order := self._text("purchase_order"):
            agreement.buyer_order.issuer_assigned_id = order
        rows = enumerate(self._answer.groups.get("items", ()), 1)
        lines = [line for number, row in rows if (line := self._line(made, number, row))]
        if not lines:
            self.essential.append("BG-25 lines: at least one with an amount.")
        self._settle(made, lines)
        return made

    def _value(self, name: str) -> FieldValue | None:
        return next(iter(listed(self._answer.fields.get(name))), None)

    def _text(self, name: str) -> str:
        return _text_of(self._value(name))

    def _amount(self, name: str) -> Decimal | None:
        return _number_of(self._value(name))

    def _signed(self, name: str) -> Decimal | None:
        amount = self._amount(name)
        return None if amount is None else self._with_sign(amount)

    def _with_sign(self, amount: Decimal) -> Decimal:
        """Return an amount as the document's type has it: those of credit notes positive."""
        return amount * self._sign + 0  # adding makes 0 of -0

    def _date(self, name: str) -> date | None:
        found = self._value(name)
        if found is None:
            return None
        try:
            return date.fromisoformat(str(found.value))
        except ValueError:  # a month, or what could not be read
            return None

    def _said_currency(self) -> str:
        cells = [cell for row in self._answer.groups.get("items", ()) for cell in row.values()]
        names = ("invoice_total", "amount_due", "subtotal", "total_tax")
        for found in (*map(self._value, names), *cells):
            if found is not None and isinstance(found.value, dict) and found.value.get("currency"):
                return str(found.value["currency"])
        said = self._text("currency")
        return said if re.fullmatch(r"[A-Z]{3}", said) else ""

    def _printed_rates(self) -> list[Decimal]:
        """Return the tax rates that the answer names, each once."""
        groups = self._answer.groups
        cells = [row.get("rate") for row in groups.get("taxes", ())]
        cells += [row.get("tax_rate") for row in groups.get("items", ())]
        found = (_number_of(cell) for cell in cells)
        rates = dict.fromkeys(rate for rate in found if rate is not None)
        if rates:
            return list(rates)
        net, tax, total = map(self._amount, ("subtotal", "total_tax", "invoice_total"))
        if net is None and tax is not None and total is not None:
            net = total - tax
        if tax is None and net is not None and total is not None:
            tax = total - net
        if tax is None or not net:
            return []
        rate = _rounded(100 * tax / net, Decimal("0.1"))
        if rate is None:
            return []
        exact = abs(net * rate / 100 - tax) <= _CENT  # else there are several rates
        return [rate] if exact else []

    def _party(self, party: Any, name: str, terms: tuple[str, str], who: str) -> None:
        named = self._text(f"{name}_name")
        if named:
            party.name = named
        else:
            self.missing.append(f"{terms[0]} the name of {who}.")
        tax_id = self._text(f"{name}_tax_id")
        vat_number = _vat_number(tax_id)
        if vat_number or (tax_id and name == "vendor"):  # of buyers there are VAT numbers only
            from drafthorse.models.party import TaxRegistration

            registered = ("VA", vat_number) if vat_number else ("FC", tax_id)
            party.tax_registrations.add(TaxRegistration(id=registered))
        found = self._value(f"{name}_address")
        parts: Mapping[str, Any] = {}
        if found is not None:
            parts = found.value if isinstance(found.value, dict) else {"formatted": found.text}
        country = str(parts.get("country") or "")
        if not country:
            country = _VAT_PREFIXES.get(vat_number[:2], vat_number[:2])
        if not country:  # the schema has no address without one
            left_out = ", without which its address is left out" if parts else ""
            self.missing.append(f"{terms[1]} the country of {who}{left_out}.")
            return
        party.address.country_id = country
        street = " ".join(filter(None, (parts.get("street"), parts.get("house_number"))))
        if line := street or parts.get("formatted"):
            party.address.line_one = _clean(str(line))
        if parts.get("postcode"):
            party.address.postcode = _clean(str(parts["postcode"]))
        if parts.get("city"):
            party.address.city_name = _clean(str(parts["city"]))

    def _line(self, made: Any, number: int, row: Mapping[str, FieldValue | None]) -> _Line | None:
        """Write a line; return nothing of one that has no amount, and is left out."""
        from drafthorse.models.tradelines import LineItem

        amount, quantity, price, rate = (
            _number_of(row.get(name)) for name in ("amount", "quantity", "unit_price", "tax_rate")
        )
        if amount is None and price is not None:
            amount = price * (1 if quantity is None else quantity)
        if amount is not None:
            amount = _rounded(self._with_sign(amount), _CENT)
        if amount is None:
            self.missing.append(f"BT-131 the amount of line {number}, which is left out.")
            return None
        if not quantity:
            self.missing.append(f"BT-129 the quantity of line {number}; one is written.")
            quantity, price = Decimal(1), abs(amount)
        if price is None:
            price = _rounded(amount / quantity, _MILLIONTH)
        if price is None:
            self.missing.append(f"BT-146 the price of line {number}, which is left out.")
            return None
        # Prices are never negative: quantities are.
        quantity = abs(quantity) if amount >= 0 else -abs(quantity)
        code, name = _text_of(row.get("product_code")), _text_of(row.get("description"))
        if not name:
            self.missing.append(f"BT-153 the name of line {number}.")
        if rate is None and len(self._rates) == 1:
            rate = self._rates[0]
        if rate is None:
            self.missing.append(f"BT-152 the tax rate of line {number}.")
        item = LineItem()
        item.document.line_id = str(len(made.trade.items.children) + 1)
        item.product.name = name or code or "-"
        if code:
            item.product.seller_assigned_id = code
        item.agreement.net.amount = abs(price)
        item.delivery.billed_quantity = (quantity, self._unit(row.get("unit"), number))
        item.settlement.trade_tax.type_code = "VAT"
        item.settlement.trade_tax.category_code = self._category(rate)
        if rate is not None:
            item.settlement.trade_tax.rate_applicable_percent = rate
        item.settlement.monetary_summation.total_amount = amount
        made.trade.items.add(item)
        return rate, amount

    def _unit(self, found: FieldValue | None, number: int) -> str:
        if found is None:
            return _ONE
        told = found.value if isinstance(found.value, str) else ""
        if found.source == "embedded" and _CODE.fullmatch(told):  # there, units are codes
            return told
        shown = found.text.strip().rstrip(".").casefold()
        for code, pattern in _UNITS:
            if re.fullmatch(pattern, shown):
                return code
        if told in _CODES:
            return told
        self.missing.append(f"BT-130 the code of the unit {found.text!r} of line {number}.")
        return _ONE

    def _category(self, rate: Decimal | None) -> str:
        """Return the category of a rate; why nothing is due, no figure tells."""
        if rate == 0:
            self.missing.append(
                "BT-118 why no tax is due: zero rate is written; exempt, reverse charge and "
                "export have categories of their own."
            )
            return "Z"
        return "S"

    def _settle(self, made: Any, lines: list[_Line]) -> None:
        """Write how it is paid, its taxes and its sums."""
        settlement = made.trade.settlement
        settlement.currency_code = self._currency
        if iban := self._text("iban"):
            from drafthorse.models.payment import PaymentMeans

            means = PaymentMeans(type_code=_TRANSFER)
            means.payee_account.iban = iban
            settlement.payment_means.add(means)
        start, end = self._date("service_start"), self._date("service_end")
        if start and end:
            settlement.period.start, settlement.period.end = start, end
        elif delivered := start or end:
            made.trade.delivery.event.occurrence = delivered
        of_lines = sum((amount for _, amount in lines), Decimal(0))
        net, tax, total = self._totals(of_lines)
        if total is None or net is None or tax is None:
            self.essential.append("BT-112 the total with tax, and BT-109 without.")
            return
        discount = abs(self._amount("total_discount") or Decimal(0))
        if of_lines == net:  # the lines have it
            discount = Decimal(0)
        if of_lines - discount != net:
            self.missing.append(
                f"BT-106 lines that add up: they make {of_lines - discount}, the subtotal is {net}."
            )
        taxes = self._taxes(lines, net, tax, discount)
        for rate, (base, amount) in taxes.items():
            settlement.trade_tax.add(_breakdown(self._category(rate), rate, base, amount))
        if discount:
            settlement.allowance_charge.add(self._discount(discount, next(iter(taxes), None)))
        if sum((amount for _, amount in taxes.values()), Decimal(0)) != tax:
            self.missing.append("BG-23 taxes by rate that add up to the tax total.")
        due = self._signed("amount_due")
        due = total if due is None else due
        if due_date := self._date("due_date"):
            from drafthorse.models.payment import PaymentTerms

            settlement.terms.add(PaymentTerms(due=due_date))
        elif due > 0:
            self.missing.append("BT-9 the due date, or BT-20 terms of payment.")
        sums = settlement.monetary_summation
        sums.line_total = of_lines
        if discount:
            sums.allowance_total = discount
        sums.tax_basis_total = (net, None)
        sums.tax_total = (tax, self._currency)
        sums.grand_total = (total, None)
        if due != total:
            sums.prepaid_total = total - due
        sums.due_amount = due

    def _totals(self, of_lines: Decimal) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        """Return net, tax and total: those printed, or what the others make them."""
        net, tax, total = map(self._signed, ("subtotal", "total_tax", "invoice_total"))
        if tax is None and total is not None and net is not None:
            tax = total - net
        if net is None and total is not None and tax is not None:
            net = total - tax
        if net is None and of_lines and (total is not None or tax is not None):
            net = of_lines
            tax = total - net if tax is None and total is not None else tax
        if total is None and net is not None and tax is not None:
            total = net + tax
        if net is not None and tax is not None and total != net + tax:
            self.missing.append(f"BT-112 a total of {net} and {tax}; {total} is told.")
        return net, tax, total

    def _taxes(
        self, lines: list[_Line], net: Decimal, tax: Decimal, discount: Decimal
    ) -> dict[Decimal | None, tuple[Decimal, Decimal]]:
        """Return base and amount by rate: as printed, or else as the lines make them."""
        printed: dict[Decimal | None, tuple[Decimal, Decimal]] = {}
        for row in self._answer.groups.get("taxes", ()):
            rate, base, amount = (_number_of(row.get(name)) for name in ("rate", "base", "amount"))
            if rate is not None and base is None and amount is not None and rate:
                base = _rounded(100 * amount / rate, _CENT)
            if rate is not None and amount is None and base is not None:
                amount = _rounded(base * rate / 100, _CENT)
            if rate is not None and base is not None and amount is not None:
                printed[rate] = (self._with_sign(base), self._with_sign(amount))
        if printed and sum(amount for _, amount in printed.values()) == tax:
            return printed
        rates = {rate for rate, _ in lines} or set(self._rates)
        if len(rates) == 1:
            return {rates.pop(): (net, tax)}
        bases: dict[Decimal | None, Decimal] = defaultdict(Decimal)
        for rate, amount in lines:
            bases[rate] += amount
        if discount:
            self.missing.append("BT-95 which tax rate the discount is of.")
        return {rate: (base, self._tax(base, rate)) for rate, base in bases.items()} or {
            None: (net, tax)
        }

    def _tax(self, base: Decimal, rate: Decimal | None) -> Decimal:
        """Return the tax on a base; nothing is due where no rate is known."""
        tax = _rounded(base * (rate or 0) / 100, _CENT)
        if tax is None:
            self.essential.append(f"BG-23 the tax at {rate} %.")
        return tax or Decimal(0)

    def _discount(self, amount: Decimal, rate: Decimal | None) -> Any:
        from drafthorse.models.accounting import CategoryTradeTax, TradeAllowanceCharge

        charge = TradeAllowanceCharge(indicator=False, actual_amount=amount, reason="Discount")
        tax = CategoryTradeTax(type_code="VAT", category_code=self._category(rate))
        if rate is not None:
            tax.rate_applicable_percent = rate
        charge.trade_tax.add(tax)
        return charge


def _breakdown(category: str, rate: Decimal | None, base: Decimal, amount: Decimal) -> Any:
    from drafthorse.models.accounting import ApplicableTradeTax

    tax = ApplicableTradeTax(
        calculated_amount=amount, type_code="VAT", basis_amount=base, category_code=category
    )
    if rate is not None:
        tax.rate_applicable_percent = rate
    return tax


def _vat_number(tax_id: str) -> str:
    """Return a VAT number with its prefix, checked; empty for any other tax number."""
    read = normalise(tax_id, _TAX_ID, DocumentContext())
    sure = read.value if read.status == "ok" and isinstance(read.value, str) else ""
    return sure if re.match(r"[A-Z]{2}", sure) else ""


def _text_of(found: FieldValue | None) -> str:
    """Return a value as a text on one line."""
    if found is None:
        return ""
    return _clean(found.value if isinstance(found.value, str) and found.value else found.text)


def _clean(text: str) -> str:
    return " ".join(_UNPRINTABLE.sub("", text).split())


def _number_of(found: FieldValue | None) -> Decimal | None:
    if found is None:
        return None
    value = found.value.get("amount") if isinstance(found.value, dict) else found.value
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) <= _DIGITS else None


def _rounded(number: Decimal, step: Decimal) -> Decimal | None:
    """Return a figure rounded half up, never -0; None where it has too many digits for it."""
    try:
        return number.quantize(step, ROUND_HALF_UP) + 0
    except InvalidOperation:
        return None
