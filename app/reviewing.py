"""What a person typed or pointed at, as a value of a field: read as the machine reads its own."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

from app.catalogue import Catalogue
from pipeline.errors import InvalidOption
from pipeline.result import Extraction, FieldValue, Normalisation
from store.blobs import WORDS, Blobs


class ValueMaker:
    """Makes values of the fields of one answer.

    Args:
        answer: the machine's, as JSON text.
        blobs: has the words of its document.
        catalogue: knows the fields of its model.
    """

    def __init__(self, answer: str, blobs: Blobs, catalogue: Catalogue) -> None:
        self._answer = Extraction.model_validate_json(answer)
        model = self._answer.model
        self._specs = {
            spec.name: spec for spec in catalogue.fields(f"{model.name}@{model.version}")
        }
        kept = json.loads(blobs.get(self._answer.id, WORDS) or '{"pages": []}')
        self._words: list[tuple[int, dict[str, Any]]] = [
            (page["number"], word) for page in kept["pages"] for word in page["words"]
        ]

    def of_text(self, field: str, text: str, place: int = 0) -> FieldValue:
        """Return what a text becomes; it stands where the value stood that it replaces, if any.

        Raises:
            InvalidOption: there is no such field.
        """
        given = self._answer.fields.get(field)
        values = given if isinstance(given, list) else [given]
        before = values[place] if place < len(values) else None
        if before is None:
            return self._value(field, text, self._answer.document.pages[0].number, [], [])
        return self._value(field, text, before.page, before.box, before.words)

    def of_words(self, field: str, numbers: Sequence[int]) -> FieldValue:
        """Return what words of the document become, counted as in `GET /jobs/{id}/words`.

        Raises:
            InvalidOption: there is no such field, or no such word.
        """
        numbers = sorted(set(numbers))
        if not numbers or not 0 <= numbers[0] <= numbers[-1] < len(self._words):
            raise InvalidOption("There are no such words.", advice="See GET /jobs/{id}/words.")
        chosen = [self._words[number] for number in numbers]
        page = chosen[0][0]
        boxes = [word["box"] for number, word in chosen if number == page]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        text = " ".join(word["text"] for _, word in chosen)
        box = [min(lefts), min(tops), max(rights), max(bottoms)]
        return self._value(field, text, page, box, numbers)

    def _value(
        self, field: str, text: str, page: int, box: Sequence[float], words: Sequence[int]
    ) -> FieldValue:
        from pipeline.values.normalise import infer_context, normalise  # takes a moment to load

        if field not in self._specs:
            raise InvalidOption(f"The model has no field {field[:64]!r}.")
        spec = self._specs[field]
        read = normalise(text, spec, infer_context(self._lines()))
        return FieldValue(
            kind=spec.kind.value,
            text=text,
            value=read.value,
            confidence=1.0,
            page=page,
            box=list(box),
            words=list(words),
            normalisation=Normalisation(
                status=read.status,
                reason=read.reason,
                alternatives=list(read.alternatives),
                precision=read.precision,
            ),
            needs_review=read.status != "ok",
        )

    def _lines(self) -> list[str]:
        """Return the lines of the document, words joined by one space."""
        lines = itertools.groupby(self._words, key=lambda item: (item[0], item[1]["line"]))
        return [" ".join(word["text"] for _, word in line) for _, line in lines]
