"""Whose the models are that were trained here, for when their trainings are gone."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the table, with the models of the trainings that there are."""
    op.create_table(
        "trained_models",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("version", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64)),
    )
    op.execute(
        "INSERT INTO trained_models (name, version, owner) SELECT name, version, min(owner) "
        "FROM trainings WHERE state = 'succeeded' GROUP BY name, version"
    )


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("trained_models")
