"""A pool of confined processes that reads the pages of one document, each page within its limits.

Each process holds the document open and reads one page at a time. A page that crashes its process,
outgrows its memory or outlasts its time costs that process and that page: another process reads on.
A process that somebody else kills says nothing about its page: the reading is given up, to be
tried again.
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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pipeline.document import EmbeddedInvoice, Page, TextSource
from pipeline.errors import (
    DocumentError,
    MemoryExceeded,
    ReaderCrashed,
    ReaderLost,
    ReadingTimeout,
    error_from,
)
from pipeline.reading import serving
from pipeline.reading.isolation.channel import ProtocolError
from pipeline.reading.isolation.child import Child, Place
from pipeline.reading.isolation.limits import Limits
from pipeline.reading.isolation.programs import killed_from_outside
from pipeline.reading.isolation.sandbox import require
from pipeline.reading.options import ReadOptions

_log = logging.getLogger(__name__)

_CHECK_S = 0.5  # longest time between two checks whether to go on
_START_S = 60.0  # for a process to be there; the first one waits for an interpreter to load
_FALSE_STARTS = 3
_GRACE_S = 1.0  # the process's own timers come first: they know what took so long
_ALONE_S = 0.05  # a document that is read in less takes one process


@dataclass(slots=True, eq=False)
class _Reader:
    """A process at work.

    Attributes:
        child, folder: the process, and the folder of its files.
        number: page it reads or will read once it is open; None where it waits.
        deadline: when it is ended unless it has answered, by `time.monotonic`.
        ready: whether it has started.
        opened: whether it has the document open.
        out_of_memory: whether it has said that it must end for that.
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

    @property
    def task(self) -> str:
        """What it reads, for a sentence."""
        return f"page {self.number}" if self.opened else "the document"


Outcome = Page | DocumentError
_Event = tuple[int | None, Outcome]  # page, where one was asked for


