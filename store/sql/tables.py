"""Tables of the job store, and the database's own clock. Their history is in `migrations/`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    column,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.sql.functions import FunctionElement

SQLITE_NOW = "fieldwright_now"
"""The function of SQLite's connections, made by `store.sql.database`, that tells the time."""


class db_now(FunctionElement[float]):
    """Seconds since 1970 by the clock of the database, the one clock that all hosts share."""

    type = Double()
    inherit_cache = True


@compiles(db_now, "sqlite")
def _sqlite_now(element: Any, compiler: Any, **options: Any) -> str:
    # SQLite's own clock ticks every millisecond: jobs of one tick would have no order.
    return f"{SQLITE_NOW}()"


@compiles(db_now, "postgresql")
def _postgresql_now(element: Any, compiler: Any, **options: Any) -> str:
    return "extract(epoch from clock_timestamp())::double precision"


def now(connection: Connection) -> float:
    """Return the time by the clock of the database."""
    return float(connection.scalar(_NOW) or 0.0)


def insert_where(
    connection: Connection, table: type[DeclarativeBase]
) -> postgresql.Insert | sqlite.Insert:
    """Return an insert with ``on_conflict_do_nothing`` and ``on_conflict_do_update``.

    Both databases have them; SQLAlchemy has them in the dialects only.
    """
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


_NOW = select(db_now())
_SERIAL = BigInteger().with_variant(Integer(), "sqlite")  # which numbers no other type by itself


def _part(name: str, *columns: str | ColumnElement[Any], of: str) -> Index:
    """Return an index of the rows for which the condition `of` holds."""
    where = text(of)
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)


class Base(DeclarativeBase):
    """Base of all tables; times are seconds since 1970."""

    type_annotation_map = {float: Double(), dict[str, Any]: JSON(), list[str]: JSON()}  # noqa: RUF012


class JobRow(Base):
    """One document to read. `token` fences: only its holder may write to a running job.

    Once a job has failed or was cancelled, `lease_until` is for its files: in the future while
    somebody has them in hand, in the past until they are tidied, null from then on.

    Lower `priority` numbers are claimed first: 0 where somebody waits, 1 in a batch; of one
    priority the lowest `turn`, in which keys take turns, then the oldest. The
    `fingerprint` hashes document, model and options: equal ones have equal answers. `words` is
    known once the document is read, `announced_at` says when the broker was last told. What
    belongs to the job was removed for its age at `expired_at`. Jobs with a `purpose` are the
    service's own, see `Job.purpose`. Triggers set `batch_id` and `turn`, see migrations 0016 and
    0017; jobs that never waited have no turn.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_queue", "state", "stage", "priority", "created_at"),
        # In the order in which they are claimed.
        _part("ix_jobs_turn", "stage", "priority", "turn", "created_at", of="state = 'queued'"),
        # For the turn being served, and for the last one of a key.
        _part(
            "ix_jobs_turn_served",
            *("priority", "turn"),
            of="state = 'queued' AND not_before IS NULL",
        ),
        _part(
            "ix_jobs_turn_last",
            *("owner", "priority", "turn"),
            of="state IN ('queued', 'running')",
        ),
        Index("ix_jobs_created", "created_at", "id"),
        Index("ix_jobs_owner", "owner", "created_at", "id"),
        Index("ix_jobs_state", "state", "created_at", "id"),
        Index("ix_jobs_fingerprint", "fingerprint"),
        Index("ix_jobs_finished", "expired_at", "finished_at"),
        # With all that is counted of a batch.
        _part(
            "ix_jobs_batch",
            *("batch_id", "state", "error_code", "expired_at", "finished_at"),
            of="batch_id IS NOT NULL",
        ),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    stage: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int]
    token: Mapped[str | None] = mapped_column(String(36))
    worker: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[float | None]
    not_before: Mapped[float | None]
    claimed_at: Mapped[float | None]
    cancel_requested: Mapped[bool]
    owner: Mapped[str | None] = mapped_column(String(64))
    model: Mapped[str] = mapped_column(String(160))
    model_version: Mapped[str | None] = mapped_column(String(64))
    options: Mapped[dict[str, Any]]
    sha256: Mapped[str] = mapped_column(String(64))
    filename: Mapped[str] = mapped_column(String(255))
    media_type: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    pages_done: Mapped[int]
    pages_total: Mapped[int | None]
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_detail: Mapped[str | None] = mapped_column(Text)
    error_advice: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]
    started_at: Mapped[float | None]
    finished_at: Mapped[float | None]
    priority: Mapped[int] = mapped_column(server_default="0")
    fingerprint: Mapped[str | None] = mapped_column(String(64))
    words: Mapped[int | None]
    announced_at: Mapped[float | None]
    expired_at: Mapped[float | None]
    purpose: Mapped[str | None] = mapped_column(String(16))
    batch_id: Mapped[str | None] = mapped_column(String(36))
    turn: Mapped[int | None] = mapped_column(BigInteger)


class ResultRow(Base):
    """The answer to one job, as JSON text; written once, with the change of the job's state."""

    __tablename__ = "results"

    job_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
    )
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]


