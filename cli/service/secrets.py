"""`fieldwright secrets`: the keys that encrypt what the job store must not show."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(help="Change the keys that encrypt the secrets of webhooks.")
    group.command("new-key")(new_key)
    group.command()(reencrypt)
    app.add_typer(group, name="secrets", no_args_is_help=True)


def new_key() -> None:
    """Print a new key, for FIELDWRIGHT_SECRET_KEYS.

    To change keys without a stop: add the new one behind the others and restart all API processes,
    move it to the front and restart them again, run `fieldwright secrets reencrypt`, and remove
    the old one.
    """
    from store import secrets

    typer.echo(secrets.new_key())


def reencrypt() -> None:
    """Encrypt all secrets with the first key; the service may run meanwhile."""
    from cli.shared.home import job_store
    from store.errors import SecretKeyMissing
    from store.settings import Settings
    from store.webhooks import Webhooks

    settings = Settings.load()
    with job_store(settings) as database:
        webhooks = Webhooks(
            database,
            settings.secret_cipher,
            policy=settings.webhook_policy,
            most=settings.max_webhooks,
        )
        changed, unreadable = webhooks.reencrypt()
    typer.echo(f"Secrets of {changed} webhooks were encrypted with the first key.", err=True)
    if unreadable:
        raise SecretKeyMissing(
            f"No key decrypts the secrets of these webhooks: {', '.join(unreadable)}."
        )
