"""Indexes by which the review that is claimed next is found without sorting those that wait."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_INDEXES = {
    "ix_reviews_done": (["done_at"], "done_at IS NOT NULL"),
    "ix_reviews_waiting": (["skipped", "worth DESC", "created_at"], "done_at IS NULL"),
}


def upgrade() -> None:
    """Replace the index of both those that wait and those that are done by one of each."""
    op.drop_index("ix_reviews_waiting", "reviews")
    for name, (columns, condition) in _INDEXES.items():
        of, where = [sa.text(column) for column in columns], sa.text(condition)
        op.create_index(name, "reviews", of, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Put the one index back."""
    for name in _INDEXES:
        op.drop_index(name, "reviews")
    op.create_index("ix_reviews_waiting", "reviews", ["done_at", "skipped", "worth"])
