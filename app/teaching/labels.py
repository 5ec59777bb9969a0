"""Labels as people give them, turned into labels as they are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from app.schemas.common import Asked, FieldKey, FieldName
from app.words import DocumentWords
from pipeline.errors import InvalidOption
from pipeline.result import Fraction, listed
from store.datasets import Dataset, Example, Labels, Rows, key_of, keys_of

_MOST_VALUES = 200
_MOST_ROWS = 500
_MOST_WORDS = 500  # of a value
MOST_FIELDS = 60


class Label(Asked):
    """One value: by its words, by a box on a page, by its text, or as it was suggested."""

    words: Annotated[
        list[Annotated[int, Field(ge=0, le=10**7)]] | None,
        Field(max_length=_MOST_WORDS, description="Numbers of words of the document"),
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
            FieldName,
            Label | Absent | Annotated[list[Label], Field(max_length=_MOST_VALUES)] | None,
        ],
        Field(max_length=MOST_FIELDS, description="null takes the label away"),
    ] = Field(default_factory=dict)
    groups: Annotated[
        dict[
            FieldName,
            Annotated[
                list[Annotated[dict[FieldName, Label], Field(max_length=MOST_FIELDS)]],
                Field(max_length=_MOST_ROWS),
            ]
            | None,
        ],
        Field(max_length=MOST_FIELDS, description="All rows of a group; null takes them away"),
    ] = Field(default_factory=dict)
    rest: Annotated[
        Literal["suggested", "absent"] | None,
        Field(description="What fields are that have no label then"),
    ] = None
    dismiss: Annotated[
        list[FieldKey], Field(max_length=MOST_FIELDS, description="Fields whose label is right")
    ] = Field(default_factory=list)
    seconds: Annotated[float | None, Field(ge=0, le=86400, allow_inf_nan=False)] = None


Change: TypeAlias = Callable[[Dataset, Example], tuple[Labels, Rows, dict[str, str]]]
"""Returns labels, rows and doubts of a document from those that there are."""
_Placed: TypeAlias = dict[str, Any] | int
"""A label as it is kept, or the number of a suggestion that is to become one."""


def change_of(wanted: NewLabels, words: DocumentWords) -> Change:
    """Return what gives a document the labels that are wanted.

    Where they stand in the document is found here; what is returned takes a moment, and raises
    InvalidOption where the dataset has no such field, or the document no such suggestion.

    Raises:
        InvalidOption: the document has no such word, or a label says nothing.
    """
    fields: dict[str, list[_Placed] | None] = {}
    for key, given in wanted.fields.items():
        if given is None or isinstance(given, Absent):
            fields[key] = None if given is None else []
            continue
        fields[key] = [_placed(one, words) for one in listed(given)]
    groups = {
        group: None
        if rows is None
        else [{name: _placed(one, words) for name, one in row.items()} for row in rows if row]
        for group, rows in wanted.groups.items()
    }

    def change(dataset: Dataset, example: Example) -> tuple[Labels, Rows, dict[str, str]]:
        plain, of_dataset = keys_of(dataset.fields)
        many = {key_of(field) for field in dataset.fields if field["many"]}
        suggested = example.suggestions or {"fields": {}, "groups": {}}
        labels, rows = dict(example.labels), dict(example.rows)
        for key, placed in fields.items():
            if key not in plain:
                raise _unknown(key)
            if placed is None:
                labels.pop(key, None)
                continue
            if len(placed) > 1 and key not in many:
                raise InvalidOption(
                    f"The field {key} has one value.",
                    advice="Say `many` of it with PUT /datasets/{id}/fields, or send one.",
                )
            of_key = suggested["fields"].get(key, [])
            labels[key] = [_kept(one, of_key, words) for one in placed]
        for group, placed_rows in groups.items():
            if group not in of_dataset:
                raise _unknown(group)
            if placed_rows is None:
                rows.pop(group, None)
                continue
            rows[group] = _rows(group, placed_rows, dataset, words)
        if wanted.rest is not None:
            offers = suggested if wanted.rest == "suggested" else {"fields": {}, "groups": {}}
            for key in plain:
                offered = offers["fields"].get(key, [])
                chosen = offered if key in many else offered[:1]
                labels.setdefault(key, [_taken(one, words) for one in chosen])
            for group in of_dataset:
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

    return change


def _rows(
    group: str, placed: Sequence[Mapping[str, _Placed]], dataset: Dataset, words: DocumentWords
) -> list[dict[str, Any]]:
    columns = {field["name"] for field in dataset.fields if field.get("group") == group}
    for row in placed:
        if unknown := sorted(set(row) - columns):
            raise _unknown(f"{group}.{unknown[0]}")
    return [{name: _kept(one, [], words) for name, one in row.items()} for row in placed]


def _kept(placed: _Placed, suggested: Sequence[Any], words: DocumentWords) -> dict[str, Any]:
    if not isinstance(placed, int):
        return placed
    if placed >= len(suggested):
        raise InvalidOption(
            f"The field has no suggestion {placed}.",
            advice="See `suggestions` of the document; they may have changed.",
        )
    return _taken(suggested[placed], words)


def _placed(asked: Label, words: DocumentWords) -> _Placed:
    if asked.suggestion is not None:
        return asked.suggestion
    text = " ".join(asked.text.split()) if asked.text is not None else None
    if asked.words:
        return words.label(asked.words, text or None)
    if asked.box is not None:
        page = asked.page or 1
        x0, top, x1, bottom = asked.box
        if x0 > x1 or top > bottom:
            raise InvalidOption(
                "The edges of the box are swapped.", advice="Send x0, top, x1, bottom, in order."
            )
        inside = words.within(page, asked.box)
        if len(inside) > _MOST_WORDS:
            raise InvalidOption(
                f"There are {len(inside)} words in that box, of {_MOST_WORDS} at most.",
                advice="Send a smaller box: that of the value alone.",
            )
        if inside:
            return words.label(inside, text or None)
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
