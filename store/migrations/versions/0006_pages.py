"""Sign-ins of browsers, and the pictures of pages that they wait for."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column(
            "key_id",
            sa.String(36),
            sa.ForeignKey("api_keys.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.Double, nullable=False),
    )
    op.create_table(
        "pictures",
        sa.Column(
            "job_id", sa.String(36), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("width", sa.Integer, primary_key=True),
        sa.Column("wanted_at", sa.Double, nullable=False),
        sa.Column("taken_until", sa.Double),
        sa.Column("error_code", sa.String(64)),
        sa.Column("error_detail", sa.Text),
        sa.Column("error_advice", sa.Text),
    )
    op.create_index("ix_pictures_wanted", "pictures", ["wanted_at"])


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("pictures")
    op.drop_table("sessions")
