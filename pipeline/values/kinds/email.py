"""E-mail addresses: ``"info@example.org"``, the domain in lower case."""

from __future__ import annotations

import re

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, failed
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.folded import Folded

_ADDRESS = re.compile(
    r"(?<![^\s<(\[:;,\"'])(?P<local>[^\s@<>()\[\]:;,\"']{1,64}(?:'[^\s@<>()\[\]:;,\"']{1,60})?)(?P<at>\s?@\s?)"
    r"(?P<domain>[^\W_](?:[\w-]{0,62})(?:\.[^\W_][\w-]{0,62}){1,6})"
)
_PLAIN = re.compile(r"[^\W_](?:[\w.!#$%&'*+/=?^`{|}~-]*[\w!#$%&*+/=?^`{|}~-])?")


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return the address of a text; ambiguous where it holds several."""
    text = re.sub(r"(?i)mailto:", lambda match: " " * len(match.group()), source.text)
    found = [match for match in _ADDRESS.finditer(text) if _is_address(match)]
    if not found:
        return failed(source, "No e-mail address was found in the text.")
    values = list(dict.fromkeys(f"{m['local']}@{m['domain'].lower()}" for m in found))
    reason = "The text holds more than one address." if len(values) > 1 else None
    if reason is None and found[0]["at"] != "@":
        reason = "Spaces beside the @ were left out."
    return Normalised(
        text=source.cut(*found[0].span()),
        number=None,
        key=values[0].lower(),
        value=values[0],
        status="ambiguous" if len(values) > 1 else "ok",
        reason=reason,
        alternatives=tuple(values[1:]),
    )


def _is_address(match: re.Match[str]) -> bool:
    top = match["domain"].rpartition(".")[2]
    local = match["local"]
    return ".." not in local and bool(_PLAIN.fullmatch(local)) and len(top) > 1 and top.isalpha()
