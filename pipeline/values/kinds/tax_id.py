"""Tax numbers of companies and people without marks, ``"DE136695976"``, check digits verified.

Which rule holds is told by the number's own form (a VAT number's prefix) or by the page's country.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import cast

from pipeline.values.context import DocumentContext
from pipeline.values.figures.misread import as_digits
from pipeline.values.normalised import ASSUMED, Normalised, failed, first_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.around_names import PHONE_WORDS
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.identifiers import printed_identifier

# Modules of stdnum with tax numbers, the country's VAT number first.
_MODULES = (
    "vat", "tin", "stnr", "idnr", "siren", "siret", "nif", "cif", "codicefiscale", "iva", "nip",
    "utr", "ein", "ssn", "itin", "abn", "acn", "gstin", "pan", "cnpj", "cpf", "rfc", "cuit", "rut",
    "nit", "ruc", "uid", "cvr", "orgnr", "mva", "ytunnus", "alv", "btw", "brn", "uen", "dic", "oib",
    "pib", "inn", "edrpou", "vkn", "jct", "gst", "businessid", "ubn", "voec", "tva", "cn", "uscc",
    "ice", "pin", "mst", "npwp", "rnc", "rif",
)  # fmt: skip
# Captions of numbers whose modules have other names
_CALLED = {
    "사업자등록": "brn", "信用代码": "uscc", "統一編號": "ubn", "统一编号": "ubn", "vergi": "vkn",
}  # fmt: skip
_OWN_NAMES = frozenset(_MODULES) - {"vat", "tin", "gst", "businessid"}
_WITH_PREFIX = re.compile(r"(?P<country>[A-Z]{2})(?P<rest>[A-Z0-9+*]{2,13})")
_OWN_FORMS = {
    re.compile(r"\d{2}-\d{7}"): ("us", "ein"),
    re.compile(r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}"): ("br", "cnpj"),
    re.compile(r"\d{3}\.\d{3}\.\d{3}-\d{2}"): ("br", "cpf"),
    re.compile(r"\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]"): ("in", "gstin"),
    re.compile(r"CHE-?\d{3}\.?\d{3}\.?\d{3}"): ("ch", "uid"),
    re.compile(r"CHE-?\d{3}\.?\d{3}\.?\d{3}\s?(?:MWST|TVA|IVA|TPV)"): ("ch", "vat"),
    re.compile(r"(?:NO\s?)?\d{3}\s?\d{3}\s?\d{3}\s?MVA"): ("no", "mva"),
}
_CAPTION_WORD = re.compile(
    r"(?![^\W\d_][\s-]\d)[^\d\s:]{1,30}?(?:\s?[:#]\s?|\s|[.-]\s?(?=\d))(?=.*\d)"
)
_CAPTIONED = re.compile(r"[A-Z]{3,}[\s.:]|(?:[A-Z]\.){2,}")  # "RUC 20..." is no number of RU
# (VAT); the second number of Russian companies, 7707083893/770701001, which branches share
_BEHIND = re.compile(r"\s?\([^()\d]{2,20}\)$|(?<=\d{10})\s?/\s?\d{9}$")
_MOST_CHARACTERS = 120
_GAP = re.compile(r"\s")
_MORE = "The text says more than the number."
_PHONE = re.compile(rf"(?:{PHONE_WORDS})(?![^\W\d_])", re.IGNORECASE)


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the tax number of a text; failed where its check digits are wrong."""
    if _PHONE.match(source.text) is not None:
        return failed(source, "The number is that of a phone.")
    printed = printed_identifier(source.printed)
    text = _BEHIND.sub("", printed_identifier(source.numeric)).upper()
    candidates = _without_captions(text)
    outcomes = [outcome for one in candidates for outcome in _by_form(one, printed)]
    if not outcomes and len(text) <= _MOST_CHARACTERS:  # "ATU13585627 / FN 123456a"
        shorter = [one[: gap.start()] for one in candidates for gap in _GAP.finditer(one)]
        found = [outcome for one in shorter for outcome in _by_form(one, printed)]
        more = (replace(one, status="ambiguous", reason=_MORE) for one in found)
        outcomes = [one for one in more if one.value is not None]
    if outcomes:
        return max(outcomes, key=lambda outcome: outcome.value is not None)
    named = (_named(source.numeric.upper(), candidate) for candidate in filter(None, candidates))
    told = context.country or next(filter(None, named), None)
    country = told or spec.country
    rules = _rules(country) if country else ()
    right = (one for one in candidates if any(rule.is_valid(one) for rule in rules))
    text = next(right, candidates[-1])
    compact = "".join(filter(str.isalnum, text))
    if not any(map(str.isdecimal, compact)) or not 5 <= len(compact) <= 20:
        return failed(source, "No tax number was found in the text.")
    valid = any(rule.is_valid(text) for rule in rules)
    if rules and not valid:
        return failed(source, f"The number is none of {country}: its form or check digit is wrong.")
    doubt = None
    if country is None:
        doubt = "Nothing tells the country, and with it the number's check digits."
    elif not rules:
        doubt = f"No rule for numbers of {country} is known, so it was not checked."
    elif told is None:
        doubt = f"{ASSUMED}: a number of {country}."
    return first_of(printed, [compact], doubt=doubt)


