"""Tables of the job store, and the database's own clock. Their history is in `migrations/`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Double, ForeignKey, Index, String, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.sql.functions import FunctionElement


class db_now(FunctionElement[float]):
    """Seconds since 1970 by the clock of the database: the one clock that all hosts share."""

    type = Double()
    inherit_cache = True


@compiles(db_now, "sqlite")
def _sqlite_now(element: Any, compiler: Any, **options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(db_now, "postgresql")
def _postgresql_now(element: Any, compiler: Any, **options: Any) -> str:
    return "extract(epoch from clock_timestamp())::double precision"


class Base(DeclarativeBase):
    """Base of all tables; times are seconds since 1970."""

    type_annotation_map = {float: Double(), dict[str, Any]: JSON(), list[str]: JSON()}  # noqa: RUF012


class JobRow(Base):
    """One document to read. `token` fences: only its holder may write to a running job."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_state_created", "state", "created_at"),
        Index("ix_jobs_created", "created_at", "id"),
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


class ResultRow(Base):
    """The answer to one job, as JSON text; written once, with the change of the job's state."""

    __tablename__ = "results"

    job_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
    )
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]


class WorkerRow(Base):
    """One worker process: when it was last heard of and which models it holds."""

    __tablename__ = "workers"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    pid: Mapped[int]
    ready: Mapped[bool]
    detail: Mapped[str] = mapped_column(Text)
    models: Mapped[list[str]]
    seen_at: Mapped[float]
