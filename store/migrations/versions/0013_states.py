"""An index of the jobs in one state, by which few are found among many."""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create it; a million jobs take some seconds, in which none is accepted."""
    op.create_index("ix_jobs_state", "jobs", ["state", "created_at", "id"])


def downgrade() -> None:
    """Drop it again."""
    op.drop_index("ix_jobs_state", "jobs")
