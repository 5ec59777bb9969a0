"""The sender against real servers: signed, pinned to judged addresses, no redirects, no delay."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from standardwebhooks import WebhookVerificationError

from store.secrets import new_key
from store.settings import Settings
from store.sql.database import Database
from store.webhooks.delivery_log import Delivery
from store.webhooks.outbox import EVENTS
from store.webhooks.targets import Resolver
from store.webhooks.webhooks import Webhooks
from tests.patience import until
from tests.receiver import Answer, Received, receiving
from workers.sender import Sender

LOCAL: dict[str, Any] = {
    "secret_keys": new_key(),
    "webhook_http": True,
    "webhook_ports": "1-65535",
    "webhook_allow": "127.0.0.0/8",
    "webhook_schedule": "0,0,0,0",
    "webhook_timeout_s": 20.0,
}


@pytest.fixture
def url(tmp_path: Path) -> str:
    """One database is enough here: how deliveries are stored is tested on both."""
    return f"sqlite:///{tmp_path / 'jobs.db'}"


class Office:
    """An owner's webhooks, while a sender is at work."""

    def __init__(self, database: Database, settings: Settings, resolve: Resolver) -> None:
        self.webhooks = Webhooks(
            database,
            settings.secret_cipher,
            policy=settings.webhook_policy,
            most=settings.max_webhooks,
            resolve=resolve,
        )

    def register(self, url: str, owner: str | None = None) -> tuple[str, str]:
        webhook, secret = asyncio.run(self.webhooks.register(url, EVENTS, owner))
        return webhook.id, secret

    def deliveries(self, webhook_id: str) -> list[Delivery]:
        return self.webhooks.deliveries(webhook_id)[0]

    def tested(self, webhook_id: str) -> Delivery:
        """Have a test event delivered; return the delivery once nothing more will come of it."""
        delivery_id = self.webhooks.test(webhook_id).id
        return self.ended(webhook_id, delivery_id)

    def ended(self, webhook_id: str, delivery_id: str) -> Delivery:
        def look() -> Delivery | None:
            (found,) = (d for d in self.deliveries(webhook_id) if d.id == delivery_id)
            return found if found.ended_at is not None else None

        delivery: Delivery = until(look, "the delivery's end")
        return delivery


@contextmanager
def sending(
    database: Database,
    resolve: Resolver | None = None,
    trust: ssl.SSLContext | None = None,
    **changes: Any,
) -> Iterator[Office]:
    settings = Settings(**{**LOCAL, **changes})
    names = resolve or leading_to("127.0.0.1")
    sender = Sender(database, settings, resolve=names, trust=trust, poll=0.05)
    sender.start()
    try:
        yield Office(database, settings, names)
    finally:
        sender.stop()


def leading_to(*answers: str) -> Resolver:
    """Return a resolver that gives one answer after another, the last one for ever."""
    left = list(answers)

    async def resolve(host: str, port: int) -> list[str]:
        return [left.pop(0) if len(left) > 1 else left[0]]

    return resolve


def errors(delivery: Delivery) -> list[tuple[int | None, str | None]]:
    return [(attempt.status, attempt.error) for attempt in delivery.attempts]


def test_receiver_verifies_what_it_gets(database: Database) -> None:
    with receiving() as receiver, sending(database) as office:
        webhook, secret = office.register(receiver.url)
        delivery = office.tested(webhook)
        assert (delivery.state, errors(delivery)) == ("delivered", [(204, None)])
        (request,) = receiver.requests
        assert request.event(secret) == {
            "type": "webhook.test",
            "timestamp": request.event(secret)["timestamp"],
            "data": {"id": webhook},
        }
        assert (request.id, request.path) == (delivery.id, "/hook")
        assert request.headers["host"] == f"127.0.0.1:{receiver.port}"
        assert request.headers["content-type"] == "application/json"
        _, second = office.webhooks.rotate(webhook)
        office.tested(webhook)
        for known in (secret, second):
            receiver.requests[1].event(known)
        office.webhooks.rotate(webhook)
        office.tested(webhook)
        receiver.requests[2].event(second)
        with pytest.raises(WebhookVerificationError):
            receiver.requests[2].event(secret)


