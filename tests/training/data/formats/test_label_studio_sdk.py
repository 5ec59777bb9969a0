"""Projects held against Label Studio's own SDK: what it accepts, what it makes, what it converts.

It is installed by `.ci/setup` beside the locked packages, see label-studio.lock.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from label_studio_sdk.converter import Converter
from label_studio_sdk.label_interface import LabelInterface
from label_studio_sdk.label_interface.objects import AnnotationValue, PredictionValue, TaskValue
from label_studio_sdk.label_interface.region import Region

from models.geometry import Box
from tests.conversions import bring_in, filled, whole_places, write_invoices
from training.data.dataset import Dataset
from training.data.formats.folder import export_dataset
from training.errors import DatasetError


def _exported(folder: Path, pages: int = 1) -> tuple[Dataset, list[dict[str, Any]], LabelInterface]:
    """Export invoices as a project to folder/there; return them, its tasks and its interface."""
    dataset = write_invoices(folder / "invoices", pages=pages)
    export_dataset("label-studio", dataset, folder / "there")
    tasks = json.loads((folder / "there" / "project.json").read_text(encoding="utf-8"))
    config = (folder / "there" / "config.xml").read_text(encoding="utf-8")
    return dataset, tasks, LabelInterface(config)


@pytest.mark.parametrize("pages", [1, 3])
def test_the_sdk_accepts_what_is_exported(pages: int, tmp_path: Path) -> None:
    _, tasks, interface = _exported(tmp_path, pages)
    interface.validate()
    for task in tasks:
        assert interface.validate_task({"data": task["data"]})
        TaskValue(data=task["data"])
        for annotation in task["annotations"]:
            assert interface.validate_annotation(annotation)
            prediction = {"result": annotation["result"], "score": 0.5}
            assert interface.validate_prediction(prediction, return_errors=True) == []
            AnnotationValue(completed_by=1, **annotation)
            PredictionValue(**prediction)


def test_the_sdk_refuses_what_is_not_of_the_interface(tmp_path: Path) -> None:
    """Else its validation would tell nothing."""
    _, tasks, interface = _exported(tmp_path)
    (annotation,) = tasks[0]["annotations"]
    annotation["result"][0]["value"]["rectanglelabels"] = ["elsewhere"]
    assert not interface.validate_annotation(annotation)
    annotation["result"][0]["from_name"] = "nobody"
    assert interface.validate_prediction(annotation, return_errors=True)
    assert not interface.validate_task({"data": {}})


def _region(interface: LabelInterface, label: str, text: str, box: Box) -> list[Region]:
    """Return a rectangle with its label, and its text, as the SDK's controls make them."""
    x0, top, x1, bottom = (100 * edge for edge in box.as_list())
    at = {"x": x0, "y": top, "width": x1 - x0, "height": bottom - top, "rotation": 0}
    rectangle = interface.get_control("label").label(label, **at)
    if not text:
        return [rectangle]
    typed = interface.get_control("text").label(text=[text])
    typed.id = rectangle.id  # of one region
    return [rectangle, typed]


@pytest.mark.filterwarnings("ignore:The `dict` method is deprecated")  # in the SDK
def test_what_the_sdk_makes_is_imported(tmp_path: Path) -> None:
    dataset, tasks, interface = _exported(tmp_path)
    sent = dataset.rows[0]
    regions: list[Region] = []
    frames = [_region(interface, "items", "", Box(0, top, 1, top + 0.02))[0] for top in (0.2, 0.3)]
    for place in sent.places or ():
        around = place.boxes[0][1]
        made = _region(interface, place.field, place.value, around)
        if place.row is not None:
            made[0].add_relation(frames[place.row])
        regions += made
    annotation = AnnotationValue(completed_by=1, result=[*frames, *regions]).model_dump()
    # The relations of a region are a list of their own in what the SDK writes.
    annotation["result"] = [
        one for item in annotation["result"] for one in (item if isinstance(item, list) else [item])
    ]
    assert interface.validate_annotation(annotation)
    task = {"id": 7, "data": tasks[0]["data"], "annotations": [annotation]}
    (tmp_path / "there" / "project.json").write_text(json.dumps([task]), encoding="utf-8")
    rows, report = bring_in("label-studio", tmp_path / "there", tmp_path / "back")
    assert filled(rows["a"]) == filled(sent)
    assert list(rows["a"].groups.values()) == list(sent.groups.values())
    theirs = whole_places(rows["a"])
    for key, place in whole_places(sent).items():
        edges = theirs[key].boxes[0][1].as_list()
        assert edges == pytest.approx(place.boxes[0][1].as_list(), abs=1e-4)
    assert report.losses == {}


def test_what_the_converter_writes_is_imported(tmp_path: Path) -> None:
    """From a folder with a file for each task, as Label Studio gives it to its converter."""
    dataset, tasks, interface = _exported(tmp_path, pages=2)
    there, folder = tmp_path / "there", tmp_path / "tasks"
    folder.mkdir()
    for number, task in enumerate(tasks):
        (folder / f"{number}.json").write_text(json.dumps(task), encoding="utf-8")
    converter = Converter(interface.config, str(there), download_resources=False)
    converter.convert(str(folder), str(there), "JSON", is_dir=True)
    (there / "project.json").unlink()
    rows, _ = bring_in("label-studio", there, tmp_path / "back")
    assert {row.id for row in dataset.rows} == set(rows)
    assert filled(rows["a"]) == filled(dataset.rows[0])
    assert whole_places(rows["a"]).keys() == whole_places(dataset.rows[0]).keys()


def test_the_small_json_of_the_converter_is_refused(tmp_path: Path) -> None:
    """It says no more which text is of which rectangle."""
    _, _, interface = _exported(tmp_path)
    converter = Converter(interface.config, str(tmp_path), download_resources=False)
    source = str(tmp_path / "there" / "project.json")
    converter.convert(source, str(tmp_path / "small"), "JSON_MIN", is_dir=False)
    with pytest.raises(DatasetError, match="no project of Label Studio") as refused:
        bring_in("label-studio", tmp_path / "small", tmp_path / "back")
    assert "not JSON-MIN" in refused.value.advice
