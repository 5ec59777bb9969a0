"""Lengths of time in running text: "three (3) years", "18 months", "half a year", "zwei Jahre".

A unit is looked for first; what stands right before it is its number, in digits or in words.
Look-arounds are bounded, so that time grows with the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from pipeline.values.figures.amounts import amount_key
from pipeline.values.figures.numbers import read_number
from pipeline.values.figures.words import number_of
from pipeline.values.patterns import lazy_pattern
from pipeline.values.texts.strings import as_matched
from pipeline.values.times.words import DAY_WORDS

# unit -> language -> words
_UNIT_WORDS: dict[str, dict[str, str]] = {
    # "second" and "sec." are ordinals and sections as well
    "second": {
        "en": "seconds", "de": "sekunden", "fr": "secondes", "es": "segundos", "it": "secondi",
        "nl": "seconden", "sv": "sekunder", "pl": "sekundy sekund", "ru": "секунды секунд",
        "fi": "sekuntia", "tr": "saniye", "vi": "giây", "ms": "detik", "hi": "सेकंड", "fa": "ثانیه",
    },
    "minute": {
        "en": "minute minutes min mins", "de": "minuten", "fr": "mn", "es": "minuto minutos",
        "it": "minuti", "nl": "minuut", "sv": "minuter", "pl": "minuta minuty minut",
        "ru": "минута минуты минут", "tr": "dakika", "vi": "phút", "uk": "хвилина хвилини хвилин",
        "bg": "минути", "fi": "minuuttia", "hu": "perc", "ms": "menit minit", "sk": "minút minúty",
        "lt": "minutės minučių", "lv": "minūtes minūšu", "et": "minutit", "el": "λεπτό λεπτά",
        "az": "dəqiqə", "he": "דקה דקות", "ar": "دقيقة دقائق", "fa": "دقیقه", "hi": "मिनट",
        "th": "นาที", "sw": "dakika", "is": "mínútur", "ka": "წუთი", "hy": "րոպե",
    },
    "hour": {
        "en": "hour hours hr hrs h", "de": "stunde stunden std", "fr": "heure heures",
        "es": "hora horas", "it": "ora ore", "nl": "uur uren", "ms": "jam", "sv": "timmar timme",
        "pl": "godzina godziny godzin", "uk": "година години годин", "ru": "час часа часов",
        "tr": "saat", "vi": "giờ", "cs": "hodina hodiny hodin", "sk": "hodín", "hu": "óra",
        "fi": "tunti tuntia tunnin", "lt": "valanda valandos valandų", "et": "tund tundi",
        "th": "ชั่วโมง", "el": "ώρα ώρες", "ar": "ساعة ساعات", "da": "timer", "hr": "sata sati",
        "sl": "ura ure ur", "sr": "сата сати", "lv": "stunda stundas stundu", "sq": "orë",
        "he": "שעה שעות", "fa": "ساعت", "hi": "घंटा घंटे", "sw": "saa", "is": "klukkustundir",
        "ka": "საათი", "hy": "ժամ",
    },
    "day": {
        "en": "day days",
        "de": "tag tage tagen tg werktage werktagen kalendertage kalendertagen arbeitstage",
        "fr": "jour jours", "es": "día días dia dias", "it": "giorno giorni gg",
        "nl": "dag dagen werkdagen kalenderdagen",
        "ms": "hari", "sv": "dagar dagars dygn arbetsdagar vardagar bankdagar",
        "da": "dage dages dager døgn arbejdsdage bankdage hverdage virkedager arbeidsdager",
        "pl": "dni dzień", "ru": "день дня дней",
        "uk": "дні днів", "tr": "gün", "cs": "dny dní dnů",
        "hu": "nap napos napig napon munkanap munkanapon",
        "ro": "zi zile",
        "fi": "päivä päivää päivän pv arkipäivää työpäivää pankkipäivää",
        "el": "ημέρα ημέρες ημερών", "vi": "ngày", "th": "วัน วันทำการ",
        "bg": "дни", "sr": "дана", "hr": "dana", "sk": "deň", "lt": "diena dienos dienų dienas",
        "lv": "dienu", "et": "päev päeva tööpäeva",
        "sl": "dan dneva", "mk": "дена", "sq": "ditë", "is": "daga", "af": "dae", "ca": "dies",
        "he": "יום ימים", "ar": "يوم يوما يومًا أيام", "fa": "روز", "ur": "دن", "hi": "दिन",
        "bn": "দিন", "ta": "நாட்கள்", "sw": "siku", "tl": "araw", "ka": "დღე", "hy": "օր",
    },
    "fortnight": {"en": "fortnight fortnights"},
    "week": {
        "en": "week weeks wk wks", "de": "woche wochen", "fr": "semaine semaines",
        "es": "semana semanas", "it": "settimana settimane", "nl": "weken", "ms": "minggu",
        "sv": "vecka veckor", "da": "uge uger uker", "pl": "tydzień tygodnie tygodni",
        "uk": "тиждень тижні тижнів", "ru": "неделя недели недель",
        "tr": "hafta", "cs": "týden týdny týdnů", "hu": "hét hetes",
        "ro": "săptămână săptămâni", "fi": "viikko viikkoa viikon", "el": "εβδομάδα εβδομάδες",
        "bg": "седмица седмици", "sr": "недеља недеље", "hr": "tjedan tjedna tjedana",
        "sl": "teden tedna tednov", "sk": "týždeň týždne týždňov",
        "lt": "savaitė savaitės savaičių", "lv": "nedēļa nedēļas nedēļu", "et": "nädal nädalat",
        "vi": "tuần", "th": "สัปดาห์", "he": "שבוע שבועות", "ar": "أسبوع أسابيع", "fa": "هفته",
        "hi": "सप्ताह", "sw": "wiki", "is": "vika vikur", "sq": "javë", "az": "həftə", "no": "uke",
        "ca": "setmana setmanes", "tl": "linggo", "ka": "კვირა", "hy": "շաբաթ",
    },
    "month": {
        "en": "month months mo mos mth mths", "de": "monat monate monaten mon", "fr": "mois",
        "es": "mes meses", "it": "mese mesi", "pt": "mês", "nl": "maand maanden mnd",
        "ms": "bulan", "cs": "měsíc měsíce měsíců měs", "hu": "hónap hónapos", "ro": "lună luni",
        "fi": "kuukausi kuukautta kuukauden kk", "el": "μήνας μήνες μηνών", "vi": "tháng",
        "th": "เดือน", "he": "חודש חודשים", "ar": "شهر أشهر شهور",
        "sv": "månad månader mån", "da": "måned måneder", "pl": "miesiąc miesiące miesięcy mies",
        "uk": "місяць місяці місяців міс", "ru": "месяц месяца месяцев мес", "tr": "ay",
        "bg": "месец месеца месеци", "hr": "mjesec mjeseca mjeseci mj", "sr": "mesec meseca meseci",
        "sl": "mesece mesecev", "sk": "mesiac mesiace mesiacov", "et": "kuu kuud",
        "lt": "mėnuo mėnesį mėnesiai mėnesių", "lv": "mēnesis mēneši mēnešu mēnešiem",
        "no": "mnd", "is": "mánuðir mánuði", "sq": "muaj", "ca": "mesos", "fa": "ماه",
        "hi": "माह महीना महीने", "bn": "মাস", "sw": "mwezi miezi", "tl": "buwan", "ka": "თვე",
        "hy": "ամիս",
    },
    "year": {
        "en": "year years yr yrs", "de": "jahr jahre jahren", "fr": "an ans année années",
        "es": "año años", "it": "anno anni", "pt": "ano anos", "nl": "jaar jaren", "ms": "tahun",
        "sv": "år", "pl": "rok roku lata lat", "uk": "рік роки років", "ru": "год года лет",
        "tr": "yıl", "cs": "roky let", "sk": "rokov",
        "bg": "година години", "hr": "godina godine", "sl": "leto leti leta",
        "lt": "metai metų metams", "lv": "gads gadi gadu gadiem", "et": "aasta aastat",
        "hu": "év éves", "ro": "ani", "fi": "vuosi vuotta vuoden", "el": "έτος έτη χρόνος χρόνια",
        "vi": "năm", "th": "ปี", "he": "שנה שנים", "ar": "سنة سنوات", "is": "ár ára",
        "sq": "vjet vite", "ca": "anys", "fa": "سال", "hi": "वर्ष साल", "bn": "বছর",
        "sw": "mwaka miaka", "tl": "taon", "ka": "წელი", "hy": "տարի",
    },
}  # fmt: skip
# Hours to Ukrainians, "години" are years to Bulgarians: a word may be of several units.
_UNITS: dict[str, dict[str, str]] = {}
for _unit, _languages in _UNIT_WORDS.items():
    for _language, _words in _languages.items():
        for _word in _words.split():
            _UNITS.setdefault(as_matched(_word), {})[_unit] = _language
_ISO_LETTERS = {
    "second": "TS", "minute": "TM", "hour": "TH",
    "day": "D", "week": "W", "month": "M", "year": "Y",
}  # fmt: skip
# Weeks are days and years are months exactly; a month is no fixed number of days.
_KEY_UNITS = {
    "second": (1, "TS"), "minute": (60, "TS"), "hour": (3600, "TS"),
    "day": (1, "D"), "week": (7, "D"), "month": (1, "M"), "year": (12, "M"),
}  # fmt: skip
_WITH_STOP = frozenset({"mon"})  # abbreviations that are other words without their full stop
_LONGEST_YEARS = 1000  # from here on the number is that of a year: "2024 года"
# Units that count together: 1 year and 6 months.
_LOWER = {"year": "month", "week": "day", "hour": "minute", "minute": "second"}


def _beginning_with(letter: str) -> str:
    """Return a pattern of the units with a first letter, which is compared once for all."""
    rest = sorted((word[1:] for word in _UNITS if word[0] == letter), key=len, reverse=True)
    return f"{letter}(?:{'|'.join(rest)})"


_LETTERS = sorted({word[0] for word in _UNITS})
UNIT = lazy_pattern(
    rf"(?<![^\W\d_])(?P<unit>{'|'.join(map(_beginning_with, _LETTERS))})(?![^\W_])",
    re.IGNORECASE,
)
"""A regular expression of the words for units of time."""
_WINDOW = 80  # characters before a unit that its number may take
_ADJECTIVE = lazy_pattern(
    r"(?:calendar|business|full|consecutive|working|banking|volle[ns]?|de|календарных|рабочих|банковских"
    r"|календарних|робочих|банківських|работни|календарни|roboczych|kalendarzowych|pracovních"
    r"|pracovných|kalendářních|kalendárnych|radnih|radna|kalendarskih|delovnih|koledarskih|darba"
    r"|kalendāra|darbo|kalendorinių|naptári|iş|takvim|εργάσιμες|ημερολογιακές)[-\s]{0,2}$",
    re.IGNORECASE,
)
_DIGITS = r"\d{1,5}(?:[.,]\d{1,2})?"
_HALF = (
    r"half|halbes|halben|halbe|demi|demie|medio|media|mezzo|halve|meio|meia|pół|půl|pol|fél|puoli"
    r"|halvt|halv|yarım"
)
_NUMBER = lazy_pattern(
    # "twenty-four (24) months", "18 (eighteen) months": the digits count
    rf"(?P<bracket>[(\[]\s?(?P<inner>{_DIGITS})\s?[)\]]|"
    rf"(?<![.,\d/])(?P<outer>{_DIGITS})\s{{0,2}}[(\[](?P<words>[^()\[\]]{{1,40}})[)\]])[-\s]{{0,2}}$"
    # 1 1/2, 1/2
    r"|(?<![.,\d/])(?:(?P<whole>\d{1,3})[\s-])?(?P<numerator>\d)/(?P<denominator>[2348])[-\s]{0,2}$"
    # between 30 and 60: an "and" parts nothing else
    rf"|(?<![^\W_])(?P<between>between|zwischen|entre|tra|tussen)\s(?P<from>{_DIGITS})\s"
    rf"(?:and|und|et|y|e|en)\s(?P<until>{_DIGITS})[-\s]{{0,2}}$"
    # 3-5, 30 to 60, 30/60, 30/60/90
    rf"|(?<![.,\d/])(?:(?P<lowest>{_DIGITS})/)?(?P<low>{_DIGITS})\s?(?:-|–|—|/|to|or|bis|oder|à|ou|a|o)\s?(?P<high>{_DIGITS})"
    r"[-\s]{0,2}$"
    rf"|(?<![.,\d])(?<!\d:)(?<!\d[eE])(?<!\d[eE][-+])(?P<digits>{_DIGITS})(?P<and_half>\sand\sa\shalf)?"
    r"[-\s]{0,2}$"
    rf"|(?<![^\W_])(?<!and )(?<!and a )(?<!and one[ -])"
    rf"(?:(?:an?|one|une?|ein)[-\s])?(?P<half>{_HALF})"
    r"(?:[-\s](?:an?|of\san?))?[-\s]{0,2}$",
    re.IGNORECASE,
)
_WORDS_BEFORE = lazy_pattern(r"(?<![^\W_])(?:[^\W\d_]{1,30}[-\s]{1,2}){1,6}$")
_SPELLED_BEFORE_BRACKET = lazy_pattern(r"(?:[^\W\d_]{1,30}[-\s]{0,2}){1,6}$")
_AND_A_HALF = lazy_pattern(r"\sand\s(?:a|one)[\s-]half[-\s]{1,2}$", re.IGNORECASE)
HALF_BEHIND = lazy_pattern(
    r"\s(?:and\sa\shalf|et\sdemie?|y\smedi[oa]|e\smezz[oa]|e\smei[oa])(?![^\W_])", re.IGNORECASE
)
"""A regular expression of "and a half" behind what it is half of."""
_RANGE_OF_WORDS = lazy_pattern(r"(?<![^\W_])(?P<low>[^\W\d_]{2,12})[\s-]{1,3}(?:to|or)[\s-]{1,3}$")
# One and a half, and the same of two and three, in one word
_HALVES = {
    "anderthalb": "1.5", "eineinhalb": "1.5", "zweieinhalb": "2.5", "dreieinhalb": "3.5",
    "anderhalf": "1.5", "anderhalve": "1.5", "półtora": "1.5", "полтора": "1.5",
}  # fmt: skip
_BETWEEN_UNITS = lazy_pattern(
    r"(?:(?:(?<=std|min|hrs|yrs|mos|wks)|(?<=hr|yr|mo|wk))\.)?[\s,]{0,2}"
    r"(?:(?:and|und|et|y|e|en|&)\s)?",
    re.IGNORECASE,
)

_DAYS = {as_matched(word): day for word, day in DAY_WORDS.items()}
# "until the second (2nd) anniversary of the date": a contract's way to say two years
_ANNIVERSARY = lazy_pattern(
    rf"(?<![^\W_])(?:(?P<word>{'|'.join(word for word in DAY_WORDS if ' ' not in word)})"
    r"(?:\s{0,2}[(\[]\s?\d{1,2}\s?(?:st|nd|rd|th)\s?[)\]])?"
    r"|(?P<digits>\d{1,2})\s?(?:st|nd|rd|th))\s{1,2}anniversary(?![^\W_])",
    re.IGNORECASE,
)

# "dreijährige Laufzeit", "6-monatig"
_LASTING_UNITS = {
    "jährig": "year", "monatig": "month", "wöchig": "week", "tägig": "day", "stündig": "hour"
}  # fmt: skip
_LASTING = lazy_pattern(
    rf"(?<![^\W_])(?P<number>\d{{1,3}}|[^\W\d_]{{2,20}}?)-?(?P<unit>{'|'.join(_LASTING_UNITS)})"
    r"(?:e[nmrs]?)?(?![^\W_])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DurationReading:
    """One length of time found in a text.

    Attributes:
        start, end: half-open range of characters.
        value: how many units, more than zero.
        unit: ``second``, ``minute``, ``hour``, ``day``, ``week``, ``month`` or ``year``.
    """

    start: int
    end: int
    value: Decimal
    unit: str

    @property
    def iso(self) -> str:
        """The ISO 8601 form, such as ``P3Y``; of years and a half ``P1Y6M``."""
        months = self.value * 12
        if self.unit == "year" and self.value % 1 and not months % 1:
            years = f"{amount_key(months // 12)}Y" if months >= 12 else ""
            return f"P{years}{amount_key(months % 12)}M"
        return _iso(self.value, _ISO_LETTERS[self.unit])

    @property
    def key(self) -> str:
        """The ISO form in days or months, equal for equal lengths (2 years and 24 months)."""
        factor, letter = _KEY_UNITS[self.unit]
        return _iso(self.value * factor, letter)


def _iso(value: Decimal, letter: str) -> str:
    time, letter = letter[:-1], letter[-1]
    return f"P{time}{amount_key(value)}{letter}"


def find_durations(text: str) -> list[DurationReading]:
    """Return the durations of `text`, left to right.

    None overlap but the two ends of a range ("3-5 years"), which stand in one place, and words and
    digits that say two things: of "three (5) years" the digits come first. An anniversary is that
    many years; "1 year and 6 months" is one duration.
    """
    found: list[DurationReading] = []
    for match in UNIT.finditer(text):
        word = as_matched(match["unit"])
        if word in _WITH_STOP and not text.startswith(".", match.end()):
            continue
        floor = max(found[-1].end if found else 0, match.start() - _WINDOW)
        readings = [
            reading
            for unit, language in _UNITS[word].items()
            for reading in _readings(text, floor, match, unit, language)
        ]
        if len(readings) == 1 and found and (both := _together(text, found[-1], readings[0])):
            found[-1] = both
        else:
            found += readings
    for match in _ANNIVERSARY.finditer(text):
        years = int(match["digits"]) if match["digits"] else _DAYS[as_matched(match["word"])]
        if years > 0:
            found.append(DurationReading(*match.span(), Decimal(years), "year"))
    for match in _LASTING.finditer(text):
        word, unit = match["number"].lower(), _LASTING_UNITS[as_matched(match["unit"])]
        number = word if word.isdecimal() else "0.5" if word == "halb" else number_of(word, "de")
        if number is not None and Decimal(number) > 0:
            found.append(DurationReading(*match.span(), Decimal(number), unit))
    return sorted(found, key=lambda reading: reading.start)


def _readings(
    text: str, floor: int, word: re.Match[str], unit: str, language: str
) -> Iterator[DurationReading]:
    """Yield what the word for a unit and the number before it say, from `floor` on."""
    start, values = _number_before(text[floor : word.start()], language)
    end = word.end()
    half = HALF_BEHIND.match(text, end)
    if half is not None and len(values) == 1:
        values, end = (values[0] + Decimal("0.5"),), half.end()
    if unit == "fortnight":
        unit, values = "week", tuple(value * 2 for value in values)
    for value in values:
        if value > 0 and not (unit == "year" and value >= _LONGEST_YEARS):
            yield DurationReading(floor + start, end, value, unit)


def _together(text: str, first: DurationReading, second: DurationReading) -> DurationReading | None:
    """Return the sum of "1 year" and "6 months" where they stand side by side."""
    if _LOWER.get(first.unit) != second.unit:
        return None
    if not _BETWEEN_UNITS.fullmatch(text, first.end, second.start):
        return None
    factor = Decimal(_KEY_UNITS[first.unit][0]) / _KEY_UNITS[second.unit][0]
    total = first.value * factor + second.value
    if first.unit == "year" and first.value % 1 == 0 and second.value < factor:
        return DurationReading(first.start, second.end, total / factor, "year")
    return DurationReading(first.start, second.end, total, second.unit)


def _number_before(before: str, language: str) -> tuple[int, tuple[Decimal, ...]]:
    """Return where the number at the end of a text starts, and its values; two of a range."""
    adjective = _ADJECTIVE.search(before)
    if adjective is not None:
        before = before[: adjective.start()]
    match = _NUMBER.search(before)
    if match is None:
        return _spelled(before, language)
    if match["bracket"]:
        start = match.start()
        digits = read_number(match["inner"] or match["outer"], decimal=".")
        words = match["words"]
        if match["inner"]:  # the words in front of the bracket belong to it
            spelled = _SPELLED_BEFORE_BRACKET.search(before, 0, start)
            if spelled is not None:
                at = _start_of_words(before, spelled, language, start)
                words, start = before[at:start], at
        said = number_of((words or "").strip(" -"), language)
        # "sixty (30) days": nobody knows which of the two is meant.
        return start, digits if said is None or Decimal(said) in digits else (
            *digits,
            Decimal(said),
        )
    if match["numerator"]:
        part = Decimal(match["numerator"]) / Decimal(match["denominator"])
        return match.start(), (Decimal(match["whole"] or 0) + part,)
    if match["low"] or match["between"]:
        names = ("lowest", "low", "high") if match["low"] else ("from", "until")
        ends = (read_number(match[name], decimal=".") for name in names if match[name])
        return match.start(), tuple(value for values in ends for value in values[:1])
    if match["digits"]:
        values = read_number(match["digits"], decimal=".")
        half = Decimal("0.5") if match["and_half"] else Decimal(0)
        return match.start(), tuple(value + half for value in values)
    return match.start(), (Decimal("0.5"),)


def _start_of_words(before: str, words: re.Match[str], language: str, end: int) -> int:
    """Return where the words start that spell the number in the bracket behind them, or `end`."""
    starts = [m.start() + words.start() for m in re.finditer(r"(?<![^\W_])[^\W_]", words.group())]
    spelled = (s for s in starts if number_of(before[s:end].strip(" -"), language) is not None)
    return next(spelled, end)


def _spelled(before: str, language: str) -> tuple[int, tuple[Decimal, ...]]:
    """Return where the words start that spell a number at the end of a text, and its value."""
    half = _AND_A_HALF.search(before)
    words = _WORDS_BEFORE.search(before if half is None else before[: half.start()] + " ")
    if words is None:
        return len(before), ()
    last = words.group().split()[-1]
    if last.lower() in _HALVES:
        return words.start() + words.group().rindex(last), (Decimal(_HALVES[last.lower()]),)
    for start in re.finditer(r"(?<![^\W_])[^\W_]", words.group()):
        at = words.start() + start.start()
        spelt = words.string[at:].strip(" -")
        number = number_of(spelt, language)
        if number is None and language == "es":  # "meses" are of both
            number = number_of(spelt, "pt")
        if number is None:
            continue
        low = _RANGE_OF_WORDS.search(before, 0, at)
        if low is not None and (first := number_of(low["low"], language)) is not None:
            return low.start(), (Decimal(first), Decimal(number))
        return at, (Decimal(number) + (Decimal("0.5") if half else 0),)
    return len(before), ()
