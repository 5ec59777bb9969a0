"""Batches over HTTP: one request for many documents, on a running service."""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.app.test_extract_route import check_problem
from tests.archives import zip_of
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf
from tests.packages import RECEIPT_FIELDS
from tests.service import Service, digest, serving, until

GOOD = [receipt_pdf(make_receipt(seed)) for seed in range(4)]
LOCKED = encrypted_pdf(receipt_pdf(make_receipt(7)), "geheim")
SLOW = receipt_pdf(make_receipt(99), pages=3)
MOST = 320


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(
        Path(tmp_path_factory.mktemp("batches")),
        max_bytes=200_000,
        batch_max_files=MOST,
        batch_max_bytes=30_000_000,
        slow_upload_s=30,
        fault=f"in_read@{digest(SLOW)}:sleep:1",
    ) as running:
        yield running


def send(service: Service, *files: tuple[str, bytes], **form: str) -> dict[str, Any]:
    """Post a batch and return it as accepted."""
    response = service.client.post("/batches", files=[("files", f) for f in files], data=form)
    assert response.status_code == 202, response.text
    batch: dict[str, Any] = response.json()
    assert response.headers["location"] == batch["links"]["self"] == f"/batches/{batch['id']}"
    return batch


def finished(service: Service, batch_id: str) -> dict[str, Any]:
    """Return a batch once all its documents have ended."""

    def look() -> dict[str, Any] | None:
        batch: dict[str, Any] = service.client.get(f"/batches/{batch_id}").json()
        return batch if batch["finished"] else None

    batch: dict[str, Any] = until(look, "the batch's end")
    return batch


def items(service: Service, batch_id: str, **query: object) -> list[dict[str, Any]]:
    """Return all items of a batch, page by page."""
    found: list[dict[str, Any]] = []
    parameters = {name: str(value) for name, value in query.items()}
    while True:
        page = service.client.get(f"/batches/{batch_id}/items", params=parameters).json()
        found += page["items"]
        if page["next"] is None:
            return found
        parameters["cursor"] = page["next"]


def lines(service: Service, batch_id: str) -> list[dict[str, Any]]:
    response = service.client.get(f"/batches/{batch_id}/results")
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


def stored(service: Service) -> int:
    return len([path for path in (service.home / "blobs").rglob("*") if path.is_file()])


def test_bad_documents_are_items_among_good_ones(service: Service) -> None:
    batch = send(
        service,
        ("a.pdf", GOOD[0]),
        ("notes.txt", b"only words"),
        ("../../etc/a.pdf", GOOD[1]),
        ("empty.pdf", b""),
        ("large.pdf", GOOD[0] + bytes(200_000)),
        ("locked.pdf", LOCKED),
        name="May/\u202e2026",
    )
    assert (batch["total"], batch["counts"]["refused"], batch["name"]) == (6, 3, "2026")
    batch = finished(service, batch["id"])
    assert {state: n for state, n in batch["counts"].items() if n} == {
        "succeeded": 2,
        "failed": 1,
        "refused": 3,
    }
    assert batch["errors"] == {
        "document_empty": 1,
        "file_too_large": 1,
        "pdf_encrypted": 1,
        "unsupported_media_type": 1,
    }
    assert (batch["done"], batch["ended"], batch["seconds_left"]) == (1.0, 6, None)
    found = items(service, batch["id"], limit=4)
    names = ["a.pdf", "notes.txt", "a (2).pdf", "empty.pdf", "large.pdf", "locked.pdf"]
    assert [item["document"] for item in found] == names
    assert [item["number"] for item in found] == [1, 2, 3, 4, 5, 6]
    assert found[1]["job"] is None
    assert found[1]["error"]["advice"]
    job = service.job(found[2]["job"])
    assert (job["state"], job["document"], job["priority"]) == ("succeeded", "a (2).pdf", "batch")
    failed = items(service, batch["id"], state="failed")
    assert [item["number"] for item in failed] == [6]


