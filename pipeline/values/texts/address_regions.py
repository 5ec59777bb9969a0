"""The regions of countries: at the end of a text, and as what tells a country."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from pipeline.values.texts.address_forms import country_rules, postcode_form
from pipeline.values.texts.address_streets import LAST_WORD
from pipeline.values.texts.strings import clean, lenient, without_accents
from pipeline.values.wordlists import words_of

# Regions that Google's data lacks, and other writings of those it has: key=writing. Shires are told
# by their ending.
_REGIONS = {
    "GB": "Beds~Berks~Bucks~Cambs~Cornwall~Cumbria~Derbys~Devon~Dorset~East Sussex~Essex~Glos~"
    "Greater London~Greater Manchester~Hants~Herts~Isle of Wight~Kent~Lancs~Leics~Lincs~"
    "Merseyside~Middlesex~Middx~Norfolk~Northants~Northumberland~N Yorks~Notts~Oxon~Rutland~Salop~"
    "Somerset~S Yorks~Staffs~Suffolk~Surrey~Sussex~Tyne and Wear~Tyne & Wear~Warks~West Midlands~"
    "West Sussex~W Yorks~East Riding of Yorkshire~Yorks~Wilts~Worcs~Cleveland~Humberside~Angus~"
    "Argyll~Argyll and Bute~Caithness~East Lothian~Fife~Midlothian~Moray~Sutherland~West Lothian~"
    "Orkney~Shetland~Isle of Skye~Anglesey~Isle of Anglesey~Ynys Môn~Blaenau Gwent~Ceredigion~"
    "Clwyd~Dyfed~Gwent~Gwynedd~Mid Glamorgan~South Glamorgan~West Glamorgan~Vale of Glamorgan~"
    "Powys~Co. Antrim~Co. Armagh~Co. Down~Co. Durham~Co. Fermanagh~Co. Londonderry~Co. Tyrone",
    "PL": "dolnośląskie~kujawsko-pomorskie~lubelskie~lubuskie~łódzkie~małopolskie~mazowieckie~"
    "opolskie~"
    "podkarpackie~podlaskie~pomorskie~śląskie~świętokrzyskie~warmińsko-mazurskie~wielkopolskie~"
    "zachodniopomorskie",
    "NL": "Drenthe~Flevoland~Friesland~Fryslân~Gelderland~Noord-Brabant~Noord-Holland~Overijssel~"
    "Zeeland~Zuid-Holland",
    "ZA": "Eastern Cape~Free State~Gauteng~KwaZulu-Natal~KZN~Limpopo~Mpumalanga~Northern Cape~"
    "North West~Western Cape",
    "AT": "Burgenland~Kärnten~Niederösterreich~Oberösterreich~Salzburg~Steiermark~Tirol~"
    "Vorarlberg~Styria~Tyrol~Carinthia~Lower Austria~Upper Austria",
    "DE": "Baden-Württemberg~Bayern~Bavaria~Brandenburg~Hessen~Mecklenburg-Vorpommern~"
    "Niedersachsen~Nordrhein-Westfalen~NRW~Rheinland-Pfalz~Saarland~Sachsen~Sachsen-Anhalt~"
    "Schleswig-Holstein~Thüringen",
    "CH": "AG~AI~AR~BE~BL~BS~FR~GE~GL~GR~JU~LU~NE~NW~OW~SG~SH~SO~SZ~TG~TI~UR~VD~VS~ZG~ZH~Aargau~"
    "Thurgau~Ticino~Valais~Wallis~Vaud~Graubünden",
    "US": "AL=Ala.~AZ=Ariz.~AR=Ark.~CA=Calif.~CO=Colo.~CT=Conn.~DE=Del.~FL=Fla.~IL=Ill.~IN=Ind.~"
    "KS=Kans.~MA=Mass.~MI=Mich.~MN=Minn.~MS=Miss.~MT=Mont.~NE=Nebr.~NE=Neb.~NV=Nev.~NM=N. Mex.~"
    "ND=N. Dak.~SD=S. Dak.~OK=Okla.~OR=Ore.~OR=Oreg.~PA=Penn.~PA=Penna.~TN=Tenn.~TX=Tex.~WA=Wash.~"
    "WV=W. Va.~WI=Wis.~WI=Wisc.~WY=Wyo.~PR=Puerto Rico",
    "CA": "Alta.~Man.~Ont.~Que.~Sask.~P.E.I.~Newfoundland",
    "MY": "Selangor=Sel.~Pulau Pinang=Penang~Pulau Pinang=P. Pinang~Melaka=Malacca~"
    "Negeri Sembilan=N. Sembilan~"
    "Kuala Lumpur=W.P. Kuala Lumpur~Kuala Lumpur=Wilayah Persekutuan",
    "IN": "Odisha=Orissa~Puducherry=Pondicherry~Tamil Nadu=Tamilnadu~Uttarakhand=Uttaranchal~"
    "Tamil Nadu=TN~Karnataka=KA~Maharashtra=MH~Uttar Pradesh=UP~West Bengal=WB~Andhra Pradesh=AP~"
    "Telangana=TS~Gujarat=GJ~Rajasthan=RJ~Madhya Pradesh=MP~Kerala=KL~Haryana=HR~Punjab=PB",
    "ID": "Yogyakarta~DIY~Jabar~Jateng~Jatim",
    "IE": "Co. Laoighis",
    "PT": "Açores~Algarve~Aveiro~Beja~Braga~Bragança~Castelo Branco~Coimbra~Évora~Faro~Guarda~"
    "Leiria~Lisboa~Madeira~Portalegre~Porto~Santarém~Setúbal~Viana do Castelo~Vila Real~Viseu",
    "FR": "Ain~Aisne~Allier~Alpes-de-Haute-Provence~Hautes-Alpes~Alpes-Maritimes~Ardèche~Ardennes~"
    "Ariège~Aube~Aude~Aveyron~Bouches-du-Rhône~Calvados~Cantal~Charente~Charente-Maritime~Cher~"
    "Corrèze~Corse~Corse-du-Sud~Haute-Corse~Côte-d'Or~Côtes-d'Armor~Creuse~Dordogne~Doubs~Drôme~"
    "Eure~Eure-et-Loir~Finistère~Gard~Haute-Garonne~Gers~Gironde~Hérault~Ille-et-Vilaine~Indre~"
    "Indre-et-Loire~Isère~Jura~Landes~Loir-et-Cher~Loire~Haute-Loire~Loire-Atlantique~Loiret~Lot~"
    "Lot-et-Garonne~Lozère~Maine-et-Loire~Manche~Marne~Haute-Marne~Mayenne~Meurthe-et-Moselle~"
    "Meuse~Morbihan~Moselle~Nièvre~Nord~Oise~Orne~Pas-de-Calais~Puy-de-Dôme~Pyrénées-Atlantiques~"
    "Hautes-Pyrénées~Pyrénées-Orientales~Bas-Rhin~Haut-Rhin~Rhône~Haute-Saône~Saône-et-Loire~"
    "Sarthe~Savoie~Haute-Savoie~Seine-Maritime~Seine-et-Marne~Yvelines~Deux-Sèvres~Somme~Tarn~"
    "Tarn-et-Garonne~Var~Vaucluse~Vendée~Vienne~Haute-Vienne~Vosges~Yonne~Territoire de Belfort~"
    "Essonne~Hauts-de-Seine~Seine-Saint-Denis~Val-de-Marne~Val-d'Oise",
}  # fmt: skip
# Words that make a region of a name: Tartu maakond, Pest megye, Province of Rizal.
_REGION_WORDS = re.compile(
    r"[^\W\d_][\w'’-]{1,30}(?: [^\W\d_][\w'’-]{1,30})? (?:maakond|megye|county|province"
    r"|prefecture|oblast|область|län|fylke|kraj|(?:voi|woje)wództwo|voivodeship|judet|județ|vald)"
    r"|(?:co\.|county|province of|prov\.(?: d[ei])?|provinc(?:ia|e) d[ei]|pcia\.(?: d[ei])?"
    r"|edo\.(?: de)?|dpto\. de|województwo|woj\.|județul|jud\.|kab\.|kabupaten)"
    r" ?[^\W\d_][\w'’-]{1,30}(?: [^\W\d_][\w'’-]{1,30})?",
    re.IGNORECASE,
)
_REGION_SUFFIX = re.compile(r" (?:Province|City|County|Shi|Sheng|State|Prefecture)$")
_COUNTY = re.compile(r"^county ", re.IGNORECASE)
_SHIRE = re.compile(r"(?:(?:north|south|east|west) )?[^\W\d_]{3,}-?shire", re.IGNORECASE)
# The state's by-word is printed as part of its name: Selangor D.E.
_ABODE = re.compile(r",? (?:d\.? ?e\.?|darul [a-z']{4,10})$", re.IGNORECASE)
# Cities that are regions of their own, or give their province its name, are printed as cities.
_METROPOLISES = words_of("""
    BANGKOK BEIJING SHANGHAI TIANJIN CHONGQING TOKYO OSAKA KYOTO SEOUL BUSAN INCHEON DAEGU DAEJEON
    GWANGJU ULSAN TAIPEI TAIPEICITY NEWTAIPEICITY TAICHUNGCITY TAINANCITY KAOHSIUNGCITY TAOYUANCITY
    HANOI HANOICITY HCMC HOCHIMINHCITY DANANG DANANGCITY HAIPHONG CANTHO CHIANGMAI PHUKET JAKARTA
    DELHI CHANDIGARH PUDUCHERRY KUALALUMPUR PUTRAJAYA LABUAN MELAKA MALACCA PENANG DUBAI ABUDHABI
    SHARJAH AJMAN FUJAIRAH ISTANBUL ANKARA IZMIR BERLIN HAMBURG BREMEN WIEN SALZBURG MOSCOW
    MOSCOWCITY CDMX YOGYAKARTA CIUDADDEMEXICO BOGOTA BOGOTADC กรงเทพมหานคร กรงเทพ กรงเทพฯ
