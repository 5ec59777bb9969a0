"""What /readyz is made of: every part that a document needs, and what is said when it is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.jobs.jobs import Jobs
from store.settings import Settings
from tests.servers import RedisServer
from tests.service import install_model


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    install_model(tmp_path)
    queue = Jobs(Settings(home=tmp_path, model="tiny"))
    queue.prepare()
    yield queue
    queue.close()


def report(jobs: Jobs, *stages: str, detail: str = "") -> None:
    name = "-".join(stages)
    jobs.store.report(
        name, pid=1, ready=not detail, detail=detail, models=["tiny@0.0.1"], stages=stages
    )


def test_each_queue_needs_a_worker(jobs: Jobs) -> None:
    report(jobs, "read")
    report(jobs, "resolve")
    state = jobs.readiness()
    assert (state.ready, state.missing) == (False, ("No worker serves the queue tag.",))
    report(jobs, "tag", detail="The model is being loaded.")
    assert jobs.readiness().missing == ("The model is being loaded.",)
    report(jobs, "tag")
    state = jobs.readiness()
    assert (state.ready, state.missing, state.workers) == (True, (), 3)


def test_second_worker_makes_up_for_one_that_lacks_something(jobs: Jobs) -> None:
    report(jobs, "read", "tag", "resolve")
    report(jobs, "read", detail="Not installed: tesseract.")
    assert jobs.readiness().ready


def test_damaged_default_model_is_told_where_the_workers_have_it_and_where_not(jobs: Jobs) -> None:
    report(jobs, "read", "tag", "resolve")
    weights = jobs.registry.resolve(None).path / "model.safetensors"
    whole = weights.read_bytes()
    damaged = ("The model package tiny@0.0.1 is damaged or incomplete.",)
    for harm in (whole[: len(whole) // 2], bytes([whole[0] ^ 1]) + whole[1:]):
        weights.write_bytes(harm)
        state = jobs.readiness()
        assert (state.ready, state.missing) == (True, damaged)  # they go on from memory
    jobs.store.report("read-tag-resolve", pid=1, ready=True, detail="", models=["tiny@0.0.0"])
    state = jobs.readiness()
    assert (state.ready, state.missing) == (False, damaged)
    weights.write_bytes(whole)
    assert jobs.readiness().ready


def test_model_that_is_not_there_is_told(jobs: Jobs, tmp_path: Path) -> None:
    report(jobs, "read", "tag", "resolve")
    other = Jobs(Settings(home=tmp_path, model="absent"))
    assert "absent" in other.readiness().missing[0]
    other.close()


def test_silent_broker_degrades_and_does_not_stop(tmp_path: Path, redis: RedisServer) -> None:
    install_model(tmp_path)
    jobs = Jobs(Settings(home=tmp_path, model="tiny", broker_url=redis.url, env="test"))
    jobs.prepare()
    report(jobs, "read", "tag", "resolve")
    assert jobs.readiness().missing == ()
    jobs.close()
    redis.pause()
    jobs = Jobs(Settings(home=tmp_path, model="tiny", broker_url=redis.url, env="test"))
    state = jobs.readiness()
    assert state.ready
    assert state.missing == (
        "The broker does not answer: documents are accepted, and wait for it.",
    )
    jobs.close()
    redis.resume()
