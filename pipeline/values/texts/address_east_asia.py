"""Addresses in the scripts of East Asia, which run from the largest part to the smallest.

大阪府大阪市北区梅田3-1-3 has no space or comma between its parts: the region, of Google's address
form, tells the country, and each part ends in a character that says what it is.
"""

from __future__ import annotations

import re
from functools import cache

from pipeline.values.texts.address_forms import country_rules, postcode_form

_SCRIPTS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# What is behind the region: the city, the street with its quarter, the number of the house.
_BEHIND = {
    "JP": r"(?P<city>.{1,6}?郡.{1,6}?[町村]|.{1,6}?市(?!市)(?:.{1,4}?区)?|.{1,5}?[区町村])?"
    r"(?:(?P<street>[^\d]{0,20}?)(?P<number>\d{1,4}(?:(?:丁目|番地?|号|[-−ー])\d{0,4}){0,4})(?!\d))?",
    "CN": r"(?P<city>.{2,8}?(?:市|自治州|地区|盟))?(?:.{1,8}?[区县旗])?"
    r"(?P<street>[^\d]{1,16}?(?:路|街|大道|道|巷|弄|里)(?:[东西南北中]段?)?)?"
    r"(?:(?P<number>\d{1,5}(?:-\d{1,4})?)[号號])?",
    "TW": r"(?P<city>.{1,3}?[市鎮鄉])?(?:.{1,4}?區)?"
    r"(?P<street>[^\d]{1,8}?(?:路|街|大道)(?:[一二三四五六七八九十\d]{1,2}段)?(?:\d{1,4}[巷弄]){0,2})?"
    r"(?:(?P<number>\d{1,4}(?:[-之]\d{1,3})?)號)?",
    "KR": r"(?P<city>[가-힣]{1,6}시(?!\S))?\s?(?:[가-힣]{1,6}[구군읍면](?!\S)\s?){0,2}"
    r"(?P<street>[가-힣\d]{1,12}(?:로|길)(?!\S))?\s?(?P<number>\d{1,5}(?:-\d{1,4})?)?(?!\d)",
}
_IN_FULL = re.compile("(?:특별|광역|특별자치)시")  # 서울특별시 is 서울시, too
_CITY_ENDINGS = ("市", "시")  # a region that is a city, such as 上海市


def east_asian_parts(text: str) -> dict[str, str | None] | None:
    """Return the parts of an address in a script of East Asia, keyed as in `AddressParts`.

    None where it is in another script, or has no region.
    """
    if _SCRIPTS.search(text) is None:
        return None
    found = [
        (place, -len(region), region, country)
        for country in _BEHIND
        for region in _regions(country)
        if (place := text.find(region)) >= 0
    ]
    if not found:
        return None
    start, _, region, country = min(found)
    code = re.search(rf"(?<![\d-])(?:{postcode_form(country)})(?![\d-])", text)
    rest = text[start + len(region) :].lstrip()
    parts = re.match(_BEHIND[country], rest)
    city, street, number = (
        (parts[name] or "").strip(" ,") or None if parts else None
        for name in ("city", "street", "number")
    )
    is_city = city is None and region.endswith(_CITY_ENDINGS)
    return {
        "house_number": number,
        "street": street,
        "postcode": code.group() if code else None,
        "city": region if is_city else city,
        "region": None if is_city else region,
        "country": country,
    }


@cache
def _regions(country: str) -> tuple[str, ...]:
    """Return how the regions of a country are written in its own script."""
    names = str(country_rules(country).get("sub_keys", "")).split("~")
    names += [_IN_FULL.sub("시", name) for name in names]
    return tuple(name for name in names if len(name) > 2 or country == "JP")