def test_results_come_in_order_as_lines_and_as_a_table(service: Service) -> None:
    sent = [("a.pdf", GOOD[0]), ("=b.txt", b"words"), ("c.pdf", GOOD[1])]
    batch = finished(service, send(service, *sent)["id"])
    rows = lines(service, batch["id"])
    assert [row["document"] for row in rows] == ["a.pdf", "=b.txt", "c.pdf"]
    assert [row["sha256"] for row in rows] == [digest(data) for _, data in sent]
    assert set(rows[0]["fields"]) == {spec.name for spec in RECEIPT_FIELDS}
    assert rows[0]["source"]["sha256"] == digest(GOOD[0])
    assert rows[0]["id"] == items(service, batch["id"])[0]["job"]
    assert rows[1]["error"]["code"] == "unsupported_media_type"
    response = service.client.get(f"/batches/{batch['id']}/results", params={"format": "csv"})
    assert response.headers["content-type"].startswith("text/csv")
    assert "attachment" in response.headers["content-disposition"]
    table = list(csv.DictReader(io.StringIO(response.text, newline="")))
    assert [row["document"] for row in table] == ["a.pdf", "'=b.txt", "c.pdf"]
    assert {"total", "total_currency", "total_confidence", "error"} <= set(table[0])


def test_id_in_other_digits_is_the_same_batch(service: Service) -> None:
    batch_id = send(service, ("a.pdf", GOOD[0]))["id"]
    finished(service, batch_id)
    odd = "".join(chr(0x660 + int(mark)) if mark.isdigit() else mark for mark in batch_id)
    response = service.client.get(f"/batches/{odd}/results")
    assert response.status_code == 200, response.text
    assert batch_id[:8] in response.headers["content-disposition"]


def test_unfinished_documents_say_so_in_the_results(service: Service) -> None:
    batch = send(service, ("slow.pdf", SLOW), ("a.pdf", GOOD[0]))
    assert lines(service, batch["id"])[0]["error"]["code"] == "job_not_finished"
    finished(service, batch["id"])
    assert "fields" in lines(service, batch["id"])[0]


def test_archive_of_300_documents(service: Service) -> None:
    before = stored(service)
    entries = [(f"receipts/{n:03}.pdf", GOOD[n % 4]) for n in range(300)]
    batch = send(service, ("all.zip", zip_of(entries)), ("last.pdf", GOOD[2]))
    found = items(service, batch["id"])
    assert [item["document"] for item in found[:300]] == [f"{n:03}.pdf" for n in range(300)]
    assert [item["sha256"] for item in found[:300]] == [digest(GOOD[n % 4]) for n in range(300)]
    assert len({item["job"] for item in found}) == 301
    assert service.client.delete(f"/batches/{batch['id']}").status_code in (202, 204)
    until(lambda: stored(service) == before, "the files to go")


def test_archive_holds_documents_and_other_things(service: Service) -> None:
    entries = [(f"May/{n:02}.pdf", GOOD[n % 4]) for n in range(12)]
    entries += [("__MACOSX/May/._00.pdf", b"x"), (".DS_Store", b"x"), ("June/00.pdf", GOOD[1])]
    inner = zip_of([("x.pdf", GOOD[0])])
    entries += [("inner.zip", inner), ("word.docx", zip_of([("[Content_Types].xml", b"x")]))]
    batch = send(service, ("all.zip", zip_of(entries)), ("last.pdf", GOOD[2]), pages="1")
    assert (batch["total"], batch["skipped"]) == (16, ["._00.pdf", ".DS_Store"])
    batch = finished(service, batch["id"])
    assert batch["counts"]["succeeded"] == 14
    assert batch["errors"] == {"unsupported_media_type": 2}
    rows = lines(service, batch["id"])
    names = [*(f"{n:02}.pdf" for n in range(12)), "00 (2).pdf", "inner.zip", "word.docx"]
    assert [row["document"] for row in rows] == [*names, "last.pdf"]
    assert [row["sha256"] for row in rows[:12]] == [digest(GOOD[n % 4]) for n in range(12)]
    assert len({row["id"] for row in rows if "id" in row}) == 14


