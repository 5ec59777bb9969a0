"""Traces: where the time of a job goes, through API, queue and stages, for OpenTelemetry.

Off unless the setting `traces` names a collector. The trace of a job has the job's own id: whoever
knows one finds the other, and nothing has to be carried from process to process. Its spans::

    job                       from its submission to its end; by the process that ended it
        accept                the document and the job are stored; linked to the request
        wait                  before each stage that another process does
        read, tag, resolve    the stages

Spans say what was done, how long it took and how it ended: names of stages and models, numbers of
pages and words, codes of errors. No word, name or value of a document is in them, and no key.
"""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from pipeline.errors import DependencyMissing, FieldwrightError

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import SpanContext

_NAME = "fieldwright"


class Traces:
    """Where spans go; nothing that it is told can fail, or holds up anybody.

    Args:
        exporter: of OpenTelemetry, to which they go in batches and from a thread of its own;
            nowhere where None.
        at_once: send each span by itself, as tests want it.
    """

    def __init__(self, exporter: SpanExporter | None = None, *, at_once: bool = False) -> None:
        self._provider: TracerProvider | None = None
        if exporter is None:
            return
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        resource = Resource.create({"service.name": _NAME})
        self._provider = TracerProvider(resource=resource, id_generator=_ids())
        processor = SimpleSpanProcessor if at_once else BatchSpanProcessor
        self._provider.add_span_processor(processor(exporter))
        self._tracer = self._provider.get_tracer(_NAME)

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Trace a request within the context, as part of its client's trace if it has one.

        Yields:
            What is known at the end: ``route`` and ``status``.
        """
        known: dict[str, Any] = {}
        if self._provider is None:
            yield known
            return
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        parent = TraceContextTextMapPropagator().extract(dict(headers))
        with self._tracer.start_as_current_span(
            method, context=parent, kind=SpanKind.SERVER, record_exception=False
        ) as span:
            try:
                yield known
            finally:
                route = str(known.get("route") or "other")
                span.update_name(f"{method} {route}")
                span.set_attribute("http.request.method", method)
                span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", int(known.get("status") or 0))

    @contextmanager
    def stage(self, name: str, job_id: str, **known: Any) -> Iterator[None]:
        """Trace a part of a job within the context; errors are noted by their codes."""
        if self._provider is None:
            yield
            return
        from opentelemetry import trace

        asking = trace.get_current_span()
        here = asking.get_span_context()
        span = self._tracer.start_span(
            name,
            context=_of_job(job_id),
            attributes=_plain(known),
            links=[trace.Link(here)] if here.is_valid else None,
        )
        if here.is_valid:
            asking.add_link(_root(job_id))
        try:
            yield
        except BaseException as error:
            code = error.code if isinstance(error, FieldwrightError) else type(error).__name__
            span.set_attribute("error.type", code)
            span.set_status(trace.StatusCode.ERROR)
            raise
        finally:
            span.end()

    def span(
        self, name: str, job_id: str, begin: float, end: float | None = None, **known: Any
    ) -> None:
        """Note a part of a job that began at a time, in seconds since 1970; till now."""
        if self._provider is None:
            return
        span = self._tracer.start_span(
            name, context=_of_job(job_id), attributes=_plain(known), start_time=_nanoseconds(begin)
        )
        span.end(_nanoseconds(max(begin, time.time() if end is None else end)))

    def ended(self, job_id: str, begin: float, **known: Any) -> None:
        """Note that a job has ended, which was submitted at a time."""
        if self._provider is None:
            return
        from opentelemetry.context import Context

        root = _root(job_id)
        token = _GIVEN.set((root.trace_id, root.span_id))
        try:
            span = self._tracer.start_span(
                "job", context=Context(), attributes=_plain(known), start_time=_nanoseconds(begin)
            )
        finally:
            _GIVEN.reset(token)
        span.end(_nanoseconds(max(begin, time.time())))

    def close(self) -> None:
        """Send what is left, for a moment."""
        if self._provider is not None:
            self._provider.shutdown()


def open_traces(url: str) -> Traces:
    """Return where spans go.

    Args:
        url: of a collector that takes OTLP over HTTP, such as ``http://127.0.0.1:4318``; nowhere
            where empty.

    Raises:
        DependencyMissing: the packages of the extra ``traces`` are not installed.
    """
    if not url:
        return Traces()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError as error:
        raise DependencyMissing(
            "FIELDWRIGHT_TRACES is set, and the packages for traces are not installed.",
            advice="Run: pip install 'fieldwright[traces]'.",
        ) from error
    return Traces(OTLPSpanExporter(endpoint=f"{url.rstrip('/')}/v1/traces", timeout=5))


_GIVEN: ContextVar[tuple[int, int] | None] = ContextVar("given", default=None)


def _ids() -> Any:
    """Return a generator of ids that gives those of a job's root where they are wanted."""
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class Ids(RandomIdGenerator):
        def generate_trace_id(self) -> int:
            given = _GIVEN.get()
            return given[0] if given else super().generate_trace_id()

        def generate_span_id(self) -> int:
            given = _GIVEN.get()
            return given[1] if given else super().generate_span_id()

    return Ids()


def _root(job_id: str) -> SpanContext:
    """Return the context of a job's root span: every process knows it from the job's id."""
    from opentelemetry.trace import SpanContext, TraceFlags

    number = uuid.UUID(job_id)
    span_id = int.from_bytes(hashlib.sha256(number.bytes).digest()[:8], "big") or 1
    return SpanContext(number.int, span_id, is_remote=True, trace_flags=TraceFlags(1))


def _of_job(job_id: str) -> Context:
    from opentelemetry.trace import NonRecordingSpan, set_span_in_context

    return set_span_in_context(NonRecordingSpan(_root(job_id)))


def _plain(known: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in known.items() if value is not None}


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
