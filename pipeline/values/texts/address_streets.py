"""Streets and the numbers of houses: which words and numbers are such, and which segment is it."""

from __future__ import annotations

import re

from pipeline.values.patterns import lazy_pattern
from pipeline.values.texts.legal_forms import is_legal_form
from pipeline.values.texts.strings import clean
from pipeline.values.wordlists import words_of

_DIRECTION = (
    r"(?: (?:[NS]\.?[EWO]?|[EWO]|north|south|east|west|north-?(?:east|west)|south-?(?:east|west)"
    r"|ouest|est|sud|nord|central|extension|ext|upper|lower)\.?(?![^\W_])){0,2}"
)
# Words for streets by where they stand: at the end of a name, before it, in it, or as its end.
LAST_WORD = (
    r"(?<=[^\s\d] )(?:street|str|st|road|rd|avenue|ave|av|lane|ln|drive|dr|boulevard|blvd|way"
    r"|court|ct|place|pl|square|sq|highway|hwy|parkway|pkwy|terrace|ter|close|crescent|cres"
    r"|circle|cir|trail|trl|parade|pde|mews|gardens|grove|row|rise|walk|quay|esplanade|loop|pike"
    r"|turnpike|circuit|cct|alley|expressway|freeway)\.?"
)
"""A regular expression of the words for streets that end their names in English."""
_STREET_AT_END = lazy_pattern(rf"{LAST_WORD}{_DIRECTION}$", re.IGNORECASE)
_STREET = lazy_pattern(
    rf"{LAST_WORD}{_DIRECTION}(?: \d{{1,4}}[A-Z]?)?$|(?<=\d(?:st|nd|rd|th) )(?:street|st|avenue"
    rf"|ave|road|cross|main)"
    r"|(?<![^\W_])(?:street|road|avenue|boulevard|highway|hwy|parkway|jalan|jln|lorong|lrg"
    r"|persiaran|lebuhraya|lebuh|cadde(?:si)?|cad|soka[kğ]ı?|bulvarı|salai|gade|gata|gate|rue"
    r"|улица|проспект|(?<=[а-яё] )(?:пр|ул|пер|наб|пл|просп)\.?$"
    r"|marg|utca|út|u\.|tér|krt|tie|tn(?=\.? ?\d{1,3}(?!\d)|$)|mnt|pst|körút|sétány|rakpart"
    r"|ulica|ulice|náměstí|plads|plass"
    r"|iela|gatvė|cesta|nám|ko['ʻ’]chasi|küçəsi|küç|көшесі|көчөсү)(?![^\W_])"
    r"|(?:stra(?:ß|ss)e|str\.|gasse|weg|platz|allee|(?<!e)(?<!o)(?<!sp)ring|ufer"
    r"|damm|chaussee|straat|laan|dreef|gracht|kade|plein|singel|gatan?|(?<=n)tie|(?<=-)(?:ro|gil|daero)|vägen|gade|vej|veien|vegen|vegur|stræti"
    r"|katu|kuja)(?![^\W\d_])",
    re.IGNORECASE,
)
_ONLY_FIRST_WORD = lazy_pattern(
    r"(?:\d{1,4}[A-Z]?(?: (?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|chemin|impasse|allée|quai)"
    r"|(?:via|viale|piazza|piazzale|corso|calle|c/|avda\.?|avenida|paseo|carrer|rua|travessa|praça"
    r"|rue|chemin|impasse|ul\.|ulica)) ?(?=[^\W\d_])",
    re.IGNORECASE,
)
_JOINING = words_of("de del la las los des du di della dei delle da do dos das à al et y e na w")
# The last word of a street, and its number, where a postcode and a city stand before the street
_EUROPEAN = lazy_pattern(
    r"(?:(?:stra(?:ß|ss)e|str\.|gasse|weg|platz|allee|ring|ufer|damm|straat|laan|plein|gatan|vägen"
    r"|vej|katu)|(?<![^\W_])(?:utca|u\.|út|útja|körút|krt\.|tér|ulica|ulice|náměstí|nám\.|cesta"
    r"|iela|gatvė|tie)) ?\d[\w/-]{0,6}$",
    re.IGNORECASE,
)
_FIRST_WORD = lazy_pattern(
    r"(?:route|chemin|ch\.|quai|impasse|all[ée]e|place|cours|boul|boulevard|blvd|bulevar|bd|av"
    r"|ave|gran v[ií]a|calle|c/|cl\.|carrera|cra|cr\.|kr\.|diagonal|diag\.|transversal|transv\."
    r"|avenida|avda|paseo|passeig|plaza|plaça|carrer"
    r"|carretera|ctra|via|viale|v\.le|vicolo|piazza|piazzale|p\.za|corso|largo|strada|str|rua|r\."
    r"|travessa|tv\.|praça|estrada|rodovia|alameda|jl|ul|ulica|al|aleja|pl|plac|os|trg|bulevardul"
    r"|calea|șoseaua|șos|intrarea|ул|пр|пер|вул|бул|stryd|an der|am|im|auf der|οδός|λεωφ|leoforos"
    r"|triq|rruga|rr|phố|đường|soi|località|loc\.|frazione|fraz\.|contrada|c\.da|borgo|salita"
    r"|praceta|calçada|beco|ronda|rambla|glorieta|camino|callejón|travesía|pol[ií]gono"
    r"|sentier|ruelle|lieu-dit|hameau)"
    r"(?:\.|(?![^\W_]))(?=.{0,2}[^\W\d_])",
    re.IGNORECASE,
)
# Names of streets that end in numbers of their own: Jalan SS 22/19, Highway 61. In Indonesia the
# number of the house follows, elsewhere where Malay is spoken it never does.
_NUMBERED_STREET = lazy_pattern(
    r"(?<![^\W_])(?:jalan|jln|jl|lorong|lrg|persiaran|lebuh)(?![^\W_])", re.IGNORECASE
)
_NUMBERED_COUNTRIES = frozenset({"MY", "SG", "BN"})
_NUMBERED_WORD = lazy_pattern(
    r"(?<![^\W_])(?:highway|hwy|route|rte|rt|road|rd|autopista|km|kilometer|kilómetro|exit|phase"
    r"|fase|quận|phường|khu|ấp|thôn|sector|sektor|zone|zona|section|ward|stage|block|blok|district|distrito|soi"
    r"|studio)\.?$",
    re.IGNORECASE,
)
_CAPTION = (
    r"(?:(?:d|h|door|house|plot)\.? ?no|house|nos?|n[°ºr]|n\. ?º|n|num(?:ero|éro)?|número"
    r"|lot(?:e|to| no)?|kav(?:ling)?|plot|blk|block|hn|č\. ?p|č|so|số|д|дом|буд|№|#)"
)
_NUMBER = (
    r"(?P<number>(?:[NSEW]\d{1,5}[NSEW]\d{1,5}|(?:[A-Z]-)?\d{1,6})(?: ?(?:bis|ter"
    r"|quater)(?![^\W_])|[A-Z](?![^\W_]))?"
    r"(?: ?[-/+&–] ?(?:\d{1,5}[A-Z]?|[IVX]{1,4}|bis|ter|[A-Z]{1,2})(?![^\W_])){0,4}(?: (?:\d/\d"
    r"|½))?)"
)
# Numbers that belong to a name: 2nd Cross, 1e Dwarsstraat, 50 Street.
_ORDINAL = (
    r"(?!\d+(?:st|nd|rd|th|(?-i:e|er|ère|ème|eme|ste|de|is|os|η|º|ª|°))(?![^\W_])"
    rf"|\d{{1,4}} (?:street|st|avenue|ave){_DIRECTION}$"
    r"|\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre"
    r"|noviembre|diciembre|janeiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro))"
)
# Before a street, which may be numbered itself: 10261 101 Street, 2214 5th Ave.
_LEADING_NUMBER = lazy_pattern(
    rf"(?:{_CAPTION}(?![^\W\d_]))?[\s.:]{{0,3}}{_ORDINAL}{_NUMBER}"
    r"(?:(?<=\d)(?=[A-Z]{2,4}\.? ?[^\W\d_]{3})| )(?=\D|\d{1,3}(?:st|nd|rd|th|e|er|ª)(?![^\W_])"
    r"|\d{1,4} (?:street|st|avenue|ave|road|rd)(?![^\W_]))",
    re.IGNORECASE,
)
_TRAILING_NUMBER = lazy_pattern(
    rf"(?:(?<=\S) {{1,2}}(?P<caption>{_CAPTION})(?![^\W\d_])[\s.:]{{0,3}}"
    rf"|(?<=\D) {{1,2}}){_NUMBER}(?P<letter> [A-Z])?"
    r"(?(letter)(?: \d{1,3})?)\.?$",
    re.IGNORECASE,
)
_BARE_NUMBER = lazy_pattern(
    rf"(?P<caption>{_CAPTION}(?![^\W\d_]))?[\s.:]{{0,3}}(?P<number>(?:\d{{1,2}}\.\d{{3}}|[A-Z]?-?\d{{1,5}})"
    r"(?:[\s/&+–-]{1,3}[A-Z]?\d{1,5}|[-/]?[A-Z](?![A-Z])|[-/](?:[IVX]{1,4}|bis"
    r"|ter)){0,6}(?: ?(?:bis|ter))?)",
    re.IGNORECASE,
)
# What a house is near to is not where it is.
_NEAR = lazy_pattern(
    r"(?:off|near|nr\.|opp(?:osite)?\.?|behind|beside|next to|adj\.?|above|along) ", re.IGNORECASE
)


