"""Countries: ISO 3166-1 alpha-2 codes, ``"DE"``, from names in many languages and from codes."""

from __future__ import annotations

import re

from pipeline.values.context import DocumentContext
from pipeline.values.figures.misread import as_letters
from pipeline.values.normalised import Normalised, failed, first_of
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.address_forms import prefixed_country
from pipeline.values.texts.countries import codes_of
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.strings import clean

_CAPTION = re.compile(r"^[^\W\d_]{3,20}(?:\s[^\W\d_]{2,12}){0,2}\s?:\s{0,2}")
_MADE_IN = re.compile(
    r"^(?:(?:made|manufactured|produced|grown|assembled)\sin|(?:product|produce)\sof|country\sof\sorigin"
    r"|(?:hergestellt|gefertigt)\sin|fabriqué\s(?:en|au|aux)|produit\s(?:en|au|aux|de)|hecho\sen"
    r"|(?:fabricado|producido|feito)\s(?:en|em)|(?:prodotto|fabbricato)\sin|vervaardigd\sin|gemaakt\sin"
    r"|wyprodukowano\sw|vyrobeno\sv|vyrobené\sv|tillverkad\si|fremstillet\si|buatan)\s",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"^(?P<outer>[^()]{2,80}?)\s?\((?P<inner>[^()]{2,40})\)$")

_LEAST = 4  # letters of a name that one letter more or less does not make another's
_MISREAD = "A digit or an l in the name was read as another letter."


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the code of the country that a text names."""
    printed = clean(_CAPTION.sub("", clean(source.printed)))
    text = clean(_CAPTION.sub("", clean(source.text)))
    note = None
    codes = codes_of(text) or codes_of(_MADE_IN.sub("", text))
    if (both := _IN_BRACKETS.match(text)) is not None and not codes:
        outer, inner = codes_of(both["outer"]), codes_of(both["inner"])
        codes = tuple(dict.fromkeys((*outer, *inner)))
    if not codes and (prefixed := prefixed_country(text)) is not None:
        codes = (prefixed,)
    if not codes and len(text) >= _LEAST:
        codes = next(filter(None, map(codes_of, as_letters(text))), ())
        note = _MISREAD
    if not codes:
        return failed(source, "The text is no name or code of a country.")
    return first_of(printed, codes, "Several countries have this name.", note=note)
