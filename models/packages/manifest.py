"""What a model package is, without loading it: files, name, version, checksums. No torch."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
FIELDS = "fields.toml"
CALIBRATION = "calibration.json"
CARD = "README.md"
SUMS = "SHA256SUMS"
PROFILE = "profile.json"
REQUIRED = (CONFIG, WEIGHTS, TOKENIZER, FIELDS, CALIBRATION, CARD)
OPTIONAL = (PROFILE,)  # listed in SHA256SUMS where they are there

_RESERVED = ("auto", "einvoice")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,63}")


@dataclass(frozen=True, slots=True)
class Manifest:
    """Identity of a model package.

    Attributes:
        name, version: as in ``receipts@1.0.0``.
        preset: architecture, see `models.config.PRESETS`.
        sha256: hash of the package's SHA256SUMS, which covers every file.
    """

    name: str
    version: str
    preset: str
    sha256: str


def check_name(name: str, version: str) -> None:
    """Refuse a name or version that cannot be a folder and part of an address.

    Raises:
        ValueError: with the rule that was broken.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"model name {name!r}: use lower-case letters, digits, - and _, starting with a letter"
        )
    if name in _RESERVED:
        raise ValueError(f"model name {name!r} has a meaning of its own: choose another")
    if not _VERSION.fullmatch(version):
        raise ValueError(f"model version {version!r}: use letters, digits and . + -")


def is_usable(name: str, version: str = "0") -> bool:
    """Return whether `check_name` takes a name and version."""
    try:
        check_name(name, version)
    except ValueError:
        return False
    return True


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS over all files of a package (the format of `sha256sum`)."""
    names = [*REQUIRED, *(name for name in OPTIONAL if (folder / name).exists())]
    lines = [f"{_hash(folder / name)}  {name}\n" for name in sorted(names)]
    (folder / SUMS).write_text("".join(lines), encoding="ascii")


def load_manifest(folder: Path) -> Manifest:
    """Return a package's identity; reads two small files and checks no weights.

    Raises:
        ValueError: the folder is not a package.
    """
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        sums = (folder / SUMS).read_bytes()
        name, version, preset = config["name"], config["version"], config["tagger"]["preset"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{folder} is not a model package: {error!r}") from error
    check_name(name, version)
    return Manifest(name, version, preset, hashlib.sha256(sums).hexdigest())


def verify(folder: Path) -> None:
    """Check that every file of a package is there and unchanged.

    Raises:
        ValueError: naming the files that are missing or altered.
    """
    try:
        lines = (folder / SUMS).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{folder} has no readable {SUMS}: {error}") from error
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    faults = [f"{name} is not listed" for name in REQUIRED if name not in sums]
    for name, digest in sums.items():
        if not (folder / name).is_file():
            faults.append(f"{name} is missing")
        elif _hash(folder / name) != digest:
            faults.append(f"{name} was altered")
    if faults:
        raise ValueError(f"{folder}: {'; '.join(faults)}")


@contextmanager
def verifying(folder: Path) -> Iterator[None]:
    """Check a package as `verify` on another core, while it is loaded; it may be used afterwards.

    Raises:
        ValueError: as `verify`, whatever was raised because of the same fault meanwhile.
    """
    with ThreadPoolExecutor(1) as other_core:
        verified = other_core.submit(verify, folder)
        try:
            yield
        finally:
            verified.result()


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
