"""A document that does to its reader what hostile files do: its pages say what, in JSON.

`hostile_document` makes one; `OPENER` opens it in the place of the real readers, in the same
confined children.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import socket
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

from models.geometry import Box
from pipeline.document import Page, Token
from pipeline.errors import CorruptDocument, DependencyMissing
from pipeline.reading.options import ReadOptions
from tests.pipeline.reading import breakouts

OPENER = f"{__name__}:HostileSource"
NOTE, GO = "note", "go"
_GET_NO_NEW_PRIVILEGES = 39  # of prctl
_HEADER = b"%PDF-1.7 "
_PLACE = Box(0.1, 0.1, 0.2, 0.2)


def hostile_document(*pages: str | list[Any], opening: str = "words") -> bytes:
    """Return a document whose pages do what is asked: an action, or an action with arguments.

    Actions: ``words`` (a good page), ``blank``, ``slow SECONDS``, ``corrupt``, ``missing``,
    ``exception``, ``segfault``, ``abort``, ``exit``, ``memory``, ``disk``, ``full`` (a disk),
    ``hang``, ``spin``, ``garbage`` (bytes that are no message), ``liar`` (another page's number),
    ``meet`` (writes `NOTE` and waits for `GO`, both in its folder), ``family`` (starts a program,
    writes the ids of all processes to `NOTE`, hangs), ``break NAME`` (tries to break out, see
    `tests.pipeline.reading.breakouts`; further arguments are passed on, and its words say what came
    of it), ``look`` (a word for all that it sees of its environment).
    """
    script = [[page] if isinstance(page, str) else page for page in pages]
    return _HEADER + json.dumps({"open": opening, "pages": script}).encode()


def notes(spool: Path) -> list[Path]:
    """Return the notes of the readers that now work in that folder of temporary files."""
    return sorted(spool.glob(f"fieldwright-*/*/{NOTE}"))


class HostileSource:
    """Opens a hostile document."""

    embedded = None
    warnings: tuple[str, ...] = ()

    def __init__(self, data: bytes, media_type: str, folder: Path, options: ReadOptions) -> None:
        script = json.loads(data.removeprefix(_HEADER))
        self._folder = folder
        self._pages = script["pages"]
        self.page_count = len(self._pages)
        self._do(script["open"])

    def close(self) -> None:
        """Nothing is held open."""

    def read_page(self, number: int) -> Page:
        """Do what the page says."""
        action, *arguments = self._pages[number - 1]
        words = self._do(action, *arguments) or [f"word-{number}"]
        if action == "blank":
            return Page(number, 100.0, 100.0, reason="nothing there")
        tokens = tuple(Token(word, _PLACE) for word in words)
        given = number + 1 if action == "liar" else number
        return Page(given, 100.0, 100.0, text_source="ocr", reason="invented", tokens=tokens)

    def _note(self, processes: list[int]) -> None:
        """Tell the test which processes are at work, see `noted`."""
        draft = self._folder / f"{NOTE}.part"
        draft.write_text(json.dumps(processes))
        draft.replace(self._folder / NOTE)

    def _do(self, action: str, *arguments: Any) -> list[str] | None:
        match action:
            case "words" | "blank" | "liar":
                pass
            case "slow":
                time.sleep(arguments[0])
            case "meet":
                self._note([os.getpid()])
                while not (self._folder / GO).exists():
                    time.sleep(0.01)
                (self._folder / GO).unlink()
            case "corrupt":
                raise CorruptDocument("The page is torn.")
            case "missing":
                raise DependencyMissing("The program scissors is not installed.")
            case "exception":
                raise LookupError("SECRET of the document")
            case "segfault":
                ctypes.string_at(0)
            case "abort":
                os.abort()
            case "exit":
                os._exit(0)
            case "memory":
                hoard = bytearray()
                while True:
                    hoard += bytes(1 << 24)
            case "disk":
                with (self._folder / "large").open("wb") as file:
                    file.truncate(1 << 40)
            case "full":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            case "hang":
                time.sleep(3600)
            case "spin":
                while True:
                    pass
            case "garbage":
                _channel().sendall(b"\xff" * 100)
            case "family":
                # Reads standard input, which never ends.
                program = subprocess.Popen(["pdfinfo", "-"], stdin=subprocess.PIPE)
                self._note([os.getppid(), os.getpid(), program.pid])
                time.sleep(3600)
            case "break":
                name, *rest = arguments
                return breakouts.outcome(name, self._folder, *rest)
            case "look":
                core = resource.getrlimit(resource.RLIMIT_CORE)[0]
                new = ctypes.CDLL(None).prctl(_GET_NO_NEW_PRIVILEGES, 0, 0, 0, 0)
                seen = f"core={core}", f"no-new-privileges={new}", f"server={os.getppid()}"
                return [*os.environ, *seen]
            case _:
                raise ValueError(action)
        return None


def _channel() -> socket.socket:
    """Return the child's own end of the channel: the only socket it has."""
    for descriptor in range(3, 256):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                return socket.socket(fileno=os.dup(descriptor))
    raise AssertionError("no socket")
