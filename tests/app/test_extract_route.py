"""A document posted to the real service: its fields, its job, or its problem, as documented."""

from __future__ import annotations

import gzip
import re
import socket
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from pipeline.reading.einvoice import read_xml
from pipeline.result import Extraction
from tests.app.conftest import MAX_BYTES, SLOW
from tests.builders import (
    empty_pdf,
    encrypted_pdf,
    make_receipt,
    portfolio_pdf,
    receipt_pdf,
    receipt_png,
    scanned_pdf,
)
from tests.packages import RECEIPT_FIELDS
from tests.patience import until
from tests.pipeline.reading.einvoice.test_einvoice import UBL
from tests.service import Service

RECEIPT = make_receipt(1)
PDF = receipt_pdf(RECEIPT)
SECRET = "Käse-und-Brot-17"


@pytest.mark.ocr
def test_scan_is_answered_with_every_field(service: Service) -> None:
    response = service.post(receipt_png(RECEIPT), "scan.png", wait=60)
    assert response.status_code == 200, response.text
    answer = Extraction.model_validate_json(response.content)
    assert set(answer.fields) == {spec.name for spec in RECEIPT_FIELDS}
    assert answer.document.media_type == "image/png"
    assert answer.document.pages[0].text_source == "ocr"
    assert answer.document.word_count > 10
    assert set(answer.timings) == {"read", "tag", "resolve"}
    job = service.job(answer.id)
    assert (job["state"], job["stage"], job["document"]) == ("succeeded", "done", "scan.png")
    assert service.results(answer.id) == 1


def test_answer_names_the_default_model(service: Service) -> None:
    answer = service.post(PDF).json()
    assert (answer["model"]["name"], answer["model"]["version"]) == ("tiny", "0.0.1")
    assert service.post(PDF, model="tiny@0.0.1").json()["model"] == answer["model"]


def test_words_are_answered_where_they_are_asked_for(service: Service) -> None:
    answer = service.post(PDF, include="words").json()
    assert [word["text"] for word in answer["words"]] == RECEIPT.words
    assert len(answer["words"]) == answer["document"]["word_count"]
    for field in filter(None, answer["fields"].values()):
        at = answer["words"][field["words"][0]]
        assert at["page"] == field["page"]
        assert field["box"][:2] <= at["box"][:2] <= at["box"][2:] <= field["box"][2:]
    assert "words" not in service.post(PDF, cache="true").json()
    problem = service.post(PDF, include="letters")
    assert (problem.status_code, problem.json()["code"]) == (422, "request_invalid")


