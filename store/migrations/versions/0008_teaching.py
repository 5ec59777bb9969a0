"""Datasets with their documents, trainings, shadow runs, and jobs that are the service's own."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables."""
    op.add_column("jobs", sa.Column("purpose", sa.String(16)))
    op.create_table(
        "datasets",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("owner", sa.String(64)),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("model_name", sa.String(64), nullable=False),
        sa.Column("fields", sa.JSON, nullable=False),
        sa.Column("source", sa.String(160)),
        sa.Column("renames", sa.JSON, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
    )
    op.create_index("ix_datasets_owner", "datasets", ["owner", "created_at"])
    _documents()
    _trainings()
    _shadows()


def _documents() -> None:
    dataset = sa.ForeignKey("datasets.id", ondelete="CASCADE")
    job = sa.ForeignKey("jobs.id", ondelete="CASCADE")
    op.create_table(
        "dataset_documents",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("dataset_id", sa.String(36), dataset, nullable=False),
        sa.Column("job_id", sa.String(36), job, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("labels", sa.JSON, nullable=False),
        sa.Column("rows", sa.JSON, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("suggestions", sa.JSON),
        sa.Column("sure", sa.Double),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("doubts", sa.JSON, nullable=False),
        sa.Column("doubtful", sa.Boolean, nullable=False),
        sa.Column("added_at", sa.Double, nullable=False),
        sa.Column("labelled_at", sa.Double),
        sa.Column("labelled_by", sa.String(128), nullable=False),
        sa.UniqueConstraint("dataset_id", "sha256", name="uq_dataset_documents_once"),
    )
    op.create_index("ix_dataset_documents_order", "dataset_documents", ["dataset_id", "number"])
    op.create_index("ix_dataset_documents_job", "dataset_documents", ["job_id"])


def _trainings() -> None:
    dataset = sa.ForeignKey("datasets.id", ondelete="CASCADE")
    op.create_table(
        "trainings",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("dataset_id", sa.String(36), dataset, nullable=False),
        sa.Column("owner", sa.String(64)),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("stage", sa.String(16)),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("epochs", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("scores", sa.JSON, nullable=False),
        sa.Column("seconds_left", sa.Double),
        sa.Column("documents", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("token", sa.String(36)),
        sa.Column("worker", sa.String(64)),
        sa.Column("lease_until", sa.Double),
        sa.Column("cancel_requested", sa.Boolean, nullable=False),
        sa.Column("error_code", sa.String(64)),
        sa.Column("error_detail", sa.Text),
        sa.Column("error_advice", sa.Text),
        sa.Column("report", sa.Text),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("started_at", sa.Double),
        sa.Column("finished_at", sa.Double),
    )
    op.create_index("ix_trainings_queue", "trainings", ["state", "created_at"])
    op.create_index("ix_trainings_dataset", "trainings", ["dataset_id", "created_at"])


def _shadows() -> None:
    op.create_table(
        "shadows",
        sa.Column("model", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(36), nullable=False, unique=True),
        sa.Column("owner", sa.String(64)),
        sa.Column("everyone", sa.Boolean, nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("against", sa.String(64), nullable=False),
        sa.Column("share", sa.Double, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("started_at", sa.Double, nullable=False),
        sa.Column("counts", sa.JSON, nullable=False),
    )
    job = sa.ForeignKey("jobs.id", ondelete="CASCADE")
    shadow = sa.ForeignKey("shadows.id", ondelete="CASCADE")
    op.create_table(
        "shadow_jobs",
        sa.Column("job_id", sa.String(36), job, primary_key=True),
        sa.Column("shadow_id", sa.String(36), shadow, primary_key=True),
        sa.Column("shadow_job_id", sa.String(36), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("found", sa.JSON, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_shadow_jobs_listed", "shadow_jobs", ["shadow_id", "state", "at"])


def downgrade() -> None:
    """Drop them again."""
    for table in ("shadow_jobs", "shadows", "trainings", "dataset_documents", "datasets"):
        op.drop_table(table)
    op.drop_column("jobs", "purpose")
