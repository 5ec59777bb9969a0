"""Clients that drop, dawdle and repeat themselves: no half job, and one job a key."""

from __future__ import annotations

import socket
import threading

import httpx
import pytest

from tests.builders import make_receipt, receipt_pdf
from tests.patience import until
from tests.service import Service

pytestmark = pytest.mark.slow

GOOD = receipt_pdf(make_receipt(20))


def begun(service: Service, share: float) -> socket.socket:
    """Return the connection of a client that has sent that share of its request."""
    request = service.client.build_request("POST", "/extract", files={"file": ("a.pdf", GOOD)})
    body = request.read()
    lines = [f"{name}: {value}" for name, value in request.headers.items()]
    head = "\r\n".join(["POST /extract HTTP/1.1", *lines, "", ""]).encode()
    connection = socket.create_connection((request.url.host, request.url.port or 80), timeout=60)
    connection.sendall(head + body[: int(share * len(body))])
    return connection


def newest(service: Service) -> list[str]:
    return [job["id"] for job in service.client.get("/jobs").json()["jobs"]]


def test_client_that_drops_leaves_nothing(embedded: Service) -> None:
    before = newest(embedded)
    begun(embedded, 0.5).close()
    assert embedded.post(GOOD).status_code == 200
    assert len(newest(embedded)) == len(before) + 1
    until(lambda: not list((embedded.home / "blobs" / "tmp").iterdir()), "the spool to be empty")


def test_upload_that_dawdles_is_given_up(embedded: Service) -> None:
    before = newest(embedded)
    with begun(embedded, 0.5) as connection:
        answer = connection.makefile("rb").readline()  # comes although nothing more is sent
    assert answer.split()[1] == b"408"
    assert newest(embedded) == before


def test_one_key_is_one_job_however_many_ask(embedded: Service) -> None:
    before = set(newest(embedded))
    answers: list[httpx.Response] = []
    headers = {"Idempotency-Key": "twenty at once"}

    def ask() -> None:
        answers.append(embedded.post(GOOD, headers=headers, wait=0))

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} <= {200, 202, 409}
    told = {answer.json()["id"] for answer in answers if answer.status_code < 300}
    assert len(told) == 1
    assert set(newest(embedded)) - before == told
    assert embedded.ended(told.pop())["state"] == "succeeded"
