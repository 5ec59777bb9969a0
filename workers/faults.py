"""Faults on purpose: hooks by which the tests stop, slow or break a worker at a named point.

``FIELDWRIGHT_FAULT`` holds hooks separated by commas, each ``POINT[@SHA256]:ACTION[:ARGUMENT]``.
A hook with a hash prefix fires for that document alone. Actions: ``kill9`` (argument: how many
times in all, 0 or none for always), ``raise`` (the same), ``sleep`` (argument: seconds). The
hooks are dead unless ``FIELDWRIGHT_ENV`` is ``test``.
"""

from __future__ import annotations

import os
import signal
import time

from workers.settings import Settings


class PlannedFault(Exception):
    """Raised by the action ``raise``."""


def fault_at(point: str, settings: Settings, *, sha256: str = "") -> None:
    """Do what the hooks at `point` ask for; nothing outside tests.

    Args:
        point: such as ``after_claim``, ``in_read``, ``in_tag``, ``before_finish``.
        settings: where the hooks stand; counts are kept as files in its home.
        sha256: hash of the document at hand.
    """
    if settings.env != "test" or not settings.fault:
        return
    for hook in settings.fault.split(","):
        place, action, *rest = hook.split(":")
        name, _, prefix = place.partition("@")
        argument = float(rest[0]) if rest else 0.0
        if name != point or not sha256.startswith(prefix):
            continue
        if action == "sleep":
            time.sleep(argument)
        elif _fires(settings, hook, int(argument)):
            if action == "kill9":
                os.kill(os.getpid(), signal.SIGKILL)
            raise PlannedFault(hook)


def _fires(settings: Settings, hook: str, times: int) -> bool:
    """Return whether the hook has shots left, and take one; shared by all processes."""
    folder = settings.home / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    shot = 0
    while not times or shot < times:
        try:
            (folder / f"{hook.replace(':', '-')}.{shot}").touch(exist_ok=False)
        except FileExistsError:
            shot += 1
        else:
            return True
    return False
