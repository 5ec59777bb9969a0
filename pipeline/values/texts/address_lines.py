"""Addresses as printed, and their segments: what stands in lines beside street and city goes.

Phones, e-mail, numbers of taxes and registers, boxes of the post, floors and suites, captions and
the people whom it is to the attention of belong to no part of an address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.values.patterns import lazy_pattern
from pipeline.values.texts.address_forms import AU_STATES, US_STATES
from pipeline.values.texts.around_names import CAPTIONED, PHONE_WORDS
from pipeline.values.texts.strings import clean, in_ascii
from pipeline.values.wordlists import words_of

_WEB = lazy_pattern(
    r"(?:e-?mail|web(?:site)?|internet)\s?:|[\w.+-]{1,60}@[\w.-]{1,60}|(?:https?://"
    r"|www\.)\S{1,120}",
    re.IGNORECASE,
)
_PHONE = lazy_pattern(
    rf"(?<![^\W_])(?:{PHONE_WORDS})(?: ?(?:no|nr|fax|/ ?fax))?[\s.:/]{{0,3}}(?:\+|\(|\d)"
    r"[\d\s()./+-]{4,30}",
    re.IGNORECASE,
)
_BARE_PHONE = lazy_pattern(r"(?:\+\d|\(\d{1,5}\)|0\d|\d{3}[-.])[\d\s()./-]{5,20}")
# Numbers of taxes and registers, behind what they are or in a form of their own
_REGISTER = lazy_pattern(
    r"(?<![^\W_])(?:CHE[ -]?\d{3}[. ]?\d{3}[. ]?\d{3}(?: (?:MWST|TVA|IVA|HR|RC))?(?![^\W_])"
    rf"|{CAPTIONED}"
    r"[ -]?[A-Z]?\d[\d./-]{0,30}(?: [\d./-]{1,12}){0,6}[A-Z]{0,3}\d{0,4}"
    r"|(?:(?:gstin|pan|rfc)[\s.:#-]{0,3})?"
    r"(?:\d\d[A-Z]{5}\d{4}[A-Z]\wZ\w|[A-Z]{5}\d{4}[A-Z]|[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3})(?![^\W_]))",
    re.IGNORECASE,
)
# More digits than a postcode and the numbers beside it have, behind what they are called in short
_LONG_NUMBER = lazy_pattern(
    r"(?<![^\W_])(?:[^\W\d_]{1,4}[\s.:]{1,3})?"
    r"(?:[A-Z]{0,3}\d{9,}|\(?0(?:[ ()./-]{0,2}\d){9,})(?![\w-])"
)
_BOXES = (
    r"(?<![^\W_])(?:p\.? ?o\.? ?b(?:ox|\.?(?= ?\d))"
    r"|(?:r\.?r\.? \d{1,3},? |g\.?p\.?o\.? |post(?:al)? |post office |psc \d{1,4},? )?box"
    r"|postfach|postbus|postboks|postbox|pb\.|pmb|private bag|locked bag|case postale"
    r"|bo[iî]te postale|b\.? ?p\.?|c\.? ?p\.?(?! ?\d{5})|apartado(?: de correos| postal)?|apdo\.?"
    r"|caixa postal|casella postale|skr(?:ytka|\.) ?poczt(?:owa|\.)?|pf\.|p\.f\.|peti surat"
    r"|kotak pos|а/я)[\s.:]{0,2}(?:n[°ºo]\.? ?)?(?:[A-Z]{1,2} ?)?\d{1,6}(?: \d{2}){0,2}"
)
_JOINED_CODE = r" ?[-–] ?(?=\d{5}(?!\d))"  # P.O. Box 30197-00100: the postcode of the box
_BOX = lazy_pattern(rf"{_BOXES}(?:{_JOINED_CODE}|(?![^\W_]))", re.IGNORECASE)
_BOX_AND_CITY = lazy_pattern(
    rf"{_BOXES}{_JOINED_CODE}(?P<code>\d{{5}})(?: GPO)?[,\s]{{1,2}}(?=[^\W\d_])", re.IGNORECASE
)
_POSTCODE_CAPTION = lazy_pattern(
    r"(?<![^\W_])(?:c\.?p\.?|cep|pin(?: ?code)?|zip(?: ?code)?|plz|post ?code|postal code|poskod"
    r"|kode pos|c[oó]d(?:igo|\.)? ?postal|cap|[tτ]\.?[kκ]\.?)[\s.:#-]{0,3}(?=\d{3} ?\d{2})",
    re.IGNORECASE,
)
# What is numbered in a house, with or without a full stop or colon; below what needs one.
_ROOMS = (
    r"suite|ste|unit|apt|apartment|appt|appartement|apto|flat|floor|flr|fl|level|lvl|room|office"
    r"|oficina|bureau|bldg|building|gebäude|haus|wing|tower|shop|bay|basement|kiosk|counter|dept"
    r"|stall|hangar|warehouse|top|tür|stiege|etage|étage|stock|wohnung|zimmer|b[aâ]t(?:iment)?"
    r"|escalier|porte|entrée|bte|boîte|bus|verdieping|ngõ|ngách|hẻm|lok|lokal|byt|lgh|kat|daire|scara|etaj"
    r"|scala|interno|piano|piso|planta|puerta|pta|entl|depto|dpto|departamento|nave|bodega|sala|conj"
    r"|conjunto|andar|loja|bloco|кв|офис|этаж|lantai|tầng|phòng|local|portal"
    r"|(?<![^\W\d_] )(?:halle|torre)"  # but "An der Halle 400", "Via Torre 12"
)
_ROOMS_SHORT = (
    r"rm|of|m|d|k|ap|as|sc|et|int|esc|em|оф|эт|стр|корп|пом|лит|под|lt|sl|bl|sec|ln|zi|whg|stg"
)
_ROOM_NUMBER = (
    r"(?:(?:no|nr|n[°º])[. ]{0,2}|# ?)?(?:[A-Z]{0,2}-?\d{1,4}(?!\d)(?:[A-Z](?![^\W_]))?"
    r"(?:-[A-Z]?\d{1,4}){0,3}"
    r"(?:[º°ª]| ?\"[A-Z]\")?(?:/(?=\d)|/[A-Z](?![^\W_]))?"
    r"|\"?(?-i:[A-Z])(?:-\d{1,3}){0,2}(?![^\W_]|[.'’/-]\w)\"?)(?![^\W\d_]{2})"
)
_NTH = (
    r"(?:\d{1,2}(?:st|nd|rd|th|er|e|ème|[º°ª.])?|ground|first|second|third|fourth|fifth|lower"
    r"|upper|mezzanine)"
)
# Behind the number of a house, or between commas, without a number of their own
_PART_OF_A_HOUSE = (
    r"(?:hinter|vorder|garten|seiten|rück)(?:haus|gebäude|flügel)|quergebäude|hinterhof|innenhof"
    r"|aufgang|parterre|souterrain|hochparterre|erdgeschoss|dachgeschoss|[1-9]\. ?og(?: (?:links"
    r"|rechts|mitte))?|rez[ -]de[ -]chaussée|rdc|sous-sol|bajos?|baixo|entresuelo|entlo"
    r"|ático|izq(?:da|uierda)?|izda|dcha|derecha|rés[ -]do[ -]chão|cave|sobreloja"
    r"|fundos|(?:r/c|[1-9]\.? ?[º°])(?: ?-? ?(?:dto|dt\.?º?|esq"
    r"|frente|fte|direito|esquerdo|izq|izda|dcha))?"
    r"|(?:dto|esq)(?=\.?(?:,|$))|piano (?:terra|rialzato)|bel-?etage|huis|begane grond"
    r"|achterhuis|[1-9] ?hoog|(?:st|kl|[1-9])\. ?(?:tv|th|mf|sal)|[1-9] tr|i gården|bakgård(?:en)?"
    r"|hs|pb|ög|parter|přízemí|oficyna|földszint|fsz|zemin kat|bodrum kat|ground floor|rear|annexe?"
)
_IN_A_HOUSE = lazy_pattern(
    rf"(?<![^\W_])(?:(?:{_ROOMS})[\s.:]{{1,2}}{_ROOM_NUMBER}"
    rf"|(?:{_ROOMS_SHORT})[.:] ?(?=[A-Z]?\d){_ROOM_NUMBER}|{_NTH}[\s.-]{{1,2}}(?:floor|flr|fl"
    rf"|level|étage|etage|stock|og|andar|piso|planta|verdieping|emelet|em|kat)"
    r"(?![^\W_]|[.:]? ?\d)\.?|blo(?:ck|k) [A-Z](?:-\w{1,4}){0,2}(?![^\W_])|(?:\d{1,3}|L?G"
    r"|UG)/F(?![^\W_])\.?)|(?:#0\d|(?<!\d )(?<!\d[A-Z] )#\d{1,3})-\d{1,4}[A-Z]?(?![^\W_])"
    rf"|(?<=\d)[ /-]{{1,3}}\(?(?:{_PART_OF_A_HOUSE}"
    rf"|\d{{1,2}} ?[º°ª](?: ?[A-Z](?![^\W_]))?)(?![^\W_])\.?\)?"
    rf"|(?<=\d[A-Z]) (?:{_PART_OF_A_HOUSE})(?![^\W_])\.?"
    r"|(?:(?<=[^\W\d_] \d)|(?<=[^\W\d_] \d\d)|(?<=[^\W\d_] \d{3})|(?<=\. \d)|(?<=\. \d\d)) "
    r"(?-i:I{1,3}|IV|V)(?=,|$)"
    r"|(?<=\d)(?: ?[A-Z])? (?:x|por|entre|e/) (?:calles? )?\d{1,3}(?: ?-?[A-Z])?"
    r"(?: (?:y|e) \d{1,3}(?: ?-?[A-Z])?)?"
    r"(?![^\W_])"
    r"|(?<=\d\.) (?:[IVX]{1,4}|\d{1,2}|m?fsz?t?)[./]{1,2} ?\d{1,3}\.?(?![^\W_])"
    r"|(?<=\w),? s/n[º°]?(?![^\W_])"
    r"|\((?:(?:registered|head|main|branch) office|siège(?: social)?|sede(?: legale| social)?"
    r"|hauptsitz|zentrale|filiale)\)"
    r"|rt[ .]?\d{1,3} ?/? ?rw[ .]?\d{1,3}|[IVX]{1,4}\. ?em(?:\.|elet)(?: ?\d{1,3}\.?)?",
    re.IGNORECASE,
)
_ONLY_IN_A_HOUSE = lazy_pattern(
    r"\d{1,2}F\.?|\d{1,2}\.? ?[º°ª] ?(?:[^\W\d_]{1,5}\.?)?"
    r"|\d{1,2}\. ?(?:tv|th|mf|og|sal|em)\.?|e\.?g|d\.?g|pl \d{1,4}"
    rf"|(?:{_PART_OF_A_HOUSE})\.?",
    re.IGNORECASE,
)
# A dash between numbers joins them: 10 - 12; but 4520 - 50 Street, 19 - 2.º.
_SEPARATOR = lazy_pattern(
    r"[,;|•·∙⋅●■▪\n]|(?<!\d)\s[-–]\s|\s[-–]\s(?!\d{1,3}(?![\w.º°ª]|(?:st|nd|rd|th)? (?:street|st"
    r"|avenue|ave)))|\s\.\s",
    re.IGNORECASE,
)
_CAPTION = lazy_pattern(r"[^\W\d_][^\d:@]{1,35}:\s{0,2}")
# Captions of numbers, which belong to these.
_NUMBER_CAPTION = lazy_pattern(
    r"(?<![^\W_])(?:no|nos|nr|num|number|numéro|número|n[°º]|lot|plot|blk|block|door|house"
    r"|kav)[\s.]{0,2}:\s{0,2}$",
    re.I,
)
_PERSON = lazy_pattern(
    r"(?<![^\W_])(?:c/o|attn|attention|att\.|z\. ?h(?:d|dn)\.|zu händen|f\.?a\.?o\.?"
    r"|t\. ?a\. ?v\.|[àa] l'attention|a la atenci[oó]n|dep(?:t\.?|artment) of"
    r"|abteilung)(?![^\W_])",
    re.IGNORECASE,
)
# What OCR glues: 6020Innsbruck, MO63118, Pune-411001, Bahnhofstr.12, Dorpsstraat12a, 27rue.
_ORDINAL = r"(?:st|nd|rd|th|ste|bis|ter|quater|er|ère|[eè]me)(?![^\W\d_])"
_GLUED = (
    (lazy_pattern(r"(?:^|(?<=, ))(D|A|F|I|B|L|E|CH|[A-Z]{2}) [-–] ?(?=\d{4,5} [^\W\d_])"), r"\1-"),
    (lazy_pattern(r"(?<!\w)(\d{4,6})(?=[^\W\d_]{3})"), r"\1 "),
    (lazy_pattern(r"(?<=[^\W\d_.] )l(?=\d{1,3}(?!\w))|(?<=\. )l(?=\d{1,3}(?!\w))"), "1"),
    (lazy_pattern(r"(?<=\d)[Il](?=[Oo]*\d|[Oo]+(?![^\W_]))"), "1"),
    (lazy_pattern(r"(?<=\d)[Oo](?=\d|[Oo](?![^\W_]))|(?<=\d[Oo])[Oo](?![^\W_])"), "0"),
    (
        lazy_pattern(
            rf"(?<!\w)({US_STATES}(?=\d{{5}})|{AU_STATES})(?=\d{{4,5}}(?:-\d{{4}})?(?!\w))"
        ),
        r"\1 ",
    ),
    (lazy_pattern(r"(?<=[^\W\d_]{3}) ?- ?(?=\d{5,6}(?![\w-])|\d{3} \d{3}(?![\w-]))"), " "),
    (lazy_pattern(r"(?<=[^\W\d_]{3}\.)(?=\d)"), " "),
    (lazy_pattern(r"\(([A-Z]?\d{4,5})\) (?=[^\W\d_]{3})"), r"\1 "),  # (B1870) Avellaneda
    # Carrera 10 #5-51 Este Centro, Juárez 45-B Col. Centro
    (
        lazy_pattern(
            r"(# ?\d{1,3}[A-Z]? ?- ?\d{1,3}) "
            r"(?:(?:este|oeste|norte|sur)(?![^\W_])|(?=[^\W\d_]{4}))",
            re.IGNORECASE,
        ),
        r"\1, ",
    ),
    (lazy_pattern(r"(\d(?:-?[A-Z])?)(?= col(?:onia|\.) )", re.IGNORECASE), r"\1,"),
    # No comma parts what stands behind the number in Turkey, nor the parts of Thailand's addresses
    (
        lazy_pattern(
            r"(?<![^\W_])"
            r"((?:cad(?:desi)?|so?k(?:a[kğ]ı?)?|bulv(?:arı)?|blv|mah(?:allesi)?)\.? no ?[:.]? ?"
            r"\d{1,4}(?:[/-]\w{1,4})?)(?= [^\W\d_]{3}| [KD]:)",
            re.IGNORECASE,
        ),
        r"\1,",
    ),
    (
        lazy_pattern(
            r"(?<=\S) (?=(?:แขวง|เขต|ตำบล|ต\.|อำเภอ|อ\.|จังหวัด|จ\.|กรุงเทพ)[\u0e00-\u0e7f ])"
        ),
        ", ",
    ),
)
# What is behind the number of a house at a corner: Ermou 23 & Nikis 2, Colonia 1234 esq. Ejido; but
# Route 9 & Main St, Calle 5 y Avenida 3.
_CORNER = lazy_pattern(
    r"(?P<house>(?<![^\W_])(?!(?:route|rte|highway|hwy|interstate|road|rd|street|st|avenue|ave|av|avda"
    r"|avenida|calle|cl|carrera|cra|kr|paseo|plot|lot|unit|block|building|hall|stand|km) )"
    r"[^\W\d_]+ [A-Z]?\d{1,4}(?!\d)[\w/-]{0,6}),? "
    r"(?:&|y|and|και|esq(?:uina|\.)|corner|cnr\.?|cor\.|entre) (?=[^\W\d_]).*$",
    re.IGNORECASE,
)
_SUITE = lazy_pattern(r"^(?P<street>[A-Z]?\d.{2,60}) ?# ?\w{1,6}(?:-\w{1,5})?$")  # 12 Elm St #220
_GLUED_IN_SEGMENT = (
    (
        lazy_pattern(rf"^(\d{{1,4}}[a-z]?(?:-\d{{1,4}})?)(?=[^\W\d_]{{3}})(?!(?<=\d){_ORDINAL})"),
        r"\1 ",
    ),
    (lazy_pattern(r"^(\d{3,5})(?=[NSEW] [A-Z])"), r"\1 "),
    (lazy_pattern(r"^[LU]\d{1,3}/(?=\d{1,4} )"), ""),  # Australia's L8/123 Eagle Street
    (lazy_pattern(r"(?<=[^\W\d_]{5})(?=\d{1,4}[A-Za-z]?$)"), " "),
)
_ADDRESS_CAPTION = lazy_pattern(
    r"(?:(?:registered|business|mailing|postal|company|our)\s)?(?:address|addr|alamat|add)"
    r"(?:\s?[:;.-]\s?|\s?$)",
    re.IGNORECASE,
)
# Captions before the parts of an address, without a colon: no street and no city begins so.
_PART_CAPTIONS = words_of("""
    adres adresse address anschrift woonplaats plaats straat miejscowosc direccion domicilio
    poblacion localidad municipio morada endereco localidade indirizzo localite commune wohnort
