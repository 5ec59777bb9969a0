"""Fingerprints: equal where an answer would be the same, or where a request is the same again.

Both are SHA-256 of one canonical JSON text, so the order in which options were given tells
nothing, and no two different lists of parts make the same text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pipeline.reading.options import ReadOptions
from store.jobs import OF_ANSWERS

_CHOICES = ("pages", "ocr", "engine", "language")


def answer_print(sha256: str, model: str, options: Mapping[str, Any]) -> str:
    """Return what answers are the same by, but for the version of the model.

    An option left out counts as its default. A new release of the product may read better, and
    therefore makes new fingerprints.

    Args:
        sha256: of the document.
        model: name without a version.
        options: of reading, without the password: documents with one are never compared.

    Raises:
        InvalidOption: an option is not allowed.
    """
    return _digest("answer", _release(), sha256, model, _canonical(options))


def request_print(
    documents: Sequence[str],
    *,
    model: str | None,
    options: Mapping[str, Any],
    password: str | None = None,
) -> str:
    """Return what tells a repeated request from another one under the same Idempotency-Key.

    Args:
        documents: SHA-256 of each file as sent, in their order.
        model: as asked for, with or without a version; None for the default.
        options: of reading.
        password: of the document; it cannot be found from the fingerprint by guessing quickly.

    Raises:
        InvalidOption: an option is not allowed.
    """
    proof = None
    if password:
        salt = _digest("salt", *documents).encode()
        proof = hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1, dklen=16).hex()
    return _digest("request", list(documents), model or "", _canonical(options), proof)


def body_print(path: str, body: Mapping[str, Any]) -> str:
    """Return what tells a repeated request with a JSON body from another one.

    Args:
        path: that it was sent to, without the version of the API.
        body: as it was understood, defaults filled in.
    """
    return _digest("body", path, body)


def _canonical(options: Mapping[str, Any]) -> dict[str, Any]:
    more = {name: value for name, value in options.items() if name in OF_ANSWERS}
    read = ReadOptions(**{name: value for name, value in options.items() if name not in more})
    return {name: getattr(read, name) for name in _CHOICES} | more


def _digest(*parts: Any) -> str:
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _release() -> str:
    try:
        return version("fieldwright")
    except PackageNotFoundError:  # run from a folder of sources that was never installed
        return ""
