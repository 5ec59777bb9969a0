"""Settings: passwords that everybody knows, secrets in files, and what is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from pipeline.errors import InvalidOption
from store.settings import Settings
from store.sql.database import Database


@pytest.mark.parametrize("name", ["database_url", "broker_url"])
@pytest.mark.parametrize("password", ["changeme", "Password", "postgres"])
def test_production_refuses_passwords_that_everybody_knows(name: str, password: str) -> None:
    scheme = {"database_url": "postgresql", "broker_url": "redis"}[name]
    address = f"{scheme}://user:{password}@host/0"
    with pytest.raises(ValidationError, match=f"FIELDWRIGHT_{name.upper()}") as caught:
        Settings(**{name: address})
    assert password not in str(caught.value.errors(include_input=False, include_url=False))
    assert getattr(Settings(env="development", **{name: address}), name) == address


@pytest.mark.parametrize("address", ["", "redis://host/0", "redis://:q8Zt-41@host/0"])
def test_production_takes_other_addresses(address: str) -> None:
    assert Settings(broker_url=address).broker_url == address


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_addresses_of_postgresql_are_taken_as_others_write_them(scheme: str) -> None:
    settings = Settings(database_url=f"{scheme}://u:q8Zt/41@host:5432/jobs")
    assert settings.store_url == "postgresql+psycopg://u:q8Zt/41@host:5432/jobs"
    assert Database(settings.store_url).url.password == "q8Zt/41"


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("database_url", "jobs.db"),
        ("database_url", "mysql://u:q8Zt-41@host/jobs"),
        ("broker_url", "host:6379"),
        ("broker_url", "amqp://u:q8Zt-41@host"),
        ("broker_url", "redis://:q8Zt/41@host/0"),
    ],
)
def test_what_is_no_address_is_refused_without_a_word_of_it(name: str, address: str) -> None:
    with pytest.raises(ValidationError, match=f"{name}\n.* it is no address of") as caught:
        Settings(**{name: address})
    told = str(caught.value.errors(include_input=False, include_url=False))
    assert "q8Zt" not in told


def test_an_address_that_cannot_be_read_is_refused_without_a_word_of_it() -> None:
    settings = Settings(database_url="postgresql://u:q8Zt-41@host:port/jobs")
    with pytest.raises(InvalidOption, match="FIELDWRIGHT_DATABASE_URL") as caught:
        Database(settings.store_url)
    assert "q8Zt" not in f"{caught.value} {caught.value.__cause__}"


@pytest.mark.parametrize("address", ["ftp://host/folder", "s3:bucket", "bucket"])
def test_blobs_go_to_a_known_kind_of_store(address: str) -> None:
    with pytest.raises(InvalidOption, match="FIELDWRIGHT_BLOB_URL"):
        Settings(blob_url=address)


def test_addresses_with_passwords_are_not_shown() -> None:
    shown = repr(Settings(database_url="postgresql://u:hidden@h/d", broker_url="redis://:hidden@h"))
    assert "hidden" not in shown


def test_secrets_come_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fieldwright_broker_url").write_text("redis://:from-a-file@host/0\n")
    monkeypatch.setenv("FIELDWRIGHT_SECRETS_DIR", str(tmp_path))
    assert Settings.load().broker_url == "redis://:from-a-file@host/0"
    monkeypatch.setenv("FIELDWRIGHT_BROKER_URL", "redis://environment/0")
    assert Settings.load().broker_url == "redis://environment/0"


@pytest.mark.parametrize("name", ["file", "missing"])
def test_folder_of_secrets_that_is_none_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("FIELDWRIGHT_SECRETS_DIR", str(tmp_path / name))
    with pytest.raises(InvalidOption, match="FIELDWRIGHT_SECRETS_DIR: There is no such folder"):
        Settings.load()


def test_fault_names_the_variable_and_not_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDWRIGHT_BROKER_URL", "redis://:changeme@host/0")
    with pytest.raises(InvalidOption) as caught:
        Settings.load()
    assert "FIELDWRIGHT_BROKER_URL" in str(caught.value)
    assert "changeme" not in str(caught.value)


def test_job_of_a_dead_worker_is_announced_to_others_within_a_minute() -> None:
    """Even where a first announcement went to a worker that died over it."""
    settings = Settings()
    first = settings.lease_seconds + settings.sweep_seconds
    assert first + settings.announce_seconds + settings.sweep_seconds <= 60


def test_an_empty_home_is_not_the_folder_that_a_command_runs_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_HOME", "")
    with pytest.raises(InvalidOption) as caught:
        Settings.load()
    assert "FIELDWRIGHT_HOME: it is empty" in caught.value.detail
