"""Changes valid input at random and gives it to every door that parses by hand.

    python -m tests.attacks.fuzz [--minutes 60] [--seed 0] [--only TEXT]

A door may take an input or refuse it with an error that is shown to users. Anything else, and two
seconds of the processor, is a finding: it is written to `corpus/DOOR/`, which the tests give to
the doors for ever after. Prints a table; exits with 1 where there are findings.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import io
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.clients import Proxies
from app.intake import Order, Spool
from app.intake.batch import Upload, documents_of
from app.intake.json_forms import read_json_form
from app.intake.uploads import read_form
from app.settings import ApiSettings
from pipeline.errors import FieldwrightError
from pipeline.reading.einvoice.reading import read_xml
from pipeline.reading.media import sniff
from pipeline.reading.page_ranges import parse_pages, select_pages
from store.networks import Policy
from store.settings import Settings
from tests.archives import zip_of
from tests.builders import encode, make_receipt, receipt_image, receipt_pdf

Door = Callable[[bytes], object]

CORPUS = Path(__file__).with_name("corpus")
_SLOWEST_S = 2.0
_MOST_BYTES = 200_000
_REFUSALS = (FieldwrightError, HTTPException, RequestValidationError, ValueError)
_TOKENS = (
    b"\r\n", b"\r\n\r\n", b"--b", b"--b--\r\n", b"\0", b"\xff", b'"', b"\\", b";", b"=", b"%00",
    b"-1", b"0", b"4294967295", b"18446744073709551616", b"1e999", b"NaN", b"..", b"/", b"[", b"{",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"PK\x01\x02", b"PK\x05\x06", b"Content-Length:",
    "\u202e".encode(), "\u0130".encode(), b"\xed\xa0\x80",
)  # fmt: skip


@dataclass(slots=True)
class Tried:
    """What came of one door.

    Attributes:
        outcomes: how many inputs were taken, and refused by which error.
        slowest: most seconds of the processor that one input took.
        findings: files of the inputs that broke the contract, and how.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    findings: dict[Path, str] = field(default_factory=dict)


def attempt(door: Door, data: bytes) -> tuple[str, float]:
    """Give an input to a door; return ``taken`` or what refused it, and the processor's seconds.

    Raises:
        Exception: whatever else the door raised.
        AssertionError: it took too long.
    """
    started = time.process_time()
    try:
        door(data)
        outcome = "taken"
    except _REFUSALS as error:
        if isinstance(error, RequestValidationError):
            json.dumps(error.errors(), ensure_ascii=False).encode()  # as the answer writes it
        if type(error) is ValueError:  # of doors that only settings go through
            outcome = "ValueError"
        elif isinstance(error, ValueError) and not isinstance(error, RequestValidationError):
            raise  # a kind of it that says nothing to a user
        else:
            outcome = type(error).__name__
    seconds = time.process_time() - started
    assert seconds < _SLOWEST_S, f"took {seconds:.1f} s"
    return outcome, seconds


def mutated(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the seeds after a few changes."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 2, 4, 16, 256, 4096)))
        match chance.randrange(7):
            case 0 if at < len(data):
                data[at] = chance.randrange(256)
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end] * chance.choice((1, 2, 50))
            case 3:
                data[at:at] = chance.choice(_TOKENS)
            case 4:
                data[at:end] = chance.choice(_TOKENS)
            case 5:
                other = chance.choice(seeds)
                cut = chance.randrange(len(other) + 1)
                data[at:] = other[cut:]
            case _:
                data[at:end] = chance.randbytes(end - at)
        del data[_MOST_BYTES:]
    return bytes(data)


