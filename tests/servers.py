"""Starts a real PostgreSQL and a real Redis for tests, on free ports, in their own folders."""

from __future__ import annotations

import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis as redis_client

from store.sql.database import Database
from tests.patience import PATIENCE, until

_WEED = Path(sys.executable).parent / "weed"
_PGBOUNCER = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)


_PORTS = range(10_000, 32_768)
"""Below those that the kernel gives to whoever connects: one of them may be gone a moment later."""


def free_port() -> int:
    """Return a port that nobody listens on at the moment."""
    (port,) = free_ports(1)
    return port


def free_ports(count: int) -> list[int]:
    """Return as many ports that nobody listens on at the moment, each another one."""
    found: list[int] = []
    with ExitStack() as held:
        while len(found) < count:
            port = _PORTS[secrets.randbelow(len(_PORTS))]
            with suppress(OSError):  # another one has it
                held.enter_context(socket.create_server(("127.0.0.1", port)))
                found.append(port)
    return found


class RedisServer:
    """A redis-server on one port, which tests stop, freeze and empty; keeps nothing by itself.

    Args:
        folder: where it works; made when missing.
        durable: keep an append-only file, so that a restart finds what was there.
        password: asked of its clients, none where empty.
    """

    def __init__(self, folder: Path, *, durable: bool = False, password: str = "") -> None:
        self.folder = folder
        self.durable = durable
        self.password = password
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address, as the setting `broker_url` wants it."""
        secret = f":{self.password}@" if self.password else ""
        return f"redis://{secret}127.0.0.1:{self.port}/0"

    def start(self) -> RedisServer:
        """Start it, on the same port and folder each time, and wait until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        options += ["--save", "", "--appendonly", "yes" if self.durable else "no"]
        if self.password:
            options += ["--requirepass", self.password]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                # It dies with the tests, however they die.
                ["setpriv", "--pdeathsig=KILL", "redis-server", *options],
                stdout=log,
                stderr=log,
            )
        until(self.answers, "Redis to answer")
        return self

    def answers(self) -> bool:
        """Say whether it answers within a second."""
        with suppress(redis_client.RedisError), self.client() as client:
            return bool(client.ping())
        return False

    def client(self) -> redis_client.Redis:
        """Return a client of it, to be closed."""
        return redis_client.Redis.from_url(self.url, socket_timeout=1.0)

    def stop(self) -> None:
        """Stop it as an operator does; a frozen one too, and one that is not there."""
        self._end(signal.SIGTERM)

    def kill9(self) -> None:
        """Kill it with -9."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Freeze it: connections stay open, and nothing is answered."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a frozen one go on."""
        self._send(signal.SIGCONT)

    def flush(self) -> None:
        """Forget everything in it."""
        with self.client() as client:
            client.flushall()

    def _send(self, number: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def _end(self, number: signal.Signals) -> None:
        self._send(number)
        self._send(signal.SIGCONT)
        if self.process is not None:
            self.process.wait(timeout=PATIENCE)


class PostgresServer:
    """A PostgreSQL cluster on one port, which tests stop as roughly as they like.

    It runs as the user ``postgres`` where the tests run as root, which it refuses to serve under.

    Args:
        folder: of its data, owned by the user that it runs as.
        options: of the server, beside or instead of those of tests.
    """

    def __init__(self, folder: Path, **options: str) -> None:
        self.folder = folder
        self.options = options
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Make the cluster's files, once."""
        self._run("initdb", "--auth=trust", "--encoding=UTF8", "--no-sync", "--username=postgres")

    def start(self) -> PostgresServer:
        """Start it and wait until it answers."""
        options = {
            "fsync": "off",  # tests pull no plugs
            "listen_addresses": "127.0.0.1",
            "max_connections": "300",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
            **self.options,
        }
        settings = [f"--{name}={value}" for name, value in options.items()]
        with (self.folder.parent / "log").open("ab") as log:
            self.process = subprocess.Popen(
                # On SIGQUIT it stops at once: it dies with the tests, however they die.
                [*_as_postgres("--pdeathsig=QUIT"), str(_BINARIES[-1] / "postgres"), *settings],
                env=_plain_environment(self.folder),
                stdout=log,
                stderr=log,
            )
        until(self.answers, "PostgreSQL to answer")
        return self

    def answers(self) -> bool:
        """Say whether it answers."""
        with suppress(psycopg.OperationalError):
            self.execute("SELECT 1")
            return True
        return False

    def stop(self, *, immediate: bool = False) -> None:
        """Stop it, its clients cut off; `immediate` as if it had crashed."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT if immediate else signal.SIGINT)
            self.process.wait(timeout=PATIENCE)
            self.process = None

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run a statement by itself."""
        address = f"postgresql://postgres@127.0.0.1:{self.port}/{database}?connect_timeout=5"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement.encode())

    def new_database(self, like: str = "") -> str:
        """Return the address of a new database, as the setting `database_url` wants it.

        It has the tables of the template where `prepare` made them, and else none.

        Args:
            like: address of another one, which nobody is connected to: its rows come along.
        """
        name = f"test_{uuid.uuid4().hex}"
        template = f" TEMPLATE {like.rpartition('/')[2]}" if like else ""
        self.execute(f"CREATE DATABASE {name}{template}")
        return self._url(name)

    def prepare(self) -> None:
        """Make the tables of the job store in the template of new databases."""
        database = Database(self._url("template1"))
        database.migrate()
        database.close()

    def _url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def drop(self, url: str) -> None:
        """Drop a database made by `new_database`, whoever is connected to it."""
        name = url.rpartition("/")[2]
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*_as_postgres(), str(_BINARIES[-1] / program), *arguments],
            env=_plain_environment(self.folder),
            check=True,
            capture_output=True,
        )