def test_unsafe_archive_refuses_all_and_leaves_nothing(service: Service) -> None:
    before = stored(service), service.client.get("/batches").json()["batches"]
    unsafe = zip_of([("a.pdf", GOOD[0]), ("../b.pdf", GOOD[1])])
    files = [("files", ("good.pdf", GOOD[2])), ("files", ("bad.zip", unsafe))]
    refused = service.client.post("/batches", files=files)
    check_problem(refused, 422, "archive_unsafe")
    assert "bad.zip: " in refused.json()["detail"]  # which of them it is
    assert (stored(service), service.client.get("/batches").json()["batches"]) == before


def test_damaged_archive_is_an_item_and_so_are_its_damaged_entries(service: Service) -> None:
    cut = zip_of([("a.pdf", GOOD[0])])[:-30]
    entry = zip_of([("a.pdf", GOOD[0]), ("b.pdf", GOOD[1])], packed=False).replace(
        GOOD[0][20:60], bytes(40), 1
    )
    batch = finished(service, send(service, ("cut.zip", cut), ("entry.zip", entry))["id"])
    found = items(service, batch["id"])
    assert [item["document"] for item in found] == ["cut.zip", "a.pdf", "b.pdf"]
    assert [item["state"] for item in found] == ["refused", "refused", "succeeded"]
    assert batch["errors"] == {"archive_corrupt": 1, "document_corrupt": 1}


@pytest.mark.parametrize(
    ("files", "form", "status", "code"),
    [
        pytest.param([], {}, 422, "option_invalid", id="no_document"),
        pytest.param(
            [("a.zip", zip_of([(".x", b"x")]))], {}, 422, "option_invalid", id="only_junk"
        ),
        pytest.param([("a.pdf", GOOD[0])], {"model": "none"}, 404, "model_unknown", id="model"),
        pytest.param([("a.pdf", GOOD[0])], {"ocr": "perhaps"}, 422, "option_invalid", id="option"),
        pytest.param([("a.pdf", GOOD[0])], {"pages": "x"}, 400, "page_range_invalid", id="pages"),
        pytest.param(
            [(f"{n}.pdf", b"%PDF-") for n in range(MOST + 1)],
            {},
            413,
            "batch_too_large",
            id="files",
        ),
        pytest.param([("a.zip", bytes(31_000_000))], {}, 413, "batch_too_large", id="bytes"),
    ],
)
def test_batches_that_are_refused(
    service: Service,
    files: list[tuple[str, bytes]],
    form: dict[str, str],
    status: int,
    code: str,
) -> None:
    before = stored(service)
    parts: Any = [("files", file) for file in files] or {"name": (None, "1")}
    check_problem(service.client.post("/batches", files=parts, data=form), status, code)
    assert stored(service) == before


@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        pytest.param("application/json", b"{}", 422, id="json"),
        pytest.param("multipart/form-data", b"--x", 400, id="no_boundary"),
        pytest.param("multipart/form-data; boundary=x", b"nothing of the kind", 400, id="no_parts"),
        pytest.param(
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n1\r\n'
            b"--x--\r\n",
            422,
            id="another_field",
        ),
        pytest.param(
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="model"\r\n\r\n'
            + bytes(70_000)
            + b"\r\n--x--\r\n",
            400,
            id="long_field",
        ),
        pytest.param(
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="m"\r\n\r\n1\r\n' * 60 + b"--x--\r\n",
            400,
            id="many_fields",
        ),
        pytest.param(
            "multipart/form-data; boundary=x", b"--x\r\n\r\n1\r\n--x--\r\n", 400, id="no_name"
        ),
        pytest.param("multipart/form-data; boundary=x", b"--x\r\n" + b"A" * 9000, 400, id="header"),
    ],
)
def test_forms_that_cannot_be_read(
    service: Service, content_type: str, body: bytes, status: int
) -> None:
    headers = {"content-type": content_type}
    response = service.client.post("/batches", content=body, headers=headers)
    assert response.status_code == status
    assert response.json()["code"] in ("request_malformed", "request_invalid")


