"""Pictures of pages that somebody waits for: asked for by the API, drawn by workers that read.

A row is a request. The picture itself is a blob of its job, and stands there as soon as the row is
gone; it is a cache, which the deep cleaning empties.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from pipeline.errors import FieldwrightError, error_from
from store.errors import no_job
from store.sql.database import Database
from store.sql.tables import JobRow, PictureRow, insert_where, now

_PATIENCE = 60.0  # seconds after which nobody waits any more
_LEASE = 60.0  # seconds until another worker draws what one has taken
AT_ONCE = 8
"""Pictures of one document that are drawn in one go."""
PAGE_S = 20.0
"""Seconds that one page may take; nobody looks at an empty frame for longer."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page: its job, the page's number from 1, and its width in pixels."""

    job_id: str
    number: int
    width: int

    @property
    def name(self) -> str:
        """Its name among the blobs of the job."""
        return f"page-{self.number}-{self.width}.png"


class Pictures:
    """The requests for pictures; methods raise `StoreUnavailable` as `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._served: dict[str | None, float] = {}  # when owners had their last turn here

    def ask(self, picture: Picture) -> None:
        """Have a picture drawn, unless it is asked for already.

        Raises:
            FieldwrightError: it was asked for before and cannot be drawn; the error says why.
            JobUnknown: its job was removed meanwhile.
        """
        key = asdict(picture)
        with self._database.writing(durable=False) as connection:
            wanted = {"wanted_at": now(connection)}
            new = insert_where(connection, PictureRow).values(key | wanted)
            try:
                connection.execute(new.on_conflict_do_update(index_elements=[*key], set_=wanted))
            except IntegrityError as error:
                raise no_job() from error
        self.check(picture)

    def check(self, picture: Picture) -> None:
        """Raise the error of a picture that cannot be drawn."""
        row = PictureRow
        query = select(row.error_code, row.error_detail, row.error_advice).where(_key(picture))
        with self._database.reading() as connection:
            found = connection.execute(query).first()
        if found is not None and found.error_code is not None:
            raise error_from(found.error_code, found.error_detail or "", found.error_advice)

    def take(self, most: int = AT_ONCE) -> list[Picture]:
        """Take `most` pictures of one document to draw, those first that were wanted first.

        Owners take turns: pages of one that take long to draw hold up nobody else's for long.
        """
        columns = PictureRow.job_id, PictureRow.number, PictureRow.width
        wanted = func.min(PictureRow.wanted_at)
        documents = select(JobRow.owner, PictureRow.job_id, wanted).join_from(PictureRow, JobRow)
        documents = documents.group_by(JobRow.owner, PictureRow.job_id)
        with self._database.reading() as connection:  # the write lock is taken only where needed
            waiting = connection.execute(documents.where(_free(now(connection)))).all()
        if not waiting:
            return []
        owner, first, _ = min(waiting, key=lambda row: (self._served.get(row[0], 0.0), row[2]))
        self._served[owner] = time.monotonic()
        with self._database.writing(durable=False) as connection:
            moment = now(connection)
            query = select(*columns).where(_free(moment), PictureRow.job_id == first)
            query = query.order_by(PictureRow.wanted_at).limit(most)
            rows = connection.execute(query.with_for_update(skip_locked=True))
            taken = [Picture(*row) for row in rows]
            for picture in taken:
                change = update(PictureRow).where(_key(picture))
                connection.execute(change.values(taken_until=moment + _LEASE))
        return taken

    def drawn(self, picture: Picture) -> None:
        """Note that a picture stands among the blobs of its job."""
        with self._database.writing(durable=False) as connection:
            connection.execute(delete(PictureRow).where(_key(picture)))

    def failed(self, pictures: Sequence[Picture], error: FieldwrightError) -> None:
        """Note that pictures cannot be drawn, and why."""
        values = {"error_code": error.code, "error_detail": error.detail}
        with self._database.writing(durable=False) as connection:
            for picture in pictures:
                change = update(PictureRow).where(_key(picture))
                connection.execute(change.values(**values, error_advice=error.advice))

    def forget(self) -> None:
        """Forget the requests that nobody waits for any more, and errors: they may be tried."""
        with self._database.writing(durable=False) as connection:
            old = PictureRow.wanted_at < now(connection) - _PATIENCE
            connection.execute(delete(PictureRow).where(old))


def _key(picture: Picture) -> ColumnElement[bool]:
    return and_(
        PictureRow.job_id == picture.job_id,
        PictureRow.number == picture.number,
        PictureRow.width == picture.width,
    )


def _free(moment: float) -> ColumnElement[bool]:
    """Return the SQL condition that a picture is waited for and nobody draws it."""
    return and_(
        PictureRow.error_code.is_(None),
        PictureRow.wanted_at > moment - _PATIENCE,
        or_(PictureRow.taken_until.is_(None), PictureRow.taken_until < moment),
    )
