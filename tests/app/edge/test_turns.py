"""One key cannot have all threads of the API."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from app.edge.turns import MOST_OF_ONE
from tests.app.conftest import Guarded

ALL_THREADS = 40


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
