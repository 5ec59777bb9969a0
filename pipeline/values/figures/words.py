"""Numbers in words, in the languages that text2num knows and a few more."""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.values.patterns import lazy_pattern

_FEW = {
    "ms": "satu dua tiga empat lima enam tujuh lapan sembilan sepuluh",
    "sv": "ett två tre fyra fem sex sju åtta nio tio elva tolv",
    "da": "et to tre fire fem seks syv otte ni ti elleve tolv",
    "tr": "bir iki üç dört beş altı yedi sekiz dokuz on",
    "cs": "jeden dva tři čtyři pět šest sedm osm devět deset",
    "hr": "jedan dva tri četiri pet šest sedam osam devet deset",
    "hu": "egy két három négy öt hat hét nyolc kilenc tíz",
    "ro": "un doi trei patru cinci șase șapte opt nouă zece",
    "bg": "един два три четири пет шест седем осем девет десет",
    "uk": "один два три чотири п'ять шість сім вісім дев'ять десять",
    "vi": "một hai ba bốn năm sáu bảy tám chín mười",
    "ar": "واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة",
    "fi": "yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen",
    "el": "ένα δύο τρία τέσσερα πέντε έξι επτά οκτώ εννέα δέκα",
    "he": "אחד שני שלושה ארבעה חמישה שישה שבעה שמונה תשעה עשרה",
    "hi": "एक दो तीन चार पाँच छह सात आठ नौ दस",
}
_TENS = {
    "sv": "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
    "tr": "yirmi otuz kırk elli altmış yetmiş seksen doksan",
    "cs": "dvacet třicet čtyřicet padesát šedesát sedmdesát osmdesát devadesát",
    "hr": "dvadeset trideset četrdeset pedeset šezdeset sedamdeset osamdeset devedeset",
    "hu": "húsz harminc negyven ötven hatvan hetven nyolcvan kilencven",
    "bg": "двадесет тридесет четиридесет петдесет шестдесет седемдесет осемдесет деветдесет",
    "uk": "двадцять тридцять сорок п'ятдесят шістдесят сімдесят вісімдесят дев'яносто",
    "ar": "عشرون ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون",
    "el": "είκοσι τριάντα σαράντα πενήντα εξήντα εβδομήντα ογδόντα ενενήντα",
    "he": "עשרים שלושים ארבעים חמישים שישים שבעים שמונים תשעים",
    "hi": "बीस तीस चालीस पचास साठ सत्तर अस्सी नब्बे",
}
_FEW_NUMBERS = {
    language: {word: number for number, word in enumerate(words.split(), 1)}
    | {word: 10 * tens for tens, word in enumerate(_TENS.get(language, "").split(), 2)}
    for language, words in _FEW.items()
}
# Languages that write a number as words of its parts: 1 to 19, then tens, then hundreds, each a
# pattern of the forms that it has before what is counted.
_NADCAT, _NASCIE = "надцат[ьи]", "na(?:ście|stu)"
_PARTS = {
    "ru": f"""
        од(?:ин|н(?:а|о|ого|ой|у)) дв(?:а|е|ух) тр(?:и|[её]х) четыр(?:е|[её]х) пят[ьи] шест[ьи]
        сем[ьи] вос(?:емь|ьми) девят[ьи] десят[ьи] один{_NADCAT} две{_NADCAT} три{_NADCAT}
        четыр{_NADCAT} пят{_NADCAT} шест{_NADCAT} сем{_NADCAT} восем{_NADCAT} девят{_NADCAT}
        двадцат[ьи] тридцат[ьи] сорока? пят[ьи]десяти? шест[ьи]десяти? сем[ьи]десяти?
        вос(?:емь|ьми)десяти? девяност[оа] ст[оа] дв(?:ести|ухсот) тр(?:иста|[её]хсот)
        четыр(?:еста|[её]хсот) пят[ьи]сот шест[ьи]сот сем[ьи]сот вос(?:емь|ьми)сот девят[ьи]сот""",
    "pl": f"""
        jed(?:en|n(?:a|o|ego|ej)) dw(?:a|ie|óch|u) trz(?:y|ech) czter(?:y|ech) pię(?:ć|ciu)
        sześ(?:ć|ciu) sied(?:em|miu) o(?:siem|śmiu) dziewię(?:ć|ciu) dziesię(?:ć|ciu)
        jede{_NASCIE} dw[au]{_NASCIE} trzy{_NASCIE} czter{_NASCIE} pięt{_NASCIE} szes{_NASCIE}
        siedem{_NASCIE} osiem{_NASCIE} dziewięt{_NASCIE} dw(?:adzieścia|udziestu)
        trzydzie(?:ści|stu) czterdzie(?:ści|stu) pięćdziesi(?:ąt|ęciu) sześćdziesi(?:ąt|ęciu)
        siedemdziesi(?:ąt|ęciu) osiemdziesi(?:ąt|ęciu) dziewięćdziesi(?:ąt|ęciu) st[ou]
        dw(?:ieście|ustu) trzyst[au] czteryst[au] pię(?:ć|ciu)set sześ(?:ć|ciu)set
        sied(?:em|miu)set o(?:siem|śmiu)set dziewię(?:ć|ciu)set""",
}
_PART_NUMBERS = (*range(1, 20), *range(20, 100, 10), *range(100, 1000, 100))
_PART_FORMS = {
    language: lazy_pattern("|".join(f"({form})" for form in words.split()))
    for language, words in _PARTS.items()
}
_ONE = {
    "a": 1, "an": 1, "ein": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "eines": 1, "un": 1,
    "une": 1, "una": 1, "uno": 1, "um": 1, "uma": 1, "een": 1, "en": 1,
}  # fmt: skip
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")
"""Languages of text2num in which any number is read."""
_INDIAN = lazy_pattern(r"(?<![a-z])(crore|la(?:kh|c))s?(?![a-z])")
_MOST_CHARACTERS, _MOST_CJK = 120, 20