class WorkerRow(Base):
    """One worker process: when it last reported, its stages, the models in its memory."""

    __tablename__ = "workers"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    pid: Mapped[int]
    ready: Mapped[bool]
    detail: Mapped[str] = mapped_column(Text)
    models: Mapped[list[str]]
    stages: Mapped[list[str]]
    confinement: Mapped[str] = mapped_column(String(32), server_default="")
    seen_at: Mapped[float]


class KeyRow(Base):
    """An access key; of its secret only the SHA-256 is kept. Found by `prefix`, which is no secret.

    `owner` is what its objects are stored under: its own id, or that of the first of the keys it
    follows, so that a client keeps its jobs when its key is changed.
    `rate_per_minute` and `max_queued` are limits of this key, null for those of the installation.
    """

    __tablename__ = "api_keys"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    owner: Mapped[str] = mapped_column(String(36))
    name: Mapped[str] = mapped_column(String(120))
    prefix: Mapped[str] = mapped_column(String(24), unique=True)
    hash: Mapped[str] = mapped_column(String(64))
    scopes: Mapped[list[str]]
    rate_per_minute: Mapped[int | None]
    max_queued: Mapped[int | None]
    created_at: Mapped[float]
    expires_at: Mapped[float | None]
    revoked_at: Mapped[float | None]
    last_used_at: Mapped[float | None]


class SessionRow(Base):
    """A sign-in of a browser with a key; of what its cookie holds only the SHA-256 is kept."""

    __tablename__ = "sessions"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    key_id: Mapped[str] = mapped_column(String(36), ForeignKey("api_keys.id", ondelete="CASCADE"))
    expires_at: Mapped[float]


class PictureRow(Base):
    """A picture of a page that somebody waits for, or why it cannot be drawn.

    It goes when it is drawn. Whoever draws it has it until `taken_until`.
    """

    __tablename__ = "pictures"
    __table_args__ = (Index("ix_pictures_wanted", "wanted_at"),)

    job_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    width: Mapped[int] = mapped_column(primary_key=True)
    wanted_at: Mapped[float]
    taken_until: Mapped[float | None]
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_detail: Mapped[str | None] = mapped_column(Text)
    error_advice: Mapped[str | None] = mapped_column(Text)


class ReviewRow(Base):
    """An answer that a person should see or has seen; `body` is the answer with all decisions.

    `claimant` has it in hand until `claimed_until`; `reviewer` is who had it last, for people.
    `again` is the job in which another model reads the document, until its answer is taken.
    `owner` and `batch_id` are those of the job, set by a trigger, see migration 0016.
    """

    __tablename__ = "reviews"
    __table_args__ = (
        _part("ix_reviews_done", "done_at", of="done_at IS NOT NULL"),
        # In the order in which they are claimed.
        _part(
            "ix_reviews_waiting",
            "skipped",
            column("worth").desc(),
            "created_at",
            of="done_at IS NULL",
        ),
        # With all that is counted of those that wait; SQLite asks for the condition's column, too.
        _part(
            "ix_reviews_counted",
            *("batch_id", "model", "created_at", "owner", "done_at"),
            of="done_at IS NULL",
        ),
    )

    job_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
    )
    model: Mapped[str] = mapped_column(String(160))
    doubts: Mapped[int]
    worth: Mapped[float]
    skipped: Mapped[int]
    note: Mapped[str] = mapped_column(Text)
    reviewer: Mapped[str] = mapped_column(String(120))
    claimant: Mapped[str | None] = mapped_column(String(64))
    claimed_until: Mapped[float | None]
    created_at: Mapped[float]
    done_at: Mapped[float | None]
    body: Mapped[str | None] = mapped_column(Text)
    again: Mapped[str | None] = mapped_column(String(36))
    batch_id: Mapped[str | None] = mapped_column(String(36))
    owner: Mapped[str | None] = mapped_column(String(64))


