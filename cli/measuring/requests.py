"""Measures a service under load, beside the same work without a service."""

from __future__ import annotations

import asyncio
import math
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection

from cli.measuring.load import Answer, Documents, Load, processor_seconds
from cli.shared.served import served
from training.invent.plain_receipts import scan_png, text_pdf

KINDS: dict[str, Documents] = {"text": text_pdf, "scan": scan_png}
_VARIANTS = {"text": 200, "scan": 20}
_WARM = 3  # documents before the measurement
_IDLE, _IDLES = 2.0, 5  # seconds that a service is watched without work, and how often
_CLIENTS = 8
_ROUNDS = 5  # batches whose processor time is taken


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured.

    Attributes:
        requests: PDFs with a text layer sent one by one; of scans a fifth as many.
        duration: seconds of each time under load.
        rate: requests a second of the overload; 0 for twice as many as were answered at most.
        batch: scans that are queued while another client sends documents; 0 for none.
    """

    requests: int
    duration: float
    rate: float
    batch: int


@dataclass(frozen=True, slots=True)
class Target:
    """A service under load.

    Attributes:
        url: of the service.
        processes: whose processor time is counted, with all below them; none where unknown.
        key: access key.
        model: that answers.
    """

    url: str
    processes: tuple[int, ...] = ()
    key: str | None = None
    model: str | None = None

    def taken(self) -> float:
        """Return the processor seconds that it has taken so far; NaN where that is unknown."""
        return sum(map(processor_seconds, self.processes)) if self.processes else math.nan


@dataclass(frozen=True, slots=True)
class Pair:
    """The same documents without a service and through it, in alternation.

    Attributes:
        alone: seconds of each in-process.
        served: answers of the service.
        alone_cpu, served_cpu: processor seconds a document; NaN where they cannot be known.
        idle_cpu: processor seconds that the service takes in a second without work.
    """

    alone: list[float]
    served: list[Answer]
    alone_cpu: float
    served_cpu: float
    idle_cpu: float


@dataclass(frozen=True, slots=True)
class Round:
    """The same documents without a service, all at once, and through it in one batch.

    Attributes:
        crowded_cpu: processor seconds a document in-process, with as many processes at once as
            there are cores: two that compute at the same time take longer each.
        queued_cpu: of the service, for a batch of them, without what it takes when idle.
    """

    crowded_cpu: float
    queued_cpu: float


@dataclass(frozen=True, slots=True)
class Overload:
    """More requests than a service can answer: their rate, the answers, how accepted jobs ended."""

    rate: float
    answers: list[Answer]
    ends: Counter[str]


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was measured.

    Attributes:
        pairs: one by one, by kind of document.
        rounds: batches of text PDFs; none where the service's processor time cannot be known.
        full: answers and seconds under as much load as it takes, by kind.
        beside: answers to text PDFs while a batch of scans was queued.
    """

    pairs: dict[str, Pair]
    rounds: list[Round]
    full: dict[str, tuple[list[Answer], float]]
    beside: list[Answer]


def measure(target: Target, plan: Plan, say: Callable[[str], None]) -> Measured:
    """Put a service under the load of a plan, except for the overload.

    Args:
        target: the service.
        plan: what is measured.
        say: called with what is done next, in words.
    """
    return asyncio.run(_measure(target, plan, say))


def overload(
    target: Target, plan: Plan, measured: Measured, say: Callable[[str], None]
) -> Overload:
    """Send a service more than it can do, and follow what it accepted to its end.

    Args:
        target: the service, best one that refuses early (`patience_of`).
        plan: what is measured; a rate of 0 stands for twice the documents a second of `measured`.
        measured: of the same installation.
        say: called with what is done next, in words.
    """
    answers, seconds = measured.full["text"]
    rate = plan.rate or max(1.0, 2 * len(good(answers)) / seconds)
    say(f"{plan.duration:g} seconds of {rate:.1f} documents (text) a second")
    return asyncio.run(_overload(target, rate, plan.duration))


def patience_of(plan: Plan) -> float:
    """Return the `max_queue_seconds` with which an overload is refused before it is over."""
    return plan.duration / 4


