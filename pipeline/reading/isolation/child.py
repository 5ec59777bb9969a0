"""The caller's side of a confined child process: start it, talk to it, kill it.

One fork server serves a whole process, whichever of its threads reads; it is started when it is
first needed and dies with the process. A process that reads again and again has a child forked
ahead of its next document: it waits, without a document and without limits yet.
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

from pipeline.errors import ReaderLost
from pipeline.reading.isolation.channel import Channel
from pipeline.reading.isolation.limits import Limits
from pipeline.reading.isolation.programs import ONE_THREAD, passed_on

_ROOT = Path(__file__).resolve().parents[3]
_KILL_WAIT_S = 10.0  # seconds to wait for the end of a killed child


@dataclass(frozen=True, slots=True)
class _Sockets:
    """Our ends of a child's channel and of its status socket; closing the latter kills it."""

    channel: socket.socket
    status: socket.socket

    def close(self) -> None:
        """Let the child be killed."""
        self.channel.close()
        self.status.close()


class _ForkServerClient:
    """The fork server of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._modules: tuple[str, ...] = ()
        self._ahead: tuple[str, _Sockets] | None = None  # a child that waits, by its function

    def start(self, modules: Iterable[str]) -> None:
        """Start it, or start it again where it is dead, without waiting until it is ready."""
        with self._lock:
            self._modules = tuple(modules)
            self._start()

    def fork_ahead(self, function: str) -> None:
        """Fork a child for the next `fork` of that function, unless one waits already."""
        with self._lock:
            if self._ahead is None:
                self._ahead = function, self._forked(function)

    def fork(self, function: str) -> _Sockets:
        """Take the child that waits, or fork one; raises OSError where that fails."""
        with self._lock:
            if self._ahead is not None and self._ahead[0] == function:
                (_, sockets), self._ahead = self._ahead, None
                # A child that waits says nothing: its channel is readable only once it has ended.
                if not select.select([sockets.channel], [], [], 0)[0]:
                    return sockets
                sockets.close()
            return self._forked(function)

    def close(self) -> None:
        """End it and all children."""
        with self._lock:
            self._close()

    def forget(self) -> None:
        """Drop it without ending it: after a fork of this process it belongs to the parent."""
        self._lock = threading.Lock()
        if self._ahead is not None:
            self._ahead[1].close()  # the parent has these ends, too
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.returncode = 0  # not ours to wait for
        self._process = self._control = self._ahead = None

    def _forked(self, function: str) -> _Sockets:
        environment = {**passed_on(), **ONE_THREAD}
        request = json.dumps({"function": function, "environment": environment}).encode()
        (channel, their_channel), (status, their_status) = socket.socketpair(), socket.socketpair()
        sockets = _Sockets(channel, status)
        with their_channel, their_status:
            try:
                self._ask(request, [their_channel.fileno(), their_status.fileno()])
            except OSError:
                sockets.close()
                raise
        return sockets

    def _ask(self, request: bytes, handles: list[int]) -> None:
        """Send a request."""
        self._start()
        assert self._control is not None
        try:
            socket.send_fds(self._control, [request], handles)
        except OSError:  # it died since `_start` looked
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
                    *(sys.executable, "-P", "-m", "pipeline.reading.isolation.forkserver"),
                    *(str(theirs.fileno()), *self._modules),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # One thread each: children are spread over the cores as they are, and a process
                # with threads must not fork.
                env={
                    **passed_on(),
                    "PYTHONPATH": str(_ROOT),
                    "OMP_NUM_THREADS": "1",
                    "OPENBLAS_NUM_THREADS": "1",
                },
                # A group of its own: a signal to ours must leave it alive to kill the children.
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


_server = _ForkServerClient()
atexit.register(_server.close)
os.register_at_fork(after_in_child=_server.forget)


def prepare(modules: Iterable[str]) -> None:
    """Start the fork server of this process ahead of its first child; returns at once.

    Args:
        modules: names of what it loads for all children; the first call decides.
    """
    _server.start(modules)


def fork_ahead(function: str) -> None:
    """Have a child wait for the next `Child` of that function; returns at once.

    There is one at a time, at the cost of a process that waits. A failure is not reported: the
    next `Child` is then forked when it is needed.
    """
    with contextlib.suppress(OSError):
        _server.fork_ahead(function)


@dataclass(frozen=True, slots=True)
class Place:
    """What a child may use, and what it does there.

    Attributes:
        limits: of its memory and files.
        folder: an existing folder for its files, its working folder too.
        readable: paths of the other files that it may read.
        functions: what it will call beside its function, as ``module:name``.
        confined: whether it enters the sandbox, see `isolation.sandbox`.
    """

    limits: Limits
    folder: Path
    readable: tuple[Path, ...] = ()
    functions: tuple[str, ...] = ()
    confined: bool = True


class Child:
    """A confined child process that runs one function, with a channel to it.

    Args:
        function: what it runs, as ``module:name``; called with its end of the channel.
        place: where it does so.

    Raises:
        ReaderLost: the system has no room for another process.
    """

    def __init__(self, function: str, place: Place) -> None:
        try:
            sockets = _server.fork(function)
        except OSError as error:
            raise ReaderLost("The process that reads could not be started") from error
        self.channel, self._status_socket = Channel(sockets.channel), sockets.status
        settings = {
            "limits": dataclasses.asdict(place.limits),
            "folder": str(place.folder),
            "readable": [str(path) for path in place.readable],
            "functions": place.functions,
            "confined": place.confined,
        }
        with contextlib.suppress(OSError):  # it is dead: the next read of its channel says so
            self.channel.send(settings)
        self._status: int | None = None
        self._over = False

    def kill(self) -> int | None:
        """Kill it with all that it started, and wait until it is gone.

        Returns:
            Its exit status, or minus the signal that ended it: of its own end where it had ended
            before; None where that is not known, as when the fork server was killed.
        """
        if not self._over:
            self._over = True
            self.channel.close()
            with contextlib.suppress(OSError):
                self._status_socket.shutdown(socket.SHUT_WR)
            self._status_socket.settimeout(_KILL_WAIT_S)
            with contextlib.suppress(OSError, ValueError):
                self._status = int(self._status_socket.recv(16))
            self._status_socket.close()
        return self._status