def _plain_environment(data: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PGDATA": str(data), "LC_ALL": "C.UTF-8"}


def _as_postgres(*options: str) -> list[str]:
    """Return the start of a command that runs as PostgreSQL wants it."""
    if os.getuid() != 0:
        return ["setpriv", *options]
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *options]


class PgBouncerServer:
    """A PgBouncer before a PostgreSQL server, which pools transactions: no session is kept.

    Args:
        folder: of its configuration.
        postgres: behind it.
        pool: connections to the server, for all clients of a database.
    """

    def __init__(self, folder: Path, postgres: PostgresServer, *, pool: int) -> None:
        self.folder = folder
        self.postgres = postgres
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._pool = pool

    def start(self) -> PgBouncerServer:
        """Start it and wait until it answers."""
        config = self.folder / "pgbouncer.ini"
        config.write_text(
            f"[databases]\n* = host=127.0.0.1 port={self.postgres.port} user=postgres\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\n"
            "unix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
            f"default_pool_size = {self._pool}\nmax_client_conn = 200\n"
        )
        config.chmod(0o644)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*_as_postgres("--pdeathsig=KILL"), _PGBOUNCER, str(config)], stdout=log, stderr=log
            )
        until(self.answers, "PgBouncer to answer")
        return self

    def answers(self) -> bool:
        """Say whether it answers."""
        address = f"postgresql://postgres@127.0.0.1:{self.port}/postgres?connect_timeout=5"
        with suppress(psycopg.OperationalError), psycopg.connect(address) as connection:
            connection.execute("SELECT 1")
            return True
        return False

    def through(self, url: str) -> str:
        """Return the address of a database of the server, by way of this."""
        return url.replace(f":{self.postgres.port}/", f":{self.port}/")

    def stop(self) -> None:
        """Stop it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=PATIENCE)


class ObjectStoreServer:
    """A SeaweedFS that speaks S3 on one port, which tests kill and start again.

    Args:
        folder: of its data; made when missing.
    """

    ENVIRONMENT = {  # noqa: RUF012  # of its clients
        "AWS_ACCESS_KEY_ID": "tests",
        "AWS_SECRET_ACCESS_KEY": "tests-secret",
        "AWS_REGION": "us-east-1",
    }

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, *self._ports = free_ports(8)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a client of it has in its environment."""
        return {**self.ENVIRONMENT, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}"}

    def start(self) -> ObjectStoreServer:
        """Start it, on the same ports and folder each time, and wait until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        keys = {
            "accessKey": self.ENVIRONMENT["AWS_ACCESS_KEY_ID"],
            "secretKey": self.ENVIRONMENT["AWS_SECRET_ACCESS_KEY"],
        }
        identity = {"name": "tests", "credentials": [keys], "actions": ["Admin", "Read", "Write"]}
        config = self.folder / "s3.json"
        config.write_text(json.dumps({"identities": [identity]}))
        master, volume, filer, *inner = self._ports
        options = [f"-dir={self.folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3"]
        options += [f"-s3.port={self.port}", f"-s3.config={config}", "-volume.max=0"]
        options += [f"-master.port={master}", f"-volume.port={volume}", f"-filer.port={filer}"]
        parts = zip(("master", "volume", "filer", "s3"), inner, strict=True)
        options += [f"-{part}.port.grpc={port}" for part, port in parts]
        options += ["-master.volumeSizeLimitMB=64"]
        options += ["-s3.port.iceberg=0", "-s3.port.lance=0"]  # fixed ports, else: two would clash
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig=KILL", str(_WEED), "server", *options],
                stdout=log,
                stderr=log,
            )
        until(self.answers, "the object store to answer")
        return self

    def answers(self) -> bool:
        """Say whether it can store something: its parts find one another after a while."""
        import obstore
        from obstore.exceptions import BaseError

        with suppress(BaseError, OSError):
            obstore.put(self._client(), "ready/mark", b"")
            return True
        return False

    def kill9(self) -> None:
        """Kill it with -9; what it acknowledged it still has."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=PATIENCE)

    def _client(self) -> Any:
        from obstore.store import from_url

        config: Any = {name.lower(): value for name, value in self.environment.items()}
        plain: Any = {"allow_http": True}
        return from_url("s3://tests/", config=config, client_options=plain)