def test_content_decides_and_not_the_name(service: Service) -> None:
    answer = service.post(PDF, "photo.jpeg").json()
    assert answer["document"]["media_type"] == "application/pdf"


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_without_waiting_the_job_is_named(service: Service, prefix: str) -> None:
    files = {"file": ("a.pdf", PDF)}
    response = service.client.post(f"{prefix}/extract", files=files, data={"wait": "0"})
    assert response.status_code == 202
    assert response.headers["retry-after"].isdigit()
    address = response.headers["location"]
    assert address == f"{prefix}/jobs/{response.json()['id']}"
    job = service.client.get(address, params={"wait": 30}).json()
    assert job["state"] == "succeeded"
    result = service.client.get(job["links"]["result"])
    assert result.status_code == 200
    assert result.json()["id"] == job["id"]
    again = service.client.get(
        job["links"]["result"], headers={"If-None-Match": result.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    tag = result.headers["etag"]
    for named in (f"W/{tag}", f'"other", {tag}', f'"other",W/{tag}', "*"):
        again = service.client.get(job["links"]["result"], headers={"If-None-Match": named})
        assert again.status_code == 304, named
    other = service.client.get(job["links"]["result"], headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


def test_wait_that_runs_out_answers_with_the_same_job(service: Service) -> None:
    response = service.post(SLOW, wait=0.2)
    assert response.status_code == 202
    job_id = response.json()["id"]
    early = service.client.get(f"/jobs/{job_id}/result")
    assert (early.status_code, early.json()["code"]) == (409, "job_not_finished")
    assert early.headers["retry-after"] == "1"
    seen = until(lambda: (j := service.job(job_id))["pages_done"] and j, "a page")
    assert seen["pages_total"] == 3
    assert service.ended(job_id)["state"] == "succeeded"
    assert service.results(job_id) == 1


def test_options_may_stand_in_the_query(service: Service) -> None:
    response = service.client.post(
        "/extract?model=tiny&pages=2&wait=30", files={"file": ("a.pdf", receipt_pdf(pages=2))}
    )
    assert [page["number"] for page in response.json()["document"]["pages"]] == [2]


@pytest.mark.parametrize(("choice", "source"), [("auto", "text_layer"), ("never", "text_layer")])
def test_choice_of_ocr_reaches_the_reader(service: Service, choice: str, source: str) -> None:
    (page,) = service.post(PDF, ocr=choice).json()["document"]["pages"]
    assert (page["text_source"], page["reason"]) == (source, "text layer holds text")


def test_scan_without_ocr_is_an_empty_answer_with_a_warning(service: Service) -> None:
    answer = service.post(scanned_pdf(), ocr="never").json()
    assert answer["document"]["pages"][0]["text_source"] == "none"
    assert any("OCR is turned off" in warning for warning in answer["warnings"])


def test_engine_and_language_reach_the_reader(service: Service) -> None:
    problem = service.post(scanned_pdf(), engine="rapidocr", language="ara").json()
    assert (problem["status"], problem["code"]) == (422, "option_invalid")
    assert "the engine tesseract" in problem["advice"]


def test_password_opens_and_leaves_no_trace(service: Service) -> None:
    response = service.post(encrypted_pdf(PDF, SECRET), password=SECRET)
    assert response.status_code == 200, response.text

    def traces() -> list[Path]:
        files = [path for path in service.home.rglob("*") if path.is_file()]
        return [path for path in files if SECRET.encode() in _read(path)]

    until(lambda: not traces(), "the password to be removed, once the answer is kept")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # it went while we looked
        return b""


PROBLEMS = [
    pytest.param(b"plain words", {}, 415, "unsupported_media_type", id="text"),
    pytest.param(b"8BPS\x00\x01", {}, 415, "unsupported_media_type", id="photoshop"),
    pytest.param(b"", {}, 422, "document_empty", id="no_bytes"),
    pytest.param(b"%PDF-1.7\ngarbage", {}, 422, "document_corrupt", id="corrupt"),
    pytest.param(receipt_png()[:2000], {}, 422, "document_corrupt", id="truncated_png"),
    pytest.param(empty_pdf(), {}, 422, "document_empty", id="no_pages"),
    pytest.param(encrypted_pdf(PDF, "a"), {}, 422, "pdf_encrypted", id="encrypted"),
    pytest.param(
        encrypted_pdf(PDF, "a"), {"password": "b"}, 422, "pdf_password_wrong", id="wrong_password"
    ),
    pytest.param(receipt_pdf(pages=4), {}, 422, "too_many_pages", id="too_many_pages"),
    pytest.param(PDF, {"pages": "7"}, 400, "page_range_invalid", id="no_such_page"),
    pytest.param(PDF, {"pages": "one"}, 400, "page_range_invalid", id="page_words"),
    pytest.param(PDF, {"model": "nothing"}, 404, "model_unknown", id="unknown_model"),
    pytest.param(PDF, {"model": "tiny@9"}, 404, "model_unknown", id="unknown_version"),
    pytest.param(PDF, {"ocr": "maybe"}, 422, "request_invalid", id="unknown_choice_of_ocr"),
    pytest.param(PDF, {"engine": "typist"}, 422, "request_invalid", id="unknown_engine"),
    pytest.param(PDF, {"language": "English"}, 422, "option_invalid", id="no_language_code"),
    pytest.param(portfolio_pdf(), {}, 422, "pdf_portfolio", id="portfolio"),
    pytest.param(PDF, {"wait": "-1"}, 422, "request_invalid", id="negative_wait"),
    pytest.param(PDF, {"wait": "nan"}, 422, "request_invalid", id="wait_not_a_number"),
    pytest.param(b"x" * (MAX_BYTES + 1), {}, 415, "unsupported_media_type", id="no_document"),
    pytest.param(
        b"%PDF-1.7" + b"x" * MAX_BYTES, {}, 413, "file_too_large", id="file_over_the_limit"
    ),
]


@pytest.mark.parametrize(("data", "form", "status", "code"), PROBLEMS)
def test_errors_are_problems_with_a_code_and_advice(
    service: Service, data: bytes, form: dict[str, str], status: int, code: str
) -> None:
    response = service.post(data, **form)
    check_problem(response, status, code)


def check_problem(response: httpx.Response, status: int, code: str) -> None:
    """Check an error answer against RFC 9457 and the house."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert (problem["code"], problem["status"]) == (code, status)
    assert problem["type"] == f"urn:fieldwright:problem:{code}"
    assert problem["title"]
    assert problem["detail"]
    assert problem["advice"]
    assert problem["instance"].startswith("/")
    assert problem["request_id"] == response.headers["x-request-id"]
    for leak in ("Traceback", "sqlite", ".py", "/home", "/tmp"):
        assert leak not in response.text


def test_failed_job_keeps_its_problem(service: Service) -> None:
    job_id = service.submit(encrypted_pdf(PDF, "a"))
    job = service.ended(job_id)
    assert (job["state"], job["error"]["code"]) == ("failed", "pdf_encrypted")
    response = service.client.get(f"/jobs/{job_id}/result")
    check_problem(response, 422, "pdf_encrypted")
    assert response.json()["instance"] == f"/jobs/{job_id}"


def test_result_in_the_shape_of_azure(service: Service) -> None:
    job_id = service.submit(PDF)
    service.ended(job_id)
    ours = service.client.get(f"/jobs/{job_id}/result")
    response = service.client.get(f"/jobs/{job_id}/result", params={"format": "azure"})
    assert response.status_code == 200
    assert response.headers["etag"] != ours.headers["etag"]
    [document] = response.json()["analyzeResult"]["documents"]
    answered = {name for name, value in ours.json()["fields"].items() if value}
    assert len(document["fields"]) == len(answered) > 0
    again = service.client.get(
        f"/jobs/{job_id}/result",
        params={"format": "azure"},
        headers={"If-None-Match": response.headers["etag"]},
    )
    assert again.status_code == 304


def test_an_invoice_in_xml_is_answered_without_a_model_and_goes_out_as_cii(
    service: Service,
) -> None:
    files = {"file": ("invoice.xml", UBL)}
    response = service.client.post("/extract", files=files, data={"wait": "60"})
    assert response.status_code == 200, response.text
    answer = response.json()
    assert (answer["model"]["name"], answer["model"]["version"]) == ("einvoice", "1")
    total = answer["fields"]["invoice_total"]
    assert (total["source"], total["value"]["amount"], total["box"]) == ("embedded", "124.95", [])
    assert len(answer["groups"]["items"]) == 1
    result = service.client.get(f"/jobs/{answer['id']}/result", params={"format": "cii"})
    assert result.status_code == 200
    assert result.headers["content-type"].startswith("application/xml")
    assert result.headers["fieldwright-missing"] == "BT-55, BT-9"
    same = service.client.get(f"/jobs/{answer['id']}/result", params={"format": "facturx"})
    assert same.content == result.content
    again = read_xml(result.content, "a.xml")
    assert again is not None
    assert again.fields["invoice_total"] == "124.95"
    picture = service.client.get(f"/jobs/{answer['id']}/pages/1.png")
    check_problem(picture, 422, "document_corrupt")
    for name in ("einvoice@1", "einvoice"):
        schema = service.client.get(f"/models/{name}/schema")
        assert schema.status_code == 200
        assert (
            schema.json()["title"]
            == service.client.get("/models/einvoice@1/schema").json()["title"]
        )


def test_long_answers_become_e_invoices_a_few_at_a_time(service: Service) -> None:
    line = b"<a:InvoiceLine><b:LineExtensionAmount>1</b:LineExtensionAmount></a:InvoiceLine>"
    long = UBL.removesuffix(b"</Invoice>") + line * 2000 + b"</Invoice>"
    response = service.client.post("/extract", files={"file": ("long.xml", long)})
    assert response.status_code == 200, response.text
    path, begun = f"/jobs/{response.json()['id']}/result?format=cii", time.monotonic()

    def seconds(_: int) -> float:
        assert service.client.get(path).status_code == 200
        return time.monotonic() - begun

    with ThreadPoolExecutor(8) as pool:
        ended = list(pool.map(seconds, range(8)))
    assert min(ended) < max(ended) / 2  # all at once, they would end together, in much memory


def test_an_answer_that_is_no_invoice_does_not_become_one(service: Service) -> None:
    job_id = service.submit(PDF)
    service.ended(job_id)
    response = service.client.get(f"/jobs/{job_id}/result", params={"format": "cii"})
    check_problem(response, 422, "invoice_incomplete")
    assert "BT-1 " in response.json()["detail"]


def test_other_xml_is_refused_by_its_name(service: Service) -> None:
    files = {"file": ("a.xml", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')}
    check_problem(service.client.post("/extract", files=files), 415, "unsupported_media_type")


def test_password_in_the_address_is_refused(service: Service) -> None:
    response = service.client.post("/extract?password=hunter2", files={"file": ("a.pdf", PDF)})
    check_problem(response, 422, "option_invalid")
    assert "hunter2" not in service.log.read_text()


def test_advice_on_a_password_is_true_of_forms_and_of_json(service: Service) -> None:
    data = encrypted_pdf(PDF, SECRET)
    refused = service.client.post("/extract", json={"base64": b64encode(data).decode()})
    check_problem(refused, 422, "pdf_encrypted")
    assert "option `password`" in refused.json()["advice"]
    assert "form" not in refused.json()["advice"]


def test_unknown_fields_are_refused_with_those_that_there_are(service: Service) -> None:
    files = {"file": ("a.pdf", PDF), "modle": (None, "tiny"), "page": (None, "1")}
    response = service.client.post("/extract", files=files)
    check_problem(response, 422, "request_invalid")
    problem = response.json()
    assert [fault["where"] for fault in problem["errors"]] == ["body.modle", "body.page"]
    assert (
        "body.modle: Extra inputs are not permitted; allowed are file, model,"
        in (problem["detail"])
    )
    assert problem["errors"][0]["what"].endswith("wait, priority, cache")  # it is not cut


def test_call_without_a_file_says_what_is_missing(service: Service) -> None:
    response = service.client.post("/extract", data={"model": "tiny"})
    check_problem(response, 422, "request_invalid")
    assert response.json()["errors"][0]["where"] == "body.file"


def test_broken_multipart_is_the_clients_fault(service: Service) -> None:
    headers = {"content-type": "multipart/form-data"}
    check_problem(
        service.client.post("/extract", content=b"--x", headers=headers), 400, "request_malformed"
    )


FORM = {"content-type": "multipart/form-data; boundary=x"}
PART = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n' + PDF
WAIT = b'\r\n--x\r\nContent-Disposition: form-data; name="wait"\r\n\r\n0'


@pytest.mark.parametrize("end", [b"", b"\r\n", b"\r\n--x", b"\r\n--x-"])
def test_form_that_ends_in_the_middle_is_no_document(service: Service, end: bytes) -> None:
    """What a proxy or a program cut off is not read as if it were all."""
    response = service.client.post("/extract?wait=0", content=PART + end, headers=FORM)
    check_problem(response, 400, "request_malformed")
    assert "last boundary" in response.json()["detail"]
    whole = service.client.post("/extract?wait=0", content=PART + b"\r\n--x--", headers=FORM)
    assert whole.status_code == 202


def test_value_that_comes_twice_is_refused(service: Service) -> None:
    """One of the two would be lost without a word."""
    form = PART + 2 * WAIT + b"\r\n--x--"
    in_form = service.client.post("/extract", content=form, headers=FORM)
    in_query = service.client.get("/jobs?state=failed&state=queued")
    for response, where in ((in_form, "body.wait"), (in_query, "query.state")):
        check_problem(response, 422, "request_invalid")
        assert response.json()["errors"] == [{"where": where, "what": "Given more than once"}]


@pytest.mark.parametrize("path", ["/extract", "/datasets"])
def test_compressed_body_is_refused_in_so_many_words(service: Service, path: str) -> None:
    headers = {**FORM, "content-encoding": "gzip"}
    response = service.client.post(path, content=gzip.compress(PART), headers=headers)
    check_problem(response, 415, "unsupported_media_type")
    assert "Content-Encoding" in response.json()["detail"]
    plain = {**FORM, "content-encoding": "identity"}
    form = PART + WAIT + b"\r\n--x--"
    assert service.client.post("/extract", content=form, headers=plain).status_code == 202


def test_declared_length_is_refused_before_the_body_is_read(service: Service) -> None:
    with _socket(service) as connection:
        connection.sendall(
            b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n"
            b"Content-Type: multipart/form-data; boundary=x\r\n\r\n"
        )  # not one byte of the body follows
        assert _status(connection) == 413


def test_body_without_a_length_is_cut_at_the_limit(service: Service) -> None:
    def body() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-'
        for _ in range(8):
            yield b"x" * 65_536

    headers = {"content-type": "multipart/form-data; boundary=x"}
    response = service.client.post("/extract", content=body(), headers=headers)
    check_problem(response, 413, "file_too_large")


def test_upload_that_stalls_is_given_up(service: Service) -> None:
    with _socket(service) as connection:
        connection.sendall(
            b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n"
            b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        )
        assert _status(connection) == 408


@pytest.mark.parametrize(("piece", "status"), [(b"5\r\nxxxxx\r\n", 400), (b"80\r\n%s\r\n", 422)])
def test_body_in_thousands_of_tiny_pieces_is_refused(
    service: Service, piece: bytes, status: int
) -> None:
    """Larger ones are taken, and found to be no form."""
    with _socket(service) as connection:
        connection.sendall(
            b"POST /extract HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + piece.replace(b"%s", b"x" * 128) * 1200
            + b"0\r\n\r\n"
        )
        assert _status(connection) == status


def test_client_that_leaves_in_the_middle_leaves_no_job(service: Service) -> None:
    newest = service.client.get("/jobs", params={"limit": 1}).json()["jobs"]
    with _socket(service) as connection:
        connection.sendall(
            b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n"
            b"Content-Type: multipart/form-data; boundary=x\r\n\r\n"
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-1.4'
        )
    assert service.post(PDF).status_code == 200  # the service goes on
    jobs = service.client.get("/jobs", params={"limit": 2}).json()["jobs"]
    assert jobs[1:] == newest


def _socket(service: Service) -> socket.socket:
    url = service.client.base_url
    return socket.create_connection((url.host, url.port), timeout=30)


def _status(connection: socket.socket) -> int:
    head = b""
    while b"\r\n" not in head and (chunk := connection.recv(4096)):
        head += chunk
    match = re.match(rb"HTTP/1.1 (\d+)", head)
    assert match is not None, head
    return int(match[1])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("../../etc/passwd", "passwd", id="path"),
        pytest.param("C:\\scans\\a.pdf", "a.pdf", id="windows_path"),
        pytest.param("\u202egpj.exe", "gpj.exe", id="direction_mark"),
        pytest.param("x" * 300, "x" * 255, id="long"),
        pytest.param("-rf", "-rf", id="option"),
    ],
)
def test_file_names_are_shown_and_nothing_more(service: Service, name: str, shown: str) -> None:
    answer: dict[str, Any] = service.post(PDF, name).json()
    assert service.job(answer["id"])["document"] == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        pytest.param('filename="ü.pdf"', "ü.pdf", id="as_it_is"),
        pytest.param(
            "filename=\"=?utf-8?B?w7wucGRm?=\"; filename*=utf-8''%C3%BC.pdf", "ü.pdf", id="dotnet"
        ),
        pytest.param("filename*=UTF-8'de'%C3%BC%20x.pdf", "ü x.pdf", id="extended_alone"),
        pytest.param("filename*=utf-8''%2e%2e%2fa%0Ab.pdf", "ab.pdf", id="path"),
        pytest.param('filename="a%22b%0D%0Ac%41.pdf"', 'a"bc%41.pdf', id="browser"),
        pytest.param("filename=a.pdf; filename*=utf-99''%FC.pdf", "a.pdf", id="unknown_encoding"),
    ],
)
def test_names_are_read_as_clients_write_them(service: Service, written: str, shown: str) -> None:
    parts = [
        f'Content-Disposition: form-data; name="file"; {written}\r\n\r\n'.encode() + PDF,
        b'Content-Disposition: form-data; name="wait"\r\n\r\n0',
    ]
    body = b"".join(b"--x\r\n" + part + b"\r\n" for part in parts) + b"--x--\r\n"
    headers = {"content-type": "multipart/form-data; boundary=x"}
    response = service.client.post("/extract", content=body, headers=headers)
    assert response.status_code == 202, response.text
    assert service.job(response.json()["id"])["document"] == shown
