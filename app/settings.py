"""Settings of the API alone; those it shares with the workers are in `store.settings`."""

from __future__ import annotations

from typing import Literal

from store.settings import Count, Seconds, Settings


class ApiSettings(Settings):
    """Settings of the API process, ``FIELDWRIGHT_`` + name as the shared ones.

    Attributes:
        wait_default_s: how long POST /extract waits for the answer where the request says nothing.
        wait_max_s: longest wait that is granted; more is cut to it.
        form_overhead: bytes that a request may have beside the document.
        part_overhead: bytes that a batch may have beside each document.
        slow_upload_grace_s: a body may take so long, and a second more for each `slow_upload_rate`.
        slow_upload_rate: bytes a second below which an upload is given up.
        max_uploads: documents that one process takes in at the same time.
        access: ``auto`` wants a key once there is one, and from other machines always; ``keys``
            always; ``open`` never, for a network where everybody may see everything.
        default_rate_per_minute: requests a minute of a key that has no rate of its own.
        docs: whether ``/docs`` and ``/openapi.json`` are ``open``, want a key (``keys``), or are
            not there (``off``).
        metrics_open: ``/metrics`` wants no key; without this it wants one with `admin`.
        trusted_proxies: addresses or networks of proxies in front, by comma; their
            X-Forwarded-For and X-Forwarded-Proto are believed, nobody else's.
    """

    wait_default_s: Seconds = 30.0
    wait_max_s: Seconds = 60.0
    form_overhead: Count = 65_536
    part_overhead: Count = 1_024
    slow_upload_grace_s: Seconds = 30.0
    slow_upload_rate: Count = 8_192
    max_uploads: Count = 32
    access: Literal["auto", "keys", "open"] = "auto"
    default_rate_per_minute: Count = 600
    docs: Literal["open", "keys", "off"] = "open"
    metrics_open: bool = False
    trusted_proxies: str = ""
