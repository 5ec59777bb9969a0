"""The fork server: a process without threads and secrets that forks confined children on request.

Forking a process that has loaded the libraries takes milliseconds; a fresh interpreter takes a
third of a second, and forking the caller itself would copy its threads' locks and its documents.

A request is one packet with two descriptors: the child's end of a channel, and a status socket.
When the caller closes its end of the status socket, or dies, which closes it too, the child's
process group is killed, with whatever it has started. When the child has ended, its exit status is
written there. The server itself ends, and kills all children, when the caller's end of the control
socket is closed. Started as ``python -m pipeline.reading.isolation.forkserver DESCRIPTOR
MODULE...``; the modules are loaded in advance for all children.
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

from pipeline.reading.isolation.channel import Channel
from pipeline.reading.isolation.limits import Limits
from pipeline.reading.isolation.parent import die_with_parent
from pipeline.reading.isolation.sandbox import Sandbox, no_new_privileges, prepare

REQUEST_BYTES = 64 << 10  # the longest request

_SUBREAPER = 36  # of prctl
_EXCEPTION = 70  # exit status of a child whose function raised
_DESCRIPTORS = 4096  # more than a fork server ever opens


class ForkServer:
    """Serves requests until the caller closes the control socket, or dies."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._status: dict[int, socket.socket] = {}  # status sockets by the child's process id
        self._selector = selectors.DefaultSelector()
        self._woken, waker = socket.socketpair()
        for end in (self._woken, waker):
            end.setblocking(False)
        self._waker = waker
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def serve(self) -> None:
        """Run to the end."""
        for end in (self._control, self._woken):
            self._selector.register(end, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._control:
                    if not self._start_child():
                        self._end()
                        return
                elif key.fileobj is self._woken:
                    with contextlib.suppress(BlockingIOError):
                        self._woken.recv(REQUEST_BYTES)
                    self._reap()
                elif key.data in self._status:
                    # Nothing is ever sent here: the caller has closed it. The exit status still
                    # goes out, into the direction that may be open, once the child is reaped.
                    self._selector.unregister(key.fileobj)
                    _kill(key.data)

    def _start_child(self) -> bool:
        """Take a request and fork its child; False where the caller is gone."""
        try:
            packet, handles, _, _ = socket.recv_fds(self._control, REQUEST_BYTES, 2)
        except ConnectionResetError:
            return False
        if not packet:
            return False
        channel, status = handles
        try:
            pid = os.fork()
        except OSError:  # no room for another process: the caller sees both closed
            os.close(channel)
            os.close(status)
            return True
        if pid == 0:
            _be_child(json.loads(packet), channel)
        with contextlib.suppress(OSError):  # the child does it, too: whoever comes first
            os.setpgid(pid, pid)
        os.close(channel)
        self._status[pid] = socket.socket(fileno=status)
        self._selector.register(self._status[pid], selectors.EVENT_READ, pid)
        return True

    def _end(self) -> None:
        """Kill all children; they are reaped by the process that inherits them."""
        # Their ends are signalled while this object is being destroyed, and its sockets with it.
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for pid in self._status:
            _kill(pid)

    def _reap(self) -> None:
        """Reap the children that have ended, and tell their callers how."""
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None:
                return
            pid = ended.si_pid
            status = self._status.pop(pid, None)
            if status is not None:
                _kill(pid)  # before its number is free again: what it started dies with it
            _, code = os.waitpid(pid, 0)
            if status is None:
                continue  # an adopted orphan of a child
            with contextlib.suppress(KeyError):
                self._selector.unregister(status)
            with contextlib.suppress(OSError):  # the caller is gone
                status.sendall(str(os.waitstatus_to_exitcode(code)).encode())
            status.close()


def _kill(pid: int) -> None:
    """Kill a child and its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _be_child(request: dict[str, Any], descriptor: int) -> None:
    """Confine this process, run the function asked for, and end; never returns.

    The first message on its channel tells its folder and its limits, see `_settle`: it may have
    been forked before its document was known.

    Args:
        request: ``function`` as ``module:name``, which is called with the channel;
            ``environment``, all that the child gets of it.
        descriptor: the child's end of the channel.
    """
    code = _EXCEPTION
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        die_with_parent(signal.SIGKILL)
        no_new_privileges()
        nothing = os.open(os.devnull, os.O_RDWR)
        # Libraries write what they find in documents to standard error: that is not for logs.
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        os.closerange(3, descriptor)
        os.closerange(descriptor + 1, _DESCRIPTORS)
        os.environ.clear()
        os.environ.update(request["environment"])
        os.umask(0o077)
        function = _imported(request["function"])
        channel = Channel(socket.socket(fileno=descriptor))
        try:
            sandbox = Sandbox()
            settings = channel.receive()
            if settings is not None:
                _settle(settings, sandbox)
                function(channel)
            code = 0
        except MemoryError:
            channel.send({"fault": "memory"})
        except Exception:
            # Where, never what: the message of an exception may hold text of the document.
            frame = traceback.extract_tb(sys.exc_info()[2])[-1]
            kind = sys.exc_info()[0]
            place = f"{frame.name}, line {frame.lineno}"
            channel.send({"fault": "exception", "kind": kind and kind.__name__, "place": place})
    finally:
        os._exit(code)


def _settle(settings: dict[str, Any], sandbox: Sandbox) -> None:
    """Move this process to its folder, within its limits and its sandbox.

    Args:
        settings: ``folder`` for its files; ``limits`` as `Limits`; ``readable``, other paths that
            it may read; ``functions`` that it will call, as ``module:name``, loaded while it may
            still read their files; ``confined``, whether it enters the sandbox.
        sandbox: prepared.
    """
    for name in settings["functions"]:
        _imported(name)
    folder = settings["folder"]
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    os.chdir(folder)
    Limits(**settings["limits"]).apply()
    if settings["confined"]:
        sandbox.enter(folder, settings["readable"])


def _imported(function: str) -> Any:
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


def main(descriptor: str, *modules: str) -> None:
    """Load the modules, then serve the control socket of that descriptor."""
    control = socket.socket(fileno=int(descriptor))
    for module in modules:
        importlib.import_module(module)
    prepare()
    gc.collect()
    gc.freeze()  # a collection in a child would copy the memory that it shares with us
    if sys.platform == "linux":
        # What dead children leave becomes ours to reap, and is never a zombie.
        ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)
    ForkServer(control).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
