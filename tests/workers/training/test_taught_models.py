"""A kind of document that no model knows, taught over HTTP, from labels to answers."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import until
from tests.service import Service, serving
from tests.web.delivery_notes import Note, make_note, note_pdf

FIELDS = ("note_number", "customer", "delivery_date", "driver", "weight")
TAUGHT, ASKED = range(1, 31), range(1001, 1031)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service of one command, with the models that come with the product."""
    with serving(tmp_path, model="auto", lease_seconds=5) as running:
        yield running


def taught(service: Service, numbers: range) -> str:
    """Return a dataset whose documents are labelled, as a script labels them."""
    client = service.client
    made = client.post("/datasets", json={"name": "Delivery notes", "model_name": "notes"})
    assert made.status_code == 201, made.text
    at = f"/datasets/{made.json()['id']}"
    fields = [{"name": name} for name in FIELDS]
    assert client.put(f"{at}/fields", json={"fields": fields}).status_code == 200
    notes = {f"note-{number}.pdf": make_note(number) for number in numbers}
    files = [("files", (name, note_pdf(note))) for name, note in notes.items()]
    added = client.post(f"{at}/documents", files=files)
    assert added.status_code == 202, added.text
    assert len(added.json()["added"]) == len(numbers)
    until(lambda: client.get(at).json()["counts"]["reading"] == 0, "all documents to be read")
    for document in client.get(f"{at}/documents", params={"limit": 500}).json()["documents"]:
        label(service, f"{at}/documents/{document['id']}", notes[document["filename"]])
    return at


def label(service: Service, at: str, note: Note) -> None:
    """Label a document by the words that print its values, as a person clicks them."""
    words = service.client.get(at).json()["words"]
    for name, text in note.values.items():
        numbers = words_of(words, text)
        response = service.client.put(f"{at}/labels", json={"fields": {name: {"words": numbers}}})
        assert response.status_code == 200, response.text
    assert response.json()["state"] == "labelled"


def words_of(words: list[dict[str, Any]], text: str) -> list[int]:
    """Return the numbers of the words that spell a text."""
    parts = text.split()
    for start in range(len(words)):
        if [word["text"] for word in words[start : start + len(parts)]] == parts:
            return list(range(start, start + len(parts)))
    raise AssertionError(f"{text!r} is not on the page")


def ended(service: Service, training: str, *, within: float) -> dict[str, Any]:
    """Return a training once it has ended."""
    limit = time.monotonic() + within
    while time.monotonic() < limit:
        found: dict[str, Any] = service.client.get(f"/trainings/{training}").json()
        if found["state"] in ("succeeded", "failed", "cancelled"):
            return found
        time.sleep(1)
    raise AssertionError(f"the training took longer than {within} s")


def f1_of(service: Service, model: str) -> float:
    """Return the F1 of a model, over HTTP, on notes that it has not seen; texts but for space."""
    hits = wrong = missed = 0
    for number in ASKED:
        note = make_note(number)
        answer = service.post(note_pdf(note), model=model, wait=60).json()
        for name, text in note.values.items():
            value = answer["fields"][name]
            found = None if value is None else " ".join(value["text"].split())
            hits += found == text
            wrong += found not in (None, text)
            missed += found != text
    return 2 * hits / (2 * hits + wrong + missed)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_thirty_documents_become_a_model_in_service(service: Service) -> None:
    began = time.monotonic()
    at = taught(service, TAUGHT)
    client = service.client
    dataset = client.get(at).json()
    kinds = {field["name"]: field["kind"] for field in dataset["fields"]}
    assert kinds["delivery_date"] == "date"
    assert dataset["may_train"]
    assert dataset["needed"] == 0
    labelled = time.monotonic() - began
    asked = client.post(f"{at}/trainings", json={})
    assert asked.status_code == 202, asked.text
    training = asked.json()["id"]
    assert client.post(f"{at}/trainings", json={}).status_code == 409
    assert "notes" not in [model["name"] for model in client.get("/models").json()["models"]]
    done = ended(service, training, within=1500)
    assert done["state"] == "succeeded", done
    report = done["report"]
    assert {field["key"] for field in report["fields"]} == set(FIELDS)
    assert service.post(note_pdf(make_note(1)), model="notes").status_code == 404  # not yet
    promoted = client.post(f"/trainings/{training}/promote")
    assert promoted.status_code == 200, promoted.text
    assert promoted.json()["promoted"]
    seconds = time.monotonic() - began
    f1 = f1_of(service, "notes")
    Path(os.environ.get("TAUGHT_REPORT", "/dev/null")).write_text(
        json.dumps({"labelled": labelled, "seconds": seconds, "f1": f1, "training": done}, indent=1)
    )
    assert f1 >= 0.85
    assert seconds < 900
