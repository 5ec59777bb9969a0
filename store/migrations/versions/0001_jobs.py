"""Jobs, their results, and the worker processes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("token", sa.String(36)),
        sa.Column("worker", sa.String(64)),
        sa.Column("lease_until", sa.Double),
        sa.Column("not_before", sa.Double),
        sa.Column("claimed_at", sa.Double),
        sa.Column("cancel_requested", sa.Boolean, nullable=False),
        sa.Column("owner", sa.String(64)),
        sa.Column("model", sa.String(160), nullable=False),
        sa.Column("model_version", sa.String(64)),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("filename", sa.String(255), nullable=False),
        sa.Column("media_type", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("pages_done", sa.Integer, nullable=False),
        sa.Column("pages_total", sa.Integer),
        sa.Column("error_code", sa.String(64)),
        sa.Column("error_detail", sa.Text),
        sa.Column("error_advice", sa.Text),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("started_at", sa.Double),
        sa.Column("finished_at", sa.Double),
    )
    op.create_index("ix_jobs_state_created", "jobs", ["state", "created_at"])
    op.create_index("ix_jobs_created", "jobs", ["created_at", "id"])
    op.create_table(
        "results",
        sa.Column(
            "job_id", sa.String(36), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("ready", sa.Boolean, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("models", sa.JSON, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("workers")
    op.drop_table("results")
    op.drop_table("jobs")
