"""The files of jobs in an object store: S3 and what speaks like it, Google's, Azure's."""

from __future__ import annotations

import logging
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import urlsplit

from pipeline.errors import InvalidOption
from store.blobs.blobs import LocalBlobs, is_job_id, job_id_of, on_disk
from store.errors import StoreUnavailable

if TYPE_CHECKING:
    from obstore import ObjectMeta
    from obstore.store import ClientConfig, ObjectStore

log = logging.getLogger(__name__)

SCHEMES = ("az", "gs", "s3")
_IDENTITY = "installation"
_CLEANED = "cleaned"
_AT_ONCE = 16  # jobs whose blobs are removed
_SHARDS = [f"{number:02x}" for number in range(256)]  # the first two letters of ids
# Plain http is spoken only where the operator's own endpoint says so.
_CLIENT: ClientConfig = {"connect_timeout": "3s", "timeout": "15s", "allow_http": True}
# Whoever waits is told soon that the store is away, and tries again by rules of its own.
_RETRY_TIMEOUT = timedelta(seconds=5)


class ObjectBlobs:
    """Blobs in an object store: ``PREFIX/ab/abcd.../NAME``; they promise what `LocalBlobs` do.

    Credentials, region, endpoint and server-side encryption come from the environment variables of
    the store's own tools, such as ``AWS_ENDPOINT_URL`` and ``AWS_SERVER_SIDE_ENCRYPTION``.

    Args:
        url: such as ``s3://bucket/prefix``, ``gs://bucket/prefix`` or ``az://account/container``.
        local: the local folder whose spool is used, and whose disk must have room for it.
        before_close: called with the name of each blob before it is sent; an OSError that it
            raises counts as one of the disk.

    Attributes:
        spool: local folder for files that are on their way.
        fault: why the object store did not do what it was last asked, None where it did.

    Raises:
        InvalidOption: the address is of no store that is known.
    """

    def __init__(
        self,
        url: str,
        local: LocalBlobs,
        *,
        before_close: Callable[[str], None] = lambda name: None,
    ) -> None:
        check_address(url)
        self._url = url
        self._local = local
        self._before_close = before_close
        self.spool = local.spool
        self.fault: str | None = None

    def check_room(self) -> None:
        """Return where the spool's disk has room; raises StorageFull."""
        self._local.check_room()

    def put(self, job_id: str, name: str, data: bytes | BinaryIO, *, durable: bool = False) -> None:
        """Store a blob; what was acknowledged is durable in any case.

        Raises:
            StorageFull: a fault of the disk before it was sent.
            StoreUnavailable: the object store does not answer, or refuses.
        """
        import obstore

        key = _key(job_id, name)
        with on_disk():
            self._before_close(name)
        with self._answering():
            obstore.put(self._store, key, data)

    def get(self, job_id: str, name: str) -> bytes | None:
        """Return a blob, or None where there is none; raises StoreUnavailable."""
        return self._read(_key(job_id, name))

    def holds(self, job_id: str, name: str) -> bool:
        """Return whether there is such a blob; raises StoreUnavailable."""
        import obstore

        key = _key(job_id, name)
        with self._answering():
            try:
                obstore.head(self._store, key)
            except FileNotFoundError:
                return False
        return True

    def keep_only(self, job_id: str, *names: str) -> None:
        """Remove all blobs of a job but those named; the next deep cleaning does what fails."""
        import obstore

        prefix = _key(job_id, "")
        try:
            with self._answering():
                found = [item["path"] for part in self._list(prefix) for item in part]
                gone = [path for path in found if path.removeprefix(prefix) not in names]
                if gone:
                    obstore.delete(self._store, gone)
        except StoreUnavailable:
            log.warning("blobs not removed", extra={"job": job_id})

    def remove(self, *job_ids: str) -> None:
        """Remove all blobs of jobs; the next deep cleaning does what fails."""
        # Somebody may wait for the end of a batch: each of its documents takes two requests.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(self.keep_only, job_ids))

    def found(self, *, older_than: float) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the jobs whose blobs were last changed long ago; see `LocalBlobs`.

        Raises:
            StoreUnavailable: the object store does not answer.
        """
        limit = time.time() - older_than
        for shard in _SHARDS:  # so that no more than one of them is held in memory
            newest: dict[str, float] = {}
            names: defaultdict[str, set[str]] = defaultdict(set)
            with self._answering():
                for part in self._list(f"{shard}/"):
                    for item in part:
                        _, job_id, *name = item["path"].split("/", 2)
                        if is_job_id(job_id):
                            changed = item["last_modified"].timestamp()
                            newest[job_id] = max(changed, newest.get(job_id, changed))
                            names[job_id].update(name)
            for job_id, changed in newest.items():
                if changed < limit:
                    yield job_id, frozenset(names[job_id])

    def clear_spool(self) -> None:
        """Remove the half-written files of processes that are dead."""
        self._local.clear_spool()

    def identity(self) -> str:
        """Return the name that the prefix was given at its first use; raises StoreUnavailable."""
        import obstore
        from obstore.exceptions import AlreadyExistsError

        known = self._read(_IDENTITY)
        if known is None:
            with self._answering(), suppress(AlreadyExistsError):  # another process was faster
                obstore.put(self._store, _IDENTITY, uuid.uuid4().hex.encode(), mode="create")
            known = self._read(_IDENTITY) or b""
        return known.decode()[:64]

    def note_cleaning(self, token: str) -> str | None:
        """Note a cleaning by its token, return that of the last one; raises StoreUnavailable."""
        import obstore

        last = self._read(_CLEANED)
        with self._answering():
            obstore.put(self._store, _CLEANED, token.encode())
        return None if last is None else last.decode()[:64]

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Translate the errors of the object store, and note whether it did what it was asked."""
        try:
            with translated():
                yield
        except StoreUnavailable as error:
            self.fault = error.detail
            raise
        except Exception:  # it answered: there is no such object, or there is one already
            self.fault = None
            raise
        self.fault = None

    def _read(self, key: str) -> bytes | None:
        import obstore

        with self._answering():
            try:
                return bytes(obstore.get(self._store, key).bytes())
            except FileNotFoundError:
                return None

    def _list(self, prefix: str) -> Iterator[Sequence[ObjectMeta]]:
        import obstore

        yield from obstore.list(self._store, prefix.rstrip("/"))

    @cached_property
    def _store(self) -> ObjectStore:
        return open_store(self._url)  # at the first use: its threads do not survive a fork


