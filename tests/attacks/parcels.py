"""Attacks with what comes in one piece: archives of documents, and exports of batches."""

from __future__ import annotations

import io
import socket
import time
import zipfile
from collections.abc import Iterable

import httpx

from tests.attacks.door import MB, connect, head
from tests.attacks.frame import HELD_S, Measure, Place, watched
from tests.service import Service

_EXPORTS = 50


def archives(place: Place) -> list[Measure]:
    """Archives with long lists, of files that unpack to much, and of nothing but hidden ones."""
    service, many = place.service(), 200_000 if place.full else 20_000
    parcels = [
        _packed((f"{number}.pdf", b"") for number in range(many)),
        _packed((f"{number}.pdf", bytes(20 * MB)) for number in range(5)),
        _packed((f".{'x' * 200}{number}", b"") for number in range(3_000)),
        _packed([("a.zip", _packed([("b.zip", _packed([("c.pdf", bytes(20 * MB))]))]))]),
    ]
    with watched(place, service) as watch:
        statuses = [_sent(service, parcel).status_code for parcel in parcels]
        watch.note("answers of 5xx", sum(status >= 500 for status in statuses), 0)
    return watch.measures


def unread_exports(place: Place) -> list[Measure]:
    """Workbooks of a batch that somebody asks for and reads nothing of."""
    service = place.service()
    parcel = _packed((f"{'x' * 200}{number}.pdf", b"no document") for number in range(1_000))
    batch = _sent(service, parcel).json()["id"]
    address = f"/batches/{batch}/results?format=xlsx"
    with watched(place, service) as watch:
        connections = [connect(service) for _ in range(_EXPORTS)]
        for connection in connections:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(head(address, method="GET") + b"\r\n")
        time.sleep(5 if place.full else 1)
        for connection in connections:
            connection.close()
        begun = time.monotonic()
        status = service.client.get(address).status_code
        watch.note("wait of an export after them, s", time.monotonic() - begun, HELD_S)
        watch.note("status is not 200", float(status != 200), 0)
    return watch.measures


def _packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return target.getvalue()


def _sent(service: Service, parcel: bytes) -> httpx.Response:
    return service.client.post("/batches", files={"files": ("a.zip", parcel)})
