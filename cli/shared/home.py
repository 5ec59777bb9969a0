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
def job_store(settings: Settings) -> Iterator[Database]:
    """Give the job store of an installation, brought up to date.

    Raises:
        InvalidOption: the folder cannot be used.
        StoreUnavailable: the database does not answer.
    """
    from store.sql.database import Database

    prepare_home(settings)
    database = Database(settings.store_url)
    try:
        database.migrate()
        yield database
    finally:
        database.close()
