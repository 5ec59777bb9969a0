"""One pass of a model for the words of many documents.

A model on a GPU takes as long for ten short documents as for one. Their jobs are claimed together
(`Claims.claim_more`): jobs of one model version, none of which was in trouble before. What goes
wrong with one of them concerns it alone; where the pass itself fails, each is tagged by itself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from models.labels import Span
from pipeline.document import Document
from pipeline.errors import FieldwrightError
from store.jobs import Job
from workers.context import JobRun, StageDependencies
from workers.outcomes import recorded_outcome
from workers.stages import document_of, package, proceed, started, tag, tagged

log = logging.getLogger(__name__)

_WORDS = {"cuda": 16_000, "cpu": 1_000}  # a processor gains little, and somebody may wait


def words_at_once(device: str, chosen: int) -> int:
    """Return how many words go through a model in one pass.

    Args:
        device: of the model.
        chosen: by the installation; 0 for what suits the device.
    """
    return chosen or _WORDS.get(device.partition(":")[0], _WORDS["cpu"])


def run_together(deps: StageDependencies, jobs: Sequence[Job]) -> None:
    """Take claimed jobs, all of one model and waiting to be tagged, as far as this worker can.

    Every outcome is in the store afterwards, as after `stages.run_job`.
    """
    runs: list[JobRun] = []
    for job in jobs:
        started(deps, job)
        with recorded_outcome(deps.jobs, job):
            run = JobRun(job)
            document_of(deps, run)
            runs.append(run)
    began = time.time()
    spans = _spans(deps, runs)
    passed = time.time()
    for run, found in zip(runs, spans, strict=True):
        with recorded_outcome(deps.jobs, run.job):
            if isinstance(found, FieldwrightError):
                raise found
            if found is None:
                tag(deps, run)
            else:
                deps.jobs.traces.span("tag", run.job.id, began, passed, documents=len(runs))
                tagged(deps, run, *found)
            proceed(deps, run)


def _spans(
    deps: StageDependencies, runs: Sequence[JobRun]
) -> Sequence[tuple[list[Span], float] | FieldwrightError | None]:
    """Return each document's spans with its share of the seconds.

    In their place stands the error that keeps the model from working, or None where the pass
    failed and the document is to be tagged by itself.
    """
    if not runs:
        return []
    documents: list[Document] = [document_of(deps, run) for run in runs]
    try:
        model = deps.model(package(deps, runs[0]))
        for run in runs:
            deps.jobs.settings.faults.at("in_tag", sha256=run.job.sha256)
        began = time.perf_counter()
        found = model.tag_many(documents)
    except FieldwrightError as error:
        return [error] * len(runs)
    except Exception:  # out of memory, or a document that no model can take
        log.exception("pass failed", extra={"jobs": [run.job.id for run in runs]})
        return [None] * len(runs)
    seconds = time.perf_counter() - began
    words = [max(1, sum(len(page.tokens) for page in document.pages)) for document in documents]
    return [
        (spans, seconds * share / sum(words)) for spans, share in zip(found, words, strict=True)
    ]