@pytest.mark.parametrize("path", ["/batches", "/batches/{}/retry", "/datasets/{}/documents"])
def test_unknown_fields_of_forms_are_refused(service: Service, path: str) -> None:
    before = stored(service)
    fields = {"files": ("a.pdf", GOOD[0]), "modle": (None, "invoices")}
    response = service.client.post(path.format(uuid.uuid4()), files=fields)
    check_problem(response, 422, "request_invalid")
    what = {fault["where"]: fault["what"] for fault in response.json()["errors"]}
    assert what["body.modle"].startswith("Extra inputs are not permitted")
    assert stored(service) == before


def test_batch_of_refused_documents_alone_has_an_end(service: Service) -> None:
    batch = send(service, ("no.txt", b"words"))
    assert batch["finished"]
    assert batch["finished_at"] == batch["created_at"]


def test_only_failed_documents_are_tried_again(service: Service) -> None:
    batch = send(service, ("a.pdf", GOOD[0]), ("locked.pdf", LOCKED), ("x.txt", b"words"))
    finished(service, batch["id"])
    before = items(service, batch["id"])
    path = f"/batches/{batch['id']}/retry"
    response = service.client.post(path, data={"password": "geheim"})
    assert (response.status_code, response.json()["retried"]) == (202, 1)
    batch = finished(service, batch["id"])
    assert (batch["counts"]["succeeded"], batch["counts"]["refused"]) == (2, 1)
    after = items(service, batch["id"])
    assert [item["job"] for item in after] == [item["job"] for item in before]
    assert (
        service.job(before[0]["job"])["finished_at"] == service.job(after[0]["job"])["finished_at"]
    )
    assert (after[1]["state"], after[1]["error"]) == ("succeeded", None)
    assert service.job(after[1]["job"])["attempts"] == 1
    assert service.results(after[1]["job"]) == 1
    assert service.client.post(path).json()["retried"] == 0


def test_removed_batch_is_gone_with_its_documents(service: Service) -> None:
    before = stored(service)
    sent = ("no.txt", b"words"), ("a.pdf", GOOD[0]), ("b.pdf", GOOD[1])
    batch = finished(service, send(service, *sent)["id"])
    refused, *found = items(service, batch["id"])
    assert (refused["state"], refused["job"]) == ("refused", None)
    assert service.client.delete(f"/batches/{batch['id']}").status_code == 204
    assert stored(service) == before
    for path in ("", "/items", "/results"):
        check_problem(service.client.get(f"/batches/{batch['id']}{path}"), 404, "batch_unknown")
    check_problem(service.client.delete(f"/batches/{batch['id']}"), 404, "batch_unknown")
    for item in found:
        check_problem(service.client.get(f"/jobs/{item['job']}"), 404, "job_unknown")
        assert service.results(item["job"]) == 0


def test_removing_a_batch_stops_what_runs(service: Service) -> None:
    before = stored(service)
    batch = send(service, ("slow.pdf", SLOW), *((f"{n}.pdf", SLOW) for n in range(3)))
    until(lambda: items(service, batch["id"], state="running"), "a document to be read")
    running = items(service, batch["id"], state="running")
    response = service.client.delete(f"/batches/{batch['id']}")
    assert (response.status_code, response.json()) == (202, {"running": len(running)})
    for item in running:
        assert service.ended(item["job"])["state"] == "cancelled"
    until(lambda: stored(service) == before, "the files to go")


def test_removed_document_stays_as_an_item_without_its_name(service: Service) -> None:
    batch = finished(service, send(service, ("private.pdf", GOOD[0]), ("b.pdf", GOOD[1]))["id"])
    service.client.delete(f"/jobs/{items(service, batch['id'])[0]['job']}")
    first, _ = items(service, batch["id"])
    assert (first["state"], first["document"], first["job"]) == ("removed", "", None)
    assert lines(service, batch["id"])[0]["error"]["code"] == "job_unknown"
    assert finished(service, batch["id"])["counts"]["removed"] == 1


