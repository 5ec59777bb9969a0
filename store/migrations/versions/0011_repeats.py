"""What a repeatable request made that is neither a job nor a batch."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column."""
    op.add_column("idempotency_keys", sa.Column("made_id", sa.String(36)))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("idempotency_keys", "made_id")
