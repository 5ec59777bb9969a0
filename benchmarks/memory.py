"""Memory of a running service over many documents, as a Markdown table.

Usage: python -m benchmarks.memory [--documents 2000] [--images FOLDER --model receipts]
       python -m benchmarks.memory --models
       python -m benchmarks.memory --workers 4

A real `fieldwright serve` with one worker reads documents one after the other, and after each
twentieth of them the resident memory (RSS) of its processes is noted: the worker with the
processes that read for it, and the API. Without --images the documents are invented PDFs of one
page with a text layer, each another one, and the model is a tiny one; with --images they are the
pictures of a folder, over and over again, and the model is a real one.

With --models the worker answers an example for each of three models, which it then has in memory,
again and again. Its own process is noted apart from those that read for it, with its peak.

With --workers there are so many with the model `receipts`, idle after an example each. What
processes share is counted once, in equal parts (proportional set size); then one is killed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import psutil

from benchmarks.machine import machine, peak_bytes, pictures
from tests.patience import until
from tests.service import Service, serving
from training.invent.plain_receipts import text_pdf

_FOLDER = Path(__file__).resolve().parents[1] / "examples"
_EXAMPLES = {
    "receipts": _FOLDER / "receipt.png",
    "orders": _FOLDER / "order.pdf",
    "invoices": _FOLDER / "invoice.pdf",
}
_READY = "worker ready"


def documents(images: Path | None) -> Iterator[bytes]:
    """Yield documents without end."""
    if images is None:
        seed = 0
        while True:
            yield text_pdf(seed)
            seed += 1
    for path in cycle(pictures(images)):
        yield path.read_bytes()


def resident(process: psutil.Process) -> float:
    """Return the MiB that a process and all below it hold in memory."""
    total = 0
    for each in [process, *process.children(recursive=True)]:
        try:
            total += each.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total / 2**20


def with_models(service: Service, rounds: int) -> list[str]:
    """Return a table with a row for each model of the first round, and one for the last round."""
    lines = ["| answered | worker (MiB) | its peak | with readers |", "|---|---:|---:|---:|"]
    for number in range(1, rounds + 1):
        for model, example in _EXAMPLES.items():
            answer = service.post(example.read_bytes(), example.name, model=model, wait=60)
            if answer.status_code != 200:
                raise SystemExit(f"{model}: {answer.status_code} {answer.text[:300]}")
            worker = service.child("worker-0")
            if number == 1 or (number == rounds and example is list(_EXAMPLES.values())[-1]):
                own, peak = worker.memory_info().rss / 2**20, peak_bytes(worker.pid) / 2**20
                what = f"{model}, round {number}"
                lines.append(f"| {what} | {own:.0f} | {peak:.0f} | {resident(worker):.0f} |")
    return lines


def over_documents(service: Service, source: Iterator[bytes], number: int) -> list[str]:
    """Return a table with a row for each twentieth, and what was gained since the second row."""
    lines = ["| documents | worker and readers (MiB) | API (MiB) |", "|---:|---:|---:|"]
    seen: list[tuple[float, float]] = []
    step = max(1, number // 20)
    for done in range(1, number + 1):
        answer = service.post(next(source), wait=60)
        if answer.status_code != 200:
            raise SystemExit(f"document {done}: {answer.status_code} {answer.text[:300]}")
        if done % step == 0:
            worker, api = service.child("worker-0"), service.child("api")
            seen.append((resident(worker), resident(api)))
            lines.append(f"| {done} | {seen[-1][0]:.0f} | {seen[-1][1]:.0f} |")
            print(lines[-1], file=sys.stderr)
    # The first ones fill caches: what grows after them has no end.
    first = seen[min(1, len(seen) - 1)]
    gains = [last - begin for begin, last in zip(first, seen[-1], strict=True)]
    lines += ["", f"Gained since the second row: worker {gains[0]:+.1f} MiB, API {gains[1]:+.1f}."]
    return lines


def with_workers(service: Service, number: int, began: float) -> list[str]:
    """Return a table of all processes, and how long a start and the return of a worker take.

    Args:
        service: that has just been started.
        number: of its workers.
        began: when its start began, by `time.monotonic`.
    """
    until(lambda: len(service.events(_READY)) == number, "all workers to be ready")
    lines = [f"{number} workers ready after {time.monotonic() - began:.1f} s.", ""]
    example = _EXAMPLES["receipts"].read_bytes()
    for job in [service.submit(example) for _ in range(2 * number)]:
        service.ended(job)
    assert service.process is not None
    supervisor = psutil.Process(service.process.pid)
    kinds: dict[str, list[float]] = {}
    for process in [supervisor, *supervisor.children(recursive=True)]:
        kind = process.name().removeprefix("fw-").partition("-")[0]
        label = "supervisor" if process == supervisor else {"python": "reader"}.get(kind, kind)
        kinds.setdefault(label, []).append(process.memory_full_info().pss / 2**20)
    lines += ["| processes | number | MiB |", "|---|---:|---:|"]
    lines += [f"| {kind} | {len(found)} | {sum(found):.0f} |" for kind, found in kinds.items()]
    lines += [f"| all | | {sum(map(sum, kinds.values())):.0f} |", ""]
    began = time.monotonic()
    service.child("worker-0").kill()
    until(lambda: len(service.events(_READY)) > number, "the worker to be back")
    return [*lines, f"A killed worker is ready again after {time.monotonic() - began:.2f} s."]


def main() -> None:
    """Print the machine and the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--images", type=Path)
    parser.add_argument("--model", default="receipts", help="with --images")
    parser.add_argument("--models", action="store_true", help="three of them in one worker")
    parser.add_argument("--rounds", type=int, default=20, help="with --models")
    parser.add_argument("--workers", type=int, default=0, help="so many, idle")
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    about = machine()
    bundled = arguments.images or arguments.models or arguments.workers
    chosen = {"installed": True, **({"model": arguments.model} if bundled else {})}
    workers, began = arguments.workers, time.monotonic()
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), ready=not workers, workers=workers or 1, **chosen) as service,
    ):
        if workers:
            lines = with_workers(service, workers, began)
        elif arguments.models:
            lines = with_models(service, arguments.rounds)
        else:
            lines = over_documents(service, documents(arguments.images), arguments.documents)
    print(f"{about}.\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