def test_batches_are_listed_by_pages(service: Service) -> None:
    ids = [send(service, (f"{n}.pdf", GOOD[n]))["id"] for n in range(3)][::-1]
    first = service.client.get("/v1/batches", params={"limit": 2}).json()
    assert [batch["id"] for batch in first["batches"]] == ids[:2]
    assert first["batches"][0]["links"]["self"] == f"/v1/batches/{ids[0]}"
    rest = service.client.get("/batches", params={"limit": 2, "cursor": first["next"]}).json()
    assert rest["batches"][0]["id"] == ids[2]
    for batch_id in ids:
        finished(service, batch_id)


@pytest.mark.parametrize("path", ["/batches", f"/batches/{uuid.UUID(int=1, version=4)}/items"])
@pytest.mark.parametrize("cursor", ["nonsense", "W10=", "WzEsMl0=", "WyJhIl0=", "WzFlOTldCg=="])
def test_cursor_of_others_is_refused(service: Service, path: str, cursor: str) -> None:
    response = service.client.get(path, params={"cursor": cursor})
    check_problem(response, 422, "option_invalid")


@pytest.mark.parametrize(
    "batch_id", [str(uuid.UUID(int=1, version=4)), "1", "..%2F..%2Fetc", "x" * 300]
)
def test_unknown_batch(service: Service, batch_id: str) -> None:
    for response in (
        service.client.get(f"/batches/{batch_id}"),
        service.client.post(f"/batches/{batch_id}/retry"),
        service.client.delete(f"/batches/{batch_id}"),
    ):
        assert (response.status_code, response.json()["code"]) in (
            (404, "batch_unknown"),
            (404, "not_found"),
            (405, "method_not_allowed"),
        )


def test_same_key_is_the_same_batch(service: Service) -> None:
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    files = [("files", (f"{n}.pdf", GOOD[n])) for n in range(3)]
    ids = {
        service.client.post("/batches", files=files, headers=headers).json()["id"] for _ in range(3)
    }
    assert len(ids) == 1
    response = service.client.post("/batches", files=files[:2], headers=headers)
    check_problem(response, 422, "idempotency_key_reused")
    (batch_id,) = ids
    assert finished(service, batch_id)["total"] == 3
    service.client.delete(f"/batches/{batch_id}")
    again = service.client.post("/batches", files=files, headers=headers)
    assert again.status_code == 202
    finished(service, again.json()["id"])


def test_password_in_the_address_is_refused(service: Service) -> None:
    files = [("files", ("a.pdf", LOCKED))]
    response = service.client.post("/batches", params={"password": "geheim"}, files=files)
    check_problem(response, 422, "option_invalid")


def test_memory_of_the_api_stays_flat(service: Service) -> None:
    api = service.child("api")
    parts = [("files", (f"{n}.pdf", GOOD[0] + bytes(180_000))) for n in range(150)]  # 27 MB
    service.client.delete(f"/batches/{send(service, ('a.pdf', GOOD[0]))['id']}")
    before = psutil.Process(api.pid).memory_info().rss
    response = service.client.post("/batches", files=parts)
    assert response.status_code == 202
    grown = psutil.Process(api.pid).memory_info().rss - before
    service.client.delete(f"/batches/{response.json()['id']}")
    assert grown < 15_000_000


def test_killed_while_accepting_nothing_or_all_is_there(tmp_path: Path) -> None:
    last = receipt_pdf(make_receipt(50))
    with serving(tmp_path, fault=f"after_spool@{digest(last)}:kill9:1") as service:
        files = [("files", (f"{n}.pdf", data)) for n, data in enumerate([*GOOD, last])]
        headers = {"Idempotency-Key": "one"}
        with pytest.raises(Exception, match=r"."):
            service.client.post("/batches", files=files, headers=headers)
        until(lambda: service.status("/livez") == 200, "the API to come back")
        assert service.client.get("/batches").json()["batches"] == []
        assert service.client.get("/jobs").json()["jobs"] == []
        response = service.client.post("/batches", files=files, headers=headers)
        assert finished(service, response.json()["id"])["counts"]["succeeded"] == 5
        assert len(service.client.get("/jobs").json()["jobs"]) == 5