def street_of(segments: list[str], country: str | None) -> tuple[str | None, str | None]:
    """Return the number of the house and the street: the last of what looks most like them."""
    scores = [(street_score(segments, index, country), index) for index in range(len(segments))]
    score, index = max(scores, default=(0, 0))
    if score == 0:
        numbers = [match for segment in segments if (match := _BARE_NUMBER.fullmatch(segment))]
        told = next((match["number"] for match in numbers if match["caption"]), None)
        if told is None and len(segments) > 1 and re.fullmatch(r"[A-Z]-\d{1,4}", segments[0]):
            told = segments[0]  # D-14, Sector 63
        return told, None
    segment = _without_company(segments[index])
    leading, trailing = _LEADING_NUMBER.match(segment), _trailing_number(segment, country)
    number: str | None = None
    if leading:
        number, segment = leading["number"], segment[leading.end() :]
    elif before := _bare_numbers(segments[:index]):
        number = before
    elif trailing:
        number = trailing["number"] + (trailing["letter"] or "")
        segment = segment[: trailing.start()]
    elif match := _BARE_NUMBER.fullmatch("".join(segments[index + 1 : index + 2])):
        number = match["number"]
    return number, clean(segment) or None


def _without_company(segment: str) -> str:
    """Return a street and its number without the company before them: Nowak GmbH Ringstr. 5.

    Without a legal form a word tells that begins streets, and no other name: Bar Sport via Po 3.
    """
    words = segment.split()
    for count in range(2, len(words) - 1):
        before, street = " ".join(words[:count]), " ".join(words[count:])
        if re.search(r"\d", before) or is_street(before):
            continue
        told = is_legal_form(words[count - 1]) or (
            _ONLY_FIRST_WORD.match(street) and words[count - 1].lower() not in _JOINING
        )
        if told and is_street(street) and (begins_with_number(street) or ends_with_number(street)):
            return street
    return segment


