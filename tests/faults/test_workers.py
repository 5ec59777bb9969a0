"""Workers of the production mode die, freeze, and meet documents that harm them."""

from __future__ import annotations

import signal
from pathlib import Path

import psutil
import pytest

from tests.bombs import png_that_claims, unfolding_pdf
from tests.builders import endless_pdf
from tests.faults.documents import (
    ANSWERED,
    CHILDLESS,
    ENDLESS_READING,
    ENDLESS_TAGGING,
    FROZEN,
    LEAVING,
    POISON,
    READING,
    TAGGING,
    Doomed,
    fresh,
)
from tests.faults.topology import Topology
from tests.patience import until

pytestmark = pytest.mark.slow

# What a bomb runs out of first is the machine's choice.
SPENT = {"processing_timeout", "resource_limit", "reader_crashed"}


@pytest.mark.parametrize(
    ("document", "queue"), [(READING, "read"), (TAGGING, "tag")], ids=["read", "tag"]
)
def test_killed_worker_costs_its_job_one_attempt(
    production: Topology, document: Doomed, queue: str
) -> None:
    """Rows 1 and 2: in mid work, with others waiting behind it."""
    job_id = production.submit(document.data)
    production.at_fault(f"in_{queue}", document.data)
    others = [production.submit(fresh()) for _ in range(4)]
    production.groups[f"{queue}-1"].kill()
    production.start_one(f"{queue}-1")
    job = production.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    assert [production.ended(other)["state"] for other in others] == ["succeeded"] * 4


def test_death_after_the_answer_changes_nothing(production: Topology) -> None:
    """Row 3: the answer is stored; what the broker delivers again is a no-op."""
    job_id = production.submit(ANSWERED.data)
    job = production.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 1)
    answer = production.client.get(f"/jobs/{job_id}/result").content
    production.start()
    assert production.ended(production.submit(fresh()))["state"] == "succeeded"
    assert production.job(job_id) == job
    assert production.client.get(f"/jobs/{job_id}/result").content == answer


@pytest.mark.parametrize("document", [CHILDLESS, LEAVING], ids=["killed", "left"])
def test_death_of_one_process_is_a_new_attempt(production: Topology, document: Doomed) -> None:
    """Row 4: killed by a signal, or gone by itself."""
    parent = production.groups["read-1"].pid
    job = production.ended(production.submit(document.data))
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    assert production.groups["read-1"].pid == parent
    assert production.groups["read-1"].alive


def test_frozen_worker_comes_back_too_late(production: Topology) -> None:
    """Row 16: another has done its work meanwhile; what it brings is refused."""
    spare = production.add_worker("tag", 2)
    job_id = production.submit(FROZEN.data)
    production.at_fault("in_tag", FROZEN.data)
    production.groups["tag-1"].freeze()
    production.start_one(spare)
    job = production.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 2)
    production.groups["tag-1"].thaw()
    until(lambda: [e for e in production.events("lease lost") if e["job"] == job_id], "its loss")
    assert production.job(job_id) == job
    production.groups.pop(spare).stop()


def test_poison_is_set_aside_and_others_go_on(production: Topology) -> None:
    """Row 17."""
    poison = production.submit(POISON.data)
    good = [production.submit(fresh()) for _ in range(6)]
    job = production.ended(poison)
    assert (job["state"], job["attempts"]) == ("failed", 3)
    assert job["error"]["code"] == "worker_crashed"
    assert [production.ended(job_id)["state"] for job_id in good] == ["succeeded"] * 6
    assert len([e for e in production.events("job started") if e["job"] == poison]) == 3


def test_documents_beyond_their_time_are_stopped(production: Topology) -> None:
    """Row 18: one that is never read, and one that is never tagged."""
    endless = [production.submit(document.data) for document in (ENDLESS_READING, ENDLESS_TAGGING)]
    for job_id in endless:
        job = production.ended(job_id)
        assert (job["state"], job["error"]["code"]) == ("failed", "processing_timeout")


def test_bombs_harm_themselves_alone(production: Topology) -> None:
    """Rows 18 and 19: what never ends, and what unfolds to more memory than there is."""
    group = production.groups["read-1"]
    bombs = {
        production.submit(endless_pdf(fresh(), page=1)): SPENT,
        production.submit(unfolding_pdf(fresh())): SPENT,
        production.submit(png_that_claims(40_000, 40_000)): {"page_too_large"},
    }
    for job_id, codes in bombs.items():
        job = production.ended(job_id)
        assert (job["state"], job["attempts"]) == ("failed", 1)
        assert job["error"]["code"] in codes
        assert production.client.get(f"/jobs/{job_id}/result").status_code == 422
    assert group.alive
    programs = {"tesseract", "pdftoppm", "pdfinfo"}
    until(lambda: not programs & {name(process) for process in group.family()}, "its programs")


def name(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.NoSuchProcess:
        return ""


@pytest.mark.long
def test_clock_of_a_host_decides_nothing(production: Topology, tmp_path: Path) -> None:
    """Row 20: leases are judged by the database's clock, whatever two hosts think it is."""
    hosts = {"read-1": 2, "resolve-1": -2}
    for name, hours in hosts.items():
        folder = tmp_path / name
        folder.mkdir()
        shift = f"import time\ntrue = time.time\ntime.time = lambda: true() + {3600 * hours}\n"
        (folder / "sitecustomize.py").write_text(shift)
        production.groups[name].stop()
        production.start_one(name, ready=False, PYTHONPATH=str(folder))
    jobs = [production.submit(fresh()) for _ in range(3)]
    ended = [production.ended(job_id) for job_id in jobs]
    assert [(job["state"], job["attempts"]) for job in ended] == [("succeeded", 1)] * 3
    for name in hosts:
        production.groups[name].stop()


@pytest.mark.ocr
def test_missing_program_is_named(production: Topology, tmp_path: Path) -> None:
    """Row 27: neither an empty answer nor a wrong one."""
    group = production.groups["read-1"]
    group.stop()
    production.start_one("read-1", PATH=str(tmp_path))
    assert "tesseract" in production.client.get("/readyz").text
    job = production.ended(production.submit(fresh(), ocr="always", engine="tesseract"))
    assert (job["state"], job["error"]["code"]) == ("failed", "dependency_missing")
    group.stop()


def test_child_of_a_worker_killed_from_outside(production: Topology) -> None:
    """Row 4 once more: any process below the reader, whatever it does at the moment."""
    group = production.groups["read-1"]
    jobs = [production.submit(fresh()) for _ in range(4)]
    for process in group.family()[1:]:
        if process.is_running():
            process.send_signal(signal.SIGKILL)
    assert [production.ended(job_id)["state"] for job_id in jobs] == ["succeeded"] * 4
    assert group.alive