class Doors:
    """The doors, each with valid inputs that changes begin from.

    Args:
        folder: where uploads lie meanwhile.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._settings = ApiSettings(home=folder)
        self._pdf = receipt_pdf(make_receipt(1))[:3000]

    def __enter__(self) -> Doors:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def all(self) -> Mapping[str, tuple[Door, Sequence[bytes]]]:
        """Return each door with its seeds, by name."""
        pdf = self._pdf
        part = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n'
        text = b'--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nauto\r\n'
        kinds = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
        picture = receipt_image(make_receipt(1)).resize((40, 60))
        archives = [
            zip_of([("a.pdf", pdf), ("b/c.pdf", pdf)]),
            zip_of([("word/a.xml", b"x"), ("[Content_Types].xml", b"y")]),
            zip_of([(f"{number}.pdf", b"%PDF-1.7") for number in range(12)]),
        ]
        return {
            "multipart": (
                self._multipart,
                [
                    b"multipart/form-data; boundary=b\n" + part + pdf + b"\r\n--b--\r\n",
                    b"multipart/form-data; boundary=b\n" + text + part + pdf + b"\r\n--b--",
                    b'multipart/form-data; boundary="b"\n' + text * 5 + b"--b--\r\n",
                ],
            ),
            "json": (
                self._json,
                [b'{"base64": "JVBERi0xLjQ=", "model": "auto", "wait": 0}', b'{"base64": ""}'],
            ),
            "archive": (self._archive, archives),
            "media": (sniff, [pdf, *(encode(picture, kind) for kind in kinds), archives[0]]),
            "pages": (_pages, [b"1", b"1-3,-1", b"2-,5,-3--1", b"1,1,1"]),
            "e-invoice": (lambda data: read_xml(data, "a.xml"), _INVOICES),
            "proxies": (_proxies, [b"10.0.0.0/8,192.168.1.4", b"*", b"::1"]),
            "networks": (_networks, [b"443,8000-8999\n10.1.0.0/16", b"1-65535\n127.0.0.1"]),
        }

    def _request(self, content_type: bytes, body: bytes) -> Request:
        """Return a request whose body comes in three pieces."""
        third = len(body) // 3
        pieces = [body[:third], body[third : 2 * third], body[2 * third :]]

        async def receive() -> dict[str, object]:
            piece = pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/batches",
            "headers": [(b"content-type", content_type)],
        }
        return Request(scope, receive)  # type: ignore[arg-type]

    def _spool(self) -> Spool:
        return Spool(self._folder)

    def _multipart(self, data: bytes) -> None:
        kind, _, body = data.partition(b"\n")

        async def read() -> None:
            request = self._request(kind[:1000], body)
            form = await read_form(request, self._spool, name="files", most_files=20)
            for file in form.files:
                file.content.read()
            await form.close()

        self._loop.run_until_complete(read())

    def _json(self, data: bytes) -> None:
        async def read() -> None:
            # An address would be asked for, which is no matter of parsing.
            body = data.replace(b"url", b"lru")
            request = self._request(b"application/json", body)
            names = "model", "wait"
            _, document, spool = await read_json_form(request, self._spool, names, self._settings)
            document.content.read()
            spool.close()

        self._loop.run_until_complete(read())

    def _archive(self, data: bytes) -> None:
        upload = Upload("a.zip", io.BytesIO(data), hashlib.sha256(data).hexdigest())
        order = Order("receipts", {})
        limits = Settings(max_bytes=1_000_000, batch_max_files=20, batch_max_bytes=5_000_000)
        for _ in documents_of([upload], order, limits, owner=None):
            pass


def _pages(data: bytes) -> None:
    spec = data.decode("utf-8", "surrogateescape")
    parse_pages(spec)
    select_pages(spec, 7)


def _proxies(data: bytes) -> None:
    Proxies(data.decode("latin-1"))


def _networks(data: bytes) -> None:
    ports, _, allow = data.decode("latin-1").partition("\n")
    Policy.of(http=False, ports=ports, allow=allow)


_UBL = (
    b'<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" '
    b'xmlns:c="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">'
    b"<c:ID>1</c:ID><c:IssueDate>2024-01-02</c:IssueDate></Invoice>"
)
_CII = (
    b'<r:CrossIndustryInvoice xmlns:r="urn:un:unece:uncefact:data:standard:'
    b'CrossIndustryInvoice:100"><r:ExchangedDocument><r:ID>7</r:ID></r:ExchangedDocument>'
    b"</r:CrossIndustryInvoice>"
)
_INVOICES = [_UBL, _CII]


def fuzz(doors: Doors, seconds: float, seed: int, only: str = "") -> dict[str, Tried]:
    """Try every door in turn until the time is over; return what came of each."""
    chance = random.Random(seed)
    chosen = {name: door for name, door in doors.all().items() if only in name}
    found = {name: Tried() for name in chosen}
    over = time.monotonic() + seconds
    while time.monotonic() < over:
        for name, (door, seeds) in chosen.items():
            tried = found[name]
            for _ in range(50):
                data = mutated(chance, seeds)
                try:
                    outcome, took = attempt(door, data)
                except Exception as error:
                    tried.outcomes["finding"] += 1
                    tried.findings[_kept(name, data, error, tried)] = repr(error)[:200]
                    continue
                tried.outcomes[outcome] += 1
                tried.slowest = max(tried.slowest, took)
    return found


def _kept(name: str, data: bytes, error: Exception, tried: Tried) -> Path:
    """Write a finding down, one for each kind of error."""
    path = CORPUS / name / f"{type(error).__name__}.bin"
    if path not in tried.findings:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return path


def main() -> int:
    """Fuzz and print what came of it; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="doors whose name holds this text")
    chosen = parser.parse_args()
    logging.disable()  # a line for each form that cannot be parsed
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, Doors(Path(folder)) as doors:
        found = fuzz(doors, chosen.minutes * 60, chosen.seed, chosen.only)
    write = sys.stdout.write
    write("| door | inputs | taken | slowest, ms | findings |\n| --- | --- | --- | --- | --- |\n")
    for name, tried in found.items():
        taken, inputs = tried.outcomes["taken"], sum(tried.outcomes.values())
        write(f"| {name} | {inputs} | {taken} | {tried.slowest * 1000:.1f} | ")
        write(f"{'; '.join(tried.findings.values()) or '0'} |\n")
    return 1 if any(tried.findings for tried in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
