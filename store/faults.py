"""Fault injection: hooks by which tests stop, slow or break a process at a named point.

``FIELDWRIGHT_FAULT`` holds hooks separated by commas, each ``POINT[@SHA256]:ACTION[:ARGUMENTS]``.
A hook with a hash prefix fires for that document alone. The hooks are dead unless
``FIELDWRIGHT_ENV`` is ``test``.

Points: ``write_file`` and the like (a blob of that name is about to be closed), ``after_spool``
and ``after_commit`` (the API accepts a document), ``in_read`` (a page was read), ``in_tag``,
``before_finish`` and ``after_finish`` (the answer is about to be stored, is stored),
``in_epoch`` (a training is in the midst of an epoch behind the first),
``before_webhook_commit`` (a receiver has answered, its answer is about to be stored; the hash is
that of its address).

Actions, each with how many times in all processes together (0 or none for always):

    kill9[:TIMES]            the process dies as if it were killed from outside
    exit1[:TIMES]            it ends by itself, at once
    raise[:TIMES]            a fault of the code
    enospc[:TIMES]           the disk is full
    sleep:SECONDS[:TIMES]    nothing happens for so long
"""

from __future__ import annotations

import errno
import os
import signal
import time
from pathlib import Path


class PlannedFault(Exception):
    """Raised by the action ``raise``."""


class Faults:
    """The hooks of an installation.

    Args:
        hooks: as FIELDWRIGHT_FAULT has them; empty for none.
        folder: where the processes count how often each one fired.
    """

    def __init__(self, hooks: str, folder: Path) -> None:
        self._hooks = hooks.split(",") if hooks else []
        self._folder = folder

    def at(self, point: str, *, sha256: str = "") -> None:
        """Do what the hooks at a point ask for.

        Args:
            point: where the process is.
            sha256: hash of the document at hand, empty where there is none.

        Raises:
            PlannedFault: asked for by ``raise``.
            OSError: asked for by ``enospc``.
        """
        for hook in self._hooks:
            place, action, *arguments = hook.split(":")
            name, _, prefix = place.partition("@")
            if name != point or not sha256.startswith(prefix):
                continue
            seconds = float(arguments.pop(0)) if action == "sleep" else 0.0
            if _fires(self._folder, hook, int(arguments[0]) if arguments else 0):
                _do(action, seconds, hook)


def _do(action: str, seconds: float, hook: str) -> None:
    match action:
        case "sleep":
            time.sleep(seconds)
        case "kill9":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit1":
            os._exit(1)
        case "enospc":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        case "raise":
            raise PlannedFault(hook)
        case _:
            raise ValueError(f"no such fault: {hook}")


def _fires(folder: Path, hook: str, times: int) -> bool:
    """Return whether the hook has shots left, and take one; shared by all processes."""
    if not times:
        return True
    folder.mkdir(parents=True, exist_ok=True)
    for shot in range(times):
        try:
            (folder / f"{hook.replace(':', '-')}.{shot}").touch(exist_ok=False)
        except FileExistsError:
            continue
        return True
    return False
