"""The job in which another model reads a document that is reviewed."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column."""
    op.add_column("reviews", sa.Column("again", sa.String(36)))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("reviews", "again")
