"""What docs/deploy.md says of the password of PostgreSQL holds, migrations included."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from store.access import Keys
from store.errors import StoreUnavailable
from store.sql.database import Database
from tests.servers import PostgresServer

ROOT = Path(__file__).resolve().parents[2]
TOLD = next(
    line
    for line in (ROOT / "docs" / "deploy.md").read_text().splitlines()
    if line.startswith("| password of PostgreSQL")
)
STATEMENTS = re.findall(r"`((?:GRANT|ALTER ROLE) [^`]+)`", TOLD)


class Rotating:
    """A database whose owner is `fieldwright`, and others that follow it."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self.owner = f"fieldwright_{uuid.uuid4().hex}"
        self.users = [self.owner]
        server.execute(f"CREATE ROLE {self.owner} LOGIN")
        # Without the tables of other tests, which are not the owner's.
        server.execute(f"CREATE DATABASE {self.owner} TEMPLATE template0 OWNER {self.owner}")
        self.url = f"postgresql://{self.owner}@127.0.0.1:{server.port}/{self.owner}"

    def next_user(self) -> None:
        user = f"{self.owner}_{len(self.users)}"
        self.server.execute(f"CREATE ROLE {user} LOGIN")
        for statement in STATEMENTS:
            told = re.sub(r"\bfieldwright2\b", user, statement)
            self.server.execute(re.sub(r"\bfieldwright\b", self.owner, told))
        self.users.append(user)

    def database(self, user: str) -> Database:
        url = make_url(self.url).set(username=user)
        return Database(url.render_as_string(hide_password=False))


@pytest.fixture
def rotating(postgres: PostgresServer) -> Iterator[Rotating]:
    rotating = Rotating(postgres)
    yield rotating
    postgres.drop(rotating.url)
    for user in reversed(rotating.users):
        postgres.execute(f"DROP ROLE {user}")


def test_users_follow_one_another_over_migrations(rotating: Rotating) -> None:
    first = rotating.database(rotating.owner)
    first.migrate()
    first.migrate("0009")
    rotating.next_user()
    second = rotating.database(rotating.users[-1])
    second.migrate()  # the tables that it makes are not its own
    rotating.next_user()
    for database in (first, second, third := rotating.database(rotating.users[-1])):
        Keys(database).create(f"key-{uuid.uuid4().hex}", scopes=["extract"])
        third.migrate()
    for database in (first, second, third):
        database.close()


def test_user_without_rights_is_told_without_a_statement(rotating: Rotating) -> None:
    first = rotating.database(rotating.owner)
    first.migrate()
    first.close()
    stranger = f"{rotating.owner}_stranger"
    rotating.server.execute(f"CREATE ROLE {stranger} LOGIN")
    rotating.users.append(stranger)
    database = rotating.database(stranger)
    with pytest.raises(StoreUnavailable, match="rights") as caught:
        Keys(database).create("somebody", scopes=["extract"])
    assert "somebody" not in f"{caught.value} {caught.value.__cause__}"
    database.close()
