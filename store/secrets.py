"""Secrets at rest: encrypted with Fernet of the `cryptography` package (AES-128, HMAC-SHA256).

The first key encrypts and all decrypt, so keys are changed without a stop: a new one is added
behind the others everywhere, then moved to the front, then what is stored is encrypted anew
(`fieldwright secrets reencrypt`), and the old one is removed.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import SecretKeyMissing

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KEY_FILE = "secret_keys"
"""In the folder of an installation that is given no keys: made at the first use."""

_FILE = f"file `{KEY_FILE}` of the service"
_FERNET = "gAAAA"  # what every Fernet token begins with: its version, and a time before 2106
_KEY_BYTES = 32


class SecretCipher:
    """Encrypts secrets before they are stored, and decrypts them.

    Args:
        keys: of 32 bytes in URL-safe base64, between commas or spaces; those of a file in `home`
            where empty.
        home: folder of the installation.
    """

    def __init__(self, keys: str, home: Path) -> None:
        self._given = keys
        self._file = home / KEY_FILE

    def encrypt(self, secret: str) -> str:
        """Return a secret as it is stored.

        Raises:
            SecretKeyMissing: there is no key, and no file for one can be written.
        """
        return self._keys[0].encrypt(secret.encode()).decode()

    def decrypt(self, stored: str) -> str:
        """Return a secret; one that was stored before secrets were encrypted is returned as it is.

        Raises:
            SecretKeyMissing: it was encrypted with a key that is not there.
        """
        from cryptography.fernet import InvalidToken, MultiFernet

        if not is_encrypted(stored):
            return stored
        try:
            return MultiFernet(self._keys).decrypt(stored.encode()).decode()
        except InvalidToken as error:
            raise SecretKeyMissing(
                "A secret was encrypted with a key that is not there."
            ) from error

    def renewed(self, stored: str) -> str:
        """Return what is to be stored instead: the same where the first key encrypted it.

        Raises:
            SecretKeyMissing: as `decrypt`.
        """
        from cryptography.fernet import InvalidToken

        secret = self.decrypt(stored)
        if is_encrypted(stored):
            with suppress(InvalidToken):
                self._keys[0].decrypt(stored.encode())
                return stored
        return self.encrypt(secret)

    @cached_property
    def _keys(self) -> list[Fernet]:
        from cryptography.fernet import Fernet

        return [Fernet(key) for key in parse_keys(self._given) or self._kept()]

    def _kept(self) -> list[str]:
        """Return the keys of the file, which is made where it is missing.

        Raises:
            SecretKeyMissing: it has none; clients of the API are told, so not where it lies.
        """
        try:
            if not self._file.exists():
                _write_once(self._file, new_key())
            keys = parse_keys(self._file.read_text(encoding="ascii"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise SecretKeyMissing(f"No keys can be read from the {_FILE}: {reason}.") from error
        if not keys:
            raise SecretKeyMissing(f"There is no key in the {_FILE}.")
        return keys


def new_key() -> str:
    """Return a key made of random bytes."""
    return base64.urlsafe_b64encode(os.urandom(_KEY_BYTES)).decode()


def is_encrypted(stored: str) -> bool:
    """Say whether a stored secret is encrypted; those of webhooks begin with ``whsec_`` else."""
    return stored.startswith(_FERNET)


def parse_keys(text: str) -> list[str]:
    """Return the keys of a list.

    Raises:
        ValueError: one of them is no key; it is not repeated.
    """
    keys = [key for key in re.split(r"[,\s]+", text) if key]
    for place, key in enumerate(keys, start=1):
        try:
            length = len(base64.b64decode(key, altchars=b"-_", validate=True))
        except ValueError:
            length = 0
        if length != _KEY_BYTES:
            raise ValueError(
                f"key {place} is not 32 bytes in URL-safe base64, as `fieldwright secrets new-key` "
                "prints them"
            )
    return keys


def _write_once(path: Path, text: str) -> None:
    """Write a file for its owner alone, whole or not at all; one that is there by now stays."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process was faster
            os.link(name, path)
    finally:
        Path(name).unlink(missing_ok=True)
