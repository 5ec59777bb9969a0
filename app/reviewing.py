"""What a person typed or pointed at, as a value of a field: read as the machine reads its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.catalogue import Catalogue
from app.words import DocumentWords
from pipeline.answers.arithmetic.checks import checked
from pipeline.errors import FieldwrightError, InvalidOption
from pipeline.result import Extraction, FieldValue, Normalisation
from store.blobs import WORDS, Blobs
from store.reviews import Decided


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
        self._words = DocumentWords(blobs.get(self._answer.id, WORDS))

    def of_text(self, field: str, text: str, before: FieldValue | None = None) -> FieldValue:
        """Return what a text becomes; it stands where the value stood that it replaces, if any.

        White space around it, which comes along with what is pasted, is left out.

        Raises:
            InvalidOption: there is no such field.
        """
        text = text.strip()
        if before is None:
            return self._value(field, text, self._answer.document.pages[0].number, [], [])
        return self._value(field, text, before.page, before.box, before.words)

    def of_words(self, field: str, numbers: Sequence[int]) -> FieldValue:
        """Return what words of the document become, counted as in `GET /jobs/{id}/words`.

        Raises:
            InvalidOption: there is no such field, or no such word.
        """
        if not numbers or not 0 <= min(numbers) <= max(numbers) < len(self._words.all):
            raise InvalidOption("There are no such words.", advice="See GET /jobs/{id}/words.")
        label = self._words.label(numbers)
        return self._value(field, label["text"], label["page"], label["box"], label["words"])

    def empty_row(self, group: str) -> dict[str, None]:
        """Return the cells of a row that says nothing yet."""
        return {spec.column: None for spec in self._specs.values() if spec.group == group}

    def split_row(
        self, group: str, cells: Mapping[str, Any], first: int | None = None
    ) -> dict[str, dict[str, Any]]:
        """Return the cells of a row in two parts, ``above`` and ``below``.

        Args:
            group: of the row.
            cells: its values by column, as JSON has them.
            first: word that begins the lower part; None for that of the row's second line.

        Raises:
            InvalidOption: there is nothing to split there.
        """
        numbers = sorted({number for cell in cells.values() if cell for number in cell["words"]})
        if first is None:
            first = next((n for n in numbers if self._below(n, numbers[0])), None)
        below = {n for n in numbers if first is not None and not self._below(first, n)}
        if not below or len(below) == len(numbers):
            raise InvalidOption(
                "The row has one line of words there, and cannot be split.",
                advice="Name in `words` the one that begins the lower row, or insert a row.",
            )
        parts: dict[str, dict[str, Any]] = {"above": {}, "below": {}}
        for column, cell in cells.items():
            own = set(cell["words"]) if cell else set()
            for part, words in (("above", own - below), ("below", own & below)):
                value: Any = None
                if own and words == own:
                    value = cell
                elif words:
                    made = self.of_words(f"{group}.{column}", sorted(words))
                    value = made.model_dump(mode="json")
                elif cell and not own and part == "above":  # typed: it has no line
                    value = cell
                parts[part][column] = value
        return parts

    def _below(self, number: int, other: int) -> bool:
        """Say whether a word stands in a line below that of another one."""
        word, above = self._words.all[number], self._words.all[other]
        middle = (word.box[1] + word.box[3]) / 2
        return (word.page, middle) > (above.page, above.box[3])

    def _value(
        self, field: str, text: str, page: int, box: Sequence[float], words: Sequence[int]
    ) -> FieldValue:
        from pipeline.values.normalise import infer_context, normalise  # takes a moment to load

        if field not in self._specs:
            raise InvalidOption(f"The model has no field {field[:64]!r}.")
        spec = self._specs[field]
        read = normalise(text, spec, infer_context(self._words.lines()))
        return FieldValue(
            kind=spec.kind.value,
            text=text,
            value=read.value,
            confidence=1.0,
            page=page,
            box=list(box),
            words=list(words),
            normalisation=Normalisation.model_validate(read, from_attributes=True),
            needs_review=read.status != "ok",
        )


def value_at(decided: Decided, field: str, place: int) -> FieldValue | None:
    """Return the value, or cell of a row, that stands at a place; None where there is none."""
    group, _, column = field.rpartition(".")
    if group:
        found = row_at(decided, group, place).get(column)
    else:
        given = decided.fields.get(field)
        values = given if isinstance(given, list) else [given]
        found = values[place] if 0 <= place < len(values) else None
    return None if found is None else FieldValue.model_validate(found)


def row_at(decided: Decided, group: str, number: int) -> dict[str, Any]:
    """Return the cells of a row by its number; none where there is no such row."""
    rows = decided.groups.get(group, [])
    return next((dict(row["cells"]) for row in rows if row["row"] == number), {})


def rechecked(catalogue: Catalogue, answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the checks of its model say of an answer; none where the model is gone."""
    try:
        now = Extraction.model_validate(answer)
        checks = catalogue.checks(f"{now.model.name}@{now.model.version}")
    except FieldwrightError:
        return []
    return [check.model_dump(mode="json") for check in checked(checks, now.fields, now.groups)]
