"""Traces: one for each job, under its own id, without a word of its document."""

from __future__ import annotations

import http.server
import json
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from pipeline.errors import EncryptedPdf
from store.jobs import Jobs
from store.settings import Settings
from store.traces import Traces, open_traces
from tests.stores import prepare
from tests.submitting import submit

JOB = str(uuid.uuid4())


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def traces(exporter: InMemorySpanExporter) -> Iterator[Traces]:
    traces = Traces(exporter, at_once=True)
    yield traces
    traces.close()


def trace_id(span: ReadableSpan) -> str:
    assert span.context is not None
    return str(uuid.UUID(int=span.context.trace_id))


def test_parts_of_a_job_stand_in_its_trace_whoever_did_them(
    traces: Traces, exporter: InMemorySpanExporter
) -> None:
    other = Traces(exporter, at_once=True)  # of another process
    traces.span("wait", JOB, 100.0, 101.5, stage="read")
    with other.stage("read", JOB, attempt=1):
        pass
    other.ended(JOB, 100.0, state="succeeded", words=None)
    wait, read, job = exporter.get_finished_spans()
    assert {trace_id(span) for span in (wait, read, job)} == {JOB}
    assert job.parent is None
    for part in (wait, read):
        assert part.parent is not None
        assert job.context is not None
        assert part.parent.span_id == job.context.span_id
    assert (wait.start_time, wait.end_time) == (100 * 10**9, 101_500_000_000)
    assert dict(job.attributes or {}) == {"state": "succeeded"}


def test_error_is_noted_by_its_code_alone(traces: Traces, exporter: InMemorySpanExporter) -> None:
    with pytest.raises(EncryptedPdf), traces.stage("read", JOB):
        raise EncryptedPdf("Of Ms Example.")
    (span,) = exporter.get_finished_spans()
    assert dict(span.attributes or {}) == {"error.type": "pdf_encrypted"}
    assert span.status.status_code is StatusCode.ERROR
    assert not span.events
    assert "Example" not in span.to_json()


def test_request_and_job_point_at_each_other(
    traces: Traces, exporter: InMemorySpanExporter
) -> None:
    caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with traces.request("POST", {"traceparent": caller}) as known:
        with traces.stage("accept", JOB):
            pass
        known |= {"route": "/extract", "status": 202}
    accept, request = exporter.get_finished_spans()
    assert request.name == "POST /extract"
    assert trace_id(request).replace("-", "") == caller.split("-")[1]
    assert request.parent is not None
    assert f"{request.parent.span_id:016x}" == caller.split("-")[2]
    assert [str(uuid.UUID(int=link.context.trace_id)) for link in request.links] == [JOB]
    assert [link.context for link in accept.links] == [request.context]


def test_nothing_is_traced_unless_it_is_wanted(tmp_path: Path) -> None:
    jobs = Jobs(Settings(home=tmp_path))
    assert type(jobs.traces) is Traces
    with jobs.traces.request("GET", {}) as known, jobs.traces.stage("read", JOB):
        known |= {"status": 200}
    jobs.close()


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes what OTLP exporters send."""

    taken: list[ExportTraceServiceRequest]

    def do_POST(self) -> None:
        message = ExportTraceServiceRequest()
        assert self.path == "/v1/traces"
        message.ParseFromString(self.rfile.read(int(self.headers["Content-Length"])))
        self.taken.append(message)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep still."""


def test_collector_is_sent_the_acceptance_of_a_job(tmp_path: Path) -> None:
    taken: list[ExportTraceServiceRequest] = []
    handler = type("Handler", (Collector,), {"taken": taken})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        jobs = Jobs(Settings(home=tmp_path, traces=url))
        prepare(jobs)
        job = submit(jobs, b"%PDF-1.4 secret", filename="secret.pdf")
        jobs.close()
        server.shutdown()
    (message,) = taken
    (span,) = message.resource_spans[0].scope_spans[0].spans
    assert span.name == "accept"
    assert uuid.UUID(bytes=span.trace_id) == uuid.UUID(job.id)
    assert "secret" not in str(message)


def test_collector_that_is_away_stops_nothing(tmp_path: Path) -> None:
    jobs = Jobs(Settings(home=tmp_path, traces="http://127.0.0.1:9"))
    prepare(jobs)
    job = submit(jobs, b"%PDF-1.4", filename="a.pdf")
    assert jobs.status(job.id).state == "queued"
    jobs.close()


def test_exported_spans_are_json(traces: Traces, exporter: InMemorySpanExporter) -> None:
    traces.ended(JOB, 100.0, state="failed")
    assert json.loads(exporter.get_finished_spans()[0].to_json())["name"] == "job"


def test_open_traces_without_an_address_is_off() -> None:
    assert open_traces("")._provider is None