""")
# Where states are not named for a city.
_NO_CITY_STATES = frozenset({"AU", "CA", "ID", "IN", "MY"})
# Codes of a region count in capitals only.
_MOST_LETTERS_OF_CODE = 3
_MOST_WORDS_OF_REGION = 4
# Names that begin others of which they are a part: New Delhi, Kuala Selangor, Ciudad de México.
_NO_CITY = frozenset({
    "NEW", "NUEVA", "NUEVO", "NOVA", "KUALA", "NORTH", "SOUTH", "EAST", "WEST", "UPPER",
    "LOWER", "GREATER", "CENTRAL", "DE", "OF", "DI", "DU", "PORT", "CITY", "CIUDAD", "THE",
    "ON", "UPON",
})  # fmt: skip
# Words for streets of one country, which count with a postcode of its form.
_OWN_WORDS = {
    "ID": r"(?<![^\W_])(?:jl\.|kelurahan|kel\.|kecamatan|kec\.|kabupaten|kab\.|ruko)",
    "MY": r"(?<![^\W_])(?:jalan|jln|lorong|lrg|persiaran|lebuhraya|lebuh|kampung)(?![^\W_])",
    "SE": r"(?:gatan|vägen)(?![^\W_])",
    "FI": r"katu(?![^\W_])",
    "IS": r"(?:vegur|stræti|braut|gata)(?![^\W_])",
    "TR": r"(?<![^\W_])(?:caddesi|cad\.|sokak|sokağı|sok\.|mahallesi|mah\.|bulvarı)(?![^\W_])",
    "HU": r"(?<![^\W_])(?:utca|körút|u\.|krt\.)(?![^\W_])",
    "IN": r"(?<![^\W_])(?:marg|nagar|chowk|salai)(?![^\W_])",
    # Scripts of one country
    "GR": "[α-ω]{3}", "TH": "[ก-ฮ]", "IL": "[א-ת]{2}", "GE": "[ა-ჰ]{2}", "AM": "[ա-ֆ]{2}",
}  # fmt: skip
_GRID = re.compile(
    r"(?<![^\W_])(?:calle|cl\.?|carrera|cra\.?|kra?\.?|diag(?:onal|\.)|transv(?:ersal|\.))"
    r" \d{1,3} ?[A-Z]? ?(?:#|n[o°º]\.?) ?\d{1,3} ?[A-Z]? ?- ?\d{1,3}(?!\d)",
    re.IGNORECASE,
)
_CODE_ANYWHERE = re.compile(r"(?<![\w-])(?:\d{4,6}(?:-\d{4})?|\d{3} \d{2,3})(?![\w-])")
# Behind postcode and city: 38032 Canazei (TN), which Tennessee and Tamil Nadu have, too
_ITALIAN = re.compile(
    r"(?<![\w-])(?P<code>\d{5}) [^\W\d_][^\d(),]{1,40} \((?P<province>[A-Z]{2})\)"
)
_RARE_CODE = re.compile(r"(?<![\w-])(?:\d{7}|\d{3}(?= [^\W\d_]))(?![\w-])")
# Without a postcode the name of a region tells where no other country has cities named so.
_TELLING_ALONE = frozenset({"IN", "MY", "ID", "IE"})
# States of these count behind a street that is written as there, such as 12 Elm St.
_TELLING_WITH_STREET = frozenset({"US", "CA", "AU", "GB"})
_ENGLISH_STREET = re.compile(
    rf"(?:^|, )\d{{1,5}}[A-Z]? [^,]{{2,40}}{LAST_WORD}(?: [NSEW]{{1,2}})?, ", re.IGNORECASE
)


@dataclass(slots=True, frozen=True)
class _Region:
    country: str
    postcodes: re.Pattern[str] | None  # how they begin


def country_of_regions(segments: list[str]) -> str | None:
    """Return the country that has a region printed at the end of a segment and its postcode."""
    text = ", ".join(segments)
    province = _ITALIAN.search(text)
    if province is not None and _key(province["province"]) in _regions("IT"):
        region = _Region("IT", _regions("IT")[_key(province["province"])])
        if _has_postcode(region, province["code"], short=True):
            return region.country
    codes = _CODE_ANYWHERE.findall(_ENGLISH_STREET.sub(", ", text))
    for index in range(len(segments) - 1, -1, -1):
        words = [word for word in segments[index].split() if not re.search(r"\d", word)]
        for count in range(min(_MOST_WORDS_OF_REGION, len(words)), 0, -1):
            name = " ".join(words[-count:]).strip("()[].,")
            for region in _regions_everywhere().get(_key(name)) or _shire(name):
                short = len(without_accents(name)) <= _MOST_LETTERS_OF_CODE
                if short and (not name.isupper() and "." not in segments[index]):
                    continue
                if codes and _has_postcode(region, codes[-1], short=short):
                    return region.country
                if not codes and index == len(segments) - 1 > 0:
                    alone = region.country in _TELLING_ALONE and not short and count == len(words)
                    state = region.country in _TELLING_WITH_STREET and index > 1 - (
                        count < len(words)
                    )
                    if alone or (state and _ENGLISH_STREET.search(text)):
                        return region.country
    return None


def country_of_words(text: str) -> str | None:
    """Return the country that has a street's words and the form of the last postcode of a text.

    Without a postcode a house's number of two streets tells Colombia: Carrera 7 No. 71-21.
    """
    codes = _CODE_ANYWHERE.findall(text) or _RARE_CODE.findall(text)
    if not codes and _GRID.search(text):
        return "CO"
    for country, words in _OWN_WORDS.items():
        form = postcode_form(country)
        if codes and form and re.fullmatch(form, codes[-1]) and re.search(words, text, re.I):
            return country
    return None


def split_region(text: str, country: str | None) -> tuple[str, str | None]:
    """Return a text without the region at its end, and the region as printed.

    Nothing is left of a text that is a region; where none is at the end, the text is.
    """
    text = text.rstrip(".,")
    if _REGION_WORDS.fullmatch(text):
        return "", text
    known = _regions(country) if country else {}
    words = text.replace("/", " / ").split()
    for count in range(min(_MOST_WORDS_OF_REGION + 2, len(words)), 0, -1):
        printed = " ".join(words[-count:])
        name = printed.strip("()[]/ ")
        if country == "MY":
            name = _ABODE.sub("", name)
        key = _key(re.sub(r" (?:State|Province)$", "", name))
        if not (key in known or (country == "GB" and _shire(name))) or (
            len(key) <= _MOST_LETTERS_OF_CODE and not _is_code(name, country)
        ):
            continue
        rest = clean(" ".join(words[:-count]).rstrip("/ "))
        if len(key) > _MOST_LETTERS_OF_CODE and lenient(rest.rpartition(" ")[2]) in _NO_CITY:
            continue
        if len(key) > 1 or printed.startswith("("):  # Spain has codes of one letter
            return rest, clean(printed.strip("()[]/ "))
    return _split_brackets(text, country)


def is_metropolis(region: str) -> bool:
    """Return whether a region is named as the city that it is, or that is its chief one."""
    return without_accents(region) in _METROPOLISES


def is_only_region(region: str, country: str | None) -> bool:
    """Return whether a region is no city, too, as Madrid is."""
    return country in _NO_CITY_STATES and not is_metropolis(region)


def _key(name: str) -> str:
    """Return the form in which regions are compared: County Cork is Co. Cork."""
    return without_accents(_COUNTY.sub("Co ", name))


def _shire(name: str) -> tuple[_Region, ...]:
    """Return the region of Britain that a name is by its ending: Hampshire, North Yorkshire."""
    return (_Region("GB", None),) if _SHIRE.fullmatch(name) else ()


def _is_code(name: str, country: str | None) -> bool:
    """Return whether a word of two letters is printed as a code: Canada has "Qc", too."""
    return name.isupper() or len(name) > 2 or (country == "CA" and name.istitle())


def _split_brackets(text: str, country: str | None) -> tuple[str, str | None]:
    """Take what is in brackets behind a city as its region where that is the custom."""
    found = re.fullmatch(r"(?P<city>[^()\d]{2,60}) \((?P<region>[^\W\d][^()\d]{1,30})\)", text)
    if found is None:
        return text, None
    known = country is None and any(
        _key(found["region"]) in _regions(named) for named in ("AT", "DE", "FR")
    )
    if not known and country not in ("ES", "IT", "PT", "FR", "CA", "AR"):
        return text, None
    return found["city"], found["region"]


@cache
def _regions(country: str) -> dict[str, re.Pattern[str] | None]:
    """Return the regions of a country: name to how their postcodes begin."""
    rules = country_rules(country)
    starts = str(rules.get("sub_zips", "")).split("~")
    found: dict[str, re.Pattern[str] | None] = {}
    for kind in ("sub_keys", "sub_names", "sub_lnames"):
        for index, name in enumerate(str(rules.get(kind, "")).split("~")):
            start = starts[index] if index < len(starts) else ""
            pattern = re.compile(start) if start else None
            for writing in (name, _REGION_SUFFIX.sub("", name)):
                if key := _key(writing):
                    found.setdefault(key, pattern)
    for entry in filter(None, _REGIONS.get(country, "").split("~")):
        name, _, writing = entry.rpartition("=")
        found.setdefault(_key(writing), found.get(_key(name)))
    return found


@cache
def _regions_everywhere() -> dict[str, tuple[_Region, ...]]:
    """Return the regions of all countries whose postcodes have figures only, by name."""
    found: dict[str, tuple[_Region, ...]] = {}
    countries = (
        "US AU IT ES IN BR MX MY ID JP KR TW TH PH TR CN VN AR CL CO ZA AT NG AE UA RU CA IE GB"
    )
    for country in countries.split():
        for key, postcodes in _regions(country).items():
            found[key] = (*found.get(key, ()), _Region(country, postcodes))
    return found


def _has_postcode(region: _Region, code: str, *, short: bool) -> bool:
    form = postcode_form(region.country)
    if form is None or not re.fullmatch(form, code):
        return False
    if region.postcodes is None:
        return not short
    return region.postcodes.match(code) is not None