def street_score(segments: list[str], index: int, country: str | None) -> int:
    """Return how much a segment looks like a street: 3 a word for it and a number, 0 not at all."""
    segment = segments[index]
    if not any(map(str.isalpha, segment)) or is_number(segment):
        return 0
    if _NEAR.match(segment):
        return 0
    leading = _LEADING_NUMBER.match(segment)
    number = leading or _trailing_number(segment, country)
    last = segment.rpartition(" ")[2]
    without_number = last.lower().replace(".", "") == "snc" and is_street(segment)  # in Italy
    is_form = is_legal_form(last) and not without_number
    if not number and is_form and not re.fullmatch(_DIRECTION, f" {last}"):
        return 0
    if is_street(segment):
        return 3 if number or _bare_numbers(segments[:index]) else 2
    if country in _NUMBERED_COUNTRIES and _TRAILING_NUMBER.search(segment):
        return 1
    if number:
        return 2
    # A number behind is of the street where nothing follows.
    behind = _BARE_NUMBER.fullmatch(segments[-1]) if index + 2 == len(segments) else None
    return int(behind is not None and (behind["caption"] or "n")[0] in "nN")  # "č.p." has no street


def is_street(text: str) -> bool:
    """Return whether a text has a word for streets where such words stand."""
    return _STREET.search(text) is not None or begins_with_street_word(text)