class DecisionRow(Base):
    """What a person decided on one value of an answer; never changed. `number` counts by job."""

    __tablename__ = "decisions"

    job_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(36))
    kind: Mapped[str] = mapped_column(String(16))
    field: Mapped[str] = mapped_column(String(129))
    place: Mapped[int]
    before: Mapped[dict[str, Any] | None]
    after: Mapped[dict[str, Any] | None]
    undoes: Mapped[str | None] = mapped_column(String(36))
    reviewer: Mapped[str] = mapped_column(String(120))
    at: Mapped[float]
    seconds: Mapped[float | None]


class DatasetRow(Base):
    """Documents of one kind that people label, and what they call its fields.

    `source` is the model of its own whose suggestions stand at the documents, as NAME@VERSION.
    `renames` maps fields to those of other models that gave the same values, and `revision` counts
    its changes: suggestions of an older one are made again.
    """

    __tablename__ = "datasets"
    __table_args__ = (Index("ix_datasets_owner", "owner", "created_at"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    owner: Mapped[str | None] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(120))
    model_name: Mapped[str] = mapped_column(String(64))
    fields: Mapped[list[Any]] = mapped_column(JSON)
    source: Mapped[str | None] = mapped_column(String(160))
    renames: Mapped[dict[str, Any]]
    revision: Mapped[int]
    created_at: Mapped[float]


class DatasetDocumentRow(Base):
    """A document of a dataset with its labels; its bytes and words are those of its own job.

    `labels` maps fields to lists of values, `rows` groups to lists of rows; what is in neither is
    not labelled. `sure` is the lowest confidence of the `suggestions`, which were made at the
    dataset's `revision`; `doubts` maps labelled fields to what looks wrong about them.
    """

    __tablename__ = "dataset_documents"
    __table_args__ = (
        UniqueConstraint("dataset_id", "sha256", name="uq_dataset_documents_once"),
        Index("ix_dataset_documents_order", "dataset_id", "number"),
        Index("ix_dataset_documents_job", "job_id"),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    dataset_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("datasets.id", ondelete="CASCADE")
    )
    job_id: Mapped[str] = mapped_column(String(36), ForeignKey("jobs.id", ondelete="CASCADE"))
    number: Mapped[int]
    sha256: Mapped[str] = mapped_column(String(64))
    labels: Mapped[dict[str, Any]]
    rows: Mapped[dict[str, Any]]
    complete: Mapped[bool]
    suggestions: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    sure: Mapped[float | None]
    revision: Mapped[int]
    doubts: Mapped[dict[str, Any]]
    doubtful: Mapped[bool]
    added_at: Mapped[float]
    labelled_at: Mapped[float | None]
    labelled_by: Mapped[str] = mapped_column(String(128))


class TrainingRow(Base):
    """A training of a dataset's model; `token` fences as in jobs. `report` is JSON text."""

    __tablename__ = "trainings"
    __table_args__ = (
        Index("ix_trainings_queue", "state", "created_at"),
        Index("ix_trainings_dataset", "dataset_id", "created_at"),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    dataset_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("datasets.id", ondelete="CASCADE")
    )
    owner: Mapped[str | None] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(64))
    version: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(String(16))
    stage: Mapped[str | None] = mapped_column(String(16))
    epoch: Mapped[int]
    epochs: Mapped[int]
    step: Mapped[int]
    steps: Mapped[int]
    scores: Mapped[list[Any]] = mapped_column(JSON)
    seconds_left: Mapped[float | None]
    documents: Mapped[int]
    attempts: Mapped[int]
    token: Mapped[str | None] = mapped_column(String(36))
    worker: Mapped[str | None] = mapped_column(String(64))
    lease_until: Mapped[float | None]
    cancel_requested: Mapped[bool]
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_detail: Mapped[str | None] = mapped_column(Text)
    error_advice: Mapped[str | None] = mapped_column(Text)
    report: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]
    started_at: Mapped[float | None]
    finished_at: Mapped[float | None]


