"""Sends what webhooks are to be told, signed, to addresses that were judged, until it is heard.

One thread with an event loop of its own in each API process; any number of processes share the
work through the leases of `store.webhooks.deliveries`. A receiver has 15 seconds in all and is
asked over a connection of its own. Of its answer only the status and Retry-After are looked at: the
body is neither read nor logged, and a redirect is a failure that nobody follows.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime

import httpx
from standardwebhooks import Webhook as Signer

from pipeline.errors import ServiceError
from store.backoff import wish_of
from store.errors import SecretKeyMissing, WebhookTargetRefused
from store.settings import Settings
from store.sql.database import Database
from store.webhooks import (
    BLOCKED,
    Claimed,
    Deliveries,
    NameNotResolved,
    Outcome,
    Resolver,
    judged,
    resolved,
    send,
)

log = logging.getLogger(__name__)

_AT_WORK = 256  # attempts of one process at the same time
_PATIENCE = 3.0  # seconds that attempts have to end when the process stops
_RECOVERY = 10.0  # seconds before all begins again after a fault of ours
_PRUNING = 3600.0  # seconds between two cuts of the log
_KEPT = 30 * 24 * 3600.0  # seconds that the log of deliveries goes back


class Sender:
    """Delivers what is due until it is stopped.

    Args:
        database: where the deliveries are.
        settings: of the installation.
        resolve: finds the addresses of a name.
        trust: certificates that receivers are checked against; the usual ones where None.
        poll: seconds between two looks for what is due.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        resolve: Resolver = resolved,
        trust: ssl.SSLContext | None = None,
        poll: float = 1.0,
    ) -> None:
        self._deliveries = Deliveries(database, settings.webhook_delays, settings.secret_cipher)
        self._settings = settings
        self._resolve = resolve
        self._trust = trust
        self._poll = poll
        self._policy = settings.webhook_policy
        self._timeout = settings.webhook_timeout_s
        self._pruned = -math.inf
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._thread = threading.Thread(target=self._main, name="webhooks", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._loop = asyncio.new_event_loop()
        self._thread.start()

    def stop(self) -> None:
        """Begin nothing more, give attempts under way a moment, return when all are settled."""
        if self._loop is None or not self._thread.is_alive():
            return
        with suppress(RuntimeError):  # the loop has closed this very moment
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def _main(self) -> None:
        assert self._loop is not None
        # Writes to the store have their own threads: what else may be slow never holds them up.
        self._loop.set_default_executor(ThreadPoolExecutor(4, thread_name_prefix="webhooks"))
        try:
            while not self._stopping.is_set():
                self._loop.run_until_complete(self._guarded())
        finally:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _guarded(self) -> None:
        """Work until told to stop; where that ends in a fault, wait a moment and return."""
        try:
            await self._work()
        except Exception:  # such as certificates that cannot be read
            log.exception("webhooks stopped")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), _RECOVERY)

    async def _work(self) -> None:
        under_way: set[asyncio.Task[None]] = set()
        stopping = asyncio.create_task(self._stopping.wait())
        # No proxy of the environment: it would resolve the name anew and connect where it likes.
        async with httpx.AsyncHTTPTransport(
            verify=self._trust or httpx.create_ssl_context(),
            trust_env=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        ) as transport:
            while not stopping.done():
                for claimed in await self._due(_AT_WORK - len(under_way)):
                    task = asyncio.create_task(self._deliver(transport, claimed))
                    under_way.add(task)
                    task.add_done_callback(under_way.discard)
                # Where an attempt ends, the receiver may have room for the next one.
                await asyncio.wait(
                    {stopping, *under_way}, timeout=self._poll, return_when=asyncio.FIRST_COMPLETED
                )
            if under_way:
                await asyncio.wait(under_way, timeout=_PATIENCE)
            left = list(under_way)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def _due(self, room: int) -> list[Claimed]:
        """Claim what is due; nothing while the store does not answer."""
        lease = self._timeout + self._settings.lease_seconds  # to make the attempt, and to settle
        try:
            if time.monotonic() - self._pruned > _PRUNING:
                await asyncio.to_thread(self._deliveries.hasten)
                await asyncio.to_thread(lambda: self._deliveries.prune(older_than=_KEPT))
                self._pruned = time.monotonic()
            return await asyncio.to_thread(lambda: self._deliveries.claim(room, lease=lease))
        except ServiceError:
            log.warning("webhooks wait for the store")
        except Exception:  # a fault of ours: the next look may go well
            log.exception("webhooks stumbled")
        return []

    async def _deliver(self, transport: httpx.AsyncBaseTransport, claimed: Claimed) -> None:
        """Make one attempt and write down what came of it."""
        try:
            outcome = await self._attempt(transport, claimed)
        except asyncio.CancelledError:
            await self._written(lambda: self._deliveries.give_back(claimed))
            raise
        address = hashlib.sha256(claimed.url.encode()).hexdigest()
        self._settings.faults.at("before_webhook_commit", sha256=address)
        await self._written(lambda: self._deliveries.settle(claimed, outcome))
        (log.info if outcome.error is None else log.warning)(
            "webhook blocked" if outcome.error == BLOCKED else "webhook attempt",
            extra={
                "webhook": claimed.webhook_id,
                "delivery": claimed.id,
                "kind": claimed.event,
                "attempt": claimed.number,
                "status": outcome.status,
                "code": outcome.error,
                "seconds": round(outcome.seconds, 3),
            },
        )

    async def _written(self, write: Callable[[], None]) -> None:
        """Write to the store; where it stays away as long as the lease, the attempt is repeated."""
        deadline = time.monotonic() + self._settings.lease_seconds
        while True:
            try:
                await asyncio.to_thread(write)
                return
            except ServiceError:
                log.warning("webhooks wait for the store")
                if self._stopping.is_set() or time.monotonic() > deadline:
                    return
                await asyncio.sleep(self._poll)

    async def _attempt(self, transport: httpx.AsyncBaseTransport, claimed: Claimed) -> Outcome:
        if not claimed.secrets:  # once the key is there again, a later attempt goes through
            return Outcome(0.0, None, SecretKeyMissing.code)
        started = time.monotonic()
        status, wish, error = None, None, None
        try:
            async with asyncio.timeout(self._timeout):
                target = await judged(claimed.url, self._policy, self._resolve)
                response = await send(
                    transport,
                    target,
                    "POST",
                    headers=_headers(claimed),
                    content=claimed.body.encode(),
                    timeout=self._timeout,
                )
                await response.aclose()
            status = response.status_code
            if not response.is_success:
                wish = wish_of(response.headers)
                error = "redirect" if 300 <= status < 400 else "status"
        except WebhookTargetRefused:
            error = BLOCKED
        except NameNotResolved:
            error = "name_not_resolved"
        except (TimeoutError, httpx.TimeoutException):
            error = "timeout"
        except httpx.ConnectError as fault:
            error = "tls_failed" if _is_tls(fault) else "connection_failed"
        except httpx.HTTPError:
            error = "connection_broken"
        except Exception:  # a fault of ours: it counts, and ends no other delivery
            log.exception("webhook stumbled", extra={"delivery": claimed.id})
            error = "internal"
        return Outcome(time.monotonic() - started, status, error, wish)


def _headers(claimed: Claimed) -> dict[str, str]:
    """Return the headers of Standard Webhooks: one signature for each secret that holds."""
    moment = datetime.fromtimestamp(math.floor(claimed.at), UTC)
    signatures = [
        Signer(secret).sign(msg_id=claimed.id, timestamp=moment, data=claimed.body)
        for secret in claimed.secrets
    ]
    return {
        "Content-Type": "application/json",
        "User-Agent": "fieldwright-webhooks",
        "webhook-id": claimed.id,
        "webhook-timestamp": str(math.floor(claimed.at)),
        "webhook-signature": " ".join(signatures),
    }


def _is_tls(error: BaseException | None) -> bool:
    """Return whether a failed connection failed in its encryption."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
