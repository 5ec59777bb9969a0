"""Reviews of answers, and what was decided in them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables."""
    job = sa.ForeignKey("jobs.id", ondelete="CASCADE")
    op.create_table(
        "reviews",
        sa.Column("job_id", sa.String(36), job, primary_key=True),
        sa.Column("model", sa.String(160), nullable=False),
        sa.Column("doubts", sa.Integer, nullable=False),
        sa.Column("worth", sa.Double, nullable=False),
        sa.Column("skipped", sa.Integer, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("reviewer", sa.String(120), nullable=False),
        sa.Column("claimant", sa.String(64)),
        sa.Column("claimed_until", sa.Double),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("done_at", sa.Double),
        sa.Column("body", sa.Text),
    )
    op.create_index("ix_reviews_waiting", "reviews", ["done_at", "skipped", "worth"])
    job = sa.ForeignKey("jobs.id", ondelete="CASCADE")
    op.create_table(
        "decisions",
        sa.Column("job_id", sa.String(36), job, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("field", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("before", sa.JSON),
        sa.Column("after", sa.JSON),
        sa.Column("undoes", sa.String(36)),
        sa.Column("reviewer", sa.String(120), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("decisions")
    op.drop_table("reviews")
