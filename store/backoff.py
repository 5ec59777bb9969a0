"""When a delivery is tried again: a schedule over days, jitter, and what the receiver asks for."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

_JITTER = (
    0.2  # share of a delay that is added at random, so that deliveries do not all come back at once
)
_LONGEST_WISH = 24 * 3600.0  # seconds that a receiver may ask for


@dataclass(frozen=True, slots=True)
class Schedule:
    """Seconds before each attempt: the first since the event, the others since the one before."""

    delays: tuple[float, ...]

    @classmethod
    def of(cls, text: str) -> Schedule:
        """Return the schedule that a setting spells, such as ``0,5,300``.

        Raises:
            ValueError: it is none.
        """
        delays = tuple(float(part) for part in text.split(","))
        if not all(0 <= delay <= 30 * 24 * 3600 for delay in delays):
            raise ValueError("a delay is between 0 seconds and 30 days")
        return cls(delays)

    @property
    def longest(self) -> float:
        """Seconds, after which every attempt is made, whatever a receiver asks for."""
        return max(_LONGEST_WISH, *self.delays) * (1 + _JITTER)

    def after(self, attempts: int, wish: float | None = None) -> float | None:
        """Return the seconds until the next attempt, None where there is none.

        Args:
            attempts: that have failed, 1 at least.
            wish: seconds that the receiver asked for; a day at most is granted.
        """
        if attempts >= len(self.delays):
            return None
        delay = self.delays[attempts] * random.uniform(1, 1 + _JITTER)
        return max(delay, min(wish or 0.0, _LONGEST_WISH))


def wish_of(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a Retry-After header asks for, None where none is understood.

    A date is compared with the receiver's own, as its clock may be wrong.
    """
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:10])
    try:
        moment = parsedate_to_datetime(text)
        return max(0.0, (moment - parsedate_to_datetime(headers.get("date", ""))).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
