"""Labels as people give them, turned into labels as they are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from app.schemas.common import Asked
from app.teaching.words import DocumentWords
from pipeline.errors import InvalidOption
from pipeline.result import Fraction
from store.datasets import Dataset, Example, key_of, keys_of

_FIELD = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,63}$")]
_KEY = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}(\.[a-z][a-z0-9_]{0,63})?$")]
_MOST_VALUES = 200
_MOST_ROWS = 500
_MOST_FIELDS = 60


class Label(Asked):
    """One value: by its words, by a box on a page, by its text, or as it was suggested."""

    words: Annotated[
        list[Annotated[int, Field(ge=0, le=10**7)]] | None,
        Field(max_length=500, description="Numbers of words of the document"),
    ] = None
    text: Annotated[str | None, Field(max_length=2000, pattern=r"^[^\x00]*$")] = None
    page: Annotated[int | None, Field(ge=1, le=100_000)] = None
    box: Annotated[
        tuple[Fraction, Fraction, Fraction, Fraction] | None,
        Field(description="x0, top, x1, bottom, in fractions of the page"),
    ] = None
    suggestion: Annotated[
        int | None, Field(ge=0, le=_MOST_VALUES, description="That one of the field, from 0")
    ] = None


class Absent(Asked):
    """The document does not say it."""

    absent: Literal[True]


class NewLabels(Asked):
    """What is said of a document; fields that are not named keep what they have."""

    fields: Annotated[
        dict[
            _FIELD, Label | Absent | Annotated[list[Label], Field(max_length=_MOST_VALUES)] | None
        ],
        Field(max_length=_MOST_FIELDS, description="null takes the label away"),
    ] = Field(default_factory=dict)
    groups: Annotated[
        dict[
            _FIELD,
            Annotated[
                list[Annotated[dict[_FIELD, Label], Field(max_length=_MOST_FIELDS)]],
                Field(max_length=_MOST_ROWS),
            ]
            | None,
        ],
        Field(max_length=_MOST_FIELDS, description="All rows of a group; null takes them away"),
    ] = Field(default_factory=dict)
    rest: Annotated[
        Literal["suggested", "absent"] | None,
        Field(description="What fields are that have no label then"),
    ] = None
    dismiss: Annotated[
        list[_KEY], Field(max_length=_MOST_FIELDS, description="Fields whose label is right")
    ] = Field(default_factory=list)
    seconds: Annotated[float | None, Field(ge=0, le=86400, allow_inf_nan=False)] = None


def labelled(
    wanted: NewLabels, dataset: Dataset, example: Example, words: DocumentWords
) -> tuple[dict[str, Any], dict[str, Any], dict[str, str]]:
    """Return labels, rows and doubts of a document once it has the labels that are wanted.

    Raises:
        InvalidOption: the dataset has no such field, or the document no such word or suggestion.
    """
    plain, groups = keys_of(dataset.fields)
    many = {key_of(field) for field in dataset.fields if field["many"]}
    suggested = example.suggestions or {"fields": {}, "groups": {}}
    labels, rows = dict(example.labels), dict(example.rows)
    for key, given in wanted.fields.items():
        if key not in plain:
            raise _unknown(key)
        if given is None:
            labels.pop(key, None)
            continue
        asked = [] if isinstance(given, Absent) else given if isinstance(given, list) else [given]
        if len(asked) > 1 and key not in many:
            raise InvalidOption(
                f"The field {key} has one value.",
                advice="Say `many` of it with PUT /datasets/{id}/fields, or send one.",
            )
        of_key = suggested["fields"].get(key, [])
        labels[key] = [_value(one, words, of_key) for one in asked]
    for group, given_rows in wanted.groups.items():
        if group not in groups:
            raise _unknown(group)
        if given_rows is None:
            rows.pop(group, None)
            continue
        rows[group] = _rows(group, given_rows, dataset, words)
    if wanted.rest is not None:
        offers = suggested if wanted.rest == "suggested" else {"fields": {}, "groups": {}}
        for key in plain:
            offered = offers["fields"].get(key, [])
            chosen = offered if key in many else offered[:1]
            labels.setdefault(key, [_taken(one, words) for one in chosen])
        for group in groups:
            taken = [
                {name: _taken(one, words) for name, one in row.items()}
                for row in offers["groups"].get(group, [])
            ]
            rows.setdefault(group, taken)
    touched = {*wanted.fields, *wanted.groups, *wanted.dismiss}
    doubts = {
        key: why
        for key, why in example.doubts.items()
        if key not in touched and key.partition(".")[0] not in touched
    }
    return labels, rows, doubts


def _rows(
    group: str, given: Sequence[Mapping[str, Label]], dataset: Dataset, words: DocumentWords
) -> list[dict[str, Any]]:
    columns = {field["name"] for field in dataset.fields if field.get("group") == group}
    for row in given:
        if unknown := sorted(set(row) - columns):
            raise _unknown(f"{group}.{unknown[0]}")
    return [{name: _value(one, words, []) for name, one in row.items()} for row in given if row]


def _value(asked: Label, words: DocumentWords, suggested: Sequence[Any]) -> dict[str, Any]:
    if asked.suggestion is not None:
        if asked.suggestion >= len(suggested):
            raise InvalidOption(
                f"The field has no suggestion {asked.suggestion}.",
                advice="See `suggestions` of the document; they may have changed.",
            )
        return _taken(suggested[asked.suggestion], words)
    text = " ".join(asked.text.split()) if asked.text is not None else None
    if asked.words:
        return words.label(asked.words, text or None)
    if asked.box is not None:
        page = asked.page or 1
        inside = words.within(page, asked.box)
        if inside:
            label = words.label(inside, text or None)
            return label
        if not text:
            raise InvalidOption(
                "There are no words in that box.", advice="Send `text` with it, or a larger box."
            )
        box = list(asked.box)
        place = {"page": page, "box": box}
        return {"text": text, "page": page, "box": box, "words": [], "places": [place]}
    if not text:
        raise InvalidOption(
            "A label says nothing.",
            advice='Send `words`, `box` with `page`, `text`, or `suggestion`; {"absent": true} '
            "where the document has no value.",
        )
    if found := words.find(text):
        return words.label(found, text)
    return {"text": text, "page": None, "box": None, "words": [], "places": []}


def _taken(suggestion: Mapping[str, Any], words: DocumentWords) -> dict[str, Any]:
    """Return a suggestion as a label: with the text that is printed there, as it was read."""
    numbers = [number for number in suggestion["words"] if number < len(words.all)]
    if numbers:
        return words.label(numbers, suggestion["text"])
    box = suggestion["box"]
    places = [{"page": suggestion["page"], "box": box}] if box else []
    kept = {"text": suggestion["text"], "page": suggestion["page"], "box": box}
    return {**kept, "words": [], "places": places}


def _unknown(key: str) -> InvalidOption:
    return InvalidOption(
        f"The dataset has no field {key[:130]!r}.",
        advice="See `fields` of the dataset; PUT /datasets/{id}/fields adds one.",
    )
