"""Indexes of what is removed for its age."""

from alembic import op

revision = "0005"
down_revision = "0004"

_INDEXES = {
    "ix_idempotency_created": "idempotency_keys",
    "ix_deliveries_created": "deliveries",
}


def upgrade() -> None:
    """Create them; the tables are small beside those of jobs and answers."""
    for name, table in _INDEXES.items():
        op.create_index(name, table, ["created_at"])


def downgrade() -> None:
    """Drop them again."""
    for name, table in _INDEXES.items():
        op.drop_index(name, table)
