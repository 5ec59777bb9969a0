"""Settings of the API alone; those it shares with the workers are in `store.settings`."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from app.clients import Proxies
from store.settings import Count, Seconds, Settings


class ApiSettings(Settings):
    """Settings of the API process, ``FIELDWRIGHT_`` + name as the shared ones.

    Attributes:
        wait_default_s: how long POST /extract waits for the answer where the request says nothing.
        wait_max_s: longest wait that is granted; more is cut to it.
        max_json_bytes: largest body that is no upload.
        slow_upload_s: a body whose rate stays below `slow_upload_rate` for so long is given up.
        slow_upload_rate: bytes a second.
        slow_upload_pressed_s: the same while other clients wait for a place among the uploads.
        upload_wait_s: longest wait for such a place.
        max_uploads: uploads that one process takes in at the same time; each may have a file
            in the folder of documents until it is stored.
        max_client_uploads: those of one client, and of one key.
        max_connections: open at the same time; 503 beyond.
        max_client_connections: those of one client: an IPv4 address, or an IPv6 network of 64
            bits. Not counted for `trusted_proxies`; 429 beyond.
        max_address_bytes: of the path and query of a request; 414 beyond.
        max_header_bytes: of the headers and trailers of a request; 431 beyond.
        max_headers: their number; 431 beyond.
        slow_head_s: longest time for the head of a request to arrive; 408 beyond.
        slow_reader_s: a client that reads nothing of its answer for so long is cut off.
        fetch_timeout_s: longest time for a document to arrive from an address that is sent.
        access: ``auto`` wants a key once there is one, and from other machines always; ``keys``
            always; ``open`` never, for a network where everybody may see everything.
        max_datasets: of one key.
        dataset_max_documents: most documents of one dataset.
        dataset_max_bytes: most bytes of them together.
        default_rate_per_minute: requests a minute of a key that has no rate of its own.
        docs: whether ``/docs`` and ``/openapi.json`` are ``open``, want a key (``keys``), or are
            not there (``off``).
        metrics_open: ``/metrics`` wants no key; without this it wants one with `admin`.
        trusted_proxies: addresses or networks of proxies in front, by comma; their
            X-Forwarded-For and X-Forwarded-Proto are believed, nobody else's. What comes through
            any other proxy that says so in a header is never taken for this machine's own.
    """

    wait_default_s: Seconds = 30.0
    wait_max_s: Seconds = 60.0
    max_json_bytes: Count = 65_536
    slow_upload_s: Seconds = 10.0
    slow_upload_rate: Count = 8_192
    slow_upload_pressed_s: Seconds = 2.0
    upload_wait_s: Seconds = 5.0
    max_uploads: Count = 32
    max_client_uploads: Count = 16
    max_connections: Count = 1_000
    max_client_connections: Count = 200
    max_address_bytes: Count = 8_192
    max_header_bytes: Count = 32_768
    max_headers: Count = 100
    slow_head_s: Seconds = 10.0
    slow_reader_s: Seconds = 30.0
    fetch_timeout_s: Seconds = 20.0
    max_datasets: Count = 100
    dataset_max_documents: Count = 2_000
    dataset_max_bytes: Count = 2 << 30
    access: Literal["auto", "keys", "open"] = "auto"
    default_rate_per_minute: Count = 600
    docs: Literal["open", "keys", "off"] = "open"
    metrics_open: bool = False
    trusted_proxies: str = ""

    @field_validator("trusted_proxies")
    @classmethod
    def _proxies_readable(cls, value: str) -> str:
        Proxies(value)  # raises ValueError
        return value
