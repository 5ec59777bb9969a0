"""Spreads the pages of a document over confined child processes, each page within its limits.

Each child holds the document open and reads one page at a time. A page that crashes its child,
outgrows its memory or outlasts its time costs that child and that page: another child reads on.
"""

from __future__ import annotations

import json
import logging
import math
import os
import selectors
import shutil
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, get_args

from pipeline.document import Page, TextSource
from pipeline.errors import (
    DocumentError,
    FieldwrightError,
    MemoryExceeded,
    ReaderCrashed,
    ReadingTimeout,
    error_from,
)
from pipeline.reading import serving
from pipeline.reading.isolation.child import Child
from pipeline.reading.isolation.limits import Limits
from pipeline.reading.isolation.wire import BrokenWire
from pipeline.reading.options import ReadOptions

_log = logging.getLogger(__name__)

_START_S = 60.0  # for a child to be there; the first one waits for an interpreter to load
_FALSE_STARTS = 3
_GRACE_S = 1.0  # the child's own timers come first: they know what took so long
_ALONE_S = 0.05  # a document that is read in less takes one child


@dataclass(slots=True, eq=False)
class _Seat:
    """A child at work.

    Attributes:
        child, folder: the process, and the folder of its files.
        number: page it reads or will read once it is open; None where it waits.
        deadline: when it is ended unless it has answered, by `time.monotonic`.
        ready: whether it has started.
        opened: whether it has the document open.
        out_of_memory: whether it says that it must end for that.
    """

    child: Child
    folder: Path
    number: int | None
    deadline: float
    ready: bool = False
    opened: bool = False
    out_of_memory: bool = False

    @property
    def busy(self) -> bool:
        """Whether an answer is due."""
        return self.number is not None or not self.opened


Outcome = Page | DocumentError
_Event = tuple[int | None, Outcome]  # page, where one was asked for


