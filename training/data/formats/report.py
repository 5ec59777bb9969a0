"""What a conversion carried over and what it could not, for people and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_EXAMPLES = 5  # that are kept of each kind of loss


@dataclass(slots=True)
class Loss:
    """One kind of thing that the other side has no room for.

    Attributes:
        what: a sentence without its stop, such as ``rows of repeated groups``.
        count: how many there were.
        examples: documents, and what it was there; the first few.
    """

    what: str
    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """Tells what became of a dataset on its way.

    Attributes:
        form: name of the other tool's format.
        direction: ``import`` or ``export``.
        documents: that were carried over.
        values: labelled values among them, cells of groups too.
        placed: those of the values that have a place.
        rows: of repeated groups.
        renamed: names there to names here, or the other way round, where they differ.
        skipped: documents that were not carried over, with the reason.
        losses: what was lost of those that were, by kind.
    """

    form: str
    direction: str
    documents: int = 0
    values: int = 0
    placed: int = 0
    rows: int = 0
    renamed: dict[str, str] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    losses: dict[str, Loss] = field(default_factory=dict)

    def lost(self, what: str, document: str = "", detail: str = "", count: int = 1) -> None:
        """Note that something of a document, or of the whole, could not be carried over."""
        loss = self.losses.setdefault(what, Loss(what))
        loss.count += count
        example = ": ".join(filter(None, (document, detail[:80])))
        if example and example not in loss.examples and len(loss.examples) < _EXAMPLES:
            loss.examples.append(example)

    def skip(self, document: str, reason: str) -> None:
        """Note that a document was left out."""
        self.skipped.append((document, reason))

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON value."""
        return {
            "format": self.form,
            "direction": self.direction,
            "documents": self.documents,
            "values": self.values,
            "values_with_a_place": self.placed,
            "rows": self.rows,
            "renamed": self.renamed,
            "skipped": [
                {"document": document, "reason": reason} for document, reason in self.skipped
            ],
            "not_carried_over": [
                {"what": loss.what, "count": loss.count, "examples": loss.examples}
                for loss in self.losses.values()
            ],
        }

    def sentences(self) -> list[str]:
        """Return the report as lines for people."""
        lines = [
            f"{self.documents} documents, {self.values} values ({self.placed} with their place), "
            f"{self.rows} rows of groups"
        ]
        if self.renamed:
            names = ", ".join(f"{old} -> {new}" for old, new in self.renamed.items())
            lines.append(f"renamed: {names}")
        for loss in self.losses.values():
            shown = f" ({'; '.join(loss.examples)})" if loss.examples else ""
            lines.append(f"not carried over: {loss.what}, {loss.count} times{shown}")
        lines += [f"left out: {document}: {reason}" for document, reason in self.skipped]
        return lines
