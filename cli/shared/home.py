"""The folder of an installation, as every command that serves or administers it needs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.settings import Settings
    from store.sql.database import Database


def prepare_home(settings: Settings) -> None:
    """Make the folder of the installation, and all new files of this process its owner's alone.

    Raises:
        InvalidOption: the folder cannot be used.
    """
    from pipeline.errors import InvalidOption

    os.umask(0o077)  # the job store and the documents are for their owner alone
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidOption(
            f"The folder {settings.home} cannot be used: {error.strerror}.",
            advice="Set FIELDWRIGHT_HOME to a folder that can be written to.",
        ) from error


@contextmanager
def job_store(settings: Settings, revision: str = "head") -> Iterator[Database]:
    """Give the job store of an installation, brought up to date.

    Args:
        settings: of the installation.
        revision: to which to bring its tables; see `Database.migrate`.

    Raises:
        InvalidOption: the folder cannot be used, or there is no such revision.
        StoreUnavailable: the database does not answer; it is said why, as in the log of a service.
    """
    from store.errors import StoreUnavailable
    from store.sql.database import Database

    prepare_home(settings)
    database = Database(settings.store_url)
    try:
        database.migrate(revision)
        yield database
    except StoreUnavailable as error:
        if database.fault is None:
            raise
        detail = f"{error.detail.rstrip('.')}: {database.fault}"
        raise StoreUnavailable(detail, advice=error.advice) from error
    finally:
        database.close()
