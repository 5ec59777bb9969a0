"""What confines the readers of a worker."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; workers that run already report it with their next version."""
    column = sa.Column("confinement", sa.String(32), nullable=False, server_default="")
    op.add_column("workers", column)


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("workers", "confinement")
