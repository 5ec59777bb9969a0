"""What /readyz is made of: every part that a document needs, and what is said when it is gone."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from anyio import fail_after, to_thread
from sqlalchemy import text

from app.main import build
from app.metrics import Metrics
from app.readiness import Inspector, Readiness
from app.settings import ApiSettings
from models.packages import Registry
from pipeline.errors import StorageFull
from store.errors import StoreUnavailable
from store.jobs import Jobs
from store.settings import Settings
from tests.servers import ObjectStoreServer, RedisServer
from tests.service import install_model
from tests.stores import opened, prepare


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    install_model(tmp_path)
    with opened(Settings(home=tmp_path, model="tiny")) as queue:
        yield queue


def readiness(jobs: Jobs) -> Readiness:
    settings = jobs.settings
    registry = Registry(settings.home / "models", default=settings.model)
    return Inspector(jobs, registry).readiness()


def report(jobs: Jobs, *stages: str, detail: str = "", confinement: str = "") -> None:
    jobs.workers.report(
        "-".join(stages),
        pid=1,
        ready=not detail,
        detail=detail,
        models=["tiny@0.0.1"],
        stages=stages,
        confinement=confinement,
    )


def test_readiness_says_what_confines_readers(jobs: Jobs) -> None:
    report(jobs, "tag", "resolve")
    report(jobs, "read", confinement="landlock+seccomp")
    assert readiness(jobs).confinement == ("landlock+seccomp",)
    report(jobs, "read", "resolve", confinement="none")
    assert readiness(jobs).confinement == ("landlock+seccomp", "none")


def test_readiness_says_that_the_object_store_refuses(
    s3: ObjectStoreServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key that ran out, for one: workers are ready, and every document is refused."""
    install_model(tmp_path)
    address = f"s3://tests/{uuid.uuid4().hex}"
    jobs = Jobs(Settings(home=tmp_path, model="tiny", blob_url=address))
    prepare(jobs)
    report(jobs, "read", "tag", "resolve")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "expired")
    with pytest.raises(StoreUnavailable):
        jobs.check_blobs()
    state = readiness(jobs)
    assert state.ready  # what was accepted waits
    assert state.missing == (
        "The store of documents does not answer. Documents may be refused until it does; the log "
        "says why.",
    )
    monkeypatch.undo()
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    again = Jobs(Settings(home=tmp_path, model="tiny", blob_url=address))
    again.check_blobs()
    assert readiness(again).missing == ()
    jobs.close()
    again.close()


def test_readiness_says_that_the_job_store_is_full(jobs: Jobs) -> None:
    report(jobs, "read", "tag", "resolve")
    limit = "PRAGMA max_page_count"
    with jobs.database.writing() as connection:
        pages = connection.scalar(text("PRAGMA page_count"))
        connection.execute(text(f"{limit}={pages}"))
    with pytest.raises(StorageFull), jobs.database.writing() as connection:
        connection.execute(text("CREATE TABLE large AS SELECT randomblob(1000000) AS x"))
    state = readiness(jobs)
    assert state.ready  # what was accepted is answered, as far as it goes
    told = "The job store has no room left on its disk. No documents are accepted."
    assert state.missing == (told,)
    with jobs.database.writing() as connection:
        connection.execute(text(f"{limit}=1000000"))
    report(jobs, "read", "tag", "resolve")
    assert readiness(jobs).missing == ()


