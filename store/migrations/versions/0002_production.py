"""Batches, keys, idempotency, webhooks, counters and locks; priorities of jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables around the jobs, and what jobs know of them."""
    _keys()
    _batches()
    with op.batch_alter_table("jobs") as jobs:
        jobs.add_column(sa.Column("priority", sa.Integer, nullable=False, server_default="0"))
        jobs.add_column(sa.Column("fingerprint", sa.String(64)))
        jobs.add_column(sa.Column("words", sa.Integer))
        jobs.add_column(sa.Column("announced_at", sa.Double))
        jobs.add_column(sa.Column("expired_at", sa.Double))
        jobs.create_index("ix_jobs_queue", ["state", "stage", "priority", "created_at"])
        jobs.create_index("ix_jobs_fingerprint", ["fingerprint"])
        jobs.create_index("ix_jobs_finished", ["expired_at", "finished_at"])
        jobs.create_index("ix_jobs_owner", ["owner", "created_at", "id"])
        jobs.drop_index("ix_jobs_state_created")
    op.add_column(
        "workers",
        sa.Column("stages", sa.JSON, nullable=False, server_default='["read", "tag", "resolve"]'),
    )
    _webhooks()
    op.create_table(
        "counters",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("label", sa.String(120), primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
    )
    op.create_table(
        "locks",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("lease_until", sa.Double, nullable=False),
    )


def _keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("owner", sa.String(36), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("prefix", sa.String(24), nullable=False, unique=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("scopes", sa.JSON, nullable=False),
        sa.Column("rate_per_minute", sa.Integer),
        sa.Column("max_queued", sa.Integer),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double),
        sa.Column("revoked_at", sa.Double),
        sa.Column("last_used_at", sa.Double),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("route", sa.String(32), primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("job_id", sa.String(36)),
        sa.Column("batch_id", sa.String(36)),
        sa.Column("created_at", sa.Double, nullable=False),
    )
    op.create_index("ix_idempotency_job", "idempotency_keys", ["job_id"])
    op.create_index("ix_idempotency_batch", "idempotency_keys", ["batch_id"])


def _batches() -> None:
    op.create_table(
        "batches",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("owner", sa.String(64)),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("model", sa.String(160), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("skipped", sa.JSON, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
    )
    op.create_index("ix_batches_created", "batches", ["created_at", "id"])
    op.create_table(
        "batch_items",
        sa.Column(
            "batch_id",
            sa.String(36),
            sa.ForeignKey("batches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("filename", sa.String(255), nullable=False),
        sa.Column("sha256", sa.String(64)),
        sa.Column("job_id", sa.String(36), sa.ForeignKey("jobs.id", ondelete="SET NULL")),
        sa.Column("error_code", sa.String(64)),
        sa.Column("error_detail", sa.Text),
        sa.Column("error_advice", sa.Text),
    )
    op.create_index("ix_batch_items_job", "batch_items", ["job_id"])


def _webhooks() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("owner", sa.String(64)),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.String(128), nullable=False),
        sa.Column("old_secret", sa.String(128)),
        sa.Column("old_secret_until", sa.Double),
        sa.Column("events", sa.JSON, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("active_since", sa.Double, nullable=False),
        sa.Column("disabled_reason", sa.Text),
        sa.Column("created_at", sa.Double, nullable=False),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column(
            "webhook_id",
            sa.String(36),
            sa.ForeignKey("webhooks.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("subject", sa.String(36), nullable=False),
        sa.Column("event", sa.String(32), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_at", sa.Double),
        sa.Column("token", sa.String(36)),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("ended_at", sa.Double),
        sa.UniqueConstraint("webhook_id", "subject", "event", name="uq_deliveries_once"),
    )
    op.create_index("ix_deliveries_due", "deliveries", ["state", "next_at"])
    op.create_index("ix_deliveries_subject", "deliveries", ["subject"])
    op.create_index("ix_deliveries_webhook", "deliveries", ["webhook_id", "state", "next_at"])
    op.create_index("ix_deliveries_log", "deliveries", ["webhook_id", "created_at", "id"])
    op.create_table(
        "delivery_attempts",
        sa.Column(
            "delivery_id",
            sa.String(36),
            sa.ForeignKey("deliveries.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("error", sa.String(64)),
    )


def downgrade() -> None:
    """Drop them again."""
    for table in (
        "locks",
        "counters",
        "delivery_attempts",
        "deliveries",
        "webhooks",
        "idempotency_keys",
        "batch_items",
        "batches",
        "api_keys",
    ):
        op.drop_table(table)
    op.drop_column("workers", "stages")
    op.create_index("ix_jobs_state_created", "jobs", ["state", "created_at"])
    for name in ("queue", "fingerprint", "finished", "owner"):
        op.drop_index(f"ix_jobs_{name}", "jobs")
    # One by one: a copy of the table would take its place in SQLite, and the answers go with it.
    for column in ("expired_at", "announced_at", "words", "fingerprint", "priority"):
        op.drop_column("jobs", column)
