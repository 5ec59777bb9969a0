"""Settings of the service, read once from FIELDWRIGHT_* variables at the edge of a process."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from pipeline.errors import InvalidOption
from pipeline.reading.options import Confinement
from store.backoff import Schedule
from store.blobs.objects import check_address
from store.faults import Faults
from store.networks import Policy
from store.secrets import SecretCipher, parse_keys

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Hours = Seconds  # likewise above zero and finite
Count = Annotated[int, Field(ge=1)]
Address = Annotated[str, Field(repr=False)]  # may hold a password

DEVICES = r"cpu|cuda(:\d+)?"
"""Names of devices, as a pattern."""
# What examples and images come with; the first that a stranger tries.
_KNOWN_PASSWORDS = frozenset(
    {"changeme", "change-me", "default", "example", "fieldwright", "guest", "password", "postgres"}
    | {"admin", "redis", "root", "secret", "test"}
)


_DATABASES = {
    **dict.fromkeys(("postgres", "postgresql", "postgresql+psycopg"), "postgresql+psycopg"),
    "sqlite": "sqlite",
}
"""Schemes of addresses of databases, and what SQLAlchemy calls each."""
_FORMS = {
    "database_url": (
        rf"({'|'.join(map(re.escape, _DATABASES))})://.*",
        "it is no address of a database: write one such as "
        "postgresql://USER:PASSWORD@HOST:5432/NAME",
    ),
    "traces": (
        r"https?://[^/\s]+\S*",
        "it is no address of a collector: write one such as http://127.0.0.1:4318",
    ),
    "device": (DEVICES, "it is no device: write cpu, cuda or cuda:1"),
}
"""How settings are written that differ from their default, and what is said of others."""


class Settings(BaseSettings):
    """What the queue, its workers and the API share; every field is ``FIELDWRIGHT_`` + its name.

    A field may also be a file of that name, in lower case, in the folder FIELDWRIGHT_SECRETS_DIR:
    secrets need not be in the environment.

    Attributes:
        home: folder of the job store, the documents and the user's models.
        database_url: address of the job store, such as ``postgresql://USER:PASSWORD@HOST:5432/NAME``
            or ``sqlite:////PATH``; SQLite in `home` where empty.
        database_connections: to PostgreSQL, at most, of a process that serves the API; half of
            them stay open. A worker has one.
        broker_url: address of Redis, such as ``redis://:PASSWORD@HOST:6379/0`` (``rediss://`` for
            TLS); without it the
            workers look for jobs in the job store themselves.
        blob_url: object store of the documents, such as ``s3://bucket/prefix``, ``gs://`` or
            ``az://``; credentials, endpoint and encryption come from the variables of its own
            tools (``AWS_ENDPOINT_URL``, ``AWS_SERVER_SIDE_ENCRYPTION``). Where empty, a folder in
            `home`, which several machines have to share.
        traces: collector of OpenTelemetry that takes OTLP over HTTP, such as
            ``http://127.0.0.1:4318``; the trace of a job has the job's id. Where empty, nothing is
            traced.
        model: name of the model that answers where a request names none; `auto` chooses one by
            what the document says.
        device: of the taggers: ``cpu``, ``cuda``, or ``cuda:1`` for the second of several GPUs.
        precision: of the taggers: ``float32``, ``bfloat16``, or ``auto`` for bfloat16 wherever the
            hardware multiplies in it, which is faster. Where empty GPUs do, processors do not,
            so that answers do not depend on which one gives them.
        lease_seconds: a job whose worker was silent for so long is given to another.
        heartbeat_seconds: how often a worker renews its lease, at most half of it.
        poll_seconds: how often an idle worker looks for a job.
        sweep_seconds: how often left-overs are cleaned away, and lost announcements repeated.
        announce_seconds: a job that waits is announced to the broker again after so long.
        max_attempts: a document that stopped its worker so often is set aside.
        document_timeout_s: longest time for one attempt at a document.
        page_timeout_s: longest time for one page of it, after which the others are read on.
        drain_seconds: at a stop, longest time to finish running jobs before they are handed back.
        max_bytes: largest document.
        max_pages: most pages read of one document.
        batch_max_files: most documents of one batch.
        batch_max_bytes: most bytes of one batch, as it is sent and unpacked.
        loaded_models: models that a worker keeps in memory.
        tag_words: most words of several documents that go through a model in one pass; 0 for
            what suits the device.
        read_processes: processes that a worker spreads the pages of a document over; 0 for its
            share of the cores.
        confinement: of the processes that read documents: ``auto`` confines them by Landlock and
            seccomp as far as the kernel has them, ``required`` reads nothing unless it has both,
            ``off`` sets limits alone.
        idempotency_hours: how long a request with an Idempotency-Key may be repeated.
        retention_hours: the document and the answer of an ended job are removed after so long,
            its line in the lists after ten times that; 0 keeps all.
        max_queue_seconds: documents that somebody waits for are refused while others would have
            to wait longer than this; 503 with the time until it is shorter.
        max_batch_queue_seconds: the same for documents of batches.
        max_queued: most unfinished jobs of one key that has no number of its own.
        min_free_bytes: documents are refused while the disk of `home` has less room than this.
        webhook_allow: networks and addresses, by comma, to which webhooks may go, and from which
            documents may be fetched, although they are not public, such as ``10.1.0.0/16``.
        webhook_http: webhooks may go to plain http, and documents come from it, too.
        webhook_ports: ports and ranges of them, by comma, of webhooks and of documents to fetch.
        webhook_schedule: seconds before each attempt to deliver, by comma; the first since the
            event, the others since the attempt before.
        webhook_timeout_s: longest time for one attempt, from the name of the host to the status.
        max_webhooks: of one key.
        secret_keys: encrypt the secrets of webhooks in the job store, by comma: the first one
            encrypts, all decrypt; see `fieldwright secrets`. Where empty, those of the file
            ``secret_keys`` in `home`, which is made at the first use.
        env: ``test`` switches the fault hooks on; anything else leaves them dead. In
            ``production`` nothing starts with a well-known password in an address.
        fault: fault hooks, see `store.faults`.
    """

    model_config = SettingsConfigDict(env_prefix="FIELDWRIGHT_", frozen=True, extra="ignore")

    home: Path = Path(".fieldwright")
    database_url: Address = ""
    database_connections: Count = 10
    broker_url: Address = ""
    blob_url: str = ""
    traces: str = ""
    model: str = "auto"
    device: str = "cpu"
    precision: Literal["", "auto", "float32", "bfloat16"] = ""
    lease_seconds: Seconds = 30.0
    heartbeat_seconds: Seconds = 10.0
    poll_seconds: Seconds = 1.0
    sweep_seconds: Seconds = 5.0
    announce_seconds: Seconds = 15.0
    max_attempts: Count = 3
    document_timeout_s: Seconds = 120.0
    page_timeout_s: Seconds = 40.0
    drain_seconds: Seconds = 20.0
    max_bytes: Count = 20_000_000
    max_pages: Count = 50
    batch_max_files: Count = 1000
    batch_max_bytes: Count = 1_000_000_000
    loaded_models: Count = 3
    tag_words: Annotated[int, Field(ge=0)] = 0
    read_processes: Annotated[int, Field(ge=0)] = 0
    confinement: Confinement = "auto"
    idempotency_hours: Hours = 24.0
    retention_hours: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 168.0
    max_queue_seconds: Seconds = 600.0
    max_batch_queue_seconds: Seconds = 259_200.0  # what is queued on Friday may take to Monday
    max_queued: Count = 200_000
    min_free_bytes: Annotated[int, Field(ge=0)] = 200_000_000
    webhook_allow: str = ""
    webhook_http: bool = False
    webhook_ports: str = "443"
    webhook_schedule: str = "0,5,300,1800,7200,18000,36000,50400,72000,86400"
    webhook_timeout_s: Seconds = 15.0
    max_webhooks: Count = 20
    secret_keys: Annotated[str, Field(repr=False)] = ""
    env: str = "production"
    fault: str = ""

    @model_validator(mode="after")
    def _heartbeat_within_lease(self) -> Self:
        if self.heartbeat_seconds > self.lease_seconds / 2:
            raise ValueError(
                "FIELDWRIGHT_HEARTBEAT_SECONDS must be at most half of FIELDWRIGHT_LEASE_SECONDS"
            )
        return self

    @model_validator(mode="after")
    def _own_passwords(self) -> Self:
        if self.env == "production":
            for name in ("database_url", "broker_url"):
                password = urlsplit(getattr(self, name)).password
                if password is not None and password.lower() in _KNOWN_PASSWORDS:
                    raise ValueError(
                        f"FIELDWRIGHT_{name.upper()} has a password that everybody knows; "
                        "choose another, or set FIELDWRIGHT_ENV=development"
                    )
        return self

    @field_validator("home", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        if value == "":  # as a path it would be the folder that a command happens to run in
            raise ValueError("it is empty: name a folder, or leave it unset")
        return value

    @field_validator(*_FORMS)
    @classmethod
    def _well_formed(cls, value: str, info: ValidationInfo) -> str:
        name = info.field_name or ""
        pattern, otherwise = _FORMS[name]
        if value != cls.model_fields[name].default and not re.fullmatch(pattern, value, re.DOTALL):
            raise ValueError(otherwise)
        return value

    @field_validator("broker_url")
    @classmethod
    def _redis(cls, value: str) -> str:
        if value and not _is_of_redis(value):
            raise ValueError(
                "it is no address of Redis: write one such as redis://:PASSWORD@HOST:6379/0, "
                "with %2F for / in a password"
            )
        return value

    @field_validator("blob_url")
    @classmethod
    def _an_object_store(cls, value: str) -> str:
        if value:
            check_address(value)  # raises InvalidOption
        return value

    @field_validator("secret_keys")
    @classmethod
    def _keys_readable(cls, value: str) -> str:
        parse_keys(value)  # raises ValueError
        return value

    @model_validator(mode="after")
    def _webhooks_readable(self) -> Self:
        _ = self.webhook_policy, self.webhook_delays  # each raises ValueError where it is not
        return self

    @classmethod
    def load(cls) -> Self:
        """Return the settings of the environment.

        Raises:
            InvalidOption: a variable has a value that is not allowed; it is named.
        """
        secrets = os.environ.get("FIELDWRIGHT_SECRETS_DIR") or None
        if secrets is not None and not Path(secrets).is_dir():  # without them, all would differ
            raise InvalidOption(
                "The settings are not valid: FIELDWRIGHT_SECRETS_DIR: There is no such folder.",
                advice="Correct the environment variables.",
            )
        files: dict[str, Any] = {"_secrets_dir": secrets}
        try:
            return cls(**files)
        except ValidationError as error:
            faults = [
                (f"FIELDWRIGHT_{str(item['loc'][0]).upper()}: " if item["loc"] else "")
                + item["msg"].removeprefix("Value error, ")
                for item in error.errors()
            ]
            raise InvalidOption(
                f"The settings are not valid: {'; '.join(faults)}.",
                advice="Correct the environment variables.",
            ) from error

    @property
    def faults(self) -> Faults:
        """The fault hooks, dead unless `env` is ``test``."""
        return Faults(self.fault if self.env == "test" else "", self.home / "faults")

    @property
    def webhook_policy(self) -> Policy:
        """Where webhooks may go."""
        return Policy.of(http=self.webhook_http, ports=self.webhook_ports, allow=self.webhook_allow)

    @property
    def webhook_delays(self) -> Schedule:
        """When their deliveries are tried."""
        return Schedule.of(self.webhook_schedule)

    @property
    def secret_cipher(self) -> SecretCipher:
        """What encrypts secrets before they are stored."""
        return SecretCipher(self.secret_keys, self.home)

    @property
    def store_url(self) -> str:
        """SQLAlchemy address of the job store, with the driver that is installed."""
        scheme, colon, rest = self.database_url.partition(":")
        if not colon:
            return f"sqlite:///{self.home.absolute() / 'jobs.db'}"
        return f"{_DATABASES[scheme]}:{rest}"


def _is_of_redis(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("redis", "rediss") and parts.port != 0
    except ValueError:  # what stands in the port's place may be a part of the password
        return False
