"""Alembic's door: runs the migrations over the connection that `store.sql.database` hands in."""

from alembic import context

from store.sql.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