class ReaderPool:
    """A document being read; `close` leaves no process and no file behind.

    Args:
        data: the file as delivered.
        media_type: as `sniff` found it.
        folder: an empty folder to work in.
        options: how to read, and the limits.
        opener: what opens the document in the processes.
        check: called every half second; what it raises goes up, and ends the reading.

    Raises:
        DependencyMissing: the confinement that the options require is not there.
        StorageFull: there is no room for the document.
    """

    def __init__(
        self,
        data: bytes,
        media_type: str,
        folder: Path,
        options: ReadOptions,
        opener: str,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        require(options.confinement)
        self._check = check
        self._folder = folder
        self._options = options
        self._document = folder / "document"
        serving.within_disk(lambda: self._document.write_bytes(data), "The document")
        self._media_type = media_type
        self._opener = opener
        self._limits = Limits(
            options.memory_mb, (4 * options.max_pixels_per_page + 4 * len(data) >> 20) + 64
        )
        self._end = time.monotonic() + (options.document_timeout_s or math.inf)
        self._selector = selectors.DefaultSelector()
        self._readers: list[_Reader] = []
        self._started = self._false_starts = 0
        self._page_count = 0
        self.embedded: EmbeddedInvoice | None = None
        self.warnings: tuple[str, ...] = ()

    def close(self) -> None:
        """End all processes, and remove their files."""
        for reader in list(self._readers):
            self._stop(reader)
        self._selector.close()

    def open(self) -> int:
        """Open the document in a first process and return its number of pages.

        Raises:
            FieldwrightError: it cannot be opened.
            ReaderLost: the process was killed from outside, or does not start.
        """
        self._start(None)
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
            ReaderLost: as `open`.
        """
        waiting = deque(numbers)
        wanted, grow_at = 1, time.monotonic() + _ALONE_S
        done = 0
        while done < len(numbers):
            if time.monotonic() >= grow_at:
                wanted = self._options.processes or len(os.sched_getaffinity(0))
            for reader in self._readers:
                if waiting and reader.opened and reader.number is None:
                    reader.number = waiting.popleft()
                    self._send(reader, reader.number)
            while waiting and len(self._readers) < wanted:
                self._start(waiting.popleft())
            growing = waiting and wanted == 1 and grow_at > time.monotonic()
            for number, outcome in self._events(grow_at if growing else math.inf):
                if number is not None:
                    done += 1
                    yield number, outcome

    def _start(self, number: int | None) -> None:
        """Start a process; `number` is the page that it will read first."""
        folder = self._folder / str(self._started)
        folder.mkdir()
        self._started += 1
        place = Place(
            self._limits,
            folder,
            readable=(self._document,),
            functions=(self._opener,),
            confined=self._options.confinement != "off",
        )
        child = Child(serving.FUNCTION, place)
        reader = _Reader(child, folder, number, time.monotonic() + _START_S)
        self._readers.append(reader)
        self._selector.register(child.channel, selectors.EVENT_READ, reader)

    def _stop(self, reader: _Reader) -> int | None:
        """Kill a process, remove its files and return its exit status."""
        self._readers.remove(reader)
        self._selector.unregister(reader.child.channel)
        status = reader.child.kill()
        shutil.rmtree(reader.folder, ignore_errors=True)
        return status

    def _send(self, reader: _Reader, message: Any) -> None:
        """Tell a process what to do next; its time runs from now."""
        reader.deadline = time.monotonic() + self._options.page_timeout_s + _GRACE_S
        try:
            reader.child.channel.send(message)
        except OSError:  # it is dead: the next read of its channel says so
            _log.info("a reading process is gone")

    def _events(self, until: float) -> list[_Event]:
        """Wait for something to happen, at most `until`; return the outcomes of pages.

        Raises:
            ReadingTimeout: the time of the whole document is over.
            FieldwrightError, ReaderLost: as `_receive`.
        """
        self._check()
        busy = [reader.deadline for reader in self._readers if reader.busy]
        wake = min([until, self._end, *busy])
        events: list[_Event] = []
        for key, _ in self._selector.select(min(_CHECK_S, max(0.0, wake - time.monotonic()))):
            events += self._receive(key.data)
        now = time.monotonic()
        if now >= self._end:
            limit = self._options.document_timeout_s
            raise ReadingTimeout(f"Reading the document took longer than {limit:g} seconds.")
        for reader in [each for each in self._readers if each.busy and now >= each.deadline]:
            self._stop(reader)
            if not reader.ready:
                raise ReaderLost("The process that reads documents does not start")
            limit = self._options.page_timeout_s
            doing = f"Reading {reader.task}" if reader.opened else "Opening the document"
            error = ReadingTimeout(f"{doing} took longer than {limit:g} seconds.")
            events.append((reader.number, error))
        return events

    def _receive(self, reader: _Reader) -> list[_Event]:
        """Act on what a process sends, or on its end; return the outcomes of pages.

        Raises:
            FieldwrightError: the installation is at fault, not a page.
            ReaderLost: the process, or its program, was killed from outside.
        """
        channel = reader.child.channel
        events: list[_Event] = []
        try:
            channel.fill()
            while (message := channel.take()) is not None:
                outcome = self._interpret(reader, message)
                if outcome is not None:
                    events.append((reader.number, outcome))
                    if not reader.opened:  # this one has nothing more to say
                        self._stop(reader)
                        return events
                    reader.number = None
        except (ProtocolError, KeyError, TypeError, ValueError) as error:
            # Only a process in the hands of its document sends what was not agreed on.
            _log.warning("a reading process sent no answer: %s", type(error).__name__)
            self._stop(reader)
            crash = ReaderCrashed(f"The process that read {reader.task} crashed.")
            return [*events, (reader.number, crash)]
        if channel.ended:
            status = self._stop(reader)
            if not reader.ready:
                # It had no document yet; where the fork server was killed, there is another now.
                self._false_starts += 1
                if self._false_starts > _FALSE_STARTS:
                    raise ReaderLost("The process that reads documents does not start")
                self._start(reader.number)
            elif reader.busy:
                events.append((reader.number, _ended(reader, status)))
        return events

    def _interpret(self, reader: _Reader, message: Any) -> Outcome | None:
        """Act on a message of a process; return the outcome of its page, where it is one.

        Raises:
            ProtocolError, KeyError, TypeError, ValueError: it was not agreed on.
            FieldwrightError: the installation is at fault, not a page.
            ReaderLost: a program of the process was killed from outside.
        """
        match message:
            case {"ready": True} if not reader.ready:
                reader.ready = True
                job = serving.Job(
                    str(self._document),
                    self._media_type,
                    str(reader.folder),
                    self._options,
                    self._opener,
                )
                self._send(reader, job.to_json())
            case {
                "pages": int(count),
                "embedded": None | dict() as embedded,
                "warnings": list(warnings),
            } if count > 0 and not reader.opened:
                reader.opened = True
                if not self._page_count:
                    self._page_count = count
                    self.embedded = EmbeddedInvoice.from_json(embedded) if embedded else None
                    self.warnings = tuple(map(str, warnings))
                if reader.number is not None:
                    self._send(reader, reader.number)
            case {"page": dict(value)} if reader.opened and reader.number is not None:
                return _checked(Page.from_json(value), reader.number)
            case {"error": {"code": str(code), "detail": str(detail), "advice": str(advice)}}:
                error = error_from(code, detail, advice)
                if not isinstance(error, DocumentError):
                    raise error
                return error
            case {"lost": str(detail)}:
                raise ReaderLost(f"{detail} while it read {reader.task}")
            case {"fault": str(fault)}:
                reader.out_of_memory = fault == "memory"
                _log.error("a reading process failed: %s", json.dumps(message)[:300])
            case _:
                raise ProtocolError("a message that was not due")
        return None


def _ended(reader: _Reader, status: int | None) -> DocumentError:
    """Return the error of the page at which a process ended with that exit status.

    Raises:
        ReaderLost: it was killed from outside, or with its fork server.
    """
    task = reader.task
    if reader.out_of_memory:
        return MemoryExceeded(f"Reading {task} takes more memory than is allowed.")
    if status is None or killed_from_outside(status):
        raise ReaderLost(f"The process that read {task} was killed")
    if status == -signal.SIGXCPU:
        return ReadingTimeout(f"Reading {task} took more processor time than is allowed.")
    return ReaderCrashed(f"The process that read {task} crashed.")


def _checked(page: Page, number: int) -> Page:
    """Return a page that a process has sent; raises ProtocolError unless all types are right."""
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
        raise ProtocolError("a page that is none")
    return page
