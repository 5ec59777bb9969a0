"""Shadow runs: a version of a model reads live documents beside the one in service.

A live document that was answered gets a second job, with the purpose ``shadow`` and behind all
others in the queue: it can neither slow nor fail the first. What the two answers differ in is kept
when both are there; the second job goes then.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from dataclasses import fields as names_of
from typing import Any

from sqlalchemy import Connection, and_, delete, func, or_, select, update

from store.access import ANY_OWNER, OwnerScope, audit, owned
from store.blobs import FILE, PASSWORD
from store.errors import ShadowUnknown
from store.idempotency import Once
from store.jobs import TERMINAL, Job, Jobs
from store.jobs.rows import insert_jobs, remove_jobs
from store.sql.cursors import chunks
from store.sql.tables import JobRow, ResultRow, ShadowJobRow, ShadowRow, insert_where, now

PRIORITY = 2  # after documents of batches
_WAITING = 50  # shadow jobs that wait at a time; documents that come meanwhile are left out
_LISTED = 100  # differences that are shown
_KEPT = 2000  # documents whose comparison is kept; older ones are counted only
_TEXT = 200  # characters of a value that are kept
_CHUNK = 100
_TOGETHER = 16  # documents whose files are removed together


@dataclass(frozen=True, slots=True)
class Shadow:
    """A shadow run.

    Attributes:
        model: name of the model.
        id: UUID of the run.
        version, against: that reads beside, and the one in service at its start.
        share: of the documents that are read, 0 to 1.
        active: it goes on.
        started_at: seconds since 1970.
        counts: ``same``, ``different``, ``failed``, ``skipped``, and ``fields``: by field how many
            were compared and how many differed.
        everyone: documents of all owners are read.
        owner: whose are otherwise.
    """

    model: str
    id: str
    version: str
    against: str
    share: float
    active: bool
    started_at: float
    counts: dict[str, Any]
    everyone: bool
    owner: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A document whose two answers differ; `fields` has ``key``, ``current`` and ``shadow``."""

    job_id: str
    document: str
    at: float
    fields: list[dict[str, Any]]


_SHADOW: list[Any] = [getattr(ShadowRow, item.name) for item in names_of(Shadow)]