async def _measure(target: Target, plan: Plan, say: Callable[[str], None]) -> Measured:
    documents = {kind: _pool(make, _VARIANTS[kind]) for kind, make in KINDS.items()}
    load = Load(target.url, key=target.key, model=target.model)
    try:
        pairs = {}
        with closing(Extract(target.model)) as extract:
            for kind, number in (("text", plan.requests), ("scan", max(1, plan.requests // 5))):
                say(f"{number} documents ({kind}) one by one, without and with a service")
                pairs[kind] = await _pair(
                    load, extract, documents[kind], number, target, min(_IDLE, plan.duration / 5)
                )
        rounds = []
        if target.processes:
            say(
                f"{_ROUNDS} batches of {plan.requests} documents (text), without and with a service"
            )
            rounds = await _rounds(
                load, documents["text"], plan.requests, target, pairs["text"].idle_cpu
            )
        full = {}
        for kind in KINDS:
            say(f"{plan.duration:g} seconds of documents ({kind}) by {_CLIENTS} clients")
            full[kind] = await load.as_fast_as_it_goes(
                documents[kind], plan.duration, clients=_CLIENTS
            )
        beside = []
        if plan.batch:
            say(f"{plan.requests} documents (text) one by one, beside {plan.batch} scans")
            scans = (documents["scan"](place) for place in range(plan.batch))
            address = await load.batch(scans)
            beside = load.one_by_one(map(documents["text"], range(plan.requests)))
            await load.remove(address)
    finally:
        await load.close()
    return Measured(pairs, rounds, full, beside)


async def _overload(target: Target, rate: float, seconds: float) -> Overload:
    documents = _pool(text_pdf, _VARIANTS["text"])
    load = Load(target.url, key=target.key, model=target.model)
    try:
        load.one_by_one(map(documents, range(_WARM)))
        answers = await load.at_rate(documents, rate, seconds, wait=5)
        ends = await load.ends(answers, patience=60 + 20 * seconds)
    finally:
        await load.close()
    return Overload(rate, answers, ends)


def good(answers: list[Answer]) -> list[float]:
    """Return the seconds of the answers that hold fields."""
    return [answer.seconds for answer in answers if answer.status == 200]


async def _pair(
    load: Load, extract: Extract, documents: Documents, number: int, target: Target, seconds: float
) -> Pair:
    for place in range(_WARM):
        extract(documents(place))
        load.one_by_one([documents(place)])
    idle = await _idle(target, seconds)
    alone, served = list[float](), list[Answer]()
    alone_cpu = served_cpu = 0.0
    for place in range(number):
        data = documents(place)
        cpu, started = extract.taken(), time.perf_counter()
        extract(data)
        alone.append(time.perf_counter() - started)
        alone_cpu += extract.taken() - cpu
        cpu, started = target.taken(), time.perf_counter()
        served += load.one_by_one([data])
        served_cpu += target.taken() - cpu - idle * (time.perf_counter() - started)
    return Pair(alone, served, alone_cpu / number, served_cpu / number, idle)


async def _idle(target: Target, seconds: float) -> float:
    """Return the processor seconds that a service takes in a second without work."""
    idles = []
    for _ in range(_IDLES):
        before, started = target.taken(), time.perf_counter()
        await asyncio.sleep(seconds)
        idles.append((target.taken() - before) / (time.perf_counter() - started))
    return statistics.median(idles)  # what it started earlier may still be running


async def _rounds(
    load: Load, documents: Documents, each: int, target: Target, idle: float
) -> list[Round]:
    """Extract the same documents without a service and as a batch, in alternation."""
    cores = len(os.sched_getaffinity(0))
    number = max(1, cores // int(os.environ.get("OMP_NUM_THREADS", cores)))
    found = []
    with ExitStack() as stack:
        crowd = [stack.enter_context(closing(Extract(target.model))) for _ in range(number)]
        pool = stack.enter_context(ThreadPoolExecutor(number))

        def crowded(many: Sequence[bytes]) -> float:
            def work(place: int) -> None:
                for data in many[place::number]:
                    crowd[place](data)

            before = sum(extract.taken() for extract in crowd)
            list(pool.map(work, range(number)))
            return (sum(extract.taken() for extract in crowd) - before) / len(many)

        crowded([documents(place) for place in range(number * _WARM)])
        for place in range(_ROUNDS):
            many = [documents(place * each + step) for step in range(each)]
            alone = crowded(many)
            cpu, started = target.taken(), time.perf_counter()
            await load.finished(await load.batch(many))
            taken = target.taken() - cpu - idle * (time.perf_counter() - started)
            found.append(Round(alone, taken / each))
    return found


def _pool(make: Documents, variants: int) -> Documents:
    """Return documents that are made in advance, and repeat."""
    made = [make(seed) for seed in range(variants)]
    return lambda place: made[place % variants]


class Extract:
    """Extracts documents in a process of its own, without a service."""

    def __init__(self, model: str | None) -> None:
        context = get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_extract_all, args=(there, model))
        self._process.start()

    def __call__(self, data: bytes) -> None:
        """Extract a document."""
        self._here.send_bytes(data)
        self._here.recv_bytes()

    def taken(self) -> float:
        """Return the processor seconds of the process and of its readers."""
        return processor_seconds(self._process.pid or 0)

    def close(self) -> None:
        """End the process."""
        self._here.send_bytes(b"")
        self._process.join()


def _extract_all(pipe: Connection, model: str | None) -> None:
    from pipeline.extract import Extractor

    extractor = Extractor(served().resolve(model).path)
    while data := pipe.recv_bytes():
        extractor.extract(data)
        pipe.send_bytes(b"done")
