"""Counts that need no look at the rows: jobs, figures, changes of keys; vacuum of busy tables.

Triggers note each move of a job and each change of the keys, whichever release or hand makes it.
SQLite loses the triggers of a table that is altered by copying it: whoever does that to one of
these tables makes them again.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_COLUMNS = "owner, priority, state, stage, number"
_KEY_COLUMNS = (
    "owner, name, prefix, hash, scopes, rate_per_minute, max_queued, expires_at, revoked_at"
)
_CHANGED = (
    "INSERT INTO revisions (name, number) VALUES ('keys', 1) "
    "ON CONFLICT (name) DO UPDATE SET number = revisions.number + 1"
)
# By default a fifth of a table has to be dead before it is vacuumed: 200,000 rows of a million.
_VACUUMED = {
    "jobs": "autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01, "
    "autovacuum_analyze_scale_factor = 0.05",
    "job_moves": "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000",
    "counter_notes": "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000",
}


def upgrade() -> None:
    """Create the tables and the triggers, and count what is there."""
    op.create_table(
        "job_counts",
        *_of_jobs(),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("owner", "priority", "state", "stage"),
    )
    op.create_table(
        "job_moves",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        *_of_jobs(),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "counter_notes",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("amounts", sa.Text, nullable=False),
    )
    op.create_table(
        "revisions",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        _sqlite_triggers()
    else:
        _postgresql_triggers()
        for table, settings in _VACUUMED.items():
            op.execute(f"ALTER TABLE {table} SET ({settings})")
    op.execute(
        f"INSERT INTO job_counts ({_COLUMNS}) SELECT {_of('jobs')}, count(*) FROM jobs "
        "GROUP BY 1, 2, 3, 4"
    )


def downgrade() -> None:
    """Drop them again; what is noted of figures goes into the counters first."""
    connection = op.get_bind()
    _add_up(connection)
    if connection.dialect.name == "sqlite":
        for name in ("came", "moved", "went"):
            op.execute(f"DROP TRIGGER jobs_{name}")
        for table in ("api_keys", "sessions"):
            for event in ("insert", "update", "delete"):
                op.execute(f"DROP TRIGGER {table}_{event}")
    else:
        for function in ("jobs_came", "jobs_moved", "jobs_went", "keys_changed"):
            op.execute(f"DROP FUNCTION {function}() CASCADE")
        op.execute(
            "ALTER TABLE jobs RESET (autovacuum_vacuum_scale_factor, "
            "autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor)"
        )
    for table in ("revisions", "counter_notes", "job_moves", "job_counts"):
        op.drop_table(table)


def _of_jobs() -> list[sa.Column[Any]]:
    return [
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
    ]


def _of(row: str) -> str:
    """Return the columns of a job's row by which it is counted; owners matter till it ends."""
    unfinished = f"{row}.state IN ('queued', 'running')"
    owner = f"CASE WHEN {unfinished} THEN coalesce({row}.owner, '') ELSE '' END"
    return f"{owner}, {row}.priority, {row}.state, {row}.stage"


def _moved(row: str) -> str:
    """Return the condition that a changed row is counted elsewhere."""
    names = ("owner", "priority", "state", "stage")
    return " OR ".join(f"OLD.{name} IS {row} NEW.{name}" for name in names)


def _sqlite_triggers() -> None:
    into = f"INSERT INTO job_moves ({_COLUMNS}) VALUES"
    away, here = f"({_of('OLD')}, -1)", f"({_of('NEW')}, 1)"
    op.execute(f"CREATE TRIGGER jobs_came AFTER INSERT ON jobs BEGIN {into} {here}; END")
    op.execute(f"CREATE TRIGGER jobs_went AFTER DELETE ON jobs BEGIN {into} {away}; END")
    op.execute(
        "CREATE TRIGGER jobs_moved AFTER UPDATE OF owner, priority, state, stage ON jobs "
        f"WHEN {_moved('NOT')} BEGIN {into} {away}, {here}; END"
    )
    for table, columns in (("api_keys", f" OF {_KEY_COLUMNS}"), ("sessions", "")):
        for event in ("INSERT", f"UPDATE{columns}", "DELETE"):
            name = f"{table}_{event.partition(' ')[0].lower()}"
            op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {_CHANGED}; END")


def _postgresql_triggers() -> None:
    into = f"INSERT INTO job_moves ({_COLUMNS})"
    moved = f"{into} VALUES ({_of('OLD')}, -1), ({_of('NEW')}, 1);"
    grouped = f"{into} SELECT {_of('jobs')}, {{}}count(*) FROM {{}} AS jobs GROUP BY 1, 2, 3, 4;"
    for name, body in {
        "jobs_came": grouped.format("", "came"),
        "jobs_went": grouped.format("-", "went"),
        "jobs_moved": moved,
        "keys_changed": f"{_CHANGED};",
    }.items():
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN {body} RETURN NULL; END $$"
        )
    # A batch is one statement, and noted in one row; a move is of one row nearly always.
    for name, event in (("came", "INSERT"), ("went", "DELETE")):
        table = "NEW" if event == "INSERT" else "OLD"
        op.execute(
            f"CREATE TRIGGER jobs_{name} AFTER {event} ON jobs REFERENCING {table} TABLE AS {name} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION jobs_{name}()"
        )
    op.execute(
        "CREATE TRIGGER jobs_moved AFTER UPDATE OF owner, priority, state, stage ON jobs "
        f"FOR EACH ROW WHEN ({_moved('DISTINCT FROM')}) EXECUTE FUNCTION jobs_moved()"
    )
    for table, columns in (("api_keys", f" OF {_KEY_COLUMNS}"), ("sessions", "")):
        op.execute(
            f"CREATE TRIGGER {table}_changed AFTER INSERT OR DELETE OR UPDATE{columns} ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION keys_changed()"
        )


def _add_up(connection: sa.Connection) -> None:
    from store.sql.counters import add_up

    while add_up(connection):
        pass
