"""What a training trains on: the dataset as it was when the training began, as a folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from pipeline.values.schema import FieldSpec, dump_fields, specs_of
from store.blobs import FILE
from store.datasets import Dataset, Datasets, key_of, label_line
from store.errors import TooFewLabels
from store.jobs import Jobs
from store.trainings import check_labelled


def write_folder(jobs: Jobs, dataset: Dataset, folder: Path) -> list[str]:
    """Write the dataset folder of a training, once: one that is there stays as it is.

    It holds the labelled documents, and in `others/` those that are not labelled yet. Fields that
    no document has a value of cannot be learnt, and are left out.

    Args:
        jobs: the queue, whose blobs hold the documents.
        dataset: to train on.
        folder: that is made, whole or not at all.

    Returns:
        Sentences on what was left out.

    Raises:
        TooFewLabels: too few documents are labelled in all fields.
    """
    if not folder.is_dir():
        draft = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(draft, ignore_errors=True)
        for part in ("documents", "others"):
            (draft / part).mkdir(parents=True)
        lines: list[dict[str, Any]] = []
        for example in Datasets(jobs).every(dataset.id):
            data = jobs.blobs.get(example.job.id, FILE)
            if data is None or example.state in ("reading", "failed"):
                continue
            line = label_line(example)
            if example.complete:
                (draft / line["document"]).write_bytes(data)
                lines.append(line)
            else:
                (draft / "others" / Path(line["document"]).name).write_bytes(data)
        check_labelled(len(lines))
        specs = specs_of(dataset.fields)
        kept = [spec for spec in specs if _has_values(spec, lines)]
        if not kept:
            raise TooFewLabels("No label says anything: every field is absent everywhere.")
        names = {spec.name for spec in kept}
        for line in lines:
            line["fields"] = {key: given for key, given in line["fields"].items() if key in names}
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (draft / "labels.jsonl").write_text(text, encoding="utf-8")
        fields = [field for field in dataset.fields if key_of(field) in names]
        (draft / "fields.toml").write_text(dump_fields(specs_of(fields)), "utf-8")
        left_out = [spec.name for spec in specs if spec.name not in names]
        (draft / "left_out.json").write_text(json.dumps(left_out), encoding="utf-8")
        draft.rename(folder)
    left_out = json.loads((folder / "left_out.json").read_text(encoding="utf-8"))
    return [f"The field {name} was left out: no labelled document has it." for name in left_out]


def _has_values(spec: FieldSpec, lines: list[dict[str, Any]]) -> bool:
    if spec.group:
        return any(
            row.get(spec.column) for line in lines for row in line["groups"].get(spec.group, [])
        )
    return any(line["fields"].get(spec.name) for line in lines)