@contextmanager
def running_postgres(**options: str) -> Iterator[PostgresServer]:
    """Give a PostgreSQL server with a new cluster, which is removed at the end.

    Args:
        options: of the server.
    """
    # Not among pytest's folders: the user postgres may not enter those of root.
    place = Path(tempfile.mkdtemp(prefix="fieldwright-postgres-"))
    place.chmod(0o755)
    data = place / "data"
    data.mkdir(mode=0o700)
    if os.getuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(data, user.pw_uid, user.pw_gid)
    server = PostgresServer(data, **options)
    try:
        server.create()
        yield server.start()
    finally:
        server.stop(immediate=True)
        shutil.rmtree(place)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The PostgreSQL server of the test session; who stops it starts it again."""
    if not _BINARIES:
        pytest.skip("PostgreSQL is not installed: no /usr/lib/postgresql/*/bin")
    with running_postgres() as server:
        server.prepare()
        yield server


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A database of its own for one test, with tables, as the setting `database_url` wants it."""
    url = postgres.new_database()
    yield url
    postgres.drop(url)


@pytest.fixture
def pgbouncer(postgres: PostgresServer) -> Iterator[PgBouncerServer]:
    """A PgBouncer before the PostgreSQL server, with three connections to it."""
    if not Path(_PGBOUNCER).exists():
        pytest.skip("PgBouncer is not installed: no pgbouncer in the PATH")
    place = Path(tempfile.mkdtemp(prefix="fieldwright-pgbouncer-"))  # as of `running_postgres`
    place.chmod(0o755)
    server = PgBouncerServer(place, postgres, pool=3)
    try:
        yield server.start()
    finally:
        server.stop()
        shutil.rmtree(place)


@pytest.fixture(scope="session")
def object_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStoreServer]:
    """The object store of the test session, with a bucket ``tests``; who kills it starts it."""
    server = ObjectStoreServer(tmp_path_factory.mktemp("objects"))
    try:
        yield server.start()
    finally:
        server.kill9()


@pytest.fixture
def s3(object_store: ObjectStoreServer, monkeypatch: pytest.MonkeyPatch) -> ObjectStoreServer:
    """The object store of the test session, as the environment names it to clients."""
    for name, value in object_store.environment.items():
        monkeypatch.setenv(name, value)
    return object_store


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server of its own for one test, without persistence."""
    if shutil.which("redis-server") is None:
        pytest.skip("Redis is not installed: no redis-server in the PATH")
    server = RedisServer(tmp_path / "redis")
    try:
        yield server.start()
    finally:
        server.stop()
