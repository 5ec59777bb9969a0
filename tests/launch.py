"""Starts commands of the service as forks of a process that has loaded what they load.

Loading takes seconds of the processor, and hundreds of services are started; apart from it nothing
is spared them. The command as its users start it: `tests/cli/service/test_serve.py`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

_LOADED = [
    *("app.main", "cli.service.serve", "cli.service.worker", "workers.embedded.worker"),
    *("workers.broker.node", "workers.worker", "models.graph_tagger", "pipeline.extract"),
]
_context = get_context("forkserver")
_context.set_forkserver_preload(_LOADED)


class Launched:
    """A command that was started, with what `subprocess.Popen` has of it.

    Args:
        process: it.
    """

    def __init__(self, process: BaseProcess) -> None:
        assert process.pid is not None
        self.pid = process.pid
        self._process = process

    def poll(self) -> int | None:
        """Return its exit status, None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status once it has ended; fail after `timeout` seconds."""
        self._process.join(timeout)
        status = self.poll()
        assert status is not None, f"it did not end in {timeout} seconds"
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            if self.poll() is None:
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it with -9."""
        self.send_signal(signal.SIGKILL)


def launch(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Launched:
    """Start `fieldwright` with arguments, in a group of processes of its own.

    Args:
        arguments: of the command line.
        environment: all that it has.
        log: what it prints is added to it.
    """
    process = _context.Process(target=_run, args=(arguments, dict(environment), log))
    process.start()
    return Launched(process)


def _run(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    from cli.main import main  # here: whoever launches need not load it

    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    printed = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for standard in (1, 2):
        os.dup2(printed, standard)
    os.close(printed)
    sys.argv = ["fieldwright", *arguments]
    main()
