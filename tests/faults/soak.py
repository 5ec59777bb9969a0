"""The soak: documents through Redis and two workers of each queue while everything breaks.

    python -m tests.faults.soak --documents 1000 --minutes 10
    python -m tests.faults.soak --documents 200 --minutes 5 --objects --power-cuts 10

Workers, the API and Redis are killed, frozen and emptied at random; at the end the queue is
drained and every document is accounted for. Exits with 1 where one was lost or done twice.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.builders import make_receipt, receipt_pdf
from tests.faults.chaos import Chaos
from tests.faults.counts import Counts
from tests.faults.topology import Topology, topology
from tests.patience import PATIENCE
from tests.servers import ObjectStoreServer, PostgresServer, RedisServer, running_postgres
from tests.service import digest

log = logging.getLogger("soak")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a soak ended.

    Attributes:
        counts: what became of the documents.
        drained: whether every job ended and the webhook was told of it, before patience ended.
        misfortunes: how often each happened.
        reasons: codes of the jobs that failed.
        seconds: from the first document to the last answer.
    """

    counts: Counts
    drained: bool
    misfortunes: Counter[str]
    reasons: Counter[str]
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether nothing was lost, doubled or left undone."""
        return self.drained and self.counts.sound


class Client(threading.Thread):
    """Sends documents one after the other, each until the service names its job.

    A request that breaks off is sent again with the same Idempotency-Key, as clients are told to.

    Args:
        topology: where to.
        documents: their bytes, each a document of its own.
        interval: seconds from one document to the next.
    """

    def __init__(self, topology: Topology, documents: Sequence[bytes], interval: float) -> None:
        super().__init__(name="client", daemon=True)
        self.topology = topology
        self.retries = 0
        self.refusal = ""
        self._documents = documents
        self._interval = interval

    def run(self) -> None:
        """Send all."""
        due = time.monotonic()
        for document in self._documents:
            if self.refusal:
                return
            self._send(document)
            due += self._interval
            time.sleep(max(0.0, due - time.monotonic()))

    def _send(self, data: bytes) -> None:
        headers = {"Idempotency-Key": digest(data)}
        while True:
            try:
                response = self.topology.post(data, headers=headers, wait=0)
            except httpx.TransportError:
                pass  # the API is gone; what it did with the request, nobody knows
            else:
                if response.status_code in (200, 202):
                    return
                if response.status_code not in (409, 429, 503):
                    self.refusal = f"{response.status_code}: {response.text}"
                    return
            self.retries += 1
            time.sleep(0.5)


def invented(number: int, seed: int = 0) -> list[bytes]:
    """Return documents that are in no other soak of another seed."""
    first = 10_000 * (seed + 1)
    return [receipt_pdf(make_receipt(first + place)) for place in range(number)]


def soak(
    running: Topology,
    *,
    documents: Sequence[bytes],
    seconds: float,
    seed: int = 0,
    postgres: PostgresServer | None = None,
    objects: ObjectStoreServer | None = None,
    power_cuts: int = 0,
) -> Outcome:
    """Send documents through a topology in which everything breaks; drain it and count.

    Args:
        running: started, with any number of workers.
        documents: are sent, spread over nine tenths of the time.
        seconds: how long things break.
        seed: of what breaks when.
        postgres: the server of the job store, where that is to break, too.
        objects: the store of the documents, likewise.
        power_cuts: instead, everything is killed at once so often, whatever the time.
    """
    began = time.monotonic()
    client = Client(running, documents, 0.9 * seconds / len(documents))
    pause = min(5.0, 0.02 * seconds), min(15.0, 0.06 * seconds)
    chaos = Chaos(running, seed=seed, pause=pause, postgres=postgres, objects=objects)
    client.start()
    if power_cuts:
        chaos.cut_power(power_cuts)
    else:
        chaos.reign(seconds)
    client.join()
    assert not client.refusal, client.refusal
    drained = True
    try:
        running.drain(patience=max(PATIENCE, seconds))
    except AssertionError as error:
        log.error("%s", error)
        drained = False
    counts = running.counts()
    jobs = (running.job(job_id) for ids in running.ledger.acknowledged.values() for job_id in ids)
    reasons = Counter(job["error"]["code"] for job in jobs if job["state"] == "failed")
    log.info("requests sent again: %d", client.retries)
    return Outcome(counts, drained, chaos.done, reasons, time.monotonic() - began)


def main() -> int:
    """Run the soak of the command line; return the exit status."""
    parser = argparse.ArgumentParser(description="Loses no document while everything breaks.")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--copies", type=int, default=2, help="workers of each queue")
    parser.add_argument("--seed", type=int, default=0, help="of what breaks when")
    parser.add_argument("--objects", action="store_true", help="documents in an object store")
    parser.add_argument(
        "--power-cuts", type=int, default=0, help="kill everything at once so often instead"
    )
    parser.add_argument("--folder", type=Path, help="new folder for all files, which are kept")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with contextlib.ExitStack() as stack:
        place = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        durable = {"fsync": "on"} if options.power_cuts else {}
        postgres = stack.enter_context(running_postgres(**durable))
        redis = RedisServer(place / "redis").start()
        stack.callback(redis.stop)
        url, home = postgres.new_database(), place / "home"
        objects, settings = None, {}
        if options.objects:
            objects = ObjectStoreServer(place / "objects").start()
            stack.callback(objects.kill9)
            os.environ.update(objects.environment)
            settings["blob_url"] = "s3://tests/soak"
        running = stack.enter_context(topology(home, redis, url, copies=options.copies, **settings))
        log.info("all is running; %d documents to come", options.documents)
        outcome = soak(
            running,
            documents=invented(options.documents, options.seed),
            seconds=60.0 * options.minutes,
            seed=options.seed,
            postgres=postgres if options.power_cuts else None,
            objects=objects,
            power_cuts=options.power_cuts,
        )
        for row in running.unfinished():
            log.error("never ended: %s", row)
    for name, times in sorted(outcome.misfortunes.items()):
        log.info("%s: %d times", name, times)
    for code, times in sorted(outcome.reasons.items()):
        log.info("failed with %s: %d", code, times)
    log.info("%s, in %.0f seconds", outcome.counts, outcome.seconds)
    return 0 if outcome.sound else 1


if __name__ == "__main__":
    sys.exit(main())
