"""`fieldwright benchmark service`: how a running service does under load, as tables and marks."""

from __future__ import annotations

import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cli.measuring.requests import Measured, Overload, Plan, Target

_STARTING = 300.0  # seconds until a service of our own must be ready
_ANSWERING = 10.0  # seconds until another must have answered for the first time
# Marks: what a one-page PDF with a text layer may take, alone and beside others.
_MOST_MS, _MOST_TIMES_ALONE, _MOST_OVERHEAD_MS, _MOST_TIMES_IDLE = 250.0, 1.2, 10.0, 3.0


def service(
    url: Annotated[
        str, typer.Option(help="Of a running service; starts its own where empty.")
    ] = "",
    duration: Annotated[float, typer.Option(min=1, help="Seconds of each time under load.")] = 20.0,
    rate: Annotated[
        float, typer.Option(min=0, help="Requests a second of the overload; 0: twice the most.")
    ] = 0.0,
    requests: Annotated[int, typer.Option(min=1, help="Requests sent one by one.")] = 100,
    batch: Annotated[int, typer.Option(min=0, help="Scans queued beside; 0 leaves it out.")] = 500,
    workers: Annotated[int, typer.Option(min=1, help="Of the service of its own.")] = 1,
    model: Annotated[str | None, typer.Option(help="NAME or NAME@VERSION.")] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="File with an access key; or FIELDWRIGHT_API_KEY.")
    ] = None,
) -> None:
    """Measure a service: answers one by one, as many as it takes, twice as many, beside a batch.

    The load comes from this process, the service runs in its own. Beside each request that is
    sent alone, the same document is extracted in a process without a service: the difference is
    what the queue costs. All documents are invented.
    """
    from cli.measuring.requests import Plan, Target, measure, overload, patience_of
    from cli.shared.documents import text_in

    def say(text: str) -> None:
        typer.echo(text, err=True)

    plan = Plan(requests, duration, rate, batch)
    key = text_in(key_file).strip() if key_file else os.environ.get("FIELDWRIGHT_API_KEY")
    if url:
        target = Target(url.rstrip("/"), key=key, model=model)
        with _reached(target.url):
            found = measure(target, plan, say)
            flood = overload(target, plan, found, say)
    else:
        # As many threads for the service as for the same work without one.
        cores = len(os.sched_getaffinity(0))
        os.environ.setdefault("OMP_NUM_THREADS", str(max(1, cores // workers)))
        with own_service(workers, model) as target:
            found = measure(target, plan, say)
        with own_service(workers, model, max_queue_seconds=patience_of(plan)) as target:
            flood = overload(target, plan, found, say)
    for line in report(found, flood, plan):
        typer.echo(line)


@contextmanager
def _reached(url: str) -> Iterator[None]:
    """A context for measuring a service that somebody else has started, asked first if it is there.

    Raises:
        InvalidOption: no address.
        NotReady: it does not answer, now or later, or something else does.
    """
    import httpx

    from pipeline.errors import InvalidOption
    from store.errors import NotReady

    try:
        httpx.get(f"{url}/livez", timeout=_ANSWERING, trust_env=False).raise_for_status()
        yield
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise InvalidOption(
            f"{url!r} is no address of a service.",
            advice="Write addresses such as http://localhost:8000.",
        ) from error
    except httpx.HTTPError as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise NotReady(
            f"The service at {url} does not answer: {reason}.",
            advice="Check the address, and that the service runs.",
        ) from error


@contextmanager
def own_service(workers: int, model: str | None, **settings: float) -> Iterator[Target]:
    """Give a service that was started for this, in a home of its own.

    Args:
        workers: its worker processes.
        model: that is asked for.
        settings: of the service, in lower case.
    """
    from cli.measuring.requests import Target

    with tempfile.TemporaryDirectory() as home:
        shared = ("FIELDWRIGHT_DATABASE_URL", "FIELDWRIGHT_BROKER_URL")
        known = {name: value for name, value in os.environ.items() if name not in shared}
        known |= {f"FIELDWRIGHT_{name.upper()}": str(value) for name, value in settings.items()}
        known["FIELDWRIGHT_HOME"] = home
        models = Path(os.environ.get("FIELDWRIGHT_HOME", ".fieldwright")).absolute() / "models"
        if models.is_dir():
            (Path(home) / "models").symlink_to(models)
        log = Path(home) / "log"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "cli.main", "serve", "--port=0", f"--workers={workers}"],
                cwd=Path(__file__).resolve().parents[2],
                env=known,
                stderr=stream,
            )
        try:
            yield Target(_when_ready(process, log), (process.pid,), None, model)
        finally:
            process.terminate()
            process.wait()


def _when_ready(process: subprocess.Popen[bytes], log: Path) -> str:
    import httpx

    from store.errors import NotReady

    deadline = time.monotonic() + _STARTING
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"Serving on (http://\S+)", log.read_text("utf-8", "replace")):
            try:
                if httpx.get(f"{found[1]}/readyz", timeout=10, trust_env=False).is_success:
                    return found[1]
            except httpx.TransportError:
                pass
        time.sleep(0.2)
    last = log.read_text("utf-8", "replace").strip().splitlines()[-1:]
    raise NotReady(f"The service did not become ready: {' '.join(last)[:300]}")


