"""Room for the longest name of a cell in decisions: a group's and a column's, with a point."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the column longer; in SQLite by another one that takes its name."""
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("decisions", "field", type_=sa.String(129))
        return
    op.add_column(
        "decisions", sa.Column("longer", sa.String(129), nullable=False, server_default="")
    )
    op.execute("UPDATE decisions SET longer = field")
    op.drop_column("decisions", "field")
    op.alter_column("decisions", "longer", new_column_name="field")


def downgrade() -> None:
    """Leave it as it is: what is in it may fit no shorter one."""
