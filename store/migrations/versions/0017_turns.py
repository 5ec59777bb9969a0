"""The turn of each queued job: keys of one priority are served in turns, one document each.

Start-time fair queuing (Goyal, Vin and Cheng, 1996), each document counted as one. A new job's turn
is the one being served, or the one after the last of its key's unfinished jobs, whichever is later:
of those that run, too, else a key whose documents are read at once would have one turn for many.
The turn being served is the lowest that waits; a job that comes late to its next stage is moved up
to it, so that it never falls. Jobs that were put back keep their turn and do not count, for they
may be put off for long.

Triggers set it, whichever release adds or moves the row.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_UNFINISHED = "state IN ('queued', 'running')"
_INDEXES = {
    "ix_jobs_turn": (["stage", "priority", "turn", "created_at"], "state = 'queued'"),
    "ix_jobs_turn_served": (["priority", "turn"], "state = 'queued' AND not_before IS NULL"),
    "ix_jobs_turn_last": (["owner", "priority", "turn"], _UNFINISHED),
}
_OTHERS = "FROM jobs WHERE priority = NEW.priority AND id <> NEW.id AND"
_SERVED = (
    f"coalesce((SELECT min(turn) {_OTHERS} state = 'queued' AND not_before IS NULL), "
    f"(SELECT max(turn) {_OTHERS} state = 'running'), "
    f"(SELECT min(turn) {_OTHERS} state = 'queued'), 0)"
)
_LAST = (  # in two steps, as no index of PostgreSQL answers whether both are null
    f"coalesce((SELECT max(turn) {_OTHERS} {_UNFINISHED} AND owner = NEW.owner), "
    f"(SELECT max(turn) {_OTHERS} {_UNFINISHED} AND owner IS NULL AND NEW.owner IS NULL))"
)
_CAME = "NEW.state = 'queued' AND NEW.turn IS NULL"
# Those that failed and are tried anew count as new.
_MOVED = (
    "NEW.state = 'queued' AND OLD.state <> 'queued' "
    "AND (OLD.state <> 'running' OR NEW.not_before IS NULL)"
)
_KEPT = "CASE WHEN OLD.state = 'running' THEN OLD.turn END"


def upgrade() -> None:
    """Add it; a million jobs that wait take some minutes, in which none is accepted."""
    op.add_column("jobs", sa.Column("turn", sa.BigInteger))
    op.execute(
        "UPDATE jobs SET turn = numbered.turn FROM (SELECT id, row_number() OVER "
        "(PARTITION BY priority ORDER BY created_at, id) - 1 AS turn FROM jobs "
        "WHERE state IN ('queued', 'running')) AS numbered WHERE numbered.id = jobs.id"
    )
    for name, (columns, condition) in _INDEXES.items():
        where: Any = sa.text(condition)
        op.create_index(name, "jobs", columns, sqlite_where=where, postgresql_where=where)
    if op.get_bind().dialect.name == "sqlite":
        _sqlite_trigger("came", "INSERT", _CAME, f"max(coalesce({_LAST} + 1, 0), {_SERVED})")
        moved = f"max(coalesce({_KEPT}, {_LAST} + 1, 0), {_SERVED})"
        _sqlite_trigger("moved", "UPDATE OF state", _MOVED, moved)
        return
    _postgresql_trigger("came", "INSERT", _CAME, f"greatest({_LAST} + 1, {_SERVED})")
    moved = f"greatest(coalesce({_KEPT}, {_LAST} + 1), {_SERVED})"
    _postgresql_trigger("moved", "UPDATE OF state", _MOVED, moved)


def downgrade() -> None:
    """Drop it again: jobs are claimed by their age."""
    for name in ("came", "moved"):
        if op.get_bind().dialect.name == "sqlite":
            op.execute(f"DROP TRIGGER jobs_turn_{name}")
        else:
            op.execute(f"DROP FUNCTION jobs_turn_{name}() CASCADE")
    for name in _INDEXES:
        op.drop_index(name, "jobs")
    op.drop_column("jobs", "turn")


def _sqlite_trigger(name: str, event: str, when: str, turn: str) -> None:
    op.execute(
        f"CREATE TRIGGER jobs_turn_{name} AFTER {event} ON jobs WHEN {when} "
        f"BEGIN UPDATE jobs SET turn = {turn} WHERE id = NEW.id; END"
    )


def _postgresql_trigger(name: str, event: str, when: str, turn: str) -> None:
    op.execute(
        f"CREATE FUNCTION jobs_turn_{name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN NEW.turn := {turn}; RETURN NEW; END $$"
    )
    op.execute(
        f"CREATE TRIGGER jobs_turn_{name} BEFORE {event} ON jobs FOR EACH ROW WHEN ({when}) "
        f"EXECUTE FUNCTION jobs_turn_{name}()"
    )