def _named(text: str, number: str) -> str | None:
    """Return the one country that calls its tax numbers as a text does, and has such a number."""
    caption = text.rpartition(number)[0].lower()
    # CVR-nr., Y-tunnus, P.IVA, R.U.T.
    writings = caption, caption.replace("-", ""), re.sub("[-.]", "", caption)
    named = _OWN_NAMES.intersection(re.findall(r"[a-z]{3,}", " ".join(writings)))
    named |= {name for words, name in _CALLED.items() if words in caption}
    found = {
        country
        for name in named
        for country in _countries()
        if (rule := _module(country, name)) is not None and rule.is_valid(number)
    }
    return found.pop().upper() if len(found) == 1 else None


def _without_captions(text: str) -> list[str]:
    """Return a text, and what is left of it as words and dots without a figure go from its front.

    A letter by itself is part of a number.
    """
    found = [text]
    while (word := _CAPTION_WORD.match(found[-1])) is not None:
        found.append(found[-1][word.end() :])
    return found


def _by_form(text: str, printed: str) -> list[Normalised]:
    """Return the value of a number whose form says whose it is, or that it is wrong; else none."""
    outcome = _own_form(text, printed) or _with_prefix(text, printed)
    is_caption = outcome is None or (outcome.value is None and _CAPTIONED.match(text) is not None)
    return [] if outcome is None or is_caption else [outcome]


def _own_form(text: str, printed: str) -> Normalised | None:
    """Return the value of a number whose form says whose it is."""
    for form, (country, name) in _OWN_FORMS.items():
        if form.fullmatch(text):
            rule = importlib.import_module(f"stdnum.{_package(country)}.{name}")
            compact = "".join(filter(str.isalnum, text))
            if rule.is_valid(compact) or rule.is_valid(text):
                return first_of(printed, [compact])
            if name != "ein":
                reason = f"The check digit of the {name.upper()} is wrong."
                return Normalised(printed, None, compact, None, "failed", reason)
    return None


def _with_prefix(text: str, printed: str) -> Normalised | None:
    """Return the value of a VAT number that begins with the code of its country."""
    compact = "".join(c for c in text if c.isalnum() or c in "+*")
    match = _WITH_PREFIX.fullmatch(compact)
    if match is None or not any(map(str.isdecimal, match["rest"])):
        return None
    country = {"EL": "GR", "XI": "GB"}.get(match["country"], match["country"])
    rule = _vat(country)
    if rule is None:
        return None
    if rule.is_valid(compact) or rule.is_valid(match["rest"]):
        return first_of(printed, [compact])
    digits = match["country"] + as_digits(match["rest"])
    if rule.is_valid(digits):
        reason = "Letters were read as digits, with which the check digit is right."
        return first_of(printed, [digits], doubt=reason)
    reason = f"The form or the check digit of this VAT number of {country} is wrong."
    return Normalised(printed, None, compact, None, "failed", reason)


@cache
def _countries() -> tuple[str, ...]:
    """Return the countries whose numbers stdnum knows, as it writes their codes."""
    import stdnum

    packages = (module for module in pkgutil.iter_modules(stdnum.__path__) if module.ispkg)
    return tuple(package.name.rstrip("_") for package in packages)


@cache
def _rules(country: str) -> tuple[ModuleType, ...]:
    rules = (_vat(country), *(_module(country, name) for name in _MODULES))
    return tuple(rule for rule in rules if rule is not None)


@cache
def _vat(country: str) -> ModuleType | None:
    """Return the rule of a country's VAT number, whatever it is called there."""
    from stdnum import get_cc_module

    return cast(ModuleType | None, get_cc_module(country.lower(), "vat"))


@cache
def _module(country: str, name: str) -> ModuleType | None:
    try:
        module = importlib.import_module(f"stdnum.{_package(country)}.{name}")
    except ImportError:
        return None
    return module if hasattr(module, "is_valid") else None


def _package(country: str) -> str:
    """Return the package of stdnum for a country; "in" and "is" are words of Python."""
    code = country.lower()
    return f"{code}_" if code in ("in", "is", "as", "if") else code
