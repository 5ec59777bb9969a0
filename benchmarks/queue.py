"""Processor time of the queue's own code a job: without HTTP, a broker, or a second process.

Usage: python -m benchmarks.queue [--jobs 120] [--postgres]

In one process each document is extracted once without the queue, and once submitted and served by
a worker of all stages; the difference is what the queue costs. The processes that read are not
counted on either side, and torch computes on one thread. Of PostgreSQL it is the client's side.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.machine import machine
from tests.servers import running_postgres
from training.invent.plain_receipts import text_pdf

_WARM = 20  # jobs that nobody counts


def measured(home: Path, database_url: str, jobs: int) -> str:
    """Return a line with the milliseconds of processor time, medians over the jobs."""
    import torch

    from app.intake import Submissions
    from pipeline.extract import Extractor
    from store.jobs import Jobs
    from store.settings import Settings
    from workers.worker import Worker

    torch.set_num_threads(1)  # a second one spins for a while after each document
    worker = Worker("benchmark", Jobs(Settings(home=home, database_url=database_url)))
    worker.jobs.prepare()
    if not worker.prepare():
        raise SystemExit("The worker did not become ready.")
    submissions = Submissions(worker.jobs, worker.registry)
    order = submissions.order()
    extractor = Extractor(worker.registry.resolve(None).path)
    alone, submitted, served = list[float](), list[float](), list[float]()
    for number in range(_WARM + jobs):
        data = text_pdf(number)
        started = time.process_time()
        extractor.extract(data)
        extracted = time.process_time()
        submissions.submit(io.BytesIO(data), order)
        accepted = time.process_time()
        if not worker.serve():
            raise SystemExit("The worker did not find the job.")
        alone.append(extracted - started)
        submitted.append(accepted - extracted)
        served.append(time.process_time() - accepted)
    worker.jobs.close()
    beyond = [a + b - c for a, b, c in zip(submitted, served, alone, strict=True)]
    shown = {"extract": alone, "submit": submitted, "serve": served, "queue": beyond}
    return ", ".join(f"{k} {1000 * statistics.median(v[_WARM:]):.1f}" for k, v in shown.items())


def main() -> None:
    """Print the machine and the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=120)
    parser.add_argument("--postgres", action="store_true", help="instead of SQLite")
    arguments = parser.parse_args()
    print(machine())
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = ""
        if arguments.postgres:
            url = stack.enter_context(running_postgres()).new_database()
        print(f"ms a job: {measured(home, url, arguments.jobs)}")


if __name__ == "__main__":
    main()
