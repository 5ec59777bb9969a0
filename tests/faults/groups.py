"""One command of the service with all its processes: started, killed, frozen and stopped."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path

import psutil

from tests.launch import Launched, launch
from tests.patience import PATIENCE
from tests.service import over


class Group:
    """A command and the processes that it starts, with its log.

    Args:
        name: of the log too.
        command: arguments of `fieldwright`.
        environment: of the process.
        log: its standard error; kept over restarts.
    """

    def __init__(self, name: str, command: list[str], environment: dict[str, str], log: Path):
        self.name = name
        self.command = command
        self.environment = environment
        self.log = log
        self.process: Launched | None = None
        self._mourned: list[psutil.Process] = []

    def start(self) -> int:
        """Start it; return where its log goes on."""
        with self.log.open("ab") as log:
            begin = log.tell()
        self.process = launch(self.command, self.environment, self.log)
        return begin

    @property
    def alive(self) -> bool:
        """Whether its first process runs."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """Id of its first process, and of the group."""
        assert self.process is not None
        return self.process.pid

    def family(self) -> list[psutil.Process]:
        """Return its processes, the first one first, those in other groups too."""
        with contextlib.suppress(psutil.NoSuchProcess):
            first = psutil.Process(self.pid)
            return [first, *first.children(recursive=True)]
        return []

    def kill(self) -> None:
        """Kill all its processes with -9, as the end of a machine does."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it as an operator does; return its exit status."""
        return self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Stop all its processes in their tracks."""
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let frozen processes go on."""
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        for process in self.family():  # the first one first: it starts nothing anew
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def survivors(self) -> list[psutil.Process]:
        """Return what still runs of the families of ended groups."""
        self._mourned = [p for p in self._mourned if p.is_running() and not over(p)]
        return self._mourned

    def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        self._mourned += self.family()
        if number == signal.SIGKILL:
            self._send(number)
        else:
            self.process.send_signal(number)  # it tells its own children
        status = self.process.wait(timeout=PATIENCE)
        self.process = None
        return status
