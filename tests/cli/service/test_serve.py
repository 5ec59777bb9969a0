"""`fieldwright serve` at its edges: how it starts without its store, and how it stops."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import httpx

from tests.commands import run
from tests.patience import until
from tests.servers import free_port, running_postgres
from tests.service import Service, serving


def test_nobody_is_taken_in_while_requests_are_drained(tmp_path: Path) -> None:
    """A connection that the system takes in by then is never answered, but reset at the end."""
    with serving(tmp_path, ready=False, installed=True, drain_seconds=60) as service:
        until(lambda: answers(service), "the API to answer")
        address = (service.client.base_url.host, service.client.base_url.port or 80)
        slow = socket.create_connection(address)
        slow.sendall(b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n--")
        assert service.process is not None
        service.process.send_signal(signal.SIGTERM)

        def refused() -> bool:
            try:
                socket.create_connection(address, timeout=5).close()
            except ConnectionRefusedError:
                return True
            return False

        until(refused, "connections to be refused")
        assert service.process.poll() is None  # it still drains
        slow.close()
        service.process.wait(60)


def test_a_setting_that_is_written_wrongly_is_told(tmp_path: Path) -> None:
    given = {"retention_hour": 1, "port": 8000, "readers": 2}
    with serving(tmp_path, ready=False, installed=True, **given) as service:
        until(lambda: answers(service), "the API to answer")
        (told,) = service.events("setting unknown")
    wrong, right = told["variable"], told["meant"]
    assert (wrong, right) == ("FIELDWRIGHT_RETENTION_HOUR", "FIELDWRIGHT_RETENTION_HOURS")


def test_a_command_says_why_the_database_does_not_answer(tmp_path: Path) -> None:
    url = f"postgresql://fw:geheim@127.0.0.1:{free_port()}/x"
    for command in (("migrate",), ("keys", "list")):
        done = run(*command, FIELDWRIGHT_HOME=tmp_path, FIELDWRIGHT_DATABASE_URL=url, code=3)
        assert "does not answer: OperationalError: connection" in done.stderr
        assert "refused" in done.stderr
        assert "geheim" not in done.stderr


def test_service_waits_for_its_database(tmp_path: Path) -> None:
    with running_postgres() as server:
        url = server.new_database()
        server.stop()
        with serving(tmp_path, ready=False, installed=True, database_url=url) as service:
            until(lambda: service.events("job store does not answer"), "the reason")
            server.start()
            until(lambda: answers(service), "the API to answer")
            assert not [line for line in service.events("request") if line["path"] == "/livez"]


def answers(service: Service) -> bool:
    try:
        return service.status("/livez") == 200
    except httpx.TransportError:
        return False
