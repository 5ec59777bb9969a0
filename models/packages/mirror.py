"""Packages that several machines share: kept elsewhere by name and version, copied here. No torch.

The other place holds what the user's folder of a machine holds (see `models.packages.registry`)::

    NAME/VERSION/FILE     each file of a package; SHA256SUMS comes last and makes it one
    NAME/current          versions put in service, newest first, one a line

A package is copied once, into the user's folder, and checked against its SHA256SUMS before it gets
its name there; the hash of that file tells whether a package here is the one there. What is put in
service on one machine is so there first, and on the others a few seconds later. A version is never
overwritten. What is removed there stays where it was copied to until it is removed there too.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from models.errors import FieldwrightError, InvalidOption, ModelPackageError
from models.packages.manifest import OPTIONAL, REQUIRED, SUMS, is_usable, load_manifest, verify
from models.packages.pointer import POINTER, read_pointer, write_pointer

log = logging.getLogger(__name__)

_EVERY = 5.0  # seconds between two looks
_SOON = 1.0  # seconds; nobody who misses a package looks more often
_DRAFT = ".copying-"


class PackageSource(Protocol):
    """A place for files by path, which several machines see alike.

    Methods raise a `FieldwrightError` where it does not answer.
    """

    def marks(self) -> Mapping[str, str]:
        """Return a mark for each path, another one whenever the file is another."""

    def read(self, path: str) -> bytes:
        """Return a small file; an empty one where it is gone."""

    def fetch(self, path: str, file: Path) -> None:
        """Copy a file to the disk; an empty one where it is gone."""

    def put(self, path: str, data: bytes | Path) -> None:
        """Store a file whole: readers see the old one or the new."""

    def remove(self, paths: Sequence[str]) -> None:
        """Remove files; none is no error."""


class Mirror:
    """Keeps a folder of packages in step with a shared place; may be used from several threads.

    Args:
        source: the place.
        home: the user's models on this machine.

    Attributes:
        faults: by ``NAME@VERSION``, why a package there was not copied.
    """

    def __init__(self, source: PackageSource, home: Path) -> None:
        self.faults: dict[str, str] = {}
        self._source = source
        self._home = home
        self._seen: dict[str, str] = {}  # marks of what is in step
        self._synced_at = -_SOON
        self._one = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="models", daemon=True)

    def start(self) -> None:
        """Look for changes from now on, every few seconds."""
        self._thread.start()

    def stop(self) -> None:
        """End that; a copy in hand is left to the next start."""
        self._stopped.set()

    def sync(self) -> None:
        """Copy the packages that are missing here, and what is in service.

        A package that is damaged is left out and named in `faults`; it is copied again when it was
        replaced there.

        Raises:
            FieldwrightError: the place does not answer; what is here stays in service.
        """
        with self._one, self._alone():
            marks = self._source.marks()
            self._synced_at = time.monotonic()
            for path, mark in sorted(marks.items()):
                folder = path.removesuffix(SUMS)
                if folder != path:  # another file of the package makes it another one
                    mark = " ".join(marks[p] for p in sorted(marks) if p.startswith(folder))
                if self._seen.get(path) == mark:
                    continue
                match path.split("/"):
                    case [name, version, file] if file == SUMS and is_usable(name, version):
                        self._copy(name, version)
                    case [name, file] if file == POINTER and is_usable(name):
                        self._follow_pointer(name)
                self._seen[path] = mark

    def missed(self) -> bool:
        """Look at once because a package is missing; say whether that was worth it.

        Raises:
            FieldwrightError: as of `sync`.
        """
        if time.monotonic() - self._synced_at < _SOON:
            return False
        self.sync()
        return True

    def publish(self, name: str, version: str, folder: Path) -> None:
        """Store a package, which was verified, where all machines find it.

        Raises:
            InvalidOption: another one of that version is there.
            FieldwrightError: the place does not answer.
        """
        sums = (folder / SUMS).read_bytes()
        there = self._source.read(f"{name}/{version}/{SUMS}")
        if there == sums:
            return
        if there:
            raise InvalidOption(
                f"The store of models holds another {name}@{version}.",
                advice="Give this one another version; a version is never overwritten.",
            )
        for file in (*REQUIRED, *(file for file in OPTIONAL if (folder / file).is_file())):
            self._source.put(f"{name}/{version}/{file}", folder / file)
        self._source.put(f"{name}/{version}/{SUMS}", sums)  # the last: now it is a package

    def point(self, name: str, text: str) -> None:
        """Store what is in service; raises FieldwrightError."""
        self._source.put(f"{name}/{POINTER}", text.encode())

    def withdraw(self, name: str, version: str, *, last: bool) -> None:
        """Remove a package, and with the `last` one what is in service; raises FieldwrightError."""
        files = [SUMS, *REQUIRED, *OPTIONAL]  # from the first on it is no package any more
        for file in files:
            self._source.remove([f"{name}/{version}/{file}"])
        if last:
            self._source.remove([f"{name}/{POINTER}"])

    def _follow(self) -> None:
        while True:
            try:
                self.sync()
            except FieldwrightError as error:
                log.warning("models not looked at", extra={"reason": error.detail})
            except Exception:  # a fault of ours: without the thread nothing new would be served
                log.exception("models stumbled")
            if self._stopped.wait(_EVERY):
                return

    def _copy(self, name: str, version: str) -> None:
        reference, folder = f"{name}@{version}", self._home / name / version
        sums = self._source.read(f"{name}/{version}/{SUMS}")
        self.faults.pop(reference, None)
        if folder.exists():
            if sums and (folder / SUMS).read_bytes() != sums:
                self._refuse(reference, f"is not the one in {folder}, which stays")
            return
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=folder.parent))
        try:
            (draft / SUMS).write_bytes(sums)
            listed = {line.partition("  ")[2] for line in sums.decode("ascii").splitlines()}
            for file in sorted(listed & {*REQUIRED, *OPTIONAL}):
                self._source.fetch(f"{name}/{version}/{file}", draft / file)
            verify(draft)
            made = load_manifest(draft)
            if (made.name, made.version) != (name, version):
                raise ValueError(f"it is {made.name}@{made.version}")
        except ValueError as error:
            self._refuse(reference, f"is damaged: {str(error).replace(str(draft), reference)}")
        else:
            draft.chmod(0o755)  # as of packages that were made here
            draft.rename(folder)
            digest = hashlib.sha256(sums).hexdigest()
            log.info("model copied", extra={"model": reference, "sha256": digest})
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _refuse(self, reference: str, why: str) -> None:
        self.faults[reference] = f"The package {reference} in the store of models {why}."
        log.error("model refused", extra={"model": reference, "reason": why})

    def _follow_pointer(self, name: str) -> None:
        there = self._source.read(f"{name}/{POINTER}").decode()
        if read_pointer(self._home / name) != there:
            write_pointer(self._home / name, there)
            log.info("model in service", extra={"model": name, "version": there.partition("\n")[0]})

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Be the one process of this machine that copies; what others broke off is removed."""
        self._home.mkdir(parents=True, exist_ok=True)
        with (self._home / ".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for path in self._home.glob(f"*/{_DRAFT}*"):
                shutil.rmtree(path, ignore_errors=True)
            yield


def refused(mirror: Mirror | None, name: str, version: str) -> ModelPackageError | None:
    """Return why a package of a name, and of a version where one is given, was not copied."""
    for reference, fault in sorted((mirror.faults if mirror else {}).items()):
        if reference == f"{name}@{version}" or (not version and reference.startswith(f"{name}@")):
            return ModelPackageError(
                fault, advice="Remove it there, and promote a sound one under a new version."
            )
    return None
