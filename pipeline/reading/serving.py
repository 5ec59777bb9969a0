"""What a confined child does: opens a document, then reads or draws the pages it is told to.

Messages to it: the job, then numbers of pages to read, or ``[number, width]`` of pages to draw.
Messages from it: ``{"ready"}``; ``{"pages": n}``, with the e-invoice that the document carries, as
soon as it is open; then for each page ``{"page"}``, ``{"drawn"}`` with the picture in a file of its
folder, or ``{"error"}``; ``{"lost"}`` where a program that it had started was killed from outside.
It ends when its caller closes the channel. An exception that is not expected ends it, too: its
memory is no longer to be trusted.
"""

from __future__ import annotations

import errno
import importlib
import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pipeline.errors import FieldwrightError, MemoryExceeded, ReaderLost, StorageFull
from pipeline.reading.isolation.channel import Channel
from pipeline.reading.isolation.limits import allow_cpu
from pipeline.reading.options import ReadOptions

if TYPE_CHECKING:  # the process that asks imports this module too, and opens no document
    from pipeline.reading.sources import Source

FUNCTION = f"{__name__}:serve"
OPENER = "pipeline.reading.sources:open_source"
PICTURE = "picture.png"
_QUICK = 3  # level of compression: somebody waits for the picture

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job:
    """What a child has to know of its document.

    Attributes:
        document: path of the file as delivered; the child only reads it.
        media_type: as `sniff` found it.
        folder: the child's own.
        options: how to read.
        opener: ``module:name`` of what opens the document, called as `open_source`.
    """

    document: str
    media_type: str
    folder: str
    options: ReadOptions
    opener: str = OPENER

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal job."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Job:
        """Return the job that `to_json` wrote."""
        return cls(**{**data, "options": ReadOptions(**data["options"])})


def serve(channel: Channel) -> None:
    """Serve one caller to the end; runs in a confined child."""
    from PIL import Image

    # Pillow's own limit of pixels is no page's error but a warning, or the whole file's error;
    # ours is kept page by page, by the header, before a pixel is decoded.
    Image.MAX_IMAGE_PIXELS = None
    channel.send({"ready": True})
    message = channel.receive()
    if message is None:
        return
    job = Job.from_json(message)
    scratch = Path(job.folder) / "scratch"
    scratch.mkdir()
    tempfile.tempdir = str(scratch)
    try:
        source = within_disk(lambda: _opened(job), "The document")
    except (FieldwrightError, ReaderLost) as error:
        channel.send(_message(error))
        return
    with closing(source):
        channel.send(
            {
                "pages": source.page_count,
                "embedded": asdict(source.embedded) if source.embedded else None,
                "warnings": source.warnings,
            }
        )
        while (task := channel.receive()) is not None:
            allow_cpu(job.options.page_timeout_s)
            try:
                work = partial(_done, source, task, Path(job.folder))
                number = task[0] if isinstance(task, list) else task
                channel.send(within_disk(work, f"Page {number}"))
            except (FieldwrightError, ReaderLost) as error:
                channel.send(_message(error))
            shutil.rmtree(scratch, ignore_errors=True)  # what programs left that were ended
            scratch.mkdir(exist_ok=True)


def _done(source: Source, task: int | list[int], folder: Path) -> dict[str, Any]:
    """Return the answer to a message that asks for a page."""
    if isinstance(task, int):
        return {"page": source.read_page(task).to_json()}
    number, width = task
    source.draw_page(number, width).save(folder / PICTURE, "PNG", compress_level=_QUICK)
    return {"drawn": True}


def _opened(job: Job) -> Source:
    allow_cpu(job.options.page_timeout_s)
    module, _, name = job.opener.partition(":")
    opener = getattr(importlib.import_module(module), name)
    data = Path(job.document).read_bytes()
    source: Source = opener(data, job.media_type, Path(job.folder), job.options)
    return source


def within_disk(work: Callable[[], T], what: str) -> T:
    """Return what `work` returns; a disk that is full or forbidden gets an error of its own."""
    try:
        return work()
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StorageFull("There is no room for the files that reading needs.") from error
        if error.errno == errno.EFBIG:
            raise MemoryExceeded(f"{what} needs a larger file than is allowed.") from error
        raise


def _message(error: FieldwrightError | ReaderLost) -> dict[str, Any]:
    if isinstance(error, ReaderLost):
        return {"lost": str(error)}
    return {"error": {"code": error.code, "detail": error.detail, "advice": error.advice}}
