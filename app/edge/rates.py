"""How many requests a key may send a minute: counted in Redis for all API processes, or here."""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

if TYPE_CHECKING:
    from redis import ConnectionPool

log = logging.getLogger(__name__)

_PATIENCE = 0.25  # seconds for one question to Redis; a request waits no longer for its permit
_PAUSE = 5.0  # seconds without Redis after it did not answer


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a key may still send.

    Attributes:
        granted: whether this request is within the limit.
        limit: requests a minute.
        remaining: requests that are left now.
        reset_s: whole seconds until there are more, at least 1.
    """

    granted: bool
    limit: int
    remaining: int
    reset_s: int

    @property
    def headers(self) -> dict[str, str]:
        """As in the IETF's draft on rate limit header fields."""
        return {
            "RateLimit-Policy": f'"key";q={self.limit};w=60',
            "RateLimit": f'"key";r={self.remaining};t={self.reset_s}',
        }


class Rates:
    """Counts the requests of each key in a sliding window of a minute.

    With a broker the count is shared by all API processes and outlives them. While Redis does
    not answer, each process counts for itself: its fault locks nobody out.

    Args:
        broker_url: address of Redis; where empty, each process counts for itself.
    """

    def __init__(self, broker_url: str) -> None:
        self._own = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._shared: SlidingWindowCounterRateLimiter | None = None
        self._pool: ConnectionPool | None = None
        self._paused_until = 0.0
        self._lock = threading.Lock()
        if broker_url:
            # A service without a broker does not need it: a sixth of a second of its start.
            from redis import ConnectionPool
            from redis.backoff import NoBackoff
            from redis.retry import Retry

            self._pool = ConnectionPool.from_url(
                broker_url,
                socket_timeout=_PATIENCE,
                socket_connect_timeout=_PATIENCE,
                retry=Retry(NoBackoff(), 0),
            )
            storage = RedisStorage(
                broker_url, self._pool, wrap_exceptions=True, key_prefix="fieldwright-rate"
            )
            self._shared = SlidingWindowCounterRateLimiter(storage)

    @property
    def local(self) -> bool:
        """Whether a count waits for nothing outside of this process."""
        return self._shared is None or time.monotonic() < self._paused_until

    def hit(self, key_id: str, per_minute: int) -> Allowance:
        """Count one request of a key and return what it may still send.

        With Redis this blocks for a fraction of a millisecond, a quarter of a second at most.
        """
        if self._shared is not None and not self.local:
            try:
                return _hit(self._shared, key_id, per_minute)
            except StorageError:
                with self._lock:
                    if not self.local:
                        self._paused_until = time.monotonic() + _PAUSE
                        log.warning("rate limits without redis", extra={"seconds": _PAUSE})
        return _hit(self._own, key_id, per_minute)

    def close(self) -> None:
        """Close the connections to Redis."""
        if self._pool is not None:
            self._pool.disconnect()


def _hit(limiter: SlidingWindowCounterRateLimiter, key_id: str, per_minute: int) -> Allowance:
    item = RateLimitItemPerMinute(per_minute)
    granted = limiter.hit(item, key_id)
    stats = limiter.get_window_stats(item, key_id)
    reset_s = max(1, math.ceil(stats.reset_time - time.time()))
    return Allowance(granted, per_minute, stats.remaining, reset_s)
