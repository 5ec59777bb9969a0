"""`fieldwright serve`: the API and its workers on this machine, with one command."""

from __future__ import annotations

import socket
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from app.main import Service
    from app.settings import ApiSettings
    from store.jobs import Jobs
    from workers.embedded.pipe import WakeupPipe


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(serve)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8000,
    workers: Annotated[
        int, typer.Option(help="Worker processes; none with a broker.", min=1, max=64)
    ] = 1,
) -> None:
    """Start the service: POST documents to /extract, read about it at /docs.

    Ctrl-C or SIGTERM stops it: running documents are finished or handed back; nothing is lost.
    """
    from pipeline.loading import loading

    with loading("sqlalchemy"):
        from rich.console import Console

        from app.settings import ApiSettings
        from cli.service.unknown import warn_of_unknown
        from cli.shared.home import prepare_home
        from pipeline.errors import InvalidOption
        from workers.embedded.supervisor import Supervisor
        from workers.logs import configure_logging

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    settings = ApiSettings.load()
    prepare_home(settings)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), backlog=128, family=family)
    except OSError as error:
        raise InvalidOption(
            f"Cannot listen on {host}:{port}: {error.strerror or error}.",
            advice="Choose another --host or --port.",
        ) from error
    with listener:
        address, bound = listener.getsockname()[:2]
        configure_logging()
        warn_of_unknown()
        _demand_keys(settings, address)
        shown = f"[{address}]" if ":" in address else address
        console.print(f"Serving on http://{shown}:{bound} (docs at /docs, stop with Ctrl-C)")
        if settings.broker_url:
            console.print("Workers run by themselves: start them with `fieldwright worker`.")
            workers = 0
        Supervisor(
            settings,
            workers=workers,
            api=partial(run_api, settings, listener),
            chores=partial(run_chores, settings),
            handles=(listener.fileno(),),
            # While it is open here the system takes connections in that nobody answers any more.
            before_drain=listener.close,
        ).run()


def run_chores(settings: ApiSettings) -> None:
    """Do the chores of the installation in this process until SIGTERM."""
    from store.jobs import Jobs
    from workers.sweeper import CONNECTIONS, queue_chores, sweep

    if not settings.broker_url:
        jobs = Jobs(settings, connections=CONNECTIONS)
        chores = queue_chores(jobs)
    else:
        from workers.broker.announcer import BrokerAnnouncer, announcing_chore

        jobs = Jobs(settings, BrokerAnnouncer(settings), connections=CONNECTIONS)
        chores = [*queue_chores(jobs), announcing_chore(jobs)]
    try:
        sweep(jobs, chores)
    finally:
        jobs.close()


def _demand_keys(settings: ApiSettings, address: str) -> None:
    """Refuse to serve other machines, or with FIELDWRIGHT_ACCESS=keys, while there is no key."""
    import ipaddress

    from pipeline.errors import InvalidOption
    from store.access import Keys
    from store.sql.database import Database

    loopback = ipaddress.ip_address(address).is_loopback
    if settings.access == "open" or (settings.access == "auto" and loopback):
        return
    with closing(Database(settings.store_url)) as database:
        database.migrate_when_there()
        valid = Keys(database).ring().keys
    if not valid:
        why = "FIELDWRIGHT_ACCESS is keys" if loopback else f"{address} is open to other machines"
        raise InvalidOption(
            f"{why}, and no valid key exists.",
            advice="Make one with `fieldwright keys create NAME`; or set FIELDWRIGHT_ACCESS=open "
            "where everybody in the network may read and remove everything.",
        )


def run_api(
    settings: ApiSettings, listener: socket.socket, wakeup: WakeupPipe, ends: WakeupPipe
) -> None:
    """Serve the API in this process until SIGTERM.

    Args:
        settings: of the API.
        listener: where it listens.
        wakeup: wakes the workers of this service.
        ends: tells which jobs have ended.
    """
    from pipeline.loading import loading

    with loading("fastapi"):
        import uvicorn

        from app.main import build
        from app.server import allow_connections, bounded_http
        from workers.logs import configure_logging

        configure_logging()
        jobs, services = _api_queue(settings, wakeup, ends)
        app = build(settings, jobs, services)

    class Server(uvicorn.Server):
        """Answers those who wait for a job with 202 before it stops."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            jobs.watcher.stop()
            await super().shutdown(sockets)

    allow_connections(settings.max_connections)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # the edge of the app writes one line a request, without the query
        server_header=False,
        http=bounded_http(settings),
        ws="none",
        proxy_headers=False,  # the app listens to them itself, and notes whom they came from
        timeout_graceful_shutdown=10,
    )
    Server(config).run([listener])


def _api_queue(
    settings: ApiSettings, wakeup: WakeupPipe, ends: WakeupPipe
) -> tuple[Jobs, list[Service]]:
    """Return the queue of the API, which announces as the installation does, and what serves it."""
    from store.jobs import Jobs
    from workers.embedded.pipe import PipeAnnouncer
    from workers.sender import Sender

    if not settings.broker_url:
        jobs = Jobs(settings, PipeAnnouncer(wakeup, ends), ends)
        return jobs, [Sender(jobs.database, settings)]
    from workers.broker.announcer import BrokerAnnouncer
    from workers.broker.ends import EndListener

    jobs = Jobs(settings, BrokerAnnouncer(settings), ends)
    return jobs, [Sender(jobs.database, settings), EndListener(settings, ends.send)]
