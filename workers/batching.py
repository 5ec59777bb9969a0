"""One pass of a model for the words of many documents.

A model on a GPU takes as long for ten short documents as for one. Their jobs are claimed together
(`Claims.claim_more`): those of one model version, and none that was in trouble before. What goes
wrong with one of them is its own matter; where the pass itself fails, each is tagged by itself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from models.labels import Span
from pipeline.document import Document
from pipeline.errors import FieldwrightError
from store.faults import fault_at
from store.jobs.records import Job
from workers.context import Desk, Work
from workers.settling import settling
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


def run_together(desk: Desk, jobs: Sequence[Job]) -> None:
    """Take claimed jobs, all of one model and waiting to be tagged, as far as this worker can.

    Every outcome is in the store afterwards, as after `tasks.run`.
    """
    works: list[Work] = []
    for job in jobs:
        started(job)
        with settling(desk, job):
            work = Work(job)
            document_of(desk, work)
            works.append(work)
    spans = _spans(desk, works)
    for work, found in zip(works, spans, strict=True):
        with settling(desk, work.job):
            if isinstance(found, FieldwrightError):
                raise found
            if found is None:
                tag(desk, work)
            else:
                tagged(desk, work, *found)
            proceed(desk, work)


def _spans(
    desk: Desk, works: Sequence[Work]
) -> Sequence[tuple[list[Span], float] | FieldwrightError | None]:
    """Return each document's spans with its share of the seconds.

    In their place stands the error that keeps the model from working, or None where the pass
    failed and the document is to be tagged by itself.
    """
    if not works:
        return []
    documents: list[Document] = [document_of(desk, work) for work in works]
    try:
        model = desk.model(package(desk, works[0]))
        for work in works:
            fault_at("in_tag", desk.jobs.settings, sha256=work.job.sha256)
        began = time.perf_counter()
        found = model.tag_many(documents)
    except FieldwrightError as error:
        return [error] * len(works)
    except Exception:  # out of memory, or a document that no model can take
        log.exception("pass failed", extra={"jobs": [work.job.id for work in works]})
        return [None] * len(works)
    seconds = time.perf_counter() - began
    words = [max(1, sum(len(page.tokens) for page in document.pages)) for document in documents]
    return [
        (spans, seconds * share / sum(words)) for spans, share in zip(found, words, strict=True)
    ]
