"""What taggers label in documents that they have not seen, kept in a file.

A training of hours shows them once; confidences are fitted from the file as often as one likes
(`fieldwright models calibrate`). JSON lines: first what holds for all, then a line for each
document in each transcription.

    {"dataset": "receipts", "doubtful": ["date"], "groups": {"000": "000"}, "revision": 20}
    {"fold": 0, "transcription": "gold", "document": "000", "spans": [["date", 4, 5, [0.98]]]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from models.labels import Span
from pipeline.reading.reader import REVISION
from training.data import TRANSCRIPTIONS, Transcription
from training.errors import DatasetError

_ADVICE = "Name the held-out.jsonl of a training, in its folder under runs."

Found = Mapping[Transcription, Mapping[str, Sequence[Span]]]
"""Spans by transcription and document."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Spans in documents held out.

    Attributes:
        dataset: whose documents they are.
        doubtful: fields that were looked for a second time, see `LabelSet.spans`.
        folds: of each fold, the spans by transcription and document.
        groups: of every document of the dataset, what was held out with it; empty in files of
            before this was kept.
        revision: of the reading whose words the spans count; 0 in files of before this was kept.
    """

    dataset: str
    doubtful: tuple[str, ...] = ()
    folds: list[dict[Transcription, dict[str, list[Span]]]] = field(default_factory=list)
    groups: Mapping[str, str] = field(default_factory=dict)
    revision: int = REVISION

    def add(self, found: Found) -> None:
        """Add the spans of one more fold."""
        self.folds.append(
            {key: {name: list(spans) for name, spans in of.items()} for key, of in found.items()}
        )

    def spans(self) -> dict[Transcription, dict[str, list[Span]]]:
        """Return the spans of all folds by transcription and document."""
        found: dict[Transcription, dict[str, list[Span]]] = {}
        for fold in self.folds:
            for key, of_documents in fold.items():
                found.setdefault(key, {}).update(of_documents)
        return found

    def fold_of(self) -> dict[str, int]:
        """Return the fold that held each document out."""
        return {
            name: number
            for number, fold in enumerate(self.folds)
            for of_documents in fold.values()
            for name in of_documents
        }

    def save(self, path: Path) -> None:
        """Write the file; one that is there is replaced when the new one is whole."""
        head = {
            "dataset": self.dataset,
            "doubtful": self.doubtful,
            "groups": self.groups,
            "revision": self.revision,
        }
        lines = [json.dumps(head)]
        for number, fold in enumerate(self.folds):
            for key, of_documents in fold.items():
                for name, spans in of_documents.items():
                    row = {"fold": number, "transcription": key, "document": name}
                    lines.append(json.dumps(row | {"spans": [span.to_json() for span in spans]}))
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
        draft.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return what `save` wrote.

        Raises:
            DatasetError: the file cannot be read, or is no such file.
        """
        try:
            head, *rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            groups = {str(name): str(group) for name, group in head.get("groups", {}).items()}
            found = cls(
                str(head["dataset"]),
                tuple(map(str, head["doubtful"])),
                groups=groups,
                revision=int(head.get("revision", 0)),
            )
            for row in rows:
                key, number = row["transcription"], int(row["fold"])
                if key not in TRANSCRIPTIONS or not 0 <= number <= len(found.folds):
                    raise ValueError(f"fold {number} of transcription {key!r}")
                if number == len(found.folds):
                    found.folds.append({})
                spans = [Span.from_json(span) for span in row["spans"]]
                found.folds[number].setdefault(key, {})[str(row["document"])] = spans
        except OSError as error:
            raise DatasetError(
                f"{path} cannot be read: {error.strerror or error}.", advice=_ADVICE
            ) from error
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise DatasetError(
                f"{path} holds no answers to documents held out: {error!r}.", advice=_ADVICE
            ) from error
        return found
