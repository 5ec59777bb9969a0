"""How soon the job of a killed worker runs again, with the default settings of production.

    python -m tests.faults.again [--times 3]

Of two taggers the one with a job in hand is killed, with all below it; what counts is the time
until the job is in hand again. Exits with 1 where that took more than 60 seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.service import paced
from tests.builders import make_receipt, receipt_pdf
from tests.faults.topology import Topology, topology
from tests.patience import until
from tests.servers import RedisServer, running_postgres
from tests.service import digest

log = logging.getLogger("again")

_MOST_S = 60.0


def seconds_until_again(running: Topology, data: bytes) -> float:
    """Kill the tagger of a document whose tagging hangs the first time; return the seconds."""
    job_id = running.post(data, wait=0).json()["id"]

    def starts() -> list[dict[str, Any]]:
        started = running.events("job started")
        return [e for e in started if (e["job"], e["stage"]) == (job_id, "tag")]

    def held() -> dict[str, Any] | None:
        rows = [row for row in running.unfinished() if row["id"] == job_id]
        return rows[0] if rows and rows[0]["worker"] else None

    running.at_fault("in_tag", data)
    worker = until(held, "the job to be tagged")["worker"]
    group = next(
        group
        for name, group in running.groups.items()
        if name.startswith("tag") and any(f"-{p.pid}-" in worker for p in group.family())
    )
    group.kill()
    killed = time.monotonic()
    until(lambda: len(starts()) > 1, "the job to be tagged again", 3 * _MOST_S)
    taken = time.monotonic() - killed
    until(lambda: running.job(job_id)["state"] == "succeeded", "the job to succeed")
    running.start_one(group.name)
    return taken


def main() -> int:
    """Tell the seconds; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    documents = [receipt_pdf(make_receipt(number)) for number in range(arguments.times)]
    fault = ",".join(f"in_tag@{digest(data)}:sleep:600:1" for data in documents)
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(running_postgres()).new_database()
        redis = RedisServer(place / "redis").start()
        stack.callback(redis.stop)
        running = stack.enter_context(
            topology(place / "home", redis, url, copies=2, fault=fault, **paced())
        )
        taken = [seconds_until_again(running, data) for data in documents]
    log.info("in hand again after %s seconds", ", ".join(f"{seconds:.1f}" for seconds in taken))
    return int(max(taken) > _MOST_S)


if __name__ == "__main__":
    sys.exit(main())
