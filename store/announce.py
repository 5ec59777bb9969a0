"""Announcements: telling idle workers that a job waits, and who waits for it that it has ended.

Both as quickly as can be, at best effort. Whether a job runs never depends on them: embedded
workers look for themselves, and the sweeper announces again what the broker lost; who waits for
an end looks now and then. So announcing never fails and never waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from store.settings import Settings
from workers.embedded.bell import Bell

# A worker that is woken goes on while there is work, so a few messages are enough for any number
# of jobs; the sweeper sees to it that there always are some.
MOST = 50


class Announcer(Protocol):
    """Tells workers that jobs wait, and those who wait that one has ended."""

    def announce(self, stage: str, job_ids: Sequence[str]) -> None:
        """Tell that these jobs wait at a stage; returns at once, and never fails."""

    def ended(self, job_id: str) -> None:
        """Tell that a job has ended, once it stands in the store; returns at once, never fails."""

    def close(self) -> None:
        """Send what is left, for a moment, and stop."""


class Ringing:
    """Announces by the bells of the embedded service; to nobody where there are none.

    Args:
        bell: of workers.
        end_bell: of those who wait for jobs to end.
    """

    def __init__(self, bell: Bell | None, end_bell: Bell | None) -> None:
        self._bell = bell
        self._end_bell = end_bell

    def announce(self, stage: str, job_ids: Sequence[str]) -> None:
        """Wake the workers."""
        if job_ids and self._bell is not None:
            self._bell.ring()

    def ended(self, job_id: str) -> None:
        """Wake those who wait."""
        if self._end_bell is not None:
            self._end_bell.ring(job_id)

    def close(self) -> None:
        """Nothing is left to do."""


def announcer_for(settings: Settings) -> Announcer:
    """Return how this process announces: to the broker where there is one, else by the bell."""
    if not settings.broker_url:
        return Ringing(Bell.inherited(settings.bell), Bell.inherited(settings.end_bell))
    from workers.broker.publish import (
        Publishing,  # Celery comes in with it, which the others need not
    )

    return Publishing(settings)
