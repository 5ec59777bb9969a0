"""Announcements: telling idle workers that a job waits, and whoever waits for a job that it ended.

Both are hints, sent as soon as can be and never waited for. Whether a job runs does not depend on
them: embedded workers poll, the sweeper announces again what the broker lost, and whoever waits
for an end looks at the store now and then. How hints travel is decided by who runs the processes
(`workers.embedded.pipe`, `workers.broker.announcer`) and handed to `store.jobs.Jobs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

# A worker that is woken goes on while there is work, so a few messages are enough for any number
# of jobs; the sweeper sees to it that there always are some.
MOST = 50


class Announcer:
    """Tells workers that jobs wait, and those who wait that one has ended.

    This one tells nobody: workers and waiters find out by looking.
    """

    def announce(self, stage: str, job_ids: Sequence[str]) -> None:
        """Tell that these jobs wait at a stage; returns at once, and never fails."""

    def ended(self, job_id: str) -> None:
        """Tell that a job has ended, once it is stored; returns at once, and never fails."""

    def close(self) -> None:
        """Send what is left, for a moment, and stop."""


class EndSignals(Protocol):
    """Hears of the ends of jobs, on an event loop."""

    async def heard(self, seconds: float) -> set[str]:
        """Return the ids of jobs that ended, as soon as any did, or after so many seconds."""
