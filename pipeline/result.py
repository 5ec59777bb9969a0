"""The answer: what one document said, field by field. The public JSON contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from pipeline.document import Syntax, TextSource

T = TypeVar("T")

Fraction = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PageInfo(_Answer):
    """One page that was read."""

    number: Annotated[int, Field(ge=1, description="Page of the document delivered, from 1")]
    width: float
    height: float
    rotation: Literal[0, 90, 180, 270]
    text_source: TextSource
    reason: str


class DocumentInfo(_Answer):
    """The document that was read: `pages` are those processed, of `page_count` in all."""

    sha256: str
    media_type: str
    page_count: int
    word_count: Annotated[int, Field(ge=0, description="Words read and tagged, all of them")]
    pages: list[PageInfo]


class ModelChoice(_Answer):
    """How sure it is that the model fits the document, where the model was chosen for it."""

    confidence: Annotated[Fraction, Field(description="That the document is of the model's kind")]
    others: dict[str, Fraction] = {}


class ModelInfo(_Answer):
    """The model package that answered; `choice` is null where the request named the model."""

    name: str
    version: str
    sha256: str
    fit: Annotated[
        Fraction | None,
        Field(
            description="How like the model's documents this one is; below 0.5 (0.2 if its title "
            "is one of the model's own) every value is marked for review. Null where the package "
            "cannot tell, or there are no words"
        ),
    ] = None
    choice: ModelChoice | None = None


class Normalisation(_Answer):
    """How the text became the value.

    `reason` begins with "assumed" where the model's habit decided, not the page; `precision` is of
    dates the smallest part that is written.
    """

    status: Literal["ok", "ambiguous", "failed"]
    reason: str | None = None
    alternatives: list[Any] = []
    precision: Literal["day", "month", "quarter", "year"] | None = None


class Candidate(_Answer):
    """Another value that the document offers for a field."""

    text: str
    value: Any
    confidence: Fraction
    page: int
    box: list[Fraction]


class FieldValue(_Answer):
    """One field's value, with its place and the alternatives.

    `words` are indices into the document's words in reading order, from 0; `box` is
    [x0, top, x1, bottom] in fractions of the page as delivered. `confidence` of an amount is that
    of its number; `currency_confidence` is of its currency, and null where there is none.
    """

    kind: str
    text: str
    value: Any
    confidence: Fraction
    currency_confidence: Fraction | None = None
    page: int
    box: list[Fraction]
    words: list[int]
    normalisation: Normalisation
    candidates: list[Candidate] = []
    needs_review: bool
    source: Annotated[
        Literal["page", "embedded"],
        Field(
            exclude_if=lambda source: source == "page",
            description="embedded: the value is that of the e-invoice's XML, confidence 1, and "
            "`box` and `words` are where it is printed, empty where it is not found printed. "
            "Left out where the value was read from the page",
        ),
    ] = "page"


Answer = FieldValue | list[FieldValue] | None
"""What a field has: a value, as many as are found where it is `multiple`, or none."""


def listed(given: T | list[T] | None) -> list[T]:
    """Return what a field has as a list: of one value where it may have one, empty without any."""
    return given if isinstance(given, list) else [] if given is None else [given]


class Word(_Answer):
    """One word of the document as read; `box` is as of a field."""

    text: str
    page: int
    box: list[Fraction]
    confidence: Fraction


class ReviewMark(_Answer):
    """What a person decided on one value of a field."""

    place: int
    decision: str
    by: str
    at: str


class ModelMark(_Answer):
    """That somebody had the document read by another model than the first one, `was`."""

    was: Annotated[str, Field(description="NAME@VERSION")]
    by: str
    at: str


class Reviewed(_Answer):
    """Who reviewed an answer, and which of its fields they decided."""

    done: Annotated[bool, Field(description="The review is finished")]
    by: list[str]
    at: str
    fields: dict[str, list[ReviewMark]]
    model: Annotated[
        ModelMark | None,
        Field(
            exclude_if=lambda value: value is None,
            description="Only where another model was chosen, whose answer this is",
        ),
    ] = None


class CheckResult(_Answer):
    """What came of a check of sums, products or dates.

    `found` should be `expected`, or no more than that; `fields` names the values that were used,
    those of rows as `items.amount[0]`.
    """

    name: str
    expected: str
    found: str
    ok: bool
    fields: list[str]


class EmbeddedValues(_Answer):
    """What the XML of an e-invoice says (Factur-X, ZUGFeRD, XRechnung), which the PDF carries.

    Dates are ISO 8601, amounts decimals with a point; `groups` has the rows of `items` and `taxes`.
    """

    file: str
    syntax: Syntax
    fields: dict[str, str]
    groups: dict[str, list[dict[str, str]]]


class Extraction(_Answer):
    """One document's fields. A field not found is null, or an empty list where many are allowed.

    `words`, in reading order, are there where the request asked for them; fields count in them.
    """

    id: str
    document: DocumentInfo
    model: ModelInfo
    fields: dict[str, Answer]
    groups: Annotated[
        dict[str, list[dict[str, FieldValue | None]]],
        Field(
            exclude_if=lambda groups: not groups,
            description="Rows of each repeated group, such as an invoice's items, in reading order",
        ),
    ] = {}
    checks: Annotated[
        list[CheckResult],
        Field(
            exclude_if=lambda checks: not checks,
            description="What came of the model's checks that the document has the values for",
        ),
    ] = []
    words: Annotated[list[Word] | None, Field(exclude_if=lambda words: words is None)] = None
    embedded: Annotated[
        EmbeddedValues | None, Field(exclude_if=lambda embedded: embedded is None)
    ] = None
    needs_review: Annotated[
        bool,
        Field(
            description="Somebody should look at the document: a value asks for it, none was "
            "found, or the document is none that the model is for"
        ),
    ] = False
    title: Annotated[
        str | None,
        Field(
            exclude_if=lambda title: title is None,
            description="What the document calls itself, of the titles that the model lists: "
            "'credit note'. Left out where it says none of them",
        ),
    ] = None
    warnings: list[str] = []
    timings: dict[str, float]

    def named_values(self) -> Iterator[tuple[str, FieldValue]]:
        """Yield every value given with its name, of cells ``group.column``, row by row."""
        for name, given in self.fields.items():
            for value in listed(given):
                yield name, value
        for group, rows in self.groups.items():
            for row in rows:
                for column, cell in row.items():
                    if cell is not None:
                        yield f"{group}.{column}", cell

    def with_need(self, doubted: bool = False) -> Extraction:
        """Return the answer with `needs_review` as its values say, and where it is doubted."""
        values = [value for _, value in self.named_values()]
        need = doubted or not values or any(value.needs_review for value in values)
        return self.model_copy(update={"needs_review": need})

    reviewed: Annotated[
        Reviewed | None,
        Field(
            exclude_if=lambda value: value is None,
            description="Only where people decided on values, which are then theirs",
        ),
    ] = None
