"""The batch at its jobs, batch and owner at reviews: both are counted by an index alone.

Triggers set them, whichever release adds the row, and keep jobs of the service's own out of the
reviews.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_COLUMNS = {"jobs": {"batch_id": 36}, "reviews": {"batch_id": 36, "owner": 64}}
_INDEXES: dict[str, tuple[str, list[str], str]] = {
    "ix_jobs_batch": (
        "jobs",
        ["batch_id", "state", "error_code", "expired_at", "finished_at"],
        "batch_id IS NOT NULL",
    ),
    "ix_batch_items_jobless": ("batch_items", ["batch_id", "error_code"], "job_id IS NULL"),
    "ix_reviews_counted": (
        "reviews",
        ["batch_id", "model", "created_at", "owner", "done_at"],
        "done_at IS NULL",
    ),
}
_OF_JOB = "SELECT owner, batch_id FROM jobs WHERE id ="
_OWN = "EXISTS (SELECT 1 FROM jobs WHERE purpose IS NOT NULL AND id ="


def upgrade() -> None:
    """Add them; a million jobs of batches take a minute or two, in which none is accepted."""
    for table, columns in _COLUMNS.items():
        for name, length in columns.items():
            op.add_column(table, sa.Column(name, sa.String(length)))
    op.execute(
        "UPDATE jobs SET batch_id = item.batch_id FROM batch_items AS item "
        "WHERE item.job_id = jobs.id"
    )
    op.execute(f"DELETE FROM reviews WHERE {_OWN} reviews.job_id)")
    op.execute(f"UPDATE reviews SET (owner, batch_id) = ({_OF_JOB} reviews.job_id)")
    for name, (table, of, condition) in _INDEXES.items():
        where: Any = sa.text(condition)
        op.create_index(name, table, of, sqlite_where=where, postgresql_where=where)
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER batch_items_came AFTER INSERT ON batch_items BEGIN "
            "UPDATE jobs SET batch_id = NEW.batch_id WHERE id = NEW.job_id; END"
        )
        op.execute(
            "CREATE TRIGGER reviews_came AFTER INSERT ON reviews BEGIN "
            f"DELETE FROM reviews WHERE job_id = NEW.job_id AND {_OWN} NEW.job_id); "
            f"UPDATE reviews SET (owner, batch_id) = ({_OF_JOB} NEW.job_id) "
            "WHERE job_id = NEW.job_id; END"
        )
        return
    for name, body in {
        "batch_items_came": "UPDATE jobs SET batch_id = came.batch_id FROM came "
        "WHERE jobs.id = came.job_id; RETURN NULL;",
        "reviews_came": f"IF {_OWN} NEW.job_id) THEN RETURN NULL; END IF; "
        "SELECT owner, batch_id INTO NEW.owner, NEW.batch_id FROM jobs WHERE id = NEW.job_id; "
        "RETURN NEW;",
    }.items():
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
        )
    op.execute(
        "CREATE TRIGGER batch_items_came AFTER INSERT ON batch_items REFERENCING NEW TABLE AS came "
        "FOR EACH STATEMENT EXECUTE FUNCTION batch_items_came()"
    )
    op.execute(
        "CREATE TRIGGER reviews_came BEFORE INSERT ON reviews "
        "FOR EACH ROW EXECUTE FUNCTION reviews_came()"
    )


def downgrade() -> None:
    """Drop them again."""
    for name in ("batch_items_came", "reviews_came"):
        if op.get_bind().dialect.name == "sqlite":
            op.execute(f"DROP TRIGGER {name}")
        else:
            op.execute(f"DROP FUNCTION {name}() CASCADE")
    for name, (table, _, _) in _INDEXES.items():
        op.drop_index(name, table)
    for table, columns in _COLUMNS.items():
        for name in columns:
            op.drop_column(table, name)