class Shadows:
    """The shadow runs of one installation; methods raise only `FieldwrightError`, and block."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._database = jobs.database

    def start(
        self,
        model: str,
        version: str,
        against: str,
        *,
        share: float,
        scope: OwnerScope,
        once: Once | None = None,
    ) -> Shadow:
        """Begin a run; one of the same model ends, with all that was found.

        Args:
            model: its name.
            version: that is to read beside the one in service.
            against: the version in service.
            share: of the documents that are to be read, above 0 to 1.
            scope: of the caller, whose documents are read.
            once: whoever sends this request again is given the same run.

        Raises:
            IdempotencyKeyReused: as `Once.keep`.
            ShadowUnknown: the key began a run that another one has replaced.
        """
        everyone, run = scope is ANY_OWNER, str(uuid.uuid4())
        with self._database.writing() as connection:
            if once is not None and (earlier := once.keep(connection, run)):
                return _one(connection, model, scope, run=earlier)
            _remove(connection, model)
            row = {"model": model, "id": run, "version": version, "share": share}
            row |= {"against": against, "active": True, "everyone": everyone, "counts": {}}
            row |= {"owner": None if everyone else scope, "started_at": now(connection)}
            new = insert_where(connection, ShadowRow).values(row)
            # Another one may be begun at this very moment.
            new = new.on_conflict_do_update(index_elements=[ShadowRow.model], set_=row)
            connection.execute(new)
            audit.record(connection, "shadow.started", f"{model}@{version}", against=against)
            return _one(connection, model, scope)

    def get(self, model: str, scope: OwnerScope = ANY_OWNER, *, run: str | None = None) -> Shadow:
        """Return the run of a model, the last one where none goes on.

        Args:
            model: its name.
            scope: of the caller.
            run: id of the one that is meant; any where None.

        Raises:
            ShadowUnknown: there is none, or it is out of scope, or another one was begun since.
        """
        self.collect()
        with self._database.reading() as connection:
            return _one(connection, model, scope, run=run)

    def differences(self, shadow: Shadow, scope: OwnerScope = ANY_OWNER) -> list[Difference]:
        """Return the documents of a run whose answers differ, the newest first."""
        row = ShadowJobRow
        query = select(row.job_id, JobRow.filename, row.at, row.found)
        query = query.join(JobRow, JobRow.id == row.job_id)
        query = query.where(
            row.shadow_id == shadow.id, row.state == "different", owned(JobRow.owner, scope)
        )
        query = query.order_by(row.at.desc(), row.job_id).limit(_LISTED)
        with self._database.reading() as connection:
            return [Difference(*found) for found in connection.execute(query)]

    def stop(self, model: str, scope: OwnerScope = ANY_OWNER) -> None:
        """End the run of a model; what was found stays until the next one begins.

        Raises:
            ShadowUnknown: there is none, or it is out of scope.
        """
        with self._database.writing() as connection:
            shadow = _one(connection, model, scope)
            change = update(ShadowRow).where(ShadowRow.id == shadow.id)
            connection.execute(change.values(active=False))
            if shadow.active:
                audit.record(connection, "shadow.stopped", f"{model}@{shadow.version}")

    def follow(self, job: Job) -> None:
        """Have a document read by the shadow of the model that has just answered it, if any.

        Where too many wait already it is left out, and counted so. A document with a password is
        left out too: none is kept longer than its own job needs it.

        Args:
            job: that has succeeded, as it was held.
        """
        if job.purpose is not None:
            return
        name = job.model.partition("@")[0]
        with self._database.reading() as connection:
            active = ShadowRow.model == name, ShadowRow.active.is_(True)
            found = connection.execute(select(*_SHADOW).where(*active)).first()
            if found is None:
                return
            shadow = Shadow(*found)
            if not _chosen(shadow, job):
                return
            wait = ShadowJobRow.shadow_id == shadow.id, ShadowJobRow.state == "waiting"
            waiting = connection.scalar(select(func.count()).where(*wait)) or 0
        if waiting >= _WAITING or self._jobs.blobs.holds(job.id, PASSWORD):
            with self._database.writing(durable=False) as connection:
                _count_in(connection, shadow.id, {"skipped": 1})
            return
        data = self._jobs.blobs.get(job.id, FILE)
        if data is None:
            return
        model = f"{name}@{shadow.version}"
        second = job.with_another_model(model, "shadow", priority=PRIORITY)
        self._jobs.blobs.put(second.id, FILE, data)
        with self._database.writing(durable=False) as connection:
            insert_jobs(connection, [second])
            row = {"job_id": job.id, "shadow_id": shadow.id, "shadow_job_id": second.id}
            new = insert_where(connection, ShadowJobRow)
            new = new.values(**row, state="waiting", found=[], at=now(connection))
            connection.execute(new.on_conflict_do_nothing())
        self._jobs.announcer.announce("read", [second.id])

    def collect(self) -> int:
        """Compare the answers that are there, and remove the jobs of shadows that have ended.

        Returns:
            How many documents were compared.
        """
        row, compared = ShadowJobRow, 0
        query = select(row.job_id, row.shadow_id, row.shadow_job_id, JobRow.state)
        query = query.outerjoin(JobRow, JobRow.id == row.shadow_job_id)
        ended = or_(JobRow.id.is_(None), JobRow.state.in_(TERMINAL))
        with self._database.reading() as connection:
            found = connection.execute(query.where(row.state == "waiting", ended).limit(_CHUNK))
            rows = found.all()
        for some in chunks(rows, _TOGETHER):
            for one in some:
                compared += self._compare(one.shadow_id, one.job_id, one.shadow_job_id)
            self._jobs.blobs.remove(*(one.shadow_job_id for one in some))
        # Ended jobs of shadows that nobody compares: their live document is gone.
        wanted = select(row.shadow_job_id).where(row.state == "waiting")
        self._jobs.blobs.remove(*self._jobs.repository.remove_unwanted("shadow", wanted))
        return compared

    def _compare(self, shadow_id: str, job_id: str, second: str) -> int:
        row = ShadowJobRow
        mine = and_(row.shadow_id == shadow_id, row.job_id == job_id)
        with self._database.writing() as connection:
            body = select(ResultRow.body)
            bodies = [
                connection.scalar(body.where(ResultRow.job_id == one)) for one in (job_id, second)
            ]
            answers = [None if text is None else json.loads(text) for text in bodies]
            both = [answer for answer in answers if answer is not None]
            fields = differing(*both) if len(both) == 2 else {}
            wrong = [found for found in fields.values() if found is not None]
            state = "failed" if len(both) < 2 else "different" if wrong else "same"
            values = {"state": state, "found": wrong, "at": now(connection)}
            waiting = and_(mine, row.state == "waiting")
            if not connection.execute(update(row).where(waiting).values(values)).rowcount:
                return 0  # another process was faster
            remove_jobs(connection, [second])
            counts = {key: [1, int(found is not None)] for key, found in fields.items()}
            _count_in(connection, shadow_id, {state: 1, "fields": counts})
        return 1


def differing(current: dict[str, Any], shadow: dict[str, Any]) -> dict[str, dict[str, Any] | None]:
    """Return by field that both answers know how their values differ, None where they do not.

    Values are equal where what they say is, however it is written; the order of many does not
    count. Groups are compared as a whole.
    """
    found: dict[str, dict[str, Any] | None] = {}
    for part in ("fields", "groups"):
        ours, theirs = current.get(part) or {}, shadow.get(part) or {}
        for key in ours.keys() & theirs.keys():
            same = _said(ours[key]) == _said(theirs[key])
            texts = {"current": _shown(ours[key]), "shadow": _shown(theirs[key])}
            found[key] = None if same else {"key": key, **texts}
    return dict(sorted(found.items()))


def _said(value: Any) -> Any:
    """Return what a value, a list of values or rows say, in a form that can be compared."""
    if isinstance(value, list):
        parts = [_said(item) for item in value]
        return parts if any(isinstance(item, dict) for item in parts) else sorted(map(str, parts))
    if isinstance(value, dict) and "text" not in value:
        return {key: _said(item) for key, item in value.items()}
    if value is None:
        return None
    said = value["text"] if value.get("value") is None else value["value"]
    if isinstance(said, str):
        return " ".join(said.split()).casefold()
    return json.dumps(said, sort_keys=True)


def _shown(value: Any) -> str | None:
    if isinstance(value, list):
        texts = [_shown(item) for item in value]
        text = "; ".join(item for item in texts if item)
    elif isinstance(value, dict) and "text" not in value:
        text = " ".join(filter(None, (_shown(item) for item in value.values())))
    else:
        text = "" if value is None else str(value["text"])
    return text[:_TEXT] or None


def _chosen(shadow: Shadow, job: Job) -> bool:
    """Return whether a document is read: by its hash, so that the same one always is or is not."""
    if job.model_version == shadow.version:
        return False
    if not shadow.everyone and job.owner != shadow.owner:
        return False
    return int(job.sha256[:8], 16) / 0xFFFFFFFF <= shadow.share


def _one(
    connection: Connection, model: str, scope: OwnerScope, *, run: str | None = None
) -> Shadow:
    row = connection.execute(select(*_SHADOW).where(ShadowRow.model == model)).first()
    shadow = None if row is None else Shadow(*row)
    seen = scope is ANY_OWNER or (shadow and not shadow.everyone and shadow.owner == scope)
    if shadow is None or not seen:
        raise ShadowUnknown(f"No version runs beside the model {model[:64]!r}.")
    if run is not None and shadow.id != run:
        raise ShadowUnknown(f"Another run beside the model {model[:64]!r} was begun since.")
    return shadow


def _count_in(connection: Connection, shadow_id: str, amounts: dict[str, Any]) -> None:
    """Add amounts to the counts of a run, and forget the oldest comparisons beyond the limit."""
    mine = ShadowRow.id == shadow_id
    counts = connection.scalar(select(ShadowRow.counts).where(mine).with_for_update())
    if counts is None:
        return
    fields = dict(counts.get("fields", {}))
    for key, (compared, different) in amounts.get("fields", {}).items():
        before = fields.get(key, [0, 0])
        fields[key] = [before[0] + compared, before[1] + different]
    new = {key: counts.get(key, 0) + n for key, n in amounts.items() if key != "fields"}
    values = {**counts, **new, "fields": fields}
    connection.execute(update(ShadowRow).where(mine).values(counts=values))
    row = ShadowJobRow
    old = select(row.job_id).where(row.shadow_id == shadow_id, row.state != "waiting")
    ids = list(connection.scalars(old.order_by(row.at.desc()).offset(_KEPT).limit(_CHUNK)))
    if ids:
        connection.execute(delete(row).where(row.shadow_id == shadow_id, row.job_id.in_(ids)))


def _remove(connection: Connection, model: str) -> None:
    shadow_id = connection.scalar(select(ShadowRow.id).where(ShadowRow.model == model))
    if shadow_id is None:
        return
    connection.execute(delete(ShadowJobRow).where(ShadowJobRow.shadow_id == shadow_id))
    connection.execute(delete(ShadowRow).where(ShadowRow.id == shadow_id))
