"""Files of jobs and packages in an object store: S3 and what speaks like it, Google's, Azure's."""

from __future__ import annotations

import logging
import time
import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cached_property
from pathlib import Path
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
_PACKAGES = "models/"  # the files of jobs lie in folders of two letters
_AT_ONCE = 16  # jobs whose blobs are removed
_SHARDS = [f"{number:02x}" for number in range(256)]  # the first two letters of ids
# Plain http is spoken only where the operator's own endpoint says so.
_CLIENT: ClientConfig = {"connect_timeout": "3s", "timeout": "15s", "allow_http": True}
# Whoever waits is told soon that the store is away, and tries again by rules of its own.
_RETRY_TIMEOUT = timedelta(seconds=5)


class Bucket:
    """Objects by their keys below an address of an object store.

    Credentials, region, endpoint and server-side encryption come from the environment variables of
    the store's own tools, such as ``AWS_ENDPOINT_URL`` and ``AWS_SERVER_SIDE_ENCRYPTION``. Methods
    raise StoreUnavailable where it does not answer, or refuses.

    Args:
        url: such as ``s3://bucket/prefix``, ``gs://bucket/prefix`` or ``az://account/container``.

    Attributes:
        fault: why it did not do what it was last asked, None where it did.

    Raises:
        InvalidOption: the address is of no store that is known.
    """

    def __init__(self, url: str) -> None:
        check_address(url)
        self._url = url
        self.fault: str | None = None

    def read(self, key: str) -> bytes | None:
        """Return an object, or None where there is none."""
        with self._answering(), suppress(FileNotFoundError):
            return bytes(self._store.get(key).bytes())
        return None

    def fetch(self, key: str, file: Path) -> None:
        """Copy an object to the disk, a piece at a time; an empty file where there is none."""
        with file.open("wb") as local, self._answering(), suppress(FileNotFoundError):
            for piece in self._store.get(key).stream():
                local.write(piece)

    def holds(self, key: str) -> bool:
        """Return whether there is such an object."""
        with self._answering(), suppress(FileNotFoundError):
            self._store.head(key)
            return True
        return False

    def put(self, key: str, data: bytes | BinaryIO | Path) -> None:
        """Store an object whole and durably, in place of one that is there."""
        with self._answering():
            self._store.put(key, data)

    def create(self, key: str, data: bytes) -> None:
        """Store an object as `put`, unless there is one already, which stays as it is."""
        from obstore.exceptions import AlreadyExistsError

        with self._answering(), suppress(AlreadyExistsError):
            self._store.put(key, data, mode="create")

    def remove(self, keys: list[str]) -> None:
        """Remove objects; none is no error."""
        with self._answering():
            try:
                self._store.delete(keys)
            except FileNotFoundError:  # of one of them, and those after it may be left
                for key in keys:
                    with suppress(FileNotFoundError):
                        self._store.delete(key)

    def found(self, prefix: str) -> Iterator[ObjectMeta]:
        """Yield what is known of the objects in a folder."""
        with self._answering():
            for part in self._store.list(prefix.rstrip("/")):
                yield from part

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Translate the errors of the object store, whose own text goes to the log."""
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:
            log.warning("object store", extra={"error": str(error)[:500]})
            self.fault = "The store of documents does not answer."
            raise StoreUnavailable(self.fault) from error
        self.fault = None

    @cached_property
    def _store(self) -> ObjectStore:
        from obstore.store import from_url

        return from_url(  # at the first use: its threads do not survive a fork
            self._url,
            client_options=_CLIENT,
            retry_config={"max_retries": 3, "retry_timeout": _RETRY_TIMEOUT},
        )


class ObjectBlobs:
    """Blobs in an object store: ``PREFIX/ab/abcd.../NAME``; they promise what `LocalBlobs` do.

    Args:
        url: as of `Bucket`.
        local: the local folder whose spool is used, and whose disk must have room for it. Its
            `before_close` is called before a blob is sent.

    Attributes:
        spool: local folder for files that are on their way.

    Raises:
        InvalidOption: the address is of no store that is known.
    """

    def __init__(self, url: str, local: LocalBlobs) -> None:
        self._bucket = Bucket(url)
        self._local = local
        self.spool = local.spool

    @property
    def fault(self) -> str | None:
        """Why the object store did not do what it was last asked, None where it did."""
        return self._bucket.fault

    def check_room(self) -> None:
        """Return where the spool's disk has room; raises StorageFull."""
        self._local.check_room()

    def put(self, job_id: str, name: str, data: bytes | BinaryIO, *, durable: bool = False) -> None:
        """Store a blob; what was acknowledged is durable in any case.

        Raises:
            StorageFull: a fault of the disk before it was sent.
            StoreUnavailable: the object store does not answer, or refuses.
        """
        key = _key(job_id, name)
        with on_disk():
            self._local.before_close(name)
        self._bucket.put(key, data)

    def get(self, job_id: str, name: str) -> bytes | None:
        """Return a blob, or None where there is none; raises StoreUnavailable."""
        return self._bucket.read(_key(job_id, name))

    def holds(self, job_id: str, name: str) -> bool:
        """Return whether there is such a blob; raises StoreUnavailable."""
        return self._bucket.holds(_key(job_id, name))

    def keep_only(self, job_id: str, *names: str) -> None:
        """Remove all blobs of a job but those named; the next deep cleaning does what fails."""
        prefix = _key(job_id, "")
        try:
            keys = [item["path"] for item in self._bucket.found(prefix)]
            gone = [key for key in keys if key.removeprefix(prefix) not in names]
            if gone:
                self._bucket.remove(gone)
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
            for item in self._bucket.found(shard):
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
        known = self._bucket.read(_IDENTITY)
        if known is None:
            self._bucket.create(_IDENTITY, uuid.uuid4().hex.encode())
            known = self._bucket.read(_IDENTITY) or b""  # that of another process, if it was faster
        return known.decode()[:64]

    def note_cleaning(self, token: str) -> str | None:
        """Note a cleaning by its token, return that of the last one; raises StoreUnavailable."""
        last = self._bucket.read(_CLEANED)
        self._bucket.put(_CLEANED, token.encode())
        return None if last is None else last.decode()[:64]


