"""A document that does to its reader what hostile files do: its pages say what, in JSON.

`hostile_document` makes one; `OPENER` opens it in the place of the real readers, in the same
confined children.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from models.geometry import Box
from pipeline.document import Page, Token
from pipeline.errors import CorruptDocument, DependencyMissing
from pipeline.reading.options import ReadOptions

OPENER = f"{__name__}:HostileSource"
_HEADER = b"%PDF-1.7 "
_PLACE = Box(0.1, 0.1, 0.2, 0.2)


def hostile_document(*pages: str | list[Any], opening: str = "words") -> bytes:
    """Return a document whose pages do what is asked: an action, or an action with arguments.

    Actions: ``words`` (a good page), ``blank``, ``slow SECONDS``, ``corrupt``, ``missing``,
    ``exception``, ``segfault``, ``abort``, ``exit``, ``memory``, ``disk``, ``full`` (a disk),
    ``hang``, ``spin``, ``garbage`` (bytes that are no message), ``liar`` (another page's number),
    ``meet FOLDER COUNT`` (waits until so many processes do that), ``family FILE`` (starts a
    program, writes all process ids to the file, hangs),
    ``look`` (a word for all that it sees of its environment).
    """
    script = [[page] if isinstance(page, str) else page for page in pages]
    return _HEADER + json.dumps({"open": opening, "pages": script}).encode()


class HostileSource:
    """Opens a hostile document."""

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

    def _do(self, action: str, *arguments: Any) -> list[str] | None:
        match action:
            case "words" | "blank" | "liar":
                pass
            case "slow":
                time.sleep(arguments[0])
            case "meet":
                folder, count = Path(arguments[0]), arguments[1]
                (folder / str(os.getpid())).touch()
                while len(list(folder.iterdir())) < count:
                    time.sleep(0.01)
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
                _wire().sendall(b"\xff" * 100)
            case "family":
                program = subprocess.Popen(["sleep", "3600"])
                note = Path(arguments[0])
                draft = note.with_suffix(".part")
                draft.write_text(json.dumps([os.getppid(), os.getpid(), program.pid]))
                draft.replace(note)
                time.sleep(3600)
            case "look":
                limits = Path("/proc/self/limits").read_text(encoding="ascii").splitlines()
                core = next(line.split()[4] for line in limits if line.startswith("Max core"))
                return [*os.environ, f"core={core}", f"nursery={os.getppid()}", _privileges()]
            case _:
                raise ValueError(action)
        return None


def _privileges() -> str:
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next("=".join(line.split()) for line in status if line.startswith("NoNewPrivs"))


def _wire() -> socket.socket:
    """Return the child's own end of the wire: the only socket it has."""
    for entry in Path("/proc/self/fd").iterdir():
        if entry.is_symlink() and str(entry.readlink()).startswith("socket:"):
            return socket.socket(fileno=os.dup(int(entry.name)))
    raise AssertionError("no socket")
