"""How the processes of an installation announce: through the broker, or through pipes."""

from __future__ import annotations

from collections.abc import Sequence

from store.announce import Announcer
from store.settings import Settings
from workers.embedded.bell import Bell


class Ringing:
    """Announces through the pipes of the embedded service; to nobody where there are none.

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
    """Return how this process announces: to the broker where there is one, else through pipes."""
    if not settings.broker_url:
        return Ringing(Bell.inherited(settings.bell), Bell.inherited(settings.end_bell))
    from workers.broker.publish import Publishing  # with Celery, which the embedded mode lacks

    return Publishing(settings)
