"""Metrics in the text form of Prometheus: of the requests to this process, and of the store.

What the store tells is read at the scrape; its counters lie there, and survive every restart.
Counters of requests begin anew with the process, as Prometheus expects. No label holds an id, a
file name, a caller or a value of a document.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Mapping
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from store.errors import StoreUnavailable
from store.jobs import STAGES, Jobs, Telemetry

log = logging.getLogger(__name__)

_METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"))
_LATENCY = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_PRIORITIES = {0: "interactive", 1: "batch"}


class Metrics:
    """The metrics of one API process."""

    def __init__(self, jobs: Jobs) -> None:
        self._registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)
        self._requests = Counter(
            "fieldwright_http_requests",
            "Requests answered by this process",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "fieldwright_http_request_seconds",
            "Seconds until the last byte of an answer, what the client asked to wait included",
            ("method", "route"),
            buckets=_LATENCY,
            registry=self._registry,
        )
        self._registry.register(StoreCollector(jobs))

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request.

        Args:
            method: of HTTP.
            route: template of its path, such as ``/jobs/{job_id}``, the same under ``/v1``; empty
                where there is none.
            status: of the answer.
            seconds: from the request's first byte to the answer's last.
        """
        method = method if method in _METHODS else "other"
        route = route or "other"
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def render(self) -> bytes:
        """Return all metrics as text; blocks for the look at the store."""
        return generate_latest(self._registry)


class StoreCollector(Collector):
    """Reads the job store at each scrape.

    A store that does not answer takes its metrics away and sets ``fieldwright_store_up`` to 0:
    the scrape itself never fails.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    def describe(self) -> list[Metric]:
        """Return nothing: registering must not touch the store."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the store."""
        seen, writable = None, False
        try:
            seen = self._jobs.telemetry()
            self._jobs.database.check_writable()
            writable = True
        except StoreUnavailable as error:
            log.warning("store unavailable", extra={"reason": error.detail})
        up = "1 where the job store answers, and takes changes"
        yield GaugeMetricFamily("fieldwright_store_up", up, value=float(writable))
        yield from _disk(self._jobs)
        if seen is not None:
            yield from _gauges(seen)
            yield from _counters(seen.counters)


def _disk(jobs: Jobs) -> Iterator[Metric]:
    try:
        free = shutil.disk_usage(jobs.blobs.spool).free
    except OSError:
        return
    about = "Bytes free on the disk of the documents, or of those on their way to an object store"
    yield GaugeMetricFamily("fieldwright_disk_free_bytes", about, value=free)
    about = "Bytes below which documents are refused"
    wanted = jobs.settings.min_free_bytes
    yield GaugeMetricFamily("fieldwright_disk_wanted_bytes", about, value=wanted)


def _gauges(seen: Telemetry) -> Iterator[Metric]:
    yield _gauge("fieldwright_jobs", "Jobs in the store", ("state", "stage"), seen.jobs)
    numbers = {(stage, priority): 0 for stage in STAGES for priority in _PRIORITIES.values()}
    ages = dict.fromkeys(numbers, 0.0)
    for (stage, priority), waiting in seen.waiting.items():
        queue = stage, _PRIORITIES.get(priority, str(priority))
        numbers[queue], ages[queue] = waiting
    labels = ("stage", "priority")
    yield _gauge("fieldwright_queue_jobs", "Jobs that wait", labels, numbers)
    about = "Age of the oldest job that waits"
    yield _gauge("fieldwright_queue_oldest_seconds", about, labels, ages)
    about = "Worker processes that live"
    yield _gauge("fieldwright_workers", about, ("stage", "ready"), seen.workers)
    deliveries = {(state,): number for state, number in seen.deliveries.items()}
    about = "Deliveries of webhooks in the store"
    yield _gauge("fieldwright_webhook_deliveries", about, ("state",), deliveries)
    yield GaugeMetricFamily(
        "fieldwright_trainings_waiting", "Trainings that wait for a trainer", value=seen.trainings
    )


def _gauge(
    name: str, about: str, labels: tuple[str, ...], values: Mapping[tuple[Any, ...], float]
) -> Metric:
    family = GaugeMetricFamily(name, about, labels=labels)
    for place, value in sorted(values.items()):
        family.add_metric([str(part).lower() for part in place], value)
    return family


def _counters(values: dict[tuple[str, str], float]) -> Iterator[Metric]:
    by_name: dict[str, dict[str, float]] = {}
    for (name, label), value in values.items():
        by_name.setdefault(name, {})[label] = value
    ended = CounterMetricFamily(
        "fieldwright_jobs_ended", "Jobs that came to an end", labels=("state", "code")
    )
    # A series that begins with its first crash never increases: nobody would be told of that one.
    ends = {"failed|worker_crashed": 0.0, **by_name.get("jobs_ended", {})}
    for label, value in sorted(ends.items()):
        state, _, code = label.partition("|")
        ended.add_metric((state, code), value)
    yield ended
    for name, about in (("pages_read", "Pages of jobs that succeeded"),
                        ("words_read", "Words of jobs that succeeded")):  # fmt: skip
        yield CounterMetricFamily(
            f"fieldwright_{name}", about, value=by_name.get(name, {}).get("", 0.0)
        )
    yield _histogram(
        "fieldwright_stage_seconds",
        "Seconds of jobs that succeeded; wait is until the first worker",
        "stage",
        by_name.get("seconds", {}),
    )
    yield _histogram(
        "fieldwright_confidence",
        "Confidence of the values found",
        "model",
        by_name.get("confidence", {}),
    )


def _histogram(name: str, about: str, label: str, cells: dict[str, float]) -> Metric:
    """Return the histogram whose cells are ``LABEL|UPPER BOUND`` and ``LABEL|sum``."""
    family = HistogramMetricFamily(name, about, labels=(label,))
    series: dict[str, dict[str, float]] = {}
    for cell, value in cells.items():
        owner, _, bound = cell.rpartition("|")
        series.setdefault(owner, {})[bound] = value
    for owner, found in sorted(series.items()):
        total = found.pop("sum", 0.0)
        reached, buckets = 0.0, []
        for bound in sorted({*found, "+Inf"}, key=float):
            reached += found.get(bound, 0.0)
            buckets.append((bound, reached))
        family.add_metric((owner,), buckets, total)
    return family