""")
_LINE_END = lazy_pattern(r"[\r\n]+")
# Between words, and between the number of a house and a postcode; but "12  High St", "SW1A  2AA"
_GAP = lazy_pattern(
    r"[\r\n]+|(?<=[^\W\d_]|[.,)])[ \t\u00a0]{2,}(?=[^\W\d_])"
    r"|(?<=\d)[ \t\u00a0]{2,}(?=\d{4})"
)
_SPACE_BEFORE_MARK = lazy_pattern(r" (?=[,;.](?: |$))")


def printed_address(text: str) -> str:
    """Return an address as printed, without a caption ("Address:"); a comma at its end stays."""
    current = clean(text, keep=",")
    while (caption := _ADDRESS_CAPTION.match(current)) is not None:
        current = clean(current[caption.end() :], keep=",")
    return current


def has_caption(line: Sequence[str]) -> bool:
    """Return whether a line's first word is the caption of a part of an address: "Plaats 3642 Thy".

    Args:
        line: its words. One word alone is no caption, nor is one before a small letter.
    """
    goes_on = len(line) > 1 and not line[1][0].islower()
    return goes_on and in_ascii(line[0]).casefold() in _PART_CAPTIONS


def clean_address(text: str) -> str:
    """Return an address as one clean line: no caption, no stray ends, no space before a comma."""
    return clean(_SPACE_BEFORE_MARK.sub("", printed_address(text)))


def columns_of(text: str) -> list[str]:
    """Return the lines of a text, parted where a wide gap stands in place of a comma, too."""
    gap = _GAP if re.search(r"\S \S", text) else _LINE_END
    return gap.split(text)


def segments_of(lines: list[str]) -> list[str]:
    """Return what commas, dashes and line ends part, without what belongs to no part."""
    found = []
    for line in _BOX_AND_CITY.sub(r", \g<code> ", "\n".join(lines)).splitlines():
        for pattern, apart in _GLUED:
            line = pattern.sub(apart, line)
        line = _POSTCODE_CAPTION.sub(" ", line)
        if line.count(" / ") > 1:
            line = line.replace(" / ", ", ")
        for unwanted in (_WEB, _PHONE, _REGISTER, _BOX, _IN_A_HOUSE):
            line = unwanted.sub(", ", line)
        found += [segment for piece in _SEPARATOR.split(line) if (segment := _segment(piece))]
    return found


def has_box(lines: list[str]) -> bool:
    """Return whether lines have a box of the post."""
    return any(map(_BOX.search, lines))


def holds_nothing(lines: list[str]) -> bool:
    """Return whether lines have no part of an address: phones, pages of the web, captions."""
    return not segments_of(lines) and not has_box(lines)


def is_number_beside_address(line: str) -> bool:
    """Return whether a line is nothing but the numbers of phones, taxes or registers.

    Of a long number it does not matter how it is called in short: "ICE 001844188000047".
    """
    rest = _LONG_NUMBER.sub("", _PHONE.sub("", _REGISTER.sub("", line)))
    return rest != line and not clean(rest)


def _segment(piece: str) -> str:
    """Return a piece as a segment; empty where it is no part of an address."""
    segment = _CORNER.sub(r"\g<house>", clean(piece.rstrip(" /")))
    caption = _CAPTION.match(segment)
    if caption is not None and not _NUMBER_CAPTION.search(caption.group()):
        segment = clean(segment[caption.end() :])
    if (person := _PERSON.search(segment)) is not None:
        segment = clean(segment[: person.start()])
    if _ONLY_IN_A_HOUSE.fullmatch(segment) or _is_phone(segment):
        return ""
    for pattern, apart in _GLUED_IN_SEGMENT:
        segment = pattern.sub(apart, segment)
    suite = _SUITE.match(segment)
    return clean(suite["street"]) if suite is not None else segment


def _is_phone(segment: str) -> bool:
    """Return whether a segment is a phone's number: 01310-100 and 02139-4307 are postcodes."""
    figures = sum(map(str.isdecimal, segment))
    return figures >= 8 and _BARE_PHONE.fullmatch(segment) is not None and segment[5:6] != "-"