class PackageObjects:
    """The model packages that machines share: files by path below ``PREFIX/models/``."""

    def __init__(self, url: str) -> None:
        self._bucket = Bucket(url)

    def marks(self) -> dict[str, str]:
        """Return a mark for each path, another one whenever the object is another."""
        return {
            item["path"].removeprefix(_PACKAGES): f"{item['e_tag']} {item['last_modified']}"
            for item in self._bucket.found(_PACKAGES)
        }

    def read(self, path: str) -> bytes:
        """Return a small file; an empty one where it is gone."""
        return self._bucket.read(_PACKAGES + path) or b""

    def fetch(self, path: str, file: Path) -> None:
        """Copy a file to the disk; an empty one where it is gone."""
        self._bucket.fetch(_PACKAGES + path, file)

    def put(self, path: str, data: bytes | Path) -> None:
        """Store a file whole: readers see the old one or the new."""
        self._bucket.put(_PACKAGES + path, data)

    def remove(self, paths: Sequence[str]) -> None:
        """Remove files; none is no error."""
        self._bucket.remove([_PACKAGES + path for path in paths])


def check_address(url: str) -> None:
    """Raise InvalidOption where an address is of no store that is known."""
    if urlsplit(url).scheme not in SCHEMES or not urlsplit(url).netloc:
        raise InvalidOption(
            "FIELDWRIGHT_BLOB_URL is no address of an object store.",
            advice="Give one such as s3://bucket/prefix, gs://bucket/prefix or "
            "az://account/container/prefix.",
        )


def _key(job_id: str, name: str) -> str:
    plain = job_id_of(job_id)
    return f"{plain[:2]}/{plain}/{name}"
