"""One key cannot have all threads of the API."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pikepdf

from app.edge.turns import MOST_OF_ONE
from tests.app.conftest import Guarded
from tests.builders import receipt_pdf
from tests.patience import until

ALL_THREADS = 40
LARGE = 15_000_000  # bytes, more than connections hold while nobody reads


def test_a_key_whose_requests_take_long_leaves_threads_to_others(guarded: Guarded) -> None:
    client = guarded.service.client
    names = [f"N{number}" for number in range(ALL_THREADS + 10)]

    def begin(name: str) -> int:
        sent = client.post("/datasets", json={"name": name}, headers=guarded.headers("admin"))
        return sent.status_code

    with ThreadPoolExecutor(len(names)) as pool:
        with guarded.keys.database.writing():  # each of them waits in its thread for this to end
            waiting = [pool.submit(begin, name) for name in names]
            time.sleep(1)
            looked = client.get("/jobs", headers=guarded.headers("b"))
            answered = sum(one.done() for one in waiting)
        assert looked.status_code == 200
        assert answered <= MOST_OF_ONE
        assert {one.result() for one in waiting} <= {201, 503}


def large_pdf() -> bytes:
    saved = BytesIO()
    with pikepdf.open(BytesIO(receipt_pdf())) as pdf:
        pdf.Root.Ballast = pdf.make_stream(os.urandom(LARGE))
        pdf.save(saved)
    return saved.getvalue()


def dataset_of(guarded: Guarded, key: str, document: bytes) -> str:
    """Return the address of the export of a new dataset with one document."""
    client, headers = guarded.service.client, guarded.headers(key)
    made = client.post("/datasets", json={"name": "exported"}, headers=headers).json()["id"]
    files = [("files", ("a.pdf", document))]
    added = client.post(f"/datasets/{made}/documents", files=files, headers=headers)
    assert added.status_code == 202, added.text

    def read() -> bool:
        found = client.get(f"/datasets/{made}/documents", headers=headers).json()["documents"]
        return found[0]["state"] != "reading"

    until(read, "the document to be read")
    return f"/datasets/{made}/export"


def test_a_key_has_two_exports_at_a_time_until_they_are_read(guarded: Guarded) -> None:
    client, a, b = guarded.service.client, guarded.headers("a"), guarded.headers("b")
    large = dataset_of(guarded, "a", large_pdf())
    small = dataset_of(guarded, "b", receipt_pdf())
    with ThreadPoolExecutor(1) as pool:
        with client.stream("GET", large, headers=a), client.stream("GET", large, headers=a):
            third = pool.submit(client.get, large, headers=a)
            time.sleep(1)
            assert not third.done()
            assert client.get(small, headers=b).status_code == 200
            assert client.get("/jobs", headers=a).status_code == 200
        answer = third.result()
    assert answer.status_code == 200
    assert len(answer.content) > LARGE
