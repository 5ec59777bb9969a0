"""Idle workers of the production mode, woken over Redis without a message through Celery.

A worker that has just worked stays awake for a while. Whoever announces a job takes one of those
that are idle from the list and wakes it; only where none is left does a message go to Celery. So
in a busy hour a document passes between processes as quickly as Redis does, and in a quiet one
the workers sleep.

A worker enters the list before it looks for jobs, and leaves it when it has found one: a job that
comes meanwhile either stands in the store when the worker looks, or wakes it. Entering, leaving
and taking are each one step for Redis, by its clock. An entry runs out by itself: who died is
soon woken in vain no more. What is lost here is made up for as what Celery loses is: the sweeper
announces again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from redis import Redis, RedisError

from store.jobs.records import STAGES
from store.settings import Settings
from workers.broker.celery_app import PREFIX

_PATIENCE_S = 3.0  # for any answer; longer than a slice
_SLICE_S = 1.0  # of a wait: a drain is heard between two
_BEYOND_MS = 500  # for which an entry outlives the wait that it is for
_KEPT_MS = 60_000  # for which a wake-up waits for a worker that died

_NOW = "local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)\n"
# Of all scripts KEYS are the lists of idle workers, by stage: name -> end of the entry, ms.
_ENTER = f"""{_NOW}
redis.call('DEL', ARGV[2] .. ARGV[1])
for _, key in ipairs(KEYS) do redis.call('ZADD', key, now + ARGV[3], ARGV[1]) end
"""
_LEAVE = """
local left = 0
for _, key in ipairs(KEYS) do left = left + redis.call('ZREM', key, ARGV[1]) end
return left
"""
# The first list is that of the stage; whoever is taken from it works at no other either.
_TAKE = f"""{_NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local woken = 0
while woken < tonumber(ARGV[1]) do
  local found = redis.call('ZPOPMAX', KEYS[1])
  if not found[1] then break end
  for place = 2, #KEYS do redis.call('ZREM', KEYS[place], found[1]) end
  redis.call('RPUSH', ARGV[3] .. found[1], ARGV[2])
  redis.call('PEXPIRE', ARGV[3] .. found[1], ARGV[4])
  woken = woken + 1
end
return woken
"""
_WAKE = f"{PREFIX}wake:"


def _list(stage: str) -> str:
    return f"{PREFIX}idle:{stage}"


class Idle:
    """One worker's place among the idle ones; where Redis is away, it has none.

    Args:
        settings: of the installation, with its broker.
        name: of the worker, unique.
        stages: that it works at.
    """

    def __init__(self, settings: Settings, name: str, stages: Sequence[str]) -> None:
        self._client = Redis.from_url(
            settings.broker_url,
            socket_timeout=_PATIENCE_S,
            socket_connect_timeout=_PATIENCE_S,
            decode_responses=True,
        )
        self._name = name
        self._wake = f"{_WAKE}{name}"
        self._lists = [_list(stage) for stage in stages]
        self._enter = self._client.register_script(_ENTER)
        self._leave = self._client.register_script(_LEAVE)
        self._entered = False

    def enter(self, seconds: float) -> None:
        """Be woken for a job from now on, for so many seconds at least."""
        try:
            until = int(1000 * seconds) + _BEYOND_MS
            self._enter(keys=self._lists, args=[self._name, _WAKE, until])
            self._entered = True
        except RedisError:
            self._entered = False

    def leave(self) -> bool:
        """Be woken no more; say whether somebody just did, who woke nobody else for it."""
        if not self._entered:
            return False
        self._entered = False
        try:
            return not self._leave(keys=self._lists, args=[self._name])
        except RedisError:
            return False

    def wait(self, seconds: float, stopped: Callable[[], bool]) -> str | None:
        """Return the stage of the job that it is woken for, when it is.

        None after so many seconds, when it is to stop, and where Redis is away.
        """
        until = time.monotonic() + seconds
        try:
            while self._entered and not stopped() and (left := until - time.monotonic()) > 0:
                found = self._client.blpop([self._wake], timeout=min(left, _SLICE_S))
                if found is not None:
                    self._entered = False
                    return str(found[1])
        except RedisError:
            self._entered = False
        return None

    def close(self) -> None:
        """Leave Redis."""
        self._client.close()


class Waking:
    """Wakes idle workers.

    Args:
        client: of the broker.
    """

    def __init__(self, client: Redis) -> None:
        self._take = client.register_script(_TAKE)

    def wake(self, stage: str, number: int) -> int:
        """Wake up to so many of a stage's idle workers, the last to become idle first.

        Returns:
            How many were woken.

        Raises:
            RedisError: Redis does not answer.
        """
        lists = [_list(stage), *(_list(other) for other in STAGES if other != stage)]
        return int(self._take(keys=lists, args=[number, stage, _WAKE, _KEPT_MS]))
