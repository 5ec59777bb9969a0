"""Header and rows of invoices: how much of what is labelled a model answers with.

Usage: python -m benchmarks.invoices FOLDER [--model NAME] [--show FIELD ...]
       python -m benchmarks.invoices FOLDER --embedded

`--embedded` reads the e-invoices in `FOLDER/embedded`, each named as its row, and compares what
their XML says with the labels, row by row; differences go to standard error.

Header: micro F1 by value over documents and fields, its mean over `issuer_group`s (documents of one
look), where labels name them, and each language's; what a row lists as `not_scored` counts neither
way, nor does a field that no document of the folder is labelled with. Rows: F1 over rows that are
right in quantity, unit price and amount, see `training.scoring.group_scores`; descriptions: letters
and digits of matched rows. Marks: how many right and wrong values need no review. Differences of
the fields to show, or of `rows`, go to standard error.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from benchmarks.machine import json_lines
from models.packages import Registry
from pipeline.errors import FieldwrightError
from pipeline.extract import Extractor
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import read_document
from pipeline.result import Extraction, FieldValue
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.strings import lenient
from store.settings import Settings
from training.data import load_dataset
from training.data.reading import read_rows
from training.scoring.group_scores import cells_right, count_rows, matched, row_texts
from training.scoring.report import table
from training.scoring.scores import Counts, counts_of, form_of
from training.scoring.written import value_text


def items(answer: Extraction | None, name: str) -> list[FieldValue]:
    """Return the values that an answer gives of a field."""
    given = answer.fields.get(name) if answer else None
    return given if isinstance(given, list) else [given] if given else []


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="dataset folder")
    parser.add_argument("--model", default="invoices")
    parser.add_argument("--show", nargs="*", default=[], help="fields, or rows")
    parser.add_argument("--most", type=int, default=10**6, help="documents to take")
    parser.add_argument("--embedded", action="store_true", help="the XML of e-invoices alone")
    arguments = parser.parse_args()
    if arguments.embedded:
        print(_embedded(arguments.folder))
        return
    settings = Settings.load()
    path = Path(arguments.model)
    if not path.is_dir():
        path = Registry(settings.home / "models").resolve(arguments.model).path
    extractor = Extractor(path)
    dataset = load_dataset(arguments.folder)
    labels = json_lines(arguments.folder / "labels.jsonl")[: arguments.most]
    taken = dataset.rows[: arguments.most]
    documents = read_rows(taken, "own", cache=settings.home / "readings")
    answers: dict[str, Extraction | None] = {}
    for row in taken:
        document = documents[row.id]
        if isinstance(document, FieldwrightError):
            print(f"{row.id}: {document}", file=sys.stderr)
            answers[row.id] = None
            continue
        answers[row.id] = extractor.resolve(
            document, extractor.tag(document), job_id=row.id, timings={}
        )
    print(_headers(extractor.fields, labels, answers, arguments.show))
    print(_rows(extractor.fields, labels, answers, "rows" in arguments.show))
    print(_marks(extractor.fields, labels, answers))


def _embedded(folder: Path) -> str:
    """Return how many labelled values the XML of e-invoices says exactly, by field."""
    by_field: dict[str, Counts] = defaultdict(Counts)
    documents = exact = 0
    for label in json_lines(folder / "labels.jsonl"):
        path = folder / "embedded" / f"{label['id']}.pdf"
        if not path.exists():
            continue
        read = read_document(path.read_bytes(), ReadOptions(pages="1", ocr="never")).embedded
        documents += 1
        before = sum(counts.fn for counts in by_field.values())
        for name, wanted in label["fields"].items():
            if name in label.get("not_scored", ()) or not wanted:
                continue
            given = read.fields.get(name, "") if read else ""
            right = any(_same(given, text) for text in wanted)
            by_field[name] += Counts(int(right), int(not right), int(not right))
            if not right:
                print(f"{label['id']}, {name}: {wanted}, XML {given!r}", file=sys.stderr)
        for group, rows in label.get("groups", {}).items():
            given_rows = read.groups.get(group, ()) if read else ()
            for at, row in enumerate(rows):
                cells = given_rows[at] if at < len(given_rows) else {}
                wrong = [name for name in row if not _same(cells.get(name, ""), row[name])]
                by_field[f"rows of {group}"] += Counts(int(not wrong), 0, int(bool(wrong)))
                if wrong:
                    print(f"{label['id']}, {group}[{at}]: {row}, XML {cells}", file=sys.stderr)
        exact += before == sum(counts.fn for counts in by_field.values())
    rows_of = [[name, str(c.tp + c.fn), str(c.tp)] for name, c in by_field.items()]
    shown = table(["field", "labelled", "said exactly"], rows_of)
    return f"{shown}\n\n{exact} of {documents} documents exactly."


def _same(given: str, wanted: str) -> bool:
    try:
        return Decimal(given) == Decimal(wanted)
    except InvalidOperation:
        return lenient(given) == lenient(wanted)


def _headers(
    fields: Sequence[FieldSpec],
    labels: Sequence[dict[str, Any]],
    answers: Mapping[str, Extraction | None],
    show: Sequence[str],
) -> str:
    by_field: dict[str, Counts] = defaultdict(Counts)
    by_look: dict[str, Counts] = defaultdict(Counts)
    by_language: dict[str, Counts] = defaultdict(Counts)
    labelled = {name for label in labels for name in label["fields"]}
    for label in labels:
        for spec in fields:
            if spec.name not in labelled or spec.name in label.get("not_scored", ()):
                continue
            wanted = label["fields"].get(spec.name, [])
            given = list(map(value_text, items(answers[label["id"]], spec.name)))
            counts = counts_of(_forms(given, spec), _forms(wanted, spec))
            by_field[spec.name] += counts
            by_look[label.get("issuer_group", label["id"])] += counts
            by_language[label.get("language", "unknown")] += counts
            if spec.name in show and (counts.fp or counts.fn):
                print(f"{label['id']}, {spec.name}: {wanted}, given {given}", file=sys.stderr)
    rows = [
        [name, str(c.tp + c.fn), *(f"{part:.3f}" for part in (c.precision, c.recall, c.f1))]
        for name, c in [*by_field.items(), ("all", sum(by_field.values(), Counts()))]
    ]
    shown = table(["field", "labelled", "precision", "recall", "F1"], rows)
    mean = sum(counts.f1 for counts in by_look.values()) / max(1, len(by_look))
    looks = f"Mean over {len(by_look)} looks: {mean:.3f} ({_joined(by_look)})"
    return f"{shown}\n\n{looks}\nBy language: {_joined(by_language)}\n"


def _joined(parts: Mapping[str, Counts]) -> str:
    return ", ".join(f"{name} {counts.f1:.3f}" for name, counts in sorted(parts.items()))


def _rows(
    fields: Sequence[FieldSpec],
    labels: Sequence[dict[str, Any]],
    answers: Mapping[str, Extraction | None],
    show: bool,
) -> str:
    lines = []
    for group in dict.fromkeys(spec.group for spec in fields if spec.group):
        columns = [spec for spec in fields if spec.group == group]
        counts, texts = Counts(), Counts()
        for label in labels:
            if group not in label.get("groups", {}):
                continue
            wanted = label["groups"][group]
            answer = answers[label["id"]]
            given = row_texts(answer.groups.get(group, [])) if answer else []
            counts += (one := count_rows(given, wanted, columns))
            pairs = matched(given, wanted, columns)
            hits = sum(
                lenient(given[i].get("description", "")) == lenient(wanted[j]["description"])
                for i, j in pairs
                if "description" in wanted[j]
            )
            texts += Counts(hits, len(given) - hits, len(wanted) - hits)
            if show and (one.fp or one.fn):
                print(f"{label['id']}, {group}:", file=sys.stderr)
                for name, several in (("labelled", wanted), ("given", given)):
                    for cells in several:
                        print(f"  {name} {cells}", file=sys.stderr)
        described = any(spec.column == "description" for spec in columns)
        texts_f1 = f"{texts.f1:.3f}" if described else "-"
        rows_f1 = f"{counts.f1:.3f}" if counts != Counts() else "-"
        lines.append([group, str(counts.tp + counts.fn), rows_f1, texts_f1])
    return table(["group", "rows", "F1 of rows", "descriptions"], lines)


def _marks(
    fields: Sequence[FieldSpec],
    labels: Sequence[dict[str, Any]],
    answers: Mapping[str, Extraction | None],
) -> str:
    """Return how many right and wrong values need a review, and need none."""
    found: dict[str, list[tuple[bool, bool]]] = defaultdict(list)  # marked, right
    labelled = {name for label in labels for name in label["fields"]}
    for label in labels:
        answer = answers[label["id"]]
        if answer is None:
            continue
        for spec in fields:
            if spec.name not in labelled or spec.name in label.get("not_scored", ()):
                continue
            wanted = _forms(label["fields"].get(spec.name, []), spec)
            for item in items(answer, spec.name):
                right = _forms([value_text(item)], spec) <= wanted
                found["header"].append((item.needs_review, right))
        for group, wanted_rows in label.get("groups", {}).items():
            columns = [spec for spec in fields if spec.group == group]
            rows = answer.groups.get(group, [])
            texts = row_texts(rows)
            for row, right_cells in zip(
                rows, cells_right(texts, wanted_rows, columns), strict=True
            ):
                for name, cell in row.items():
                    if cell and any(name in wanted_row for wanted_row in wanted_rows):
                        part = name if name in ("description", "amount") else "other columns"
                        found[f"{group}: {part}"].append((cell.needs_review, right_cells[name]))
    ways = ((False, True), (False, False), (True, True), (True, False))
    lines = [[part, *(str(values.count(way)) for way in ways)] for part, values in found.items()]
    head = ["marks", "unmarked, right", "unmarked, wrong", "marked, right", "marked, wrong"]
    return f"\n{table(head, lines)}"


def _forms(texts: Sequence[str], spec: FieldSpec) -> set[str]:
    return {form_of(text, spec, "normalised") for text in texts}


if __name__ == "__main__":
    main()
