"""Model packages by name and version: where they lie, and which one is in service. No torch.

Two places are searched, the user's first::

    HOME/models/NAME/VERSION/     packages of the user
    HOME/models/NAME/current      versions put in service, newest first, one a line
    weights/NAME/                 packages that come with the product, version in their manifest

The version in service is the first line of `current` that is still there; without that file,
the highest version of the user's that has no file `IDLE` in it; without one, the bundled one. An
empty `current` says that none of the user's is in service yet. A package, once written, is never
changed; see `models.packages.releases` for what changes `current`. Where several machines share
their models, `models.packages.mirror` keeps the user's folder in step with the place they share.
"""

from __future__ import annotations

import contextlib
import difflib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from models.errors import InvalidOption, ModelPackageError, UnknownModel
from models.packages.manifest import CONFIG, SUMS, is_usable, load_manifest
from models.packages.mirror import Mirror, PackageSource, refused
from models.packages.pointer import read_pointer

BUNDLED = Path(__file__).resolve().parents[2] / "weights"
IDLE = ".idle"
"""Marks a package that is in service only once promoted, such as of a model that finds nothing."""
AUTO = "auto"
"""In place of a model's name: the one that fits the document, see `pipeline.routing`."""
_FIRST = "receipts"  # where `auto` has nothing to go by


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
        default: the model that answers where none is named; may be `AUTO`.
        bundled: the packages that come with the product.
        source: where several machines share the user's models; None where they do not.

    Attributes:
        home, default, bundled: as given.
        mirror: keeps `home` in step with the `source`, None where there is none.
    """

    def __init__(
        self,
        home: Path,
        *,
        default: str = AUTO,
        bundled: Path = BUNDLED,
        source: PackageSource | None = None,
    ) -> None:
        self.home = home
        self.default = default
        self.bundled = bundled
        self.mirror = None if source is None else Mirror(source, home)

    def packages(self) -> list[PackageRef]:
        """Return every package by name, the newest version first, without damaged folders."""
        names = {path.name for root in (self.home, self.bundled) for path in _folders(root)}
        return [ref for name in sorted(names) for ref in self.versions(name)]

    def resolve(self, model: str | None = None) -> PackageRef:
        """Return the package that `model` means.

        Args:
            model: ``NAME``, ``NAME@VERSION``, or None for the default model; where that is `AUTO`,
                for the one that gets documents without words.

        Raises:
            UnknownModel: no such package; the advice names near ones.
            ModelPackageError: its folder is there but cannot be read as a package, or the one that
                the machines share is damaged.
            FieldwrightError: it is not here, and the place that the machines share does not answer.
        """
        wanted = model or (_FIRST if self.default == AUTO else self.default)
        ref = self.here(wanted)
        if ref is None and self.mirror is not None and self.mirror.missed():
            ref = self.here(wanted)
        if ref is not None:
            return ref
        name, _, version = wanted.partition("@")
        if (damaged := refused(self.mirror, name, version)) is not None:
            raise damaged
        found = self.versions(name)
        if not found and is_usable(name) and (self.bundled / name).is_dir():
            raise ModelPackageError(f"The model package {name} is damaged or incomplete.")
        raise UnknownModel(f"There is no model {wanted[:100]!r}.", advice=self._near(name, found))

    def here(self, model: str) -> PackageRef | None:
        """Return the package that `model` means where it is on this machine, at once.

        Args:
            model: ``NAME`` or ``NAME@VERSION``.
        """
        name, _, version = model.partition("@")
        for ref in self.versions(name):
            if ref.version == version or (not version and ref.current):
                return ref
        return None

    def pinned(self, model: str) -> PackageRef:
        """Return the package that ``NAME@VERSION`` means.

        Raises:
            UnknownModel, ModelPackageError: as `resolve`.
            InvalidOption: `model` names no version.
        """
        if "@" not in model:
            raise InvalidOption(
                f"{model!r} names no version.", advice="Write NAME@VERSION, such as receipts@1.0.0."
            )
        return self.resolve(model)

    def versions(self, name: str) -> list[PackageRef]:
        """Return the packages of one name, the newest first, the one in service marked."""
        if not is_usable(name):
            return []
        places: dict[str, tuple[Path, bool]] = {}
        if (self.bundled / name).is_dir():
            with contextlib.suppress(ValueError):
                places[_version_of(self.bundled / name)] = self.bundled / name, True
        for path in _folders(self.home / name):
            if (path / CONFIG).is_file():
                places[path.name] = path, False
        own = [version for version, (_, bundled) in places.items() if not bundled]
        promoted = [version for version in self.history(name) if version in places]
        if promoted:
            current: str | None = promoted[0]
        elif read_pointer(self.home / name) is not None and not self.history(name):
            current = max(set(places) - set(own), key=_order, default=None)
        else:
            ready = [version for version in own if not (places[version][0] / IDLE).exists()]
            current = max(ready or set(places) - set(own), key=_order, default=None)
        return [
            PackageRef(name, version, places[version][0], version == current, places[version][1])
            for version in sorted(places, key=_order, reverse=True)
        ]

    def history(self, name: str) -> list[str]:
        """Return the versions that were promoted, the last one first; some may be gone."""
        return (read_pointer(self.home / name) or "").split()

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
