"""E-mail addresses: ``"info@example.org"``, the domain in lower case."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, failed, first_of
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.folded import Folded, fold
from pipeline.values.texts.strings import clean

_ADDRESS = re.compile(
    r"(?<![^\s<(\[:;,\"'])(?P<local>[^\s@<>()\[\]:;,\"']{1,64}(?:'[^\s@<>()\[\]:;,\"']{1,60})?)(?P<at>\s?@\s?)"
    r"(?P<domain>[^\W_](?:[\w-]{0,62})(?:\.[^\W_][\w-]{0,62}){1,6})"
)
# "info (at) example.com", "info [at] example [dot] com": hidden from machines, plain to people
_SPELLED_AT = re.compile(r"\s?(?:\(\s?at?\s?\)|\[\s?at\s?\]|\{\s?at\s?\})\s?", re.IGNORECASE)
_SPELLED_DOT = re.compile(r"\s?[(\[]\s?(?:dot|punkt|point)\s?[)\]]\s?", re.IGNORECASE)
# A gap beside the last dot, at the end of a text: info@firma. de, ann@mail.co .uk. Behind a domain
# that is whole without it only a country's letters are more of it, right behind the dot or behind
# what countries have before theirs: info@firma.com. br.
_GAP = re.compile(
    r"(?P<before>@ ?[\w-]{1,63}(?P<whole>(?:\.[\w-]{1,63}){0,3}"
    r"(?:(?P<second>\.(?:com?|net|org|gov|edu|ac|or|ne)(?![\w-]))|\.[\w-]{1,63}))?)"
    r"(?(whole)(?: \.|(?(second)\. |(?!)))(?=[a-z]{2}\W*$)|(?: \. ?|\. ))"
    r"(?P<top>[a-z]{2,6}(?:\. ?[a-z]{2})?)\W*$"
)
# ann@mail.comTel: the word behind is none of the domain's
_GLUED = re.compile(r"(?:(?<=\.[a-z]{2})|(?<=\.[a-z]{3}))[A-Z][a-z]{2,}(?![\w@.-])")
_PLAIN = re.compile(r"[^\W_](?:[\w.!#$%&'*+/=?^`{|}~-]*[\w!#$%&*+/=?^`{|}~-])?")
_NONE = "No e-mail address was found in the text."


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the address of a text; ambiguous where it holds several."""
    text = re.sub(r"(?i)mailto:", lambda match: " " * len(match.group()), source.text)
    text = _GLUED.sub(lambda match: " " * len(match.group()), text)
    found = [match for match in _ADDRESS.finditer(text) if _is_address(match)]
    if (gap := _GAP.search(text)) is not None:
        joined = fold(f"{text[: gap.end('before')]}.{text[gap.start('top') :]}")
        return replace(read(joined, spec, context), text=clean(source.printed))
    if not found and "@" not in text and _SPELLED_AT.search(text) is not None:
        return _spelled(source)
    if not found:
        return failed(source, _NONE)
    values = list(dict.fromkeys(f"{m['local']}@{m['domain'].lower()}" for m in found))
    printed, several = source.cut(*found[0].span()), "The text holds more than one address."
    note = None if found[0]["at"] == "@" else "Spaces beside the @ were left out."
    return first_of(printed, values, several, note=note, key=values[0].lower())


def _spelled(source: Folded) -> Normalised:
    """Return the address of a text that spells its marks; no place in it is that of the address."""
    written = fold(_SPELLED_DOT.sub(".", _SPELLED_AT.sub("@", source.text)))
    outcome = read(written, FieldSpec("email", Kind.EMAIL), DocumentContext())
    return replace(outcome, text=clean(source.printed))


def _is_address(match: re.Match[str]) -> bool:
    top = match["domain"].rpartition(".")[2]
    local = match["local"]
    return ".." not in local and bool(_PLAIN.fullmatch(local)) and len(top) > 1 and top.isalpha()
