"""Draws docs/trace.svg again: the trace of one document, as a collector gets it.

    .venv/bin/python -m docs.draw_trace

An invented receipt goes through a queue in SQLite, a worker that reads, and one that tags and
resolves, each with its own exporter as if it were a process. What stands in the picture are their
spans.
"""

from __future__ import annotations

import io
import tempfile
import uuid
from collections.abc import Sequence
from html import escape
from pathlib import Path

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from app.intake import Submissions
from store.jobs import Jobs
from store.settings import Settings
from store.traces import Traces
from training.invent.plain_receipts import text_pdf
from workers.worker import Worker

PICTURE = Path(__file__).with_name("trace.svg")

_WIDTH, _LEFT, _ROW, _TOP = 900, 150, 30, 64  # pixels
_STYLE = (
    "text { font: 13px system-ui, sans-serif; fill: #1c2733; } "
    ".small { font-size: 11.5px; fill: #4a5a6a; } "
    "rect { fill: #9db8d3; rx: 3; } .job { fill: #5b7ea4; } .wait { fill: #e3d2a6; } "
    ".tick { stroke: #d5dde5; }"
)


def spans_of_a_document() -> list[ReadableSpan]:
    """Return the spans of one document, in the order of their beginnings."""
    spans: list[ReadableSpan] = []
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), model="receipts")

        def process() -> tuple[Jobs, InMemorySpanExporter]:
            exporter = InMemorySpanExporter()
            jobs = Jobs(settings, traces=Traces(exporter, at_once=True))
            jobs.prepare()
            return jobs, exporter

        api, accepted = process()
        reader, read = process()
        tagger, tagged = process()
        workers = Worker("read", reader, ("read",)), Worker("tag", tagger, ("tag", "resolve"))
        for worker in workers:
            worker.prepare()  # so that the model is in memory, as in a service
        submissions = Submissions(api, workers[0].registry)
        for number in range(2):  # the first one warms up
            submissions.submit(io.BytesIO(text_pdf(number)), submissions.order())
            for worker in workers:
                worker.serve()
            found = [*accepted.get_finished_spans(), *read.get_finished_spans()]
            spans = sorted([*found, *tagged.get_finished_spans()], key=lambda s: s.start_time or 0)
            for exporter in (accepted, read, tagged):
                exporter.clear()
        for jobs in (api, reader, tagger):
            jobs.close()
    return spans


def drawn(spans: Sequence[ReadableSpan]) -> str:
    """Return the picture: a bar for each span, the job's first."""
    (job,) = [span for span in spans if span.name == "job"]
    rows = [job, *(span for span in spans if span is not job)]
    begin = min(span.start_time or 0 for span in spans)
    end = max(span.end_time or 0 for span in spans)
    scale = (_WIDTH - _LEFT - 90) / (end - begin)
    height = _TOP + _ROW * len(rows) + 16
    assert job.context is not None
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
        f"<title>The trace of one document</title><style>{_STYLE}</style>",
        f'<text x="12" y="22">trace {uuid.UUID(int=job.context.trace_id)}</text>',
    ]
    total = (end - begin) / 1e6
    for share in range(5):
        x = _LEFT + share / 4 * total * 1e6 * scale
        parts.append(f'<line class="tick" x1="{x:.0f}" x2="{x:.0f}" y1="48" y2="{height - 8}"/>')
        shown = f"{share / 4 * total:.0f} ms"
        parts.append(f'<text class="small" x="{x:.0f}" y="42" text-anchor="middle">{shown}</text>')
    for row, span in enumerate(rows):
        first, last = (span.start_time or 0) - begin, (span.end_time or 0) - begin
        x, y = _LEFT + first * scale, _TOP + row * _ROW
        width = max(2.0, (last - first) * scale)
        known = dict(span.attributes or {})
        told = ", ".join(f"{name} {value}" for name, value in known.items() if name != "stage")
        name = span.name + (f" for {known['stage']}" if "stage" in known else "")
        indent = 12 if span is job else 28
        parts += [
            f"<g><title>{escape(told or name)}</title>",
            f'<text x="{indent}" y="{y + 14}">{escape(name)}</text>',
            f'<rect class="{span.name}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="18"/>',
            f'<text class="small" x="{x + width + 5:.0f}" y="{y + 13}">'
            f"{(last - first) / 1e6:.1f} ms</text></g>",
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawn(spans_of_a_document()), encoding="utf-8")
