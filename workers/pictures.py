"""Draws the pictures of pages that somebody waits for, in the confined processes that read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from pipeline.errors import FieldwrightError, ReaderCrashed, ReaderLost
from pipeline.reading.options import ReadOptions
from store.blobs import FILE, PASSWORD
from store.errors import DocumentMissing, PageUnknown
from store.jobs import Jobs
from store.pictures import AT_ONCE, PAGE_S, Picture

log = logging.getLogger(__name__)


def draw_next(jobs: Jobs, most: int = AT_ONCE, on_begin: Callable[[], None] = lambda: None) -> bool:
    """Draw pictures of the document whose turn it is; say whether there was one.

    Args:
        jobs: the queue.
        most: pictures.
        on_begin: called when there is one, before it is drawn.

    Raises:
        StoreUnavailable: the store does not answer.
    """
    pictures = jobs.pictures.take(most)
    if not pictures:
        return False
    on_begin()
    job_id = pictures[0].job_id
    try:
        _draw(jobs, pictures)
    except FieldwrightError as error:
        log.warning("pages not drawn", extra={"job": job_id, "code": error.code})
        jobs.pictures.failed(pictures, error)
    except ReaderLost as error:
        jobs.pictures.failed(pictures, ReaderCrashed(f"{error}."))
    if not jobs.repository.exists(job_id):  # it was deleted meanwhile, with all its files
        jobs.blobs.remove(job_id)
    return True


def _draw(jobs: Jobs, pictures: Sequence[Picture]) -> None:
    """Draw pictures of one document, and note each as soon as it is there.

    Raises:
        FieldwrightError: the document cannot be opened, or the installation is at fault.
        ReaderLost: the process that draws could not be started.
    """
    from pipeline.reading.drawing import Sheet, draw_pages  # the parsers, which only readers load

    job_id, settings = pictures[0].job_id, jobs.settings
    data = jobs.blobs.get(job_id, FILE)
    if data is None:
        raise DocumentMissing("The file of this document is no longer in the store.")
    password = jobs.blobs.get(job_id, PASSWORD)
    options = ReadOptions(
        password=password.decode() if password else None,
        page_timeout_s=min(PAGE_S, settings.page_timeout_s),
        confinement=settings.confinement,
    )
    sheets = {Sheet(picture.number, picture.width): picture for picture in pictures}
    for sheet, outcome in draw_pages(data, list(sheets), options):
        picture = sheets[sheet]
        if isinstance(outcome, bytes):
            jobs.blobs.put(job_id, picture.name, outcome)
            jobs.pictures.drawn(picture)
        else:
            missing = PageUnknown(f"The document has no page {sheet.number}.")
            jobs.pictures.failed([picture], outcome or missing)
