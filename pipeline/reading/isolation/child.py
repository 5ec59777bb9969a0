"""The caller's side of a confined child process: start it, talk to it, kill it.

One nursery serves a whole process, whichever of its threads reads; it is started at the first
need and dies with the process. A process that reads again and again has a child forked ahead of
its next document: it waits, without a document and without limits yet.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import json
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import FieldwrightError
from pipeline.reading.isolation.limits import Limits
from pipeline.reading.isolation.wire import Wire

# What a child may know of our environment: enough to find programs and their data.
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "HOME", "LANG", "LC_ALL")
_ROOT = Path(__file__).resolve().parents[3]
_BURIAL_S = 10.0  # seconds to wait for the end of a killed child


@dataclass(frozen=True, slots=True)
class _Lines:
    """Our ends of what leads to a child: the wire, and the lifeline that it dies with."""

    wire: socket.socket
    life: socket.socket

    def close(self) -> None:
        """Let the child die."""
        self.wire.close()
        self.life.close()


class _NurseryProcess:
    """The nursery of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._modules: tuple[str, ...] = ()
        self._ahead: tuple[str, _Lines] | None = None  # a child that waits, by its function

    def start(self, modules: Iterable[str]) -> None:
        """Start it, or start it again where it is dead, without waiting until it is ready."""
        with self._lock:
            self._modules = tuple(modules)
            self._start()

    def fork_ahead(self, function: str) -> None:
        """Have a child wait for the next one who wants that function, unless one does."""
        with self._lock:
            if self._ahead is None:
                self._ahead = function, self._forked(function)

    def fork(self, function: str) -> _Lines:
        """Have a child forked, or take the one that waits; raises OSError where it cannot be."""
        with self._lock:
            if self._ahead is not None and self._ahead[0] == function:
                (_, lines), self._ahead = self._ahead, None
                # A child that waits says nothing: there is only its end to be heard.
                if not select.select([lines.wire], [], [], 0)[0]:
                    return lines
                lines.close()
            return self._forked(function)

    def close(self) -> None:
        """End it and all children."""
        with self._lock:
            self._close()

    def forget(self) -> None:
        """Leave it to the parent: in a fork of this process it is somebody else's."""
        self._lock = threading.Lock()
        if self._ahead is not None:
            self._ahead[1].close()  # the parent has these ends, too
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.returncode = 0  # not ours to wait for
        self._process = self._control = self._ahead = None

    def _forked(self, function: str) -> _Lines:
        environment = {**_passed_on(), "OMP_THREAD_LIMIT": "1"}
        request = json.dumps({"function": function, "environment": environment}).encode()
        (wire, wire_end), (life, life_end) = socket.socketpair(), socket.socketpair()
        lines = _Lines(wire, life)
        with wire_end, life_end:
            try:
                self._ask(request, [wire_end.fileno(), life_end.fileno()])
            except OSError:
                lines.close()
                raise
        return lines

    def _ask(self, request: bytes, handles: list[int]) -> None:
        """Send a request."""
        self._start()
        assert self._control is not None
        try:
            socket.send_fds(self._control, [request], handles)
        except OSError:  # it died between two readings
            self._close()
            self._start()
            socket.send_fds(self._control, [request], handles)

    def _start(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                return
            self._close()
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-m", "pipeline.reading.isolation.nursery"),
                    *(str(theirs.fileno()), *self._modules),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # One thread each: children are spread over the cores as they are, and a process
                # with threads must not fork.
                env={
                    **_passed_on(),
                    "PYTHONPATH": str(_ROOT),
                    "OMP_NUM_THREADS": "1",
                    "OPENBLAS_NUM_THREADS": "1",
                },
                # A group of its own: whoever kills ours must leave it alive to kill the children.
                start_new_session=True,
            )
        self._control = control

    def _close(self) -> None:
        if self._ahead is not None:
            self._ahead[1].close()
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.wait()
        self._process = self._control = self._ahead = None


_nursery = _NurseryProcess()
atexit.register(_nursery.close)
os.register_at_fork(after_in_child=_nursery.forget)


def prepare(modules: Iterable[str]) -> None:
    """Start the nursery of this process ahead of its first child; returns at once.

    Args:
        modules: names of what it loads for all children; the first call decides.
    """
    _nursery.start(modules)


def fork_ahead(function: str) -> None:
    """Have a child wait for the next `Child` of that function; returns at once.

    It is one at a time, and costs a process that waits. Where it cannot be had, it is done without.
    """
    with contextlib.suppress(OSError):
        _nursery.fork_ahead(function)


class Child:
    """A confined child process that runs one function, with a wire to it.

    Args:
        function: what it runs, as ``module:name``; called with its end of the wire.
        limits: what it may use.
        folder: an existing folder for its files, its working folder too.

    Raises:
        FieldwrightError: the nursery cannot be started.
    """

    def __init__(self, function: str, limits: Limits, folder: Path) -> None:
        try:
            lines = _nursery.fork(function)
        except OSError as error:
            raise FieldwrightError("The process that reads cannot be started.") from error
        self.wire, self._lifeline = Wire(lines.wire), lines.life
        with contextlib.suppress(OSError):  # it is dead: its wire says so to whoever reads next
            self.wire.send({"limits": dataclasses.asdict(limits), "folder": str(folder)})
        self._status: int | None = None
        self._over = False

    def kill(self) -> int | None:
        """Kill it with all that it started, and wait until it is gone.

        Returns:
            Its exit status, or minus the signal that ended it, which is what ended it before
            where it was dead already; None where nobody knows.
        """
        if not self._over:
            self._over = True
            self.wire.close()
            with contextlib.suppress(OSError):
                self._lifeline.shutdown(socket.SHUT_WR)
            self._lifeline.settimeout(_BURIAL_S)
            with contextlib.suppress(OSError, ValueError):
                self._status = int(self._lifeline.recv(16))
            self._lifeline.close()
        return self._status


def _passed_on() -> dict[str, str]:
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