class TrainedModelRow(Base):
    """A version of a model that was trained here, and whose it is; it outlives its training."""

    __tablename__ = "trained_models"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    version: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str | None] = mapped_column(String(64))


class ShadowRow(Base):
    """A version of a model that answers beside the one in service; one for each model.

    It is asked about the documents of `owner`, or with `everyone` about all. `counts` holds what
    came of it, all in all.
    """

    __tablename__ = "shadows"

    model: Mapped[str] = mapped_column(String(64), primary_key=True)
    id: Mapped[str] = mapped_column(String(36), unique=True)
    owner: Mapped[str | None] = mapped_column(String(64))
    everyone: Mapped[bool]
    version: Mapped[str] = mapped_column(String(64))
    against: Mapped[str] = mapped_column(String(64))
    share: Mapped[float]
    active: Mapped[bool]
    started_at: Mapped[float]
    counts: Mapped[dict[str, Any]]


class ShadowJobRow(Base):
    """A live document and the job of the shadow that reads it; `found` is where answers differ."""

    __tablename__ = "shadow_jobs"
    __table_args__ = (Index("ix_shadow_jobs_listed", "shadow_id", "state", "at"),)

    job_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
    )
    shadow_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("shadows.id", ondelete="CASCADE"), primary_key=True
    )
    shadow_job_id: Mapped[str] = mapped_column(String(36))
    state: Mapped[str] = mapped_column(String(16))
    found: Mapped[list[Any]] = mapped_column(JSON)
    at: Mapped[float]


class BatchRow(Base):
    """Documents that were sent together; their progress is counted from their jobs.

    `skipped` names the files of its archives that are no documents, such as those of macOS.
    """

    __tablename__ = "batches"
    __table_args__ = (Index("ix_batches_created", "created_at", "id"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    owner: Mapped[str | None] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(255))
    model: Mapped[str] = mapped_column(String(160))
    options: Mapped[dict[str, Any]]
    skipped: Mapped[list[str]]
    created_at: Mapped[float]


class BatchItemRow(Base):
    """One document of a batch: its job, or the error that kept it from becoming one."""

    __tablename__ = "batch_items"
    __table_args__ = (
        Index("ix_batch_items_job", "job_id"),
        _part("ix_batch_items_jobless", "batch_id", "error_code", of="job_id IS NULL"),
    )

    batch_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    filename: Mapped[str] = mapped_column(String(255))
    sha256: Mapped[str | None] = mapped_column(String(64))
    job_id: Mapped[str | None] = mapped_column(
        String(36), ForeignKey("jobs.id", ondelete="SET NULL")
    )
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_detail: Mapped[str | None] = mapped_column(Text)
    error_advice: Mapped[str | None] = mapped_column(Text)


class IdempotencyRow(Base):
    """A repeatable request: its key, what it asked for, and what it became.

    `owner` is empty where the service has no keys. It is stored together with the job or the
    batch, of which it names one, and goes with it; or with what else its route makes (`made_id`),
    and then outlives that: a request for what was removed meanwhile is answered so.
    """

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        Index("ix_idempotency_job", "job_id"),
        Index("ix_idempotency_batch", "batch_id"),
        Index("ix_idempotency_created", "created_at"),
    )

    owner: Mapped[str] = mapped_column(String(64), primary_key=True)
    route: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    job_id: Mapped[str | None] = mapped_column(String(36))
    batch_id: Mapped[str | None] = mapped_column(String(36))
    made_id: Mapped[str | None] = mapped_column(String(36))
    created_at: Mapped[float]