def check_address(url: str) -> None:
    """Raise InvalidOption where an address is of no store that is known."""
    if urlsplit(url).scheme not in SCHEMES or not urlsplit(url).netloc:
        raise InvalidOption(
            "FIELDWRIGHT_BLOB_URL is no address of an object store.",
            advice="Give one such as s3://bucket/prefix, gs://bucket/prefix or "
            "az://account/container/prefix.",
        )


def open_store(url: str) -> ObjectStore:
    """Return the object store of an address; its threads do not survive a fork."""
    from obstore.store import from_url

    return from_url(
        url,
        client_options=_CLIENT,
        retry_config={"max_retries": 3, "retry_timeout": _RETRY_TIMEOUT},
    )


def _key(job_id: str, name: str) -> str:
    plain = job_id_of(job_id)
    return f"{plain[:2]}/{plain}/{name}"


@contextmanager
def translated() -> Iterator[None]:
    """Turn the errors of the object store into StoreUnavailable; its own text goes to the log."""
    from obstore.exceptions import AlreadyExistsError, BaseError

    try:
        yield
    except (AlreadyExistsError, FileNotFoundError):
        raise
    except (BaseError, OSError) as error:
        log.warning("object store", extra={"error": str(error)[:500]})
        raise StoreUnavailable("The store of documents does not answer.") from error
