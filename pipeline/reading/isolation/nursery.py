"""The nursery: a process without threads and secrets that forks confined children on request.

Forking a process that has loaded the libraries takes milliseconds; a fresh interpreter takes a
third of a second, and forking the caller itself would copy its threads' locks and its documents.

A request is one packet with two descriptors: the child's end of a wire, and a lifeline. When the
caller closes its end of the lifeline, or dies, which closes it too, the child's process group is
killed, with whatever it has started. When the child has ended, its exit status is written there.
The nursery itself ends, and kills all children, when the caller's end of the control socket is
closed. Started as ``python -m pipeline.reading.isolation.nursery DESCRIPTOR MODULE...``; the
modules are loaded in advance for all children.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
import traceback
from typing import Any

from pipeline.reading.isolation.limits import Limits
from pipeline.reading.isolation.parent import die_with_parent
from pipeline.reading.isolation.wire import Wire

REQUEST_BYTES = 64 << 10  # the longest request

_SUBREAPER, _NO_NEW_PRIVILEGES = 36, 38  # of prctl
_STUMBLED = 70  # exit status of a child whose function raised
_DESCRIPTORS = 4096  # more than a nursery ever opens


class Nursery:
    """Serves requests until the caller closes the control socket, or dies."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._lifelines: dict[int, socket.socket] = {}  # by the child's process id
        self._waiting = selectors.DefaultSelector()
        self._woken, waker = socket.socketpair()
        for end in (self._woken, waker):
            end.setblocking(False)
        self._waker = waker
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def serve(self) -> None:
        """Run to the end."""
        for end in (self._control, self._woken):
            self._waiting.register(end, selectors.EVENT_READ)
        while True:
            for key, _ in self._waiting.select():
                if key.fileobj is self._control:
                    if not self._start_child():
                        for pid in self._lifelines:
                            _kill(pid)
                        return
                elif key.fileobj is self._woken:
                    with contextlib.suppress(BlockingIOError):
                        self._woken.recv(REQUEST_BYTES)
                    self._reap()
                elif key.data in self._lifelines:
                    # Nothing is ever sent here: the caller has closed it. The status still goes
                    # out, into the half of the line that may be open, once the child is reaped.
                    self._waiting.unregister(key.fileobj)
                    _kill(key.data)

    def _start_child(self) -> bool:
        """Take a request and fork its child; False where the caller is gone."""
        try:
            packet, handles, _, _ = socket.recv_fds(self._control, REQUEST_BYTES, 2)
        except ConnectionResetError:
            return False
        if not packet:
            return False
        wire, lifeline = handles
        pid = os.fork()
        if pid == 0:
            _be_child(json.loads(packet), wire)
        with contextlib.suppress(OSError):  # the child does it too: whoever comes first
            os.setpgid(pid, pid)
        os.close(wire)
        self._lifelines[pid] = socket.socket(fileno=lifeline)
        self._waiting.register(self._lifelines[pid], selectors.EVENT_READ, pid)
        return True

    def _reap(self) -> None:
        """Bury the children that have ended, and tell their callers how."""
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None:
                return
            pid = ended.si_pid
            lifeline = self._lifelines.pop(pid, None)
            if lifeline is not None:
                _kill(pid)  # before its number is free again: what it started dies with it
            _, status = os.waitpid(pid, 0)
            if lifeline is None:
                continue  # an adopted orphan of a child
            with contextlib.suppress(KeyError):
                self._waiting.unregister(lifeline)
            with contextlib.suppress(OSError):  # nobody wants to know any more
                lifeline.sendall(str(os.waitstatus_to_exitcode(status)).encode())
            lifeline.close()


def _kill(pid: int) -> None:
    """Kill a child and its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _be_child(request: dict[str, Any], wire: int) -> None:
    """Confine this process, run the function asked for, and end; never returns.

    The first message that it gets has its ``limits`` and the ``folder`` for its files: it may
    have been forked before anybody knew them.

    Args:
        request: ``function`` as ``module:name``, which is called with the wire; ``environment``,
            all that the child gets of it.
        wire: descriptor of the child's end.
    """
    status = _STUMBLED
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        die_with_parent(signal.SIGKILL)
        _prctl(_NO_NEW_PRIVILEGES)
        nothing = os.open(os.devnull, os.O_RDWR)
        # Libraries write what they find in documents to standard error: that is not for logs.
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        os.closerange(3, wire)
        os.closerange(wire + 1, _DESCRIPTORS)
        os.environ.clear()
        os.environ.update(request["environment"])
        os.umask(0o077)
        module, _, name = request["function"].partition(":")
        function = getattr(importlib.import_module(module), name)
        line = Wire(socket.socket(fileno=wire))
        try:
            if _settled(line.receive()):
                function(line)
            status = 0
        except MemoryError:
            line.send({"fault": "memory"})
        except Exception:
            # Where, never what: the message of an exception may hold text of the document.
            frame = traceback.extract_tb(sys.exc_info()[2])[-1]
            kind = sys.exc_info()[0]
            place = f"{frame.name}, line {frame.lineno}"
            line.send({"fault": "exception", "kind": kind and kind.__name__, "place": place})
    finally:
        os._exit(status)


def _settled(place: dict[str, Any] | None) -> bool:
    """Go where this process is told to work, within the limits told; False where nobody tells."""
    if place is None:
        return False
    os.environ["TMPDIR"] = tempfile.tempdir = place["folder"]
    os.chdir(place["folder"])
    Limits(**place["limits"]).apply()
    return True


def _prctl(option: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, 1, 0, 0, 0)


def main(descriptor: str, *modules: str) -> None:
    """Load the modules, then serve the control socket of that descriptor."""
    control = socket.socket(fileno=int(descriptor))
    for module in modules:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()  # a collection in a child would copy the memory that it shares with us
    _prctl(_SUBREAPER)  # what dead children leave becomes ours to reap, and is never a zombie
    Nursery(control).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
