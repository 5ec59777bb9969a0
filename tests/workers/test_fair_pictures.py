"""Pictures of pages are drawn at once where no job waits, and else one between two jobs."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pipeline.errors import EncryptedPdf
from pipeline.reading.drawing import Sheet
from store.blobs import FILE
from store.jobs import Job, Jobs
from store.pictures import Picture
from store.settings import Settings
from tests.patience import PATIENCE, until
from tests.stores import prepare
from workers.embedded.pipe import WakeupPipe
from workers.embedded.pulse import Pulse
from workers.embedded.worker import Lanes
from workers.worker import Worker


class Studio:
    """A worker that notes what it does, and draws slowly where it is told to."""

    def __init__(self, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs = jobs
        self.done: list[str] = []
        self.may_draw = threading.Event()
        self.may_draw.set()
        monkeypatch.setattr("pipeline.reading.reader.prepare_reading", lambda: None)
        monkeypatch.setattr("pipeline.reading.reader.read_ahead", lambda: None)
        monkeypatch.setattr("pipeline.reading.drawing.draw_pages", self._draw)
        self.worker = Worker("h/worker-0-x", jobs)
        monkeypatch.setattr(self.worker, "prepare", lambda: True)
        monkeypatch.setattr(self.worker, "_run", self._run)
        self.document = self.add(state="succeeded", stage="done")
        jobs.blobs.put(self.document.id, FILE, b"x")

    def add(self, **changes: str | int) -> Job:
        values = {"sha256": "0" * 64, "filename": "", "media_type": "", "size": 1, **changes}
        return self.jobs.repository.add(Job(str(uuid.uuid4()), "tiny", **values))  # type: ignore[arg-type]

    def look_at(self, pages: int) -> None:
        for number in range(1, pages + 1):
            self.jobs.pictures.ask(Picture(self.document.id, number, 800))

    def _draw(
        self, data: bytes, sheets: Sequence[Sheet], options: object
    ) -> Iterator[tuple[Sheet, bytes]]:
        self.done.append(f"{len(sheets)} drawn")
        for sheet in sheets:
            assert self.may_draw.wait(PATIENCE)
            yield sheet, b"png"

    def _run(self, jobs: Sequence[Job]) -> None:
        self.done.append("job")
        for job in jobs:
            self.jobs.leases.fail(job, EncryptedPdf("x"))


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    jobs = Jobs(Settings(home=tmp_path, poll_seconds=0.1))
    prepare(jobs)
    yield Studio(jobs, monkeypatch)
    jobs.close()


def test_jobs_that_wait_take_turns_with_pictures(studio: Studio) -> None:
    studio.look_at(12)
    for _ in range(2):
        studio.add()
    while studio.worker.serve():
        pass
    assert studio.done == [*("1 drawn", "job") * 2, "1 drawn", "8 drawn", "1 drawn"]


def test_somebody_elses_job_is_run_while_pictures_are_drawn(studio: Studio) -> None:
    pipe = WakeupPipe()
    lanes = Lanes(studio.worker, pipe, Pulse())
    studio.may_draw.clear()
    studio.look_at(3)
    working = threading.Thread(target=lanes.work)
    working.start()
    try:
        until(lambda: studio.done, "a picture that is being drawn")
        studio.add()
        pipe.send()
        until(lambda: "job" in studio.done, "the job")
        assert studio.done == ["1 drawn", "job"]
    finally:
        studio.may_draw.set()
        lanes.stop()
        working.join(PATIENCE)
        pipe.close()
