"""Names of people and companies: the clean string, compared by `name_key`."""

from __future__ import annotations

import re

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, failed, string
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.absent import says_absent
from pipeline.values.texts.around_names import is_caption, is_no_name
from pipeline.values.texts.folded import Folded, fold
from pipeline.values.texts.names import clean_name, name_key
from pipeline.values.times.written import is_written_date

# A wide gap parts columns as a line end parts lines; captions and addresses are told by both.
_NO_NAME = re.compile(
    r"\d{1,4}([./-])\d{1,2}\1\d{2,4}|[^\s@]+@[^\s@]+\.\w+|\d{1,2}[:.]\d\d(?::\d\d)?\s?[ap]\.?m\.?",
    re.I,
)
_LINES = re.compile(r"[\r\n]+|[ \t\u00a0]{4,}")


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the name without its caption, what trails it, and stray ends."""
    if is_caption(source.text) or says_absent(source.text):
        return failed(source, "The text is a caption, or says that there is no name.")
    lines = [fold(line) for line in _LINES.split(source.raw)]
    name = clean_name("\n".join(line.text for line in lines))
    printed = clean_name("\n".join(line.printed for line in lines))
    if _NO_NAME.fullmatch(name) is not None or is_written_date(name):
        return failed(source, "The text is a date, a time or an e-mail address.")
    if is_no_name(name) or says_absent(name):
        return failed(source, "The text is a title, or a number.")
    return string(printed, name, name_key(name))
