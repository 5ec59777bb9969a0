"""What a form prints in place of a value: "n/a", "none", "entfällt"."""

from __future__ import annotations

_TEXT = """
    n/a, n.a., n.a, n/d, n.d., nil, none, tbd, tba, tbc, not applicable, not available, unknown,
    keine, kein, ohne, entfällt, k.a., k. a., unbekannt, néant, aucun, aucune, sans objet, ninguno,
    ninguna, no aplica, sin número, nessuno, nessuna, geen, n.v.t., nvt, niet van toepassing,
    nenhum, nenhuma, não aplicável, brak, nie dotyczy, není, žádné, nincs, ingen, saknas, ei ole,
    tiada, tidak ada, нет, see above, see below, see attached, pending, to follow, not assigned,
    as above, same, ditto, idem, siehe oben,
    s. o., s.o., wie oben, dto., voir ci-dessus, idem ci-dessus, ver arriba, vedi sopra, zie boven,
    j. w., jw., viz výše, non applicabile, no procede, non applicable, ikke relevant,
    ej tillämpligt, neuvedeno, nu este cazul, nije primjenjivo, nem alkalmazható, не применимо,
    не указано, отсутствует, не застосовується, неприложимо, δεν υπάρχει, yok, אין, لا يوجد,
    لا ينطبق, ندارد, लागू नहीं, ไม่มี, không có, không áp dụng, なし, 該当なし, 無し, 无, 無, 不适用,
    不適用, 없음, 해당 없음, 해당없음, hakuna
"""
_ABSENT = frozenset(word.strip() for word in _TEXT.split(","))


def says_absent(text: str) -> bool:
    """Return whether a text says that there is no value."""
    said = text.casefold().strip(" -–—_:()[]")
    return said in _ABSENT or said.startswith("same as ")
