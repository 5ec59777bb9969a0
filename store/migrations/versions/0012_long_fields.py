"""Room for the longest name of a cell in decisions: a group's and a column's, with a point."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the column longer; SQLite does not look at the length."""
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("decisions", "field", type_=sa.String(129))


def downgrade() -> None:
    """Leave it as it is: what is in it may fit no shorter one."""
