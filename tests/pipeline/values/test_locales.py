"""Dates and amounts as Babel prints them in forty locales are read back."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from babel import Locale
from babel.dates import format_date
from babel.numbers import format_currency

from pipeline.values.figures.currencies import CODES, currencies_of
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind

_LOCALES = """
    en_US en_GB en_AU en_IN en_ZA de_DE de_AT de_CH fr_FR fr_CA es_ES es_MX it_IT pt_BR pt_PT
    nl_NL sv_SE da_DK nb_NO fi_FI is_IS pl_PL cs_CZ sk_SK hu_HU ro_RO bg_BG hr_HR sl_SI sr_RS
    el_GR tr_TR ru_RU uk_UA lt_LT lv_LV et_EE id_ID ms_MY vi_VN th_TH hi_IN ja_JP zh_CN ko_KR
"""
LOCALES = _LOCALES.split()
DAYS = [date(2018, month, day) for month, day in zip(range(1, 13), range(14, 26), strict=True)]
DAYS.append(date(2024, 2, 29))
NOTHING = DocumentContext()
AMOUNTS = [Decimal("0.99"), Decimal("12.50"), Decimal("-7.25"), Decimal("1234.50")]
AMOUNTS += [Decimal("98765.43"), Decimal("1234567.89")]


@pytest.mark.parametrize("form", ["medium", "long", "full"])
@pytest.mark.parametrize("locale", LOCALES)
def test_dates_are_read_back(locale: str, form: str) -> None:
    spec = FieldSpec("date", Kind.DATE)
    for day in DAYS:
        printed = format_date(day, form, locale=locale)
        found = normalise(printed, spec, NOTHING)
        assert day.isoformat() in (found.value, *found.alternatives), printed
        assert found.status == "ambiguous" or found.value == day.isoformat(), printed


@pytest.mark.parametrize("locale", LOCALES)
def test_short_dates_are_read_back_or_doubted(locale: str) -> None:
    spec = FieldSpec("date", Kind.DATE)
    for day in (date(2018, 3, 4), date(2018, 11, 25)):
        printed = format_date(day, "short", locale=locale)
        found = normalise(printed, spec, NOTHING)
        assert day.isoformat() in (found.value, *found.alternatives), printed


@pytest.mark.parametrize("locale", LOCALES)
def test_amounts_are_read_back(locale: str) -> None:
    spec = FieldSpec("total", Kind.AMOUNT)
    for currency in ("EUR", "USD", "GBP"):
        for amount in AMOUNTS:
            printed = format_currency(amount, currency, locale=locale)
            found = normalise(printed, spec, NOTHING)
            assert found.value is not None, printed
            assert Decimal(found.value["amount"]) == amount, printed
            assert found.status == "ok", printed
            assert found.value["currency"] in (currency, None), printed


def test_every_code_is_a_currency_that_cldr_knows() -> None:
    names = Locale.parse("en").currencies
    assert set(names) >= CODES
    assert all(code in CODES for sign in "$€£¥₹₩₽₺₫฿₱₪₦₴₸₼₾₵৳₭₮₡₲៛" for code in currencies_of(sign))
