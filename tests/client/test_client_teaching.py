"""Teaching with both clients, on a real service: from a first document to a version in service."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fieldwright_client import AsyncClient, Client, LabelledDocument, Report, ServiceError
from tests.builders import make_receipt, receipt_pdf
from tests.service import CALM, Service, serving
from tests.taught import RECEIPTS, home_with_a_model

Teach = Callable[..., Any]
NAMES = {f"{number}.pdf": receipt for number, receipt in enumerate(RECEIPTS)}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(home_with_a_model(Path(tmp_path_factory.mktemp("teaching"))), **CALM) as running:
        yield running


@pytest.fixture(params=[Client, AsyncClient], ids=["sync", "async"])
def teach(request: pytest.FixtureRequest, service: Service) -> Teach:
    """Calls a method of a client's `teach`, or awaits it."""
    url = str(service.client.base_url)

    def call(method: str, *arguments: object, **options: Any) -> Any:
        if request.param is Client:
            with Client(url, patience=60) as client:
                return getattr(client.teach, method)(*arguments, **options)

        async def awaited() -> Any:
            async with AsyncClient(url, patience=60) as client:
                return await getattr(client.teach, method)(*arguments, **options)

        return asyncio.run(awaited())

    return call


@pytest.fixture
def model(request: pytest.FixtureRequest) -> str:
    """A name of a model for each client."""
    return "slips-" + ("async" if "async" in request.node.name else "sync")


def test_documents_become_a_model_in_service(service: Service, teach: Teach, model: str) -> None:
    dataset = teach("create", "Receipts", model_name=model)
    assert dataset.model_name == model
    assert teach("set_fields", dataset, ["company", {"name": "date", "kind": "date"}]).fields
    files = [(name, receipt_pdf(receipt)) for name, receipt in NAMES.items()]
    added = teach("add", dataset, [*files, ("broken.pdf", b"nothing of the kind")])
    assert len(added.added) == len(files)
    with pytest.raises(ValueError, match="no document"):
        teach("add", dataset, [])
    assert [one.filename for one in added.refused] == ["broken.pdf"]
    assert len(teach("add", dataset, files[:2]).known) == 2  # sent again, they are there once
    documents = teach("wait_documents", dataset)
    assert {document.filename for document in documents} == set(NAMES)
    with pytest.raises(ServiceError) as few:
        teach("train", dataset)
    assert few.value.code == "too_few_labels"

    for document in documents:
        receipt = NAMES[document.filename]
        found = teach("document", dataset, document)
        (date,) = (word.number for word in found.words if word.text == receipt.date)
        labels = {"company": {"text": receipt.company}, "date": {"words": [date]}}
        labelled = teach("label", dataset, document, labels)
        assert isinstance(labelled, LabelledDocument)
        assert labelled.state == "labelled"
        assert labelled.labels["date"][0].box == found.words[date].box
    assert teach("next", dataset) is None
    assert len(teach("documents", dataset, state="labelled")) == len(files)
    assert teach("dataset", dataset.id).may_train

    training = teach("train", dataset, epochs=2, curve=False)
    assert not training.ended
    assert [one.id for one in teach("trainings", dataset)] == [training.id]
    done = teach("wait", training)
    assert isinstance(done.report, Report)
    assert {field.key for field in done.report.fields} == {"company", "date"}
    assert done.report.held_out + done.report.trained_on == len(files)
    assert done.report.all.low <= done.report.all.f1 <= done.report.all.high
    assert not done.promoted
    assert teach("promote", done).promoted
    assert [one.current for one in teach("versions", model)] == [True]
    assert service.post(files[0][1], model=model).status_code == 200
    assert isinstance(teach("doubts", dataset), list)


def test_a_training_goes_on_after_a_cancel_and_its_version_runs_beside_the_first(
    service: Service, teach: Teach, model: str
) -> None:
    (dataset,) = (one for one in teach("datasets") if one.model_name == model)
    second = teach("train", dataset, epochs=1, curve=False, final=False)
    teach("cancel", second)
    with pytest.raises(ServiceError) as ended:
        teach("wait", second)
    assert ended.value.code == "training_cancelled"
    assert teach("resume", second.id).state in ("queued", "running")
    second = teach("wait", second)
    assert not any("measured before" in note for note in second.report.notes)
    assert [one.version for one in teach("versions", model)] == ["1.1.0", "1.0.0"]
    shadow = teach("start_shadow", model, second.version, share=1.0)
    assert (shadow.version, shadow.against, shadow.active) == ("1.1.0", "1.0.0", True)
    assert service.post(receipt_pdf(make_receipt(50)), model=model).status_code == 200
    assert teach("shadow", model).share == 1.0
    teach("stop_shadow", model)
    assert not teach("shadow", model).active
    assert teach("promote_version", model, second.version)[0].current
    assert teach("roll_back", model)[1].current
    teach("forget", second)
    with pytest.raises(ServiceError) as gone:
        teach("training", second)
    assert gone.value.code == "training_unknown"


def test_a_dataset_is_taken_from_reviewed_answers_exported_and_removed(
    service: Service, teach: Teach
) -> None:
    dataset = teach("create", "Taken")
    assert teach("rename", dataset, name="Taken over").name == "Taken over"
    job = service.post(receipt_pdf(make_receipt(60))).json()["id"]
    (taken,) = teach("take", dataset, jobs=[job]).added
    teach("set_fields", dataset, ["company"])
    labelled = teach("label", dataset, taken, {"company": {"absent": True}}, rest="suggested")
    assert labelled.labels["company"] == []
    archive = io.BytesIO()
    teach("export", dataset, archive)
    assert "labels.jsonl" in " ".join(zipfile.ZipFile(archive).namelist())
    teach("remove", dataset, taken.id)
    assert teach("documents", dataset) == []
    teach("delete", dataset)
    with pytest.raises(ServiceError) as gone:
        teach("dataset", dataset)
    assert gone.value.code == "dataset_unknown"
