"""Trainings over kill -9: whoever comes next goes on from the checkpoint, to one model."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from store.jobs import STAGES
from tests.builders import receipt_pdf
from tests.faults.topology import Topology, topology
from tests.patience import PATIENCE, until
from tests.servers import PostgresServer, RedisServer
from tests.service import Service, events, serving
from tests.taught import RECEIPTS, home_with_a_model

EPOCHS = 2


def training_of(service: Service | Topology) -> str:
    """Label receipts, and have a model of them trained; return the training."""
    client = service.client
    made = client.post("/datasets", json={"name": "Receipts", "model_name": "slips"}).json()
    at = f"/datasets/{made['id']}"
    fields = [{"name": "company", "kind": "name"}, {"name": "date", "kind": "date"}]
    assert client.put(f"{at}/fields", json={"fields": fields}).status_code == 200
    files = [("files", (f"{n}.pdf", receipt_pdf(one))) for n, one in enumerate(RECEIPTS)]
    assert client.post(f"{at}/documents", files=files).status_code == 202
    until(lambda: client.get(at).json()["counts"]["reading"] == 0, "all documents to be read")
    for document in client.get(f"{at}/documents").json()["documents"]:
        receipt = RECEIPTS[int(document["filename"].removesuffix(".pdf"))]
        labels = {"company": {"text": receipt.company}, "date": {"text": receipt.date}}
        path = f"{at}/documents/{document['id']}/labels"
        assert client.put(path, json={"fields": labels}).status_code == 200
    wanted = {"epochs": EPOCHS, "curve": False}
    asked = client.post(f"{at}/trainings", json=wanted)
    assert asked.status_code == 202, asked.text
    return str(asked.json()["id"])


def stands(service: Service | Topology, training: str) -> dict[str, Any]:
    return dict(service.client.get(f"/trainings/{training}").json())


def check_ended_once(service: Service | Topology, training: str, *, before: list[float]) -> None:
    """Check that a training ends with one model, its first epochs those from before the kill."""
    done = until(
        lambda: now if (now := stands(service, training))["finished_at"] else None,
        "the training to end",
        patience=3 * PATIENCE,
    )
    assert done["state"] == "succeeded", done
    assert len(done["scores"]) == done["epoch"] == EPOCHS
    assert done["scores"][: len(before)] == before
    run = service.home / "trainings" / training / "run"
    for log in (run / "seed-0" / "log.jsonl", run / "all" / "seed-0" / "log.jsonl"):
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        ended = [line["epoch"] for line in lines if "score" in line]
        assert ended == list(range(1, len(ended) + 1))  # none was repeated
        assert len(ended) == EPOCHS or "all" in log.parts
    (version,) = service.client.get("/models/slips/versions").json()["versions"]
    assert (version["version"], version["training"]) == (done["version"], training)
    assert [path.name for path in (service.home / "models" / "slips").glob("*.*")] == ["1.0.0"]
    (listed,) = service.client.get("/trainings").json()["trainings"]
    assert listed["id"] == training
    promoted = service.client.post(f"/trainings/{training}/promote").json()
    assert promoted["promoted"]
    answer = service.post(receipt_pdf(RECEIPTS[0]), model="slips")
    assert answer.status_code == 200, answer.text


def in_second_epoch(service: Service | Topology, training: str) -> list[float]:
    """Wait until a trainer holds still in the midst of the second epoch; return the scores."""
    service.at_fault("in_epoch")
    scores: list[float] = until(
        lambda: stands(service, training)["scores"], "the first epoch to be noted"
    )
    assert len(scores) == 1
    return scores


def test_trainer_that_is_killed_in_an_epoch_is_followed_by_one_that_goes_on(
    tmp_path: Path,
) -> None:
    home = home_with_a_model(tmp_path)
    with serving(home, fault="in_epoch:kill9:1") as service:
        training = training_of(service)
        check_ended_once(service, training, before=[])
        assert len(events(service.log, "training started")) == 2


def test_service_that_is_killed_in_an_epoch_goes_on_when_it_is_back(tmp_path: Path) -> None:
    home = home_with_a_model(tmp_path)
    with serving(home, fault="in_epoch:sleep:600:1") as service:
        training = training_of(service)
        before = in_second_epoch(service, training)
        assert service.process is not None
        service.process.send_signal(signal.SIGSTOP)  # it starts no other one
        service.child("trainer").kill()
        service.kill()
        service.start()
        check_ended_once(service, training, before=before)


def test_worker_of_the_queue_train_that_is_killed_in_an_epoch_goes_on_when_it_is_back(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    home = home_with_a_model(tmp_path / "home")
    redis = RedisServer(tmp_path / "redis").start()
    url = postgres.new_database()
    try:
        fault = "in_epoch:sleep:600:1"
        with topology(home, redis, url, queues=(",".join(STAGES),), fault=fault) as production:
            trainer = production.start_one(production.add_worker("train", 1), ready=False)
            training = training_of(production)
            before = in_second_epoch(production, training)
            trainer.kill()
            assert stands(production, training)["state"] == "running"
            production.start_one(trainer.name, ready=False)
            check_ended_once(production, training, before=before)
            del production.groups[trainer.name]  # it is stopped here: a trainer reports no worker
            trainer.stop()
    finally:
        redis.stop()
        postgres.drop(url)
