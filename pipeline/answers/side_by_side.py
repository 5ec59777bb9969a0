"""Whether one picture shows two documents that lie side by side, such as two receipts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pipeline.answers.places.beside import pages_of
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rendering import Offer
from pipeline.document import Token
from pipeline.values.schema import FieldSpec

# Of 626 receipts of Malaysia none has words on both sides of an empty strip; of 24 pictures of two
# receipts all have one, .09 wide and more. Of 34 invoices as scans 10 have one, some as wide: they
# say what a document has once on one side.
_STRIP = 0.08  # of the page's width
_WORDS = 20  # that stand on each side of the strip, at least
_OFFERED = 0.2  # score of a place that a side offers a value at


def pages_of_two(
    evidence: Evidence, fields: Iterable[FieldSpec], offers: Mapping[str, Sequence[Offer]]
) -> list[int]:
    """Return the numbers of the pages that show two documents side by side.

    On such a page an empty strip runs from top to bottom, and what a document has once stands on
    both sides of it. Only pages read by OCR are pictures of something.

    Args:
        evidence: the document as tagged.
        fields: of the model.
        offers: what each of them is chosen from.
    """
    single = [spec.name for spec in fields if not spec.many and not spec.group]
    found = []
    for of_page in pages_of(evidence):
        words = [evidence.words[index] for index in of_page.indices]
        page = words[0][0]
        strip = _strip([token for _, token in words]) if page.text_source == "ocr" else None
        if strip is None:
            continue
        first, last = of_page.indices[0], of_page.indices[-1]
        sides = [
            {
                words[index - first][1].box.x0 > strip
                for offer in offers.get(name, ())
                if offer.value.best.score >= _OFFERED
                for index in offer.value.best.words
                if first <= index <= last
            }
            for name in single
        ]
        if any(len(side) == 2 for side in sides):
            found.append(page.number)
    return found


def _strip(tokens: Sequence[Token]) -> float | None:
    """Return where the widest strip between the words of a page begins; None without one.

    Args:
        tokens: the page's words.

    Returns:
        A fraction of the page's width.
    """
    across = sorted((token.box.x0, token.box.x1) for token in tokens)
    end = 0.0  # of the words before
    strips = []
    for before, (x0, x1) in enumerate(across):
        if before >= _WORDS and len(across) - before >= _WORDS:
            strips.append((x0 - end, end))
        end = max(end, x1)
    width, at = max(strips, default=(0.0, 0.0))
    return at if width >= _STRIP else None