class WebhookRow(Base):
    """An address that is told of events; the secrets sign requests; whoever made it is told.

    They are stored encrypted, see `store.secrets`.
    """

    __tablename__ = "webhooks"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    owner: Mapped[str | None] = mapped_column(String(64))
    url: Mapped[str] = mapped_column(Text)
    secret: Mapped[str] = mapped_column(Text)
    old_secret: Mapped[str | None] = mapped_column(Text)
    old_secret_until: Mapped[float | None]
    events: Mapped[list[str]]
    active: Mapped[bool]
    active_since: Mapped[float]
    disabled_reason: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]


class DeliveryRow(Base):
    """One event for one webhook, at most once for each job or batch (`subject`).

    `attempts` counts since the delivery was last asked for. While it is ``pending`` or ``sending``
    it is due at `next_at`, which is the end of the lease where somebody holds its `token`.
    """

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("webhook_id", "subject", "event", name="uq_deliveries_once"),
        Index("ix_deliveries_due", "state", "next_at"),
        Index("ix_deliveries_subject", "subject"),
        Index("ix_deliveries_webhook", "webhook_id", "state", "next_at"),
        Index("ix_deliveries_log", "webhook_id", "created_at", "id"),
        Index("ix_deliveries_created", "created_at"),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    webhook_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("webhooks.id", ondelete="CASCADE")
    )
    subject: Mapped[str] = mapped_column(String(36))
    event: Mapped[str] = mapped_column(String(32))
    payload: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int]
    next_at: Mapped[float | None]
    token: Mapped[str | None] = mapped_column(String(36))
    created_at: Mapped[float]
    ended_at: Mapped[float | None]


class AttemptRow(Base):
    """One attempt to deliver: the status that came back, or why none did. Stored beforehand."""

    __tablename__ = "delivery_attempts"

    delivery_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("deliveries.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    seconds: Mapped[float]
    status: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(String(64))


class AuditRow(Base):
    """Something that a key or an operator did; triggers refuse to change or remove a row."""

    __tablename__ = "audit_log"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    actor: Mapped[str] = mapped_column(String(128))
    action: Mapped[str] = mapped_column(String(32))
    subject: Mapped[str] = mapped_column(String(160))
    detail: Mapped[dict[str, Any]]


class CounterRow(Base):
    """A number that only grows, increased in the transaction that it counts."""

    __tablename__ = "counters"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    label: Mapped[str] = mapped_column(String(120), primary_key=True)
    value: Mapped[float]


class CounterNoteRow(Base):
    """What a transaction adds to counters: JSON text, a list of name, label and value each.

    A row of its own, so that nobody waits for anybody; a chore adds them up.
    """

    __tablename__ = "counter_notes"

    id: Mapped[int] = mapped_column(_SERIAL, primary_key=True)
    amounts: Mapped[str] = mapped_column(Text)


class JobCountRow(Base):
    """How many jobs there are of a kind, without what `job_moves` holds.

    `owner` is empty for jobs without one, and for those that have ended.
    """

    __tablename__ = "job_counts"

    owner: Mapped[str] = mapped_column(String(64), primary_key=True)
    priority: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str] = mapped_column(String(16), primary_key=True)
    stage: Mapped[str] = mapped_column(String(16), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)


class JobMoveRow(Base):
    """So many jobs more of a kind, or fewer; written by triggers of `jobs`, see migration 0010."""

    __tablename__ = "job_moves"

    id: Mapped[int] = mapped_column(_SERIAL, primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    priority: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    stage: Mapped[str] = mapped_column(String(16))
    number: Mapped[int] = mapped_column(BigInteger)


class RevisionRow(Base):
    """How often something has changed, such as the ``keys``; counted by triggers."""

    __tablename__ = "revisions"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)


class LockRow(Base):
    """A turn of what one process at a time does, such as sweeping; or who holds something."""

    __tablename__ = "locks"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    holder: Mapped[str] = mapped_column(String(64))
    lease_until: Mapped[float]