@lru_cache(maxsize=1024)
def number_of(words: str, language: str) -> int | None:
    """Return the number that words spell in a language, or None where they spell none.

    Args:
        words: such as "one hundred and twenty"; an article alone is one.
        language: ISO 639 code.
    """
    words = " ".join(words.lower().split())
    if not words or len(words) > _MOST_CHARACTERS or re.search(r"\d", words):
        return None
    if one := _ONE.get(words):
        return one
    if language in _FEW_NUMBERS:
        return _FEW_NUMBERS[language].get(words)
    if language in _PARTS:
        return _sum_of(words, _PART_FORMS[language])
    if language not in LANGUAGES:
        return None
    if language == "en" and len(parts := _INDIAN.split(words)) > 1:
        return _in_lakhs(parts)
    from text_to_num import text2num  # a compiled library, loaded where words are read only

    whole = re.sub(r"ún$", "uno", words)  # veintiún días
    for form in (whole, words.replace("-", " "), re.sub(r"\band\b", "", words)):
        try:
            return int(text2num(" ".join(form.split()), language))
        except ValueError:
            continue
    return None


def _in_lakhs(parts: list[str]) -> int | None:
    """Return the number of English words that India's scales part, None where they are none."""
    total = 0
    for words, scale in zip(parts[::2], (*parts[1::2], ""), strict=True):
        bare = words.strip(" ,").removeprefix("and ")
        number = number_of(bare, "en") if bare or scale else 0
        if number is None:
            return None
        total += number * (10**7 if scale == "crore" else 10**5 if scale else 1)
    return total


def number_in_words(words: str) -> int | None:
    """Return the number that words spell in the first language that reads them, else None."""
    readings = (number_of(words, language) for language in (*LANGUAGES, *_PARTS))
    return next((number for number in readings if number is not None), None)


def _sum_of(words: str, forms: re.Pattern[str]) -> int | None:
    """Return the sum of hundreds, tens and ones in this order; None where words are another's."""
    total, below = 0, 1000
    for word in words.replace("-", " ").split():
        form = forms.fullmatch(word)
        part = below if form is None else _PART_NUMBERS[(form.lastindex or 1) - 1]
        if part >= below:
            return None
        total += part
        below = 100 if part >= 100 else 10 if part >= 20 else 1
    return total or None


_CJK_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
    **{digit: value for value, digit in enumerate("일이삼사오육칠팔구", 1)},
}
_CJK_UNITS = {"十": 10, "百": 100, "千": 1000, "십": 10, "백": 100, "천": 1000}
# As cheques and invoices have them, so that nobody adds a stroke
_FINANCIAL = str.maketrans(
    "壹壱贰貳弐叁參参肆伍陆陸柒捌玖拾佰仟", "一一二二二三三三四五六六七八九十百千"
)
_MYRIADS = lazy_pattern("[万萬만]")
_LEFT_OPEN = lazy_pattern("[百千万萬][一二三四五六七八九]$")  # 三百五 is 350 to many, 305 to others


def cjk_number(text: str) -> int | None:
    """Return the number of Chinese or Korean numerals, None where a text is none.

    Both ways of writing are read: 二十四, and digit by digit as years are, 二〇二四.
    """
    text = text.translate(_FINANCIAL)
    if _LEFT_OPEN.search(text) is not None:
        return None
    if len(text) <= _MOST_CJK and (myriads := _MYRIADS.search(text)) is not None:
        many = cjk_number(text[: myriads.start()]) if myriads.start() else 1
        rest = cjk_number(text[myriads.end() :]) if text[myriads.end() :] else 0
        return None if many is None or rest is None else many * 10_000 + rest
    if not text or not all(c in _CJK_DIGITS or c in _CJK_UNITS for c in text):
        return None
    if not any(c in _CJK_UNITS for c in text):
        return int("".join(str(_CJK_DIGITS[c]) for c in text)) if len(text) <= 4 else None
    total = 0
    digit: int | None = None
    for c in text:
        if c in _CJK_UNITS:
            total += (1 if digit is None else digit) * _CJK_UNITS[c]
            digit = None
        else:
            digit = _CJK_DIGITS[c]
    return total + (digit or 0)