def begins_with_street_word(text: str) -> bool:
    """Return whether a text, or what is behind its number, begins as streets do: 12, rue Haute."""
    leading = _LEADING_NUMBER.match(text)
    return _FIRST_WORD.match(text, leading.end() if leading else 0) is not None


def is_european_street(text: str) -> bool:
    """Return whether a text ends in a word for streets of Europe's languages and a number."""
    return _EUROPEAN.search(text.rstrip(".")) is not None


def is_number(text: str) -> bool:
    """Return whether a text is the number of a house alone, with or without its caption: д. 7."""
    return _BARE_NUMBER.fullmatch(text) is not None


def is_numbered_street(text: str) -> bool:
    """Return whether a street is of those whose names end in numbers of their own."""
    return _NUMBERED_STREET.search(text) is not None


def begins_with_number(text: str) -> bool:
    """Return whether the number of a house stands at the front."""
    return _LEADING_NUMBER.match(text) is not None


def ends_with_number(text: str) -> bool:
    """Return whether what may be the number of a house stands at the end."""
    return _TRAILING_NUMBER.search(text) is not None


def split_at_street(text: str) -> tuple[str | None, str | None]:
    """Return the street and the city of a text that has both: 12 Main St Boston.

    A name before the number goes, where a street and a city follow.
    """
    if _LEADING_NUMBER.match(text) is None:
        number = re.search(r" (?=\d{1,6} )", text)
        street, city = split_at_street(text[number.end() :]) if number else (None, None)
        if street and city:
            return street, city
        return (text, None) if is_street(text) and ends_with_number(text) else (None, text or None)
    words = text.split()
    for count in range(len(words) - 1, 1, -1):
        street = " ".join(words[:count])
        if _STREET_AT_END.search(street) and not re.fullmatch(_DIRECTION, f" {words[count]}"):
            return street, " ".join(words[count:])
    return (text, None) if is_street(text) else (None, text)


def _trailing_number(segment: str, country: str | None) -> re.Match[str] | None:
    """Return the number of a house behind a street; streets may have numbers of their own."""
    numbered = country != "ID" and _NUMBERED_STREET.search(segment) is not None
    match = _TRAILING_NUMBER.search(segment)
    if match is None or (match["caption"] and " " in segment[: match.start()]):
        return match
    if numbered or country in _NUMBERED_COUNTRIES:
        return None
    return None if _NUMBERED_WORD.search(segment[: match.start()]) else match


def _bare_numbers(segments: list[str]) -> str | None:
    """Return the numbers at the end of some segments: NO.53 55, 57 & 59."""
    numbers: list[str] = []
    for segment in reversed(segments):
        if (match := _BARE_NUMBER.fullmatch(segment)) is None:
            break
        numbers.insert(0, match["number"])
    return ", ".join(numbers) or None