def report(found: Measured, flood: Overload, plan: Plan) -> list[str]:
    """Return tables in Markdown, what became of the overload, and the marks."""
    from cli.measuring.load import Answer, percentile
    from cli.measuring.requests import good

    names = {"text": "PDF, one page, text layer", "scan": "scan, one page"}
    wide = max(map(len, names.values())) + len(" (in-process)")

    def row(name: str, seconds: list[float], rest: str, first: str = "") -> str:
        shown = "".join(f" {1000 * percentile(seconds, share):8.0f} |" for share in _SHARES)
        return f"| {name:{wide}} |{first}{shown} {rest} |"

    def failures(answers: list[Answer]) -> str:
        return f"{sum(answer.status != 200 for answer in answers)} of {len(answers)} failed"

    lines = [
        f"| {'one by one':{wide}} | p50 (ms) | p95 (ms) | p99 (ms) | |",
        f"|{'-' * (wide + 2)}|---------:|---------:|---------:|---|",
    ]
    for kind, pair in found.pairs.items():
        lines.append(row(f"{names[kind]} (in-process)", pair.alone, f"{len(pair.alone)} documents"))
        lines.append(row(names[kind], good(pair.served), failures(pair.served)))
    if found.beside:
        beside = f"{names['text'][:20]}.. beside {plan.batch} scans"
        lines.append(row(beside, good(found.beside), failures(found.beside)))
    lines += [
        "",
        f"| {'as much as it takes':{wide}} | documents/s | p50 (ms) | p95 (ms) | p99 (ms) | |",
        f"|{'-' * (wide + 2)}|-----------:|---------:|---------:|---------:|---|",
    ]
    for kind, (answers, seconds) in found.full.items():
        timed = good(answers)
        often = f" {len(timed) / seconds:11.2f} |"
        lines.append(row(names[kind], timed, failures(answers), often))
    return [*lines, "", *_overload(flood, plan), "", *_marks(found)]


_SHARES = (0.50, 0.95, 0.99)


def _overload(flood: Overload, plan: Plan) -> list[str]:
    from cli.measuring.load import percentile

    answers = flood.answers
    refused = [answer for answer in answers if answer.status in (429, 503)]
    told = sum(answer.retry_after is not None for answer in refused)
    statuses = Counter(str(answer.status or "broken") for answer in answers)
    slowest = 1000 * percentile([answer.seconds for answer in answers], 0.99)
    lost = flood.ends["lost"]
    return [
        f"Overload: {flood.rate:.1f} PDFs a second for {plan.duration:g} s, each waited "
        f"for 5 s: {_listed(statuses)}; p99 {slowest:.0f} ms.",
        f"{told} of {len(refused)} refusals say when to return. Accepted jobs: "
        f"{_listed(flood.ends)}; {lost} lost.",
    ]


def _listed(numbers: Counter[str]) -> str:
    return ", ".join(f"{number} x {name}" for name, number in sorted(numbers.items())) or "none"


def _marks(found: Measured) -> list[str]:
    """Return each mark and whether it is met; those that cannot be measured are left out."""
    from cli.measuring.load import percentile
    from cli.measuring.requests import good

    pair = found.pairs["text"]
    served = good(pair.served)
    median, alone = percentile(served, 0.5), percentile(pair.alone, 0.5)
    overhead = 1000 * (pair.served_cpu - pair.alone_cpu)
    of_batch = 1000 * _median(one.queued_cpu - one.crowded_cpu for one in found.rounds)
    marks = [
        ("p50 of a one-page text PDF, ms", 1000 * median, _MOST_MS),
        ("p50 of a one-page text PDF, times in-process", median / alone, _MOST_TIMES_ALONE),
        ("processor time of the queue a job, with HTTP, ms", overhead, _MOST_OVERHEAD_MS),
        ("processor time of the queue a job, in a batch, ms", of_batch, _MOST_OVERHEAD_MS),
        (
            "p95 beside a batch, times idle",
            percentile(good(found.beside), 0.95) / percentile(served, 0.95),
            _MOST_TIMES_IDLE,
        ),
    ]
    lines = [
        f"- {name}: {value:.2f} (at most {most:g}{'' if value <= most else ', MISSED'})"
        for name, value, most in marks
        if value == value  # NaN: not measured
    ]
    if pair.idle_cpu == pair.idle_cpu:
        lines.append(
            f"- processor time a text PDF: {1000 * pair.alone_cpu:.1f} ms in-process, "
            f"{1000 * pair.served_cpu:.1f} ms through the service, "
            f"in a batch {1000 * _median(one.crowded_cpu for one in found.rounds):.1f} and "
            f"{1000 * _median(one.queued_cpu for one in found.rounds):.1f} ms"
        )
        lines.append(f"- processor time of the idle service: {1000 * pair.idle_cpu:.1f} ms/s")
    return lines


def _median(values: Iterable[float]) -> float:
    return statistics.median([*values] or [math.nan])
