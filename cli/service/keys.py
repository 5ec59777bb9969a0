"""`fieldwright keys`: who may use the service: make keys, list them, change and revoke them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from store.access import Key, Keys

Which = Annotated[str, typer.Argument(help="Id, prefix or name; see `fieldwright keys list`.")]

_LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()  # no year has five digits
_LONGEST_S = 36_525 * 86_400.0  # 100 years
_UNITS = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_COLUMNS = ("name", "prefix", "scopes", "state", "expires", "last used", "id")


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(help="Make the keys that clients of the service send, and revoke them.")
    group.command("list")(list_keys)
    for command in (create, rotate, revoke):
        group.command()(command)
    app.add_typer(group, name="keys", no_args_is_help=True)


def create(
    name: Annotated[str, typer.Argument(help="Who uses the key, such as invoices-erp.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(
            help="extract, read, review, train or admin; may be repeated. [default: extract, read]"
        ),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option("--for", help="Name of a key whose jobs it sees, as a reviewer has to."),
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="Works so long, such as 90d, 12h or 4w; for ever if absent.")
    ] = None,
    rate: Annotated[
        int | None, typer.Option(help="Most requests a minute; else as the service is set.", min=1)
    ] = None,
    max_queued: Annotated[
        int | None, typer.Option(help="Most unfinished jobs; else as the service is set.", min=1)
    ] = None,
) -> None:
    """Make a key and show it, this once, on standard output.

    A key sees the jobs that were sent with it; with the scope `admin` it sees all.
    """
    with _keys() as keys:
        is_first = not keys.list()
        key, text = keys.create(
            name,
            scope or ("extract", "read"),
            owner_of=of,
            expires_s=seconds_of(expires) if expires else None,
            rate_per_minute=rate,
            max_queued=max_queued,
        )
    _show(key, text)
    if is_first:
        typer.echo(
            "It is the first key: from now on the service refuses requests without a key, "
            "those from its own machine too, unless FIELDWRIGHT_ACCESS is open.",
            err=True,
        )


def rotate(
    which: Which,
    grace: Annotated[
        str, typer.Option(help="The old key works so long beside the new one, such as 7d or 1h.")
    ] = "7d",
) -> None:
    """Make a key that takes the place of another: same name, scopes, limits and jobs."""
    with _keys() as keys:
        olds = _working(keys, which)
        key, text = keys.rotate(which, grace_s=seconds_of(grace))  # refuses where it is not one
        _show(key, text)  # whatever comes next may fail, and it is told only once
        told = _told(keys, key.owner)
    typer.echo(
        f"The old key works for {grace} more; `{_revoking(olds[0])}` stops it at once.", err=True
    )
    if told:
        typer.echo(
            f"Webhooks go on, whoever registered them: {', '.join(told)}. DELETE /webhooks/ID "
            "removes one.",
            err=True,
        )


def list_keys(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead.")] = False,
) -> None:
    """List all keys, those that no longer work too; never their secrets."""
    with _keys() as keys:
        rows = [_row(key) for key in keys.list()]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    if not rows:
        typer.echo("There is no key. Make one with `fieldwright keys create NAME`.", err=True)
        return
    table = [
        (
            row["name"],
            f"fw_{row['prefix']}",
            ",".join(row["scopes"]),
            row["state"],
            _day(row["expires_at"]),
            _day(row["last_used_at"]),
            row["id"],
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *table, strict=True)]
    for line in (_COLUMNS, *table):
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def revoke(
    which: Which,
    every: Annotated[
        bool, typer.Option("--all", help="All working keys of the name, where there are several.")
    ] = False,
) -> None:
    """Stop a key; services refuse it within seconds.

    After `keys rotate` two keys of one name work: say by its prefix which one to stop.
    """
    with _keys() as keys:
        _check_one(_working(keys, which), which, every=every)
        for key in keys.revoke(which):
            typer.echo(f"The key {key.name} (fw_{key.prefix}) is revoked.", err=True)


@contextmanager
def _keys() -> Iterator[Keys]:
    """Give the keys of the installation that the environment names."""
    from cli.shared.home import job_store
    from store.access import Keys
    from store.settings import Settings

    with job_store(Settings.load()) as database:
        yield Keys(database)


def _told(keys: Keys, owner: str) -> list[str]:
    """Return the webhooks of an owner, each as its id and its address."""
    from store.settings import Settings
    from store.webhooks import Webhooks

    settings = Settings.load()
    policy, most = settings.webhook_policy, settings.max_webhooks
    webhooks = Webhooks(keys.database, settings.secret_cipher, policy=policy, most=most)
    found, _ = webhooks.page(limit=most, scope=owner)
    return [f"{one.id} ({one.url})" for one in found if one.active]


def _working(keys: Keys, which: str) -> list[Key]:
    """Return the working key of an id or prefix, or the working keys of a name."""
    working = [key for key in keys.list() if key.state == "valid"]
    exact = [key for key in working if which in (key.id, key.prefix, f"fw_{key.prefix}")]
    return exact or [key for key in working if key.name == which]


def _check_one(found: list[Key], which: str, *, every: bool) -> None:
    """Raise InvalidOption where several keys would be stopped and not all of them are meant."""
    from pipeline.errors import InvalidOption

    if len(found) < 2 or every:
        return
    # In the order in which they were made: the first is the one that a rotation replaced.
    single = ", ".join(f"`{_revoking(key)}` ({_dates(key)})" for key in found)
    raise InvalidOption(
        f"{len(found)} working keys are named {which!r}.",
        advice=f"Stop one of them: {single}; or all: "
        f"`fieldwright keys revoke {shlex.quote(which)} --all`.",
    )


def _revoking(key: Key) -> str:
    return f"fieldwright keys revoke fw_{key.prefix}"


def _dates(key: Key) -> str:
    until = f", works until {_day(key.expires_at)}" if key.expires_at else ""
    return f"made {_day(key.created_at)}{until}"


def _show(key: Key, text: str) -> None:
    typer.echo(text)
    until = f", until {_day(key.expires_at)}" if key.expires_at else ""
    typer.echo(
        f"The key of {key.name}, for {' and '.join(key.scopes)}{until}. It is shown this once: "
        "of it only a hash is kept.",
        err=True,
    )


def _row(key: Key) -> dict[str, Any]:
    times = ("created_at", "expires_at", "revoked_at", "last_used_at")
    return {**asdict(key), **{name: iso_time(getattr(key, name)) for name in times}}


def iso_time(seconds: float | None) -> str | None:
    """Return a time as ISO 8601 in UTC; later ones than can be written as the last that can."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(min(seconds, _LAST), UTC).isoformat(timespec="seconds")


def _day(value: object) -> str:
    """Return a time as tables show it: the minute, or a dash where there is none."""
    text = iso_time(value) if isinstance(value, float) else value
    return text[:16].replace("T", " ") if isinstance(text, str) else "-"


def seconds_of(duration: str) -> float:
    """Return the seconds of a duration such as 12h or 90d; raises InvalidOption."""
    from pipeline.errors import InvalidOption

    found = re.fullmatch(r"(\d{1,6})([mhdw])", duration)
    if not found or not int(found[1]):
        raise InvalidOption(
            f"{duration!r} is not a duration.",
            advice="Write a number and m, h, d or w, such as 12h or 90d.",
        )
    seconds = int(found[1]) * _UNITS[found[2]]
    if seconds > _LONGEST_S:
        raise InvalidOption(
            f"{duration} is longer than 100 years.", advice="Write a shorter one, such as 90d."
        )
    return seconds
