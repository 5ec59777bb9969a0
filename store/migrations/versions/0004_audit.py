"""The audit log, which nothing changes; room for encrypted secrets of webhooks."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_SECRETS = ("secret", "old_secret")
_REFUSAL = "the audit log is append-only"


def upgrade() -> None:
    """Create the log and the triggers that keep it; make the columns of secrets longer."""
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("actor", sa.String(128), nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(160), nullable=False),
        sa.Column("detail", sa.JSON, nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        # Not by a new table: with the old one the rows that point to it would be removed.
        op.add_column("webhooks", sa.Column("longer", sa.Text, nullable=False, server_default=""))
        op.add_column("webhooks", sa.Column("old_longer", sa.Text))
        op.execute("UPDATE webhooks SET longer = secret, old_longer = old_secret")
        for name in _SECRETS:
            op.drop_column("webhooks", name)
            op.alter_column("webhooks", name.replace("secret", "longer"), new_column_name=name)
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_log_no_{event.lower()} BEFORE {event} ON audit_log "
                f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
            )
        return
    for name in _SECRETS:
        op.alter_column("webhooks", name, type_=sa.Text)
    op.execute(
        "CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only()"
    )


def downgrade() -> None:
    """Drop the log; secrets stay as they are, which fit no shorter column."""
    op.drop_table("audit_log")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_log_append_only()")