class Reading:
    """A document being read; a context manager that leaves no process and no file behind.

    Args:
        data: the file as delivered.
        media_type: as `sniff` found it.
        folder: an empty folder to work in.
        options: how to read, and the limits.
        opener: what opens the document in the child.

    Raises:
        StorageFull: there is no room for the document.
    """

    def __init__(
        self, data: bytes, media_type: str, folder: Path, options: ReadOptions, opener: str
    ) -> None:
        self._folder = folder
        self._options = options
        document = folder / "document"
        serving.within_disk(lambda: document.write_bytes(data), "The document")
        self._document = (str(document), media_type)
        self._opener = opener
        self._limits = Limits(
            options.memory_mb, (4 * options.max_pixels_per_page + 4 * len(data) >> 20) + 64
        )
        self._end = time.monotonic() + (options.document_timeout_s or math.inf)
        self._selector = selectors.DefaultSelector()
        self._seats: list[_Seat] = []
        self._started = self._false_starts = 0
        self._page_count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for seat in list(self._seats):
            self._dismiss(seat)
        self._selector.close()

    def open(self) -> int:
        """Open the document in a first child and return its number of pages.

        Raises:
            FieldwrightError: it cannot be opened.
        """
        self._seat(None)
        while not self._page_count:
            for _, outcome in self._events(math.inf):
                if isinstance(outcome, DocumentError):
                    raise outcome
        return self._page_count

    def pages(self, numbers: Sequence[int]) -> Iterator[tuple[int, Outcome]]:
        """Yield each page with its number as soon as it is read, or why it cannot be.

        Args:
            numbers: pages of the opened document, at least one.

        Raises:
            ReadingTimeout: the time of the whole document is over.
            FieldwrightError: an installation that cannot read; no fault of a page.
        """
        waiting = deque(numbers)
        wanted, grow_at = 1, time.monotonic() + _ALONE_S
        done = 0
        while done < len(numbers):
            if time.monotonic() >= grow_at:
                wanted = self._options.processes or len(os.sched_getaffinity(0))
            for seat in self._seats:
                if waiting and seat.opened and seat.number is None:
                    seat.number = waiting.popleft()
                    self._tell(seat, seat.number)
            while waiting and len(self._seats) < wanted:
                self._seat(waiting.popleft())
            growing = waiting and wanted == 1 and grow_at > time.monotonic()
            for number, outcome in self._events(grow_at if growing else math.inf):
                if number is not None:
                    done += 1
                    yield number, outcome

    def _seat(self, number: int | None) -> None:
        """Start a child; `number` is what it will read first."""
        folder = self._folder / str(self._started)
        folder.mkdir()
        self._started += 1
        child = Child(serving.FUNCTION, self._limits, folder)
        seat = _Seat(child, folder, number, time.monotonic() + _START_S)
        self._seats.append(seat)
        self._selector.register(child.wire, selectors.EVENT_READ, seat)

    def _dismiss(self, seat: _Seat) -> int | None:
        """Kill a child, remove its files and return its exit status."""
        self._seats.remove(seat)
        self._selector.unregister(seat.child.wire)
        status = seat.child.kill()
        shutil.rmtree(seat.folder, ignore_errors=True)
        return status

    def _tell(self, seat: _Seat, message: Any) -> None:
        """Send a child what to do next; its time runs from now."""
        seat.deadline = time.monotonic() + self._options.page_timeout_s + _GRACE_S
        try:
            seat.child.wire.send(message)
        except OSError:  # it is dead: its wire says so to whoever reads next
            _log.info("a reading process is gone")

    def _events(self, until: float) -> list[_Event]:
        """Wait for something to happen, at most `until`; return what pages came to.

        Raises:
            ReadingTimeout: the time of the whole document is over.
            FieldwrightError: as `_hear`.
        """
        wake = min([until, self._end, *(seat.deadline for seat in self._seats if seat.busy)])
        timeout = None if wake == math.inf else max(0.0, wake - time.monotonic())
        events: list[_Event] = []
        for key, _ in self._selector.select(timeout):
            events += self._hear(key.data)
        now = time.monotonic()
        if now >= self._end:
            limit = self._options.document_timeout_s
            raise ReadingTimeout(f"Reading the document took longer than {limit:g} seconds.")
        for seat in [seat for seat in self._seats if seat.busy and now >= seat.deadline]:
            self._dismiss(seat)
            if not seat.ready:
                raise _not_started()
            limit = self._options.page_timeout_s
            doing = "Opening the document" if not seat.opened else f"Reading page {seat.number}"
            error = ReadingTimeout(f"{doing} took longer than {limit:g} seconds.")
            events.append((seat.number, error))
        return events

    def _hear(self, seat: _Seat) -> list[_Event]:
        """Return what a child has to tell, which may be its end.

        Raises:
            FieldwrightError: the installation is at fault, not a page.
        """
        wire = seat.child.wire
        events: list[_Event] = []
        try:
            wire.fill()
            while (message := wire.take()) is not None:
                outcome = self._understood(seat, message)
                if outcome is not None:
                    events.append((seat.number, outcome))
                    if not seat.opened:  # this child has nothing more to say
                        self._dismiss(seat)
                        return events
                    seat.number = None
        except (BrokenWire, KeyError, TypeError, ValueError) as error:
            # Only a child in the hands of its document says what nobody understands.
            _log.warning("a reading process sent no answer: %s", type(error).__name__)
            self._dismiss(seat)
            return [*events, (seat.number, _crash(seat, None))]
        if wire.ended:
            status = self._dismiss(seat)
            if not seat.ready:
                # The nursery was killed while it had our request: there is another by now.
                self._false_starts += 1
                if self._false_starts > _FALSE_STARTS:
                    raise _not_started()
                self._seat(seat.number)
                return events
            if seat.busy:
                events.append((seat.number, _crash(seat, status)))
        return events

    def _understood(self, seat: _Seat, message: Any) -> Outcome | None:
        """Act on a message of a child; return what its page came to, where it says that.

        Raises:
            BrokenWire, KeyError, TypeError, ValueError: nobody understands it.
            FieldwrightError: the installation is at fault, not a page.
        """
        match message:
            case {"ready": True} if not seat.ready:
                seat.ready = True
                job = serving.Job(*self._document, str(seat.folder), self._options, self._opener)
                self._tell(seat, job.to_json())
            case {"pages": int(count)} if count > 0 and not seat.opened:
                seat.opened = True
                self._page_count = self._page_count or count
                if seat.number is not None:
                    self._tell(seat, seat.number)
            case {"page": dict(value)} if seat.opened and seat.number is not None:
                return _checked(Page.from_json(value), seat.number)
            case {"error": {"code": str(code), "detail": str(detail), "advice": str(advice)}}:
                error = error_from(code, detail, advice)
                if not isinstance(error, DocumentError):
                    raise error
                return error
            case {"fault": str(fault)}:
                seat.out_of_memory = fault == "memory"
                _log.error("reading ended unforeseen: %s", json.dumps(message)[:300])
            case _:
                raise BrokenWire("a message that nobody expects")
        return None


def _not_started() -> FieldwrightError:
    return FieldwrightError("The process that reads documents does not start.")


def _crash(seat: _Seat, status: int | None) -> DocumentError:
    """Return the error of what a child was at when it ended with that exit status."""
    what = "the document" if not seat.opened else f"page {seat.number}"
    if seat.out_of_memory:
        return MemoryExceeded(f"Reading {what} takes more memory than is allowed.")
    if status == -signal.SIGKILL:  # not by us: we hear of our own kills by their return alone
        return MemoryExceeded(f"The system ran out of memory while {what} was read.")
    if status == -signal.SIGXCPU:
        return ReadingTimeout(f"Reading {what} took more processor time than is allowed.")
    return ReaderCrashed(f"The process that read {what} crashed.")


def _checked(page: Page, number: int) -> Page:
    """Return a page that a child has sent, with everything of the type that it should be."""
    sound = (
        page.number == number
        and page.text_source in get_args(TextSource)
        and page.rotation in (0, 90, 180, 270)
        and isinstance(page.reason, str)
        and all(math.isfinite(side) and side >= 0 for side in (page.width, page.height))
        and all(
            isinstance(token.text, str)
            and 0 <= token.confidence <= 1
            and isinstance(token.line, int)
            and isinstance(token.block, int)
            for token in page.tokens
        )
    )
    if not sound:
        raise BrokenWire("a page that is none")
    return page
