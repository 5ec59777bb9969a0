"""The answers of a batch as one file: JSON lines, a table, or a workbook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import BinaryIO, Literal, cast

from app.catalogue import Catalogue
from models.packages import AUTO
from pipeline.errors import FieldwrightError, InvalidOption, error_from
from pipeline.formats.export import Reply, csv_header, csv_rows, groups_of, json_line
from pipeline.formats.workbook import workbook
from pipeline.result import Extraction
from pipeline.values.schema import FieldSpec
from store.batches import Batch, Batches, Item
from store.blobs import on_disk
from store.errors import JobCancelled, JobExpired, JobNotFinished, JobUnknown

_PIECE = 1 << 16  # characters, or bytes, that are handed on at one go


def export(
    batches: Batches,
    catalogue: Catalogue,
    batch: Batch,
    form: Literal["jsonl", "csv"],
    group: str = "",
    *,
    reviewed: bool = True,
) -> Iterator[str]:
    """Return the answers of a batch as text, in the order of its items, piece by piece.

    An item without an answer is a line with its error, which says why: that it failed, or that
    it is not finished. A table of a group's rows has lines of answers alone. Answers are
    `reviewed`, or as the machine gave them.

    Raises:
        InvalidOption: no model that answered has this group, or the text is no table.
        UnknownModel, ModelPackageError: its model was removed, so a table has no columns.
    """
    answers = batches.answers(batch, reviewed=reviewed)
    replies = (_reply(item, body) for item, body in answers)
    if form == "jsonl" and group:
        raise InvalidOption(
            "JSON lines hold all groups of an answer.", advice="Leave `group` out, or ask for csv."
        )
    if form == "jsonl":
        return _pieces("", map(json_line, replies))
    fields = _fields(batches, catalogue, batch, reviewed)
    known = groups_of(fields)
    if group and group not in known:
        raise InvalidOption(
            f"No model that answered has the group {group!r}.",
            advice=f"Choose among {', '.join(known)}." if known else "Leave `group` out.",
        )
    lines = (csv_rows(reply, fields, group) for reply in replies)
    return _pieces(csv_header(fields, group), lines)


def export_workbook(
    batches: Batches, catalogue: Catalogue, batch: Batch, folder: Path, *, reviewed: bool = True
) -> Iterator[bytes]:
    """Return the answers of a batch as a workbook, piece by piece; written before the first one.

    Args:
        batches: of the service.
        catalogue: of the models.
        batch: whose answers.
        folder: for the workbook until it is sent; nothing stays there.
        reviewed: as of `export`.

    Raises:
        InvalidOption: more rows than a sheet holds.
        UnknownModel, ModelPackageError: as `export`.
        StorageFull: no room for it.
    """
    fields = _fields(batches, catalogue, batch, reviewed)
    with on_disk(), TemporaryDirectory(dir=folder) as place, TemporaryFile(dir=folder) as file:
        with workbook(cast(BinaryIO, file), fields, Path(place)) as write:
            for item, body in batches.answers(batch, reviewed=reviewed):
                write(_reply(item, body))
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def _reply(item: Item, body: str | None) -> Reply:
    if item.state == "succeeded" and body is not None:
        answer = Extraction.model_validate_json(body)
        return Reply(item.filename, answer=answer, sha256=item.sha256)
    return Reply(item.filename, error=_error(item), sha256=item.sha256)


def _fields(
    batches: Batches, catalogue: Catalogue, batch: Batch, reviewed: bool
) -> list[FieldSpec]:
    """Return the fields of the models that answered; of the one asked for before."""
    answered = [f"{name}@{version}" for name, version in batches.versions(batch, reviewed=reviewed)]
    fields: dict[str, FieldSpec] = {}
    named = [] if batch.model == AUTO else [batch.model]
    for model in answered or named:
        for spec in catalogue.fields(model):
            fields.setdefault(spec.name, spec)
    return list(fields.values())


def _pieces(text: str, lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        text += line
        if len(text) >= _PIECE:
            yield text
            text = ""
    yield text


def _error(item: Item) -> FieldwrightError:
    """Return why an item has no answer."""
    match item.state:
        case "queued" | "running":
            return JobNotFinished(f"The document is {item.state}.")
        case "cancelled":
            return JobCancelled("The document was cancelled.")
        case "expired":
            return JobExpired("The answer was removed for its age.")
        case "failed" | "refused":
            return error_from(item.error_code or "", item.error_detail or "", item.error_advice)
        case _:
            return JobUnknown("The document was removed.")
