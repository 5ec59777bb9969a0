"""Model packages by name and version: where they lie, which one is in service. No torch.

Two places are searched, the user's first::

    HOME/models/NAME/VERSION/     packages of the user
    HOME/models/NAME/current      versions put in service, newest first, one a line
    weights/NAME/                 packages that come with the product, version in their manifest

The version in service is the first line of `current` that is still there; without that file,
the highest version of the user's; without one, the bundled one. A package, once written, is never
changed: to promote or roll back only replaces `current`, in one rename.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import shutil
import uuid
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from models.errors import InvalidOption, ModelPackageError, UnknownModel
from models.packages.manifest import CONFIG, SUMS, check_name, load_manifest, verify

BUNDLED = Path(__file__).resolve().parents[2] / "weights"
_POINTER = "current"
_KEPT = 20  # promotions remembered for rollback


@dataclass(frozen=True, slots=True)
class PackageRef:
    """One package that can be served.

    Attributes:
        name, version: as in ``receipts@1.0.0``.
        path: its folder.
        current: True where it answers for its name without a version.
        bundled: True where it came with the product.
    """

    name: str
    version: str
    path: Path
    current: bool
    bundled: bool

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class Registry:
    """The packages of one installation.

    Args:
        home: the user's models, a folder that need not exist.
        default: the model that answers where none is named.
        bundled: the packages that come with the product.
    """

    def __init__(self, home: Path, *, default: str = "receipts", bundled: Path = BUNDLED) -> None:
        self.home = home
        self.default = default
        self.bundled = bundled

    def packages(self) -> list[PackageRef]:
        """Return every package, by name, the newest version first; damaged folders left out."""
        names = {path.name for root in (self.home, self.bundled) for path in _folders(root)}
        return [ref for name in sorted(names) for ref in self._versions(name)]

    def resolve(self, model: str | None = None) -> PackageRef:
        """Return the package that `model` means.

        Args:
            model: ``NAME``, ``NAME@VERSION``, or None for the default model.

        Raises:
            UnknownModel: no such package; the advice names near ones.
            ModelPackageError: its folder is there but cannot be read as a package.
        """
        wanted = model or self.default
        name, _, version = wanted.partition("@")
        found = self._versions(name)
        for ref in found:
            if ref.version == version or (not version and ref.current):
                return ref
        if not found and _usable(name) and (self.bundled / name).is_dir():
            raise ModelPackageError(f"The model package {name} is damaged or incomplete.")
        raise UnknownModel(f"There is no model {wanted[:100]!r}.", advice=self._near(name, found))

    def promote(self, model: str) -> PackageRef:
        """Put ``NAME@VERSION`` in service under its name and return it.

        Its files are checked first: a damaged package never takes the place of a sound one.

        Raises:
            UnknownModel, ModelPackageError: as `resolve`; a file is missing or altered.
            InvalidOption: `model` names no version.
        """
        ref = self._pinned(model)
        try:
            verify(ref.path)
        except (OSError, ValueError) as error:
            raise ModelPackageError(f"The model package {ref} is damaged: {error}.") from error
        history = [version for version in self._history(ref.name) if version != ref.version]
        if not history:  # the version served so far is what a rollback goes back to
            history = [r.version for r in self._versions(ref.name) if r.current]
        self._write(ref.name, [ref.version, *(v for v in history if v != ref.version)])
        return self.resolve(str(ref))

    def rollback(self, name: str) -> PackageRef:
        """Put back the version that was in service before the last promotion, and return it.

        Raises:
            UnknownModel: no such name.
            InvalidOption: nothing was promoted before.
        """
        self.resolve(name)
        known = {ref.version for ref in self._versions(name)}
        history = [version for version in self._history(name) if version in known]
        if len(history) < 2:
            raise InvalidOption(
                f"There is no earlier version of {name} to go back to.",
                advice=f"Choose one with `fieldwright models promote {name}@VERSION`.",
            )
        self._write(name, history[1:])
        return self.resolve(name)

    def remove(self, model: str) -> PackageRef:
        """Delete ``NAME@VERSION`` from the disk and return what it was.

        A worker that has it loaded goes on with it.

        Raises:
            UnknownModel: no such package.
            InvalidOption: it is bundled, or in service while others could be.
        """
        ref = self._pinned(model)
        if ref.bundled:
            raise InvalidOption(
                f"{ref} comes with the product and cannot be removed.",
                advice="Promote another version to put it out of service.",
            )
        others = [other for other in self._versions(ref.name) if other.version != ref.version]
        if ref.current and others:
            raise InvalidOption(
                f"{ref} is in service.", advice=f"Promote another first, such as {others[0]}."
            )
        # Out of sight in one step: nobody meets a half-deleted package.
        grave = ref.path.with_name(f".removed-{uuid.uuid4().hex}")
        ref.path.rename(grave)
        shutil.rmtree(grave)
        if not others:
            (ref.path.parent / _POINTER).unlink(missing_ok=True)
        return ref

    def _pinned(self, model: str) -> PackageRef:
        if "@" not in model:
            raise InvalidOption(
                f"{model!r} names no version.", advice="Write NAME@VERSION, such as receipts@1.0.0."
            )
        return self.resolve(model)

    def _versions(self, name: str) -> list[PackageRef]:
        """Return the packages of one name, the newest first, the one in service marked."""
        if not _usable(name):
            return []
        places: dict[str, tuple[Path, bool]] = {}
        if (self.bundled / name).is_dir():
            with contextlib.suppress(ValueError):
                places[_version_of(self.bundled / name)] = self.bundled / name, True
        for path in _folders(self.home / name):
            if (path / CONFIG).is_file():
                places[path.name] = path, False
        own = [version for version, (_, bundled) in places.items() if not bundled]
        promoted = [version for version in self._history(name) if version in places]
        current = promoted[0] if promoted else max(own or places, key=_order, default=None)
        return [
            PackageRef(name, version, places[version][0], version == current, places[version][1])
            for version in sorted(places, key=_order, reverse=True)
        ]

    def _history(self, name: str) -> list[str]:
        try:
            return (self.home / name / _POINTER).read_text(encoding="utf-8").split()
        except (FileNotFoundError, NotADirectoryError):
            return []

    def _write(self, name: str, versions: list[str]) -> None:
        folder = self.home / name
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f".{_POINTER}-{uuid.uuid4().hex}"
        with temporary.open("w", encoding="utf-8") as file:
            file.write("\n".join(versions[:_KEPT]) + "\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(folder / _POINTER)

    def _near(self, name: str, found: list[PackageRef]) -> str:
        if found:
            return f"Choose one of {', '.join(map(str, found))}."
        names = sorted({ref.name for ref in self.packages()})
        if not names:
            return "No model is installed: train one, or restore the folder weights/."
        every = "`fieldwright models list` and GET /models show all of them."
        if near := difflib.get_close_matches(name, names, n=3):
            return f"Did you mean {' or '.join(near)}? {every}"
        return f"Choose one of {', '.join(names[:10])}; {every}"


def _usable(name: str) -> bool:
    try:
        check_name(name, "0")
    except ValueError:
        return False
    return True


def _version_of(package: Path) -> str:
    """Return the version of a package, read again when its files have changed."""
    try:
        seen = [(package / name).stat() for name in (CONFIG, SUMS)]
    except OSError as error:
        raise ValueError(f"{package} is not a model package: {error}") from error
    return _version_as_of(package, *(stat.st_mtime_ns for stat in seen))


@lru_cache(maxsize=64)
def _version_as_of(package: Path, *changed_ns: int) -> str:
    return load_manifest(package).version


def _folders(root: Path) -> list[Path]:
    """Return the folders in `root`, hidden ones and files left out; none where it is missing."""
    try:
        return [path for path in root.iterdir() if path.is_dir() and not path.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _order(version: str) -> list[tuple[int, int, str]]:
    """Return a sort key by which 1.10.0 comes after 1.9.0, and 1.0.0 after 1.0.0-rc1."""
    base, _, suffix = version.partition("-")
    parts = re.findall(r"\d+|[^\d.]+", base)
    key = [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]
    return [*key, (0, 0, "~") if not suffix else (-1, 0, suffix)]