def test_what_probes_are_told_is_logged_when_it_changes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install_model(tmp_path)
    settings = ApiSettings(home=tmp_path, model="tiny")
    jobs = Jobs(settings)
    prepare(jobs)
    api = build(settings, jobs)

    async def probe() -> None:
        transport = httpx.ASGITransport(api, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            for _ in range(3):
                await client.get("/readyz")

    caplog.set_level("INFO")
    asyncio.run(probe())
    report(jobs, "read", "tag", "resolve")
    asyncio.run(probe())
    report(jobs, "read", "tag", "resolve", detail="The model is damaged.")
    asyncio.run(probe())
    told = [(one.levelname, one.message) for one in caplog.records if one.name.startswith("app.")]
    assert told == [
        ("WARNING", "service not ready"),
        ("INFO", "service ready"),
        ("WARNING", "service not ready"),
    ]
    jobs.close()


def test_readiness_says_what_is_missing(jobs: Jobs) -> None:
    assert readiness(jobs).missing == ("No worker process is running.",)
    jobs.workers.report("w", pid=1, ready=False, detail="The model is being loaded.", models=[])
    assert readiness(jobs).missing == ("The model is being loaded.",)
    jobs.workers.report("w", pid=1, ready=True, detail="", models=["tiny@0.0.1"])
    state = readiness(jobs)
    assert (state.ready, state.workers, state.models) == (True, 1, ("tiny@0.0.1",))


def test_each_queue_needs_a_worker(jobs: Jobs) -> None:
    report(jobs, "read")
    report(jobs, "resolve")
    state = readiness(jobs)
    assert (state.ready, state.missing) == (False, ("No worker serves the queue tag.",))
    report(jobs, "tag", detail="The model is being loaded.")
    assert readiness(jobs).missing == ("The model is being loaded.",)
    report(jobs, "tag")
    state = readiness(jobs)
    assert (state.ready, state.missing, state.workers) == (True, (), 3)


def test_second_worker_makes_up_for_one_that_lacks_something(jobs: Jobs) -> None:
    report(jobs, "read", "tag", "resolve")
    report(jobs, "read", detail="Not installed: tesseract.")
    assert readiness(jobs).ready


def test_damaged_default_model_is_told_where_the_workers_have_it_and_where_not(jobs: Jobs) -> None:
    report(jobs, "read", "tag", "resolve")
    weights = jobs.settings.home / "models" / "tiny" / "0.0.1" / "model.safetensors"
    whole = weights.read_bytes()
    damaged = ("The model package tiny@0.0.1 is damaged or incomplete.",)
    for harm in (whole[: len(whole) // 2], bytes([whole[0] ^ 1]) + whole[1:]):
        weights.write_bytes(harm)
        state = readiness(jobs)
        assert (state.ready, state.missing) == (True, damaged)  # they go on from memory
    jobs.workers.report("read-tag-resolve", pid=1, ready=True, detail="", models=["tiny@0.0.0"])
    state = readiness(jobs)
    assert (state.ready, state.missing) == (False, damaged)
    weights.write_bytes(whole)
    assert readiness(jobs).ready


def test_model_that_is_not_there_is_told(jobs: Jobs, tmp_path: Path) -> None:
    report(jobs, "read", "tag", "resolve")
    other = Jobs(Settings(home=tmp_path, model="absent"))
    assert "absent" in readiness(other).missing[0]
    other.close()


def test_silent_broker_degrades_and_does_not_stop(tmp_path: Path, redis: RedisServer) -> None:
    install_model(tmp_path)
    jobs = Jobs(Settings(home=tmp_path, model="tiny", broker_url=redis.url, env="test"))
    prepare(jobs)
    report(jobs, "read", "tag", "resolve")
    assert readiness(jobs).missing == ()
    jobs.close()
    redis.pause()
    jobs = Jobs(Settings(home=tmp_path, model="tiny", broker_url=redis.url, env="test"))
    state = readiness(jobs)
    assert state.ready
    assert state.missing == ("The broker takes nothing: documents are accepted, and wait for it.",)
    jobs.close()
    redis.resume()


def test_full_broker_degrades(tmp_path: Path, redis: RedisServer) -> None:
    install_model(tmp_path)
    jobs = Jobs(Settings(home=tmp_path, model="tiny", broker_url=redis.url, env="test"))
    prepare(jobs)
    report(jobs, "read", "tag", "resolve")
    with redis.client() as client:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", 1)
        try:
            assert readiness(jobs).missing[0].startswith("The broker takes nothing")
        finally:
            client.config_set("maxmemory", 0)
    assert readiness(jobs).missing == ()
    jobs.close()


def test_full_disk_degrades(tmp_path: Path) -> None:
    install_model(tmp_path)
    jobs = Jobs(Settings(home=tmp_path, model="tiny", min_free_bytes=1 << 60))
    prepare(jobs)
    report(jobs, "read", "tag", "resolve")
    state = readiness(jobs)
    assert state.ready
    assert "No documents are accepted" in state.missing[0]
    jobs.close()


def test_store_that_takes_no_changes_is_not_ready(tmp_path: Path, postgres_url: str) -> None:
    install_model(tmp_path)
    jobs = Jobs(Settings(home=tmp_path, model="tiny", database_url=postgres_url))
    prepare(jobs)
    report(jobs, "read", "tag", "resolve")
    assert readiness(jobs).ready
    name = postgres_url.rpartition("/")[2]
    with jobs.database.reading() as connection:
        connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    jobs.close()  # as for whoever connects from now on
    state = readiness(jobs)
    assert not state.ready
    assert "read-only" in state.missing[0]
    assert b"fieldwright_store_up 0.0" in Metrics(jobs).render()
    jobs.close()


def test_watching_needs_no_thread_of_those_who_wait(tmp_path: Path) -> None:
    install_model(tmp_path)
    jobs = Jobs(ApiSettings(home=tmp_path, model="tiny"))
    prepare(jobs)
    report(jobs, "read", "tag", "resolve")
    api = build(ApiSettings(home=tmp_path, model="tiny", metrics_open=True), jobs)

    async def ask() -> list[int]:
        limiter = to_thread.current_default_thread_limiter()
        for _ in range(int(limiter.total_tokens)):  # an object store hangs, and all wait for it
            await limiter.acquire_on_behalf_of(object())
        transport = httpx.ASGITransport(api, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            with fail_after(60):
                paths = ("/livez", "/readyz", "/metrics")
                return [(await client.get(path)).status_code for path in paths]

    assert asyncio.run(ask()) == [200, 200, 200]
    jobs.close()