def test_every_failure_is_tried_again_under_the_same_id(database: Database) -> None:
    answers: list[Answer | None] = [(500, {}), None, (429, {"Retry-After": "0"}), (200, {})]
    with receiving(lambda request: answers.pop(0)) as receiver, sending(database) as office:
        webhook, secret = office.register(receiver.url)
        delivery = office.tested(webhook)
        assert delivery.state == "delivered"
        assert errors(delivery) == [
            (500, "status"),
            (None, "connection_broken"),
            (429, "status"),
            (200, None),
        ]
        assert {request.id for request in receiver.requests} == {delivery.id}
        assert len({request.body for request in receiver.requests}) == 1
        for request in receiver.requests:
            request.event(secret)


def test_redirect_is_a_failure_and_is_not_followed(database: Database) -> None:
    with receiving() as inside, sending(database, webhook_schedule="0") as office:
        where: dict[str, str] = {"Location": inside.url}
        with receiving(lambda request: (int(request.path[1:]), where)) as receiver:
            for status in (301, 302, 303, 307, 308):
                address = f"http://127.0.0.1:{receiver.port}/{status}"
                delivery = office.tested(office.register(address)[0])
                assert errors(delivery) == [(status, "redirect")]
        assert inside.connections == 0


def test_name_that_turns_inside_is_blocked(database: Database) -> None:
    names = leading_to("127.0.0.1", "127.0.0.1", "10.0.0.1")
    with receiving() as receiver, sending(database, names) as office:
        webhook, _ = office.register(f"http://rebind.example:{receiver.port}/")
        assert office.tested(webhook).state == "delivered"
        assert receiver.requests[0].headers["host"] == f"rebind.example:{receiver.port}"
        delivery = office.tested(webhook)
        assert (delivery.state, errors(delivery)) == ("blocked", [(None, "blocked")])
        assert receiver.connections == 1


