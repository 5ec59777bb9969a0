"""`fieldwright batch` against a running service: each document once, whatever happens between."""

from __future__ import annotations

import csv
import json
import math
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from cli.sending.batch import KEY_VARIABLE
from store.access import Keys
from store.sql.database import Database
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf
from tests.cli.test_command_line import Command, Done
from tests.packages import RECEIPT_FIELDS
from tests.servers import free_port
from tests.service import ROOT, Service, digest, serving, until

DOCUMENTS = {f"{seed}.pdf": receipt_pdf(make_receipt(seed)) for seed in range(7)}
SLOW = receipt_pdf(make_receipt(99), pages=3)
MOST = 3  # documents of a batch: every run sends several


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(
        Path(tmp_path_factory.mktemp("service")),
        batch_max_files=MOST,
        max_bytes=200_000,
        fault=f"in_read@{digest(SLOW)}:sleep:1",
    ) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path, service: Service) -> Iterator[Path]:
    """Seven documents; afterwards the service is empty again."""
    place = tmp_path / "documents"
    (place / "inner").mkdir(parents=True)
    for name, data in DOCUMENTS.items():
        (place / ("inner" if name == "6.pdf" else ".") / name).write_bytes(data)
    yield place
    for batch in batches(service):
        service.client.delete(f"/batches/{batch['id']}")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, service: Service) -> Command:
    """Runs the command with a state folder of its own; give it the service's address."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    return Command(monkeypatch, tmp_path / "home")


def batches(service: Service) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = service.client.get("/batches?limit=100").json()["batches"]
    return found


def sent(service: Service) -> int:
    """Return how many documents the service was sent."""
    return sum(batch["total"] for batch in batches(service))


def url(service: Service) -> str:
    return f"--url={service.client.base_url}"


def rows(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.out.splitlines()]


def test_folder_comes_back_in_order_and_a_second_run_sends_nothing(
    run: Command, service: Service, folder: Path
) -> None:
    (folder / "3 again.pdf").write_bytes(DOCUMENTS["3.pdf"])
    (folder / "bad.pdf").write_bytes(b"only words")
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "large.pdf").write_bytes(DOCUMENTS["0.pdf"] + bytes(200_000))
    done = run("batch", folder, url(service), code=3)
    paths = sorted(path for path in folder.rglob("*.pdf"))
    found = rows(done)
    assert [row["document"] for row in found] == [str(path) for path in paths]
    assert [row["sha256"] for row in found] == [digest(path.read_bytes()) for path in paths]
    errors = {Path(row["document"]).name: row["error"]["code"] for row in found if "error" in row}
    assert errors == {
        "bad.pdf": "unsupported_media_type",
        "empty.pdf": "document_empty",
        "large.pdf": "file_too_large",
    }
    assert set(found[0]["fields"]) == {spec.name for spec in RECEIPT_FIELDS}
    assert "bad.pdf" in done.err
    assert (sent(service), len(batches(service))) == (7, 3)
    again = run("batch", folder, url(service))
    assert (again.out, again.code) == (done.out, 3)
    assert (sent(service), len(batches(service))) == (7, 3)


def test_names_of_files_may_be_any_bytes(run: Command, service: Service, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"r\xe4.pdf")
    path.write_bytes(b"only words")
    run("batch", path, url(service), "--output", tmp_path / "out", code=3)
    [line] = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["document"] == f"{tmp_path}/r\ufffd.pdf"


def test_new_documents_are_sent_and_moved_ones_known(
    run: Command, service: Service, folder: Path, tmp_path: Path
) -> None:
    state = tmp_path / "my state"
    assert run("batch", folder / "inner", url(service), "--state", state).code == 0
    (folder / "inner" / "6.pdf").rename(folder / "moved.pdf")
    done = run("batch", folder, url(service), "--state", state)
    assert (done.code, len(rows(done)), sent(service)) == (0, 7, 7)
    assert run("batch", folder, url(service), "--state", state, "--ocr", "never").code == 0
    assert sent(service) == 14  # to be read otherwise


def test_table_lies_in_a_file_with_its_state_beside(
    run: Command, service: Service, folder: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out.csv"
    done = run("batch", folder, url(service), "--format", "csv", "--output", output)
    assert (done.code, done.out) == (0, "")
    with output.open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 7
    assert {"total", "total_currency", "total_confidence", "error"} <= set(table[0])
    assert (tmp_path / "out.csv.state").is_file()
    assert not (tmp_path / "state").exists()
    lines = run("batch", folder, url(service), "--state", tmp_path / "out.csv.state")
    for row, cells in zip(rows(lines), table, strict=True):
        value = row["fields"]["total"]
        amount = (value["value"] or {}).get("amount") if value else ""
        assert cells["document"] == row["document"]
        assert not amount or cells["total"].lstrip("'") == amount
    assert sent(service) == 7


def test_failed_documents_are_tried_again_when_asked(
    run: Command, service: Service, folder: Path, tmp_path: Path
) -> None:
    (folder / "locked.pdf").write_bytes(encrypted_pdf(DOCUMENTS["0.pdf"], "geheim"))
    (tmp_path / "password").write_text("geheim\n")
    assert run("batch", folder, url(service)).code == 3
    password = ("--password-file", tmp_path / "password")
    assert run("batch", folder, url(service), *password).code == 3
    done = run("batch", folder, url(service), *password, "--retry")
    assert (done.code, sent(service)) == (0, 8)
    assert all("fields" in row for row in rows(done))


def test_what_the_service_lost_is_sent_again(run: Command, service: Service, folder: Path) -> None:
    assert run("batch", folder, url(service)).code == 0
    gone, *_ = batches(service)
    service.client.delete(f"/batches/{gone['id']}")
    done = run("batch", folder, url(service))
    assert (done.code, sent(service)) == (0, 7)
    one = service.client.get(f"/batches/{batches(service)[0]['id']}/items").json()["items"][0]
    service.client.delete(f"/jobs/{one['job']}")
    codes = [
        row["error"]["code"] for row in rows(run("batch", folder, url(service))) if "error" in row
    ]
    assert codes == ["job_unknown"]
    assert run("batch", folder, url(service)).code == 0


def test_killed_client_goes_on_where_it_was(
    run: Command, service: Service, folder: Path, tmp_path: Path
) -> None:
    (folder / "1 slow.pdf").write_bytes(SLOW)
    state = tmp_path / "state file"
    arguments = ["batch", str(folder), url(service), "--state", str(state)]
    client = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: len(batches(service)) >= 2, "two batches")
    client.kill()
    out, _ = client.communicate()
    assert out == b""
    # It may have died before it noted the last answer: the service knows the request again.
    lines = state.read_text().splitlines(keepends=True)
    if '"batch"' in lines[-1]:
        state.write_text("".join(lines[:-1]))
    done = run(*arguments)
    assert (done.code, sent(service), len(rows(done))) == (0, 8, 8)
    hashes = [
        item["sha256"]
        for batch in batches(service)
        for item in service.client.get(f"/batches/{batch['id']}/items").json()["items"]
    ]
    assert len(set(hashes)) == len(hashes) == 8


def test_restart_of_the_service_is_waited_out(run: Command, service: Service, folder: Path) -> None:
    for name in ("0 slow.pdf", "1 slow.pdf"):
        (folder / name).write_bytes(SLOW + name.encode())
    client = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "batch", str(folder), url(service)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: len(batches(service)) >= 1, "a batch")
    service.child("api").kill()
    out, _ = client.communicate(timeout=200)
    assert client.returncode == 0
    assert len(out.splitlines()) == 9
    until(lambda: service.status("/livez") == 200, "the API to be back")
    assert sent(service) == 9


def test_what_was_accepted_unheard_is_found_however_late(
    run: Command, service: Service, folder: Path, tmp_path: Path
) -> None:
    """Of a request that broke off the service forgets the Idempotency-Key after a day."""
    first = run("batch", folder, url(service))
    (journal,) = (tmp_path / "state" / "fieldwright").iterdir()
    heard = [line for line in journal.read_text().splitlines() if "batch" not in json.loads(line)]
    journal.write_text("".join(f"{line}\n" for line in heard))
    with closing(sqlite3.connect(service.home / "jobs.db", timeout=30)) as connection:
        connection.execute("DELETE FROM idempotency_keys")
        connection.commit()
    again = run("batch", folder, url(service))
    assert (again.out, again.code) == (first.out, 0)
    assert (sent(service), len(batches(service))) == (7, 3)


@pytest.mark.parametrize("most", [MOST, MOST - 1])
def test_refusals_that_name_a_time_are_waited_out(
    run: Command, tmp_path: Path, folder: Path, most: int
) -> None:
    home = tmp_path / "guarded"
    database = Database(f"sqlite:///{home / 'jobs.db'}")
    database.migrate()
    _, key = Keys(database).create("client", ("extract", "read"), max_queued=most)
    (tmp_path / "key").write_text(f"{key}\n")
    with serving(home, batch_max_files=MOST) as guarded:
        refused = run("batch", folder, url(guarded))
        assert (refused.code, "Error:" in refused.err) == (2, True)
        assert "--key-file" in refused.err
        (tmp_path / "wrong").write_text("fw_0123456789_wrong\n")
        wrong = run("batch", folder, url(guarded), "--key-file", tmp_path / "wrong")
        assert (wrong.code, wrong.err.count("\n")) == (2, 1)
        done = run("batch", folder, url(guarded), "--key-file", tmp_path / "key")
        assert (done.code, len(rows(done))) == (0, 7)
        requests = guarded.events("request")
        posted = [e["status"] for e in requests if (e["method"], e["path"]) == ("POST", "/batches")]
        assert posted.count(202) == math.ceil(7 / most)
        assert set(posted) == {202, 429}
    database.close()


def test_a_service_that_starts_is_waited_for_as_long_as_patience_says(
    run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr("fieldwright_client.clients.time", SimpleNamespace(sleep=sleep))
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("fieldwright_client.requests.time", clock)
    done = run("batch", folder, "--url", f"http://127.0.0.1:{free_port()}", "--patience", "100")
    assert (done.code, done.out) == (3, "")
    assert 80 < now <= 110


def test_a_path_that_is_not_there_is_told_before_the_service_is_waited_for(run: Command) -> None:
    done = run("batch", "nowhere", "--url", f"http://127.0.0.1:{free_port()}", "--patience", 60)
    assert (done.code, done.err) == (2, "Error: nowhere does not exist. Check the path.\n")


@pytest.mark.parametrize("body", [b"{}", b"[]", b"3"])
def test_another_service_is_told(
    run: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    def answer(_: object, request: object) -> httpx.Response:
        return httpx.Response(200, content=body)

    monkeypatch.setattr("fieldwright_client.Client.send", answer)
    done = run("batch", folder, "--url", "http://127.0.0.1:9")
    assert (done.code, done.out) == (2, "")
    assert "is not this service" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["--url", f"http://127.0.0.1:{free_port()}", "--patience", "0"], 3, "answer"),
        pytest.param(["--url", "ftp://127.0.0.1"], 2, "address"),
        pytest.param(["--url", "nonsense"], 2, "address"),
        pytest.param(["--model", "none"], 2, "none"),
        pytest.param(["--pages", "one"], 2, "range"),
        pytest.param(["--format", "json"], 2, "format"),
        pytest.param(["--key-file", "missing"], 2, "cannot be read"),
        pytest.param(["--state", "."], 2, "state"),
    ],
)
def test_what_cannot_work_is_one_line(
    run: Command, service: Service, folder: Path, arguments: list[str], code: int, said: str
) -> None:
    address = [] if "--url" in arguments else [url(service)]
    done = run("batch", folder, *address, *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "Traceback" not in done.err
    assert sent(service) == 0
