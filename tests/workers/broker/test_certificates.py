"""A broker behind TLS is asked for a certificate that can be believed."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from store.settings import Settings
from workers.broker.celery_app import build_app


class Impostor:
    """Speaks TLS with a certificate that it signed itself, and notes what is sent to it."""

    def __init__(self, folder: Path) -> None:
        self.certificate = folder / "certificate.pem"
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        now = datetime.datetime.now(datetime.UTC)
        made = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
            .sign(key, hashes.SHA256())
        )
        pem = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        self.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        (folder / "key.pem").write_bytes(pem)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate, folder / "key.pem")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.heard: list[bytes] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with suppress(OSError), self._context.wrap_socket(connection, server_side=True) as up:
                self.heard.append(up.recv(4096))

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def impostor(tmp_path: Path) -> Iterator[Impostor]:
    server = Impostor(tmp_path)
    yield server
    server.close()


def connect(home: Path, url: str) -> None:
    settings = Settings(home=home, broker_url=url)
    with build_app(settings, announcing=True).connection() as connection:
        connection.default_channel.client.ping()


def test_impostor_is_not_told_the_password(tmp_path: Path, impostor: Impostor) -> None:
    with pytest.raises(Exception, match="CERTIFICATE_VERIFY_FAILED"):
        connect(tmp_path, f"rediss://:geheim@localhost:{impostor.port}/0")
    assert not any(impostor.heard)


def test_certificates_that_the_address_names_are_believed(
    tmp_path: Path, impostor: Impostor
) -> None:
    url = f"rediss://:geheim@localhost:{impostor.port}/0?ssl_ca_certs={impostor.certificate}"
    with pytest.raises(Exception, match=r"(?i)connection"):  # Redis it is not
        connect(tmp_path, url)
    assert any(b"geheim" in said for said in impostor.heard)