def test_connection_goes_to_the_address_that_was_judged(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that would lead elsewhere when asked once more is not asked once more."""
    asked: list[Any] = []
    real = socket.getaddrinfo

    def listen(host: Any, *arguments: Any, **options: Any) -> Any:
        asked.append(host)
        return real(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", listen)
    with receiving() as receiver, sending(database) as office:
        webhook, _ = office.register(f"http://rebind.example:{receiver.port}/")
        assert office.tested(webhook).state == "delivered"
    assert {host.decode() if isinstance(host, bytes) else host for host in asked} <= {"127.0.0.1"}


def test_address_that_is_no_longer_allowed_is_blocked(database: Database) -> None:
    with receiving() as receiver:
        with sending(database) as office:
            webhook, _ = office.register(receiver.url)
        with sending(database, webhook_allow="") as office:
            assert office.tested(webhook).state == "blocked"
        assert receiver.connections == 0


def test_names_and_ports_that_are_not_there(database: Database) -> None:
    async def nowhere(host: str, port: int) -> list[str]:
        return ["127.0.0.1"] if host == "a.example" else []

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with sending(database, nowhere, webhook_schedule="0,0") as office:
        webhook, _ = office.register(f"http://a.example:{port}/")
        assert errors(office.tested(webhook)) == 2 * [(None, "connection_failed")]
        asyncio.run(office.webhooks.change(webhook, url=f"http://127.0.0.1:{port}/"))
    with sending(database, leading_to("127.0.0.1"), webhook_schedule="0,0") as office:
        webhook, _ = office.register("http://b.example/")
    with sending(database, nowhere, webhook_schedule="0,0") as office:
        assert errors(office.tested(webhook)) == 2 * [(None, "name_not_resolved")]


def test_second_address_is_tried_where_the_first_takes_no_connection(database: Database) -> None:
    async def two(host: str, port: int) -> list[str]:
        return ["127.0.0.2", "127.0.0.1"]  # nobody listens on the first

    with receiving() as receiver, sending(database, two) as office:
        webhook, _ = office.register(f"http://a.example:{receiver.port}/")
        assert errors(office.tested(webhook)) == [(204, None)]


def test_slow_receivers_time_out_and_hold_up_nobody(database: Database) -> None:
    """One never answers, one sends a byte now and then: both have the same seconds in all."""
    over = threading.Event()

    def never(request: Received) -> None:
        over.wait(60)

    with receiving(never) as silent, _dripping(over) as port, receiving() as good:
        with sending(database, webhook_timeout_s=2.0, webhook_schedule="0") as office:
            slow = [office.register(silent.url)[0] for _ in range(4)]
            slow.append(office.register(f"http://127.0.0.1:{port}/")[0])
            waiting = [(webhook, office.webhooks.test(webhook).id) for webhook in slow]
            until(lambda: silent.connections == 4, "the slow ones to be asked")
            delivered = office.tested(office.register(good.url)[0])
            assert delivered.state == "delivered"
            for webhook, delivery in waiting:
                assert errors(office.ended(webhook, delivery)) == [(None, "timeout")]
        over.set()


@contextmanager
def _dripping(over: threading.Event) -> Iterator[int]:
    """A server whose answer has no end: one byte of a header every tenth of a second."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client, suppress(OSError):  # until the client has enough of it
                client.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while not over.wait(0.1):
                    client.sendall(b"x")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            over.set()
            thread.join()


def test_stop_hands_back_what_hangs(database: Database) -> None:
    over = threading.Event()
    with receiving(lambda request: (204, {}) if over.wait(60) else None) as receiver:
        with sending(database) as office:
            webhook, _ = office.register(receiver.url)
            office.webhooks.test(webhook)
            until(lambda: receiver.requests, "the request")
        (delivery,) = office.deliveries(webhook)
        assert (delivery.state, errors(delivery)) == ("pending", [(None, "interrupted")])
        over.set()
        with sending(database) as office:
            again = office.ended(webhook, delivery.id)
        assert errors(again) == [(None, "interrupted"), (204, None)]
        assert {request.id for request in receiver.requests} == {delivery.id}


def test_410_switches_off(database: Database) -> None:
    with receiving(lambda request: (410, {})) as receiver, sending(database) as office:
        webhook, _ = office.register(receiver.url)
        assert errors(office.tested(webhook)) == [(410, "status")]
        assert not office.webhooks.get(webhook).active


def test_body_of_an_answer_is_not_read(database: Database) -> None:
    """An answer of any length costs nothing: its status is enough."""
    stopped = threading.Event()

    def serve(server: socket.socket) -> None:
        client, _ = server.accept()
        with client:
            client.recv(1 << 16)
            try:
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
                while True:
                    client.sendall(b"x" * (1 << 16))
            except OSError:
                stopped.set()

    with socket.create_server(("127.0.0.1", 0)) as server, sending(database) as office:
        threading.Thread(target=serve, args=(server,), daemon=True).start()
        webhook, _ = office.register(f"http://127.0.0.1:{server.getsockname()[1]}/")
        assert office.tested(webhook).state == "delivered"
        until(stopped.is_set, "the connection to be closed")


def test_certificate_has_to_be_for_the_name(database: Database, tmp_path: Path) -> None:
    """The connection goes to an address, the certificate is checked for the name."""
    server, trust = _certificates(tmp_path, "hooks.example")
    with receiving(tls=server) as receiver:
        with sending(database, trust=trust, webhook_http=False, webhook_schedule="0") as office:
            good, secret = office.register(f"https://hooks.example:{receiver.port}/")
            other, _ = office.register(f"https://other.example:{receiver.port}/")
            assert errors(office.tested(good)) == [(204, None)]
            assert errors(office.tested(other)) == [(None, "tls_failed")]
            receiver.requests[0].event(secret)
        with sending(database, webhook_schedule="0") as office:  # trusts the usual ones alone
            assert errors(office.tested(good)) == [(None, "tls_failed")]
        assert len(receiver.requests) == 1


def _certificates(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return what a server of that name needs, and what a client needs that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.IPAddress(ipaddress.ip_address("192.0.2.1"))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name), address]), False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + secret)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    return server, ssl.create_default_context(cafile=path)


def test_store_that_is_away_delays_and_doubles_nothing(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The attempt is made, and its outcome kept in hand until it can be written."""
    blocker = Database(str(database.url))

    def answer(request: Received) -> Answer:
        asked.set()
        locked.wait(60)
        return 200, {}

    asked, locked = threading.Event(), threading.Event()
    with receiving(answer) as receiver, sending(database) as office:
        webhook, _ = office.register(receiver.url)
        delivery = office.webhooks.test(webhook)
        until(asked.is_set, "the attempt")
        with blocker.writing():  # the only writer that there can be
            locked.set()
            until(lambda: "webhooks wait for the store" in caplog.messages, "the store's absence")
        assert errors(office.ended(webhook, delivery.id)) == [(200, None)]
        assert len(receiver.requests) == 1
    blocker.close()
