"""Attacks of strangers on the door of the API: heads, bodies, connections, and who is believed."""

from __future__ import annotations

import contextlib
import itertools
import json
import resource
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from tests.attacks.frame import HELD_S, Measure, Place, api_of, spooled_mb, watched
from tests.builders import make_receipt, receipt_pdf
from tests.patience import until
from tests.service import Service, digest

MB = 1_000_000
_PIECE = 65_536
_LONGEST = 60.0  # seconds after which an attacker gives up


def connect(service: Service, source: str = "127.0.0.1") -> socket.socket:
    """Return a connection to the service from an address of this machine."""
    url = service.client.base_url
    connection = socket.create_connection((url.host, url.port), 30, source_address=(source, 0))
    connection.settimeout(_LONGEST)
    return connection


def head(path: str = "/webhooks", *lines: str, method: str = "POST") -> bytes:
    """Return the beginning of a request, without the empty line."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, ""]).encode()


CHUNKED = ("Content-Type: application/json", "Transfer-Encoding: chunked")
FORM = "Content-Type: multipart/form-data; boundary=b"
FILE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'


def answer(connection: socket.socket) -> bytes:
    """Return what the service says before it closes the connection, or says no more."""
    said = b""
    with contextlib.suppress(OSError):
        while piece := connection.recv(_PIECE):
            said += piece
            length = said.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            if length.isdigit() and len(said.partition(b"\r\n\r\n")[2]) >= int(length):
                break
    connection.close()
    return said


def status_of(said: bytes) -> int:
    """Return the status of an answer, 0 where there is none."""
    words = said.split(b" ", 2)
    return int(words[1]) if said.startswith(b"HTTP/1.1 ") else 0


def pour(connection: socket.socket, pieces: Iterable[bytes]) -> bytes:
    """Send until the service has had enough; return its answer."""
    with contextlib.suppress(OSError):
        for piece in pieces:
            connection.sendall(piece)
    return answer(connection)


def drip(
    connections: Sequence[socket.socket], data: bytes = b"x", every: float = 0.5
) -> tuple[float, list[int]]:
    """Send a little on all connections again and again; return seconds until all are closed.

    Returns:
        How long the last one was held (an attacker gives up after a minute), and the statuses.
    """
    begun, held, statuses = time.monotonic(), 0.0, list[int]()
    alive = list(connections)
    while alive and time.monotonic() - begun < _LONGEST:
        for connection in readable(alive):
            said = b""
            with contextlib.suppress(OSError):
                said = connection.recv(_PIECE)
            if said:
                statuses.append(status_of(said))
            else:
                alive.remove(connection)
                connection.close()
        for connection in alive:
            with contextlib.suppress(OSError):
                connection.send(data)
        held = time.monotonic() - begun
        time.sleep(every if alive else 0)
    for connection in alive:
        connection.close()
    return held, statuses


def readable(connections: Sequence[socket.socket]) -> list[socket.socket]:
    """Return those that have something to be read; of more than select() could look at."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLIN)
    found = {descriptor for descriptor, _ in poll.poll(0)}
    return [connection for connection in connections if connection.fileno() in found]


def repeated(piece: bytes, total: int) -> Iterator[bytes]:
    """Give a piece so often that its bytes are `total`, some of them together."""
    block = piece * max(1, _PIECE // len(piece))
    return itertools.repeat(block, total // len(block))


def poured(begin: bytes, piece: bytes, total: int, *, times: int = 1) -> Callable[[Place], Figures]:
    """Return an attack that sends a beginning and then a piece again and again.

    Args:
        begin: of the request.
        piece: what is repeated.
        total: bytes of it.
        times: connections, one after another, so that what stays behind adds up.
    """

    def attack(place: Place) -> Figures:
        service = place.service()
        with watched(place, service) as watch:
            statuses = [
                status_of(pour(connect(service), itertools.chain([begin], repeated(piece, total))))
                for _ in range(times)
            ]
            watch.note("answers of 5xx", sum(status >= 500 for status in statuses), 0)
        return watch.measures

    return attack


def dripped(
    beginnings: Sequence[bytes], data: bytes = b"x", *, each: int = 1
) -> Callable[[Place], Figures]:
    """Return an attack of many connections that begin a request and then send next to nothing."""

    def attack(place: Place) -> Figures:
        service = place.service()
        with watched(place, service) as watch:
            connections = []
            for begin in beginnings * each:
                connection = connect(service)
                with contextlib.suppress(OSError):
                    connection.settimeout(1)
                    connection.sendall(begin)
                connections.append(connection)
            held, statuses = drip(connections, data)
            watch.note("longest held connection, s", held, HELD_S)
            watch.note("answers of 5xx", sum(status >= 500 for status in statuses), 0)
        return watch.measures

    return attack


Figures = list[Measure]

header_of_one_line = poured(head() + b"X-Long: ", b"x", 100 * MB)
headers_of_many_lines = poured(head(), b"a:b\r\n", 100 * MB)
address_of_one_line = poured(b"GET /", b"x", 100 * MB)
trailer_of_one_line = poured(head("/webhooks", *CHUNKED) + b"\r\n0\r\nX-Long: ", b"x", 100 * MB)
trailers_of_many_lines = poured(head("/webhooks", *CHUNKED) + b"\r\n0\r\n", b"a:b\r\n", 100 * MB)
chunk_extension = poured(head("/webhooks", *CHUNKED) + b"\r\n1;", b"x", 100 * MB)
pipelined_requests = poured(b"", head("/jobs", method="GET") + b"\r\n", 20 * MB)
json_without_length = poured(
    head("/webhooks", *CHUNKED) + b"\r\n", b'5\r\n"x":1\r\n', 20 * MB, times=3
)
body_nobody_reads = poured(head("/livez", f"Content-Length: {100 * MB}") + b"\r\n", b"x", 100 * MB)

trickled_heads = dripped(
    [head() + b"X: " + b"x" * MB, head() + b"a: b\r\n" * 200, b"G"], b"x", each=33
)
silent_connections = dripped([b"", b"\r\n"], b"\r\n", each=50)
short_bodies = dripped(
    [
        head("/extract", FORM, "Content-Length: 100000") + b"\r\n" + FILE,
        head("/webhooks", "Content-Type: application/json", "Content-Length: 1000") + b"\r\n{",
        head("/livez", "Content-Length: 1000000") + b"\r\n",
        head("/webhooks", *CHUNKED) + b"\r\n0\r\n",
    ],
    b"",
)


def unread_answers(place: Place) -> Figures:
    """Clients that ask for much and read nothing of it."""
    service = place.service()
    asked = head("/docs/assets/swagger-ui-bundle.js", method="GET") + b"\r\n"
    with watched(place, service) as watch:
        connections = [connect(service) for _ in range(50)]
        for connection in connections:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(asked)
        time.sleep(1)
        url = service.client.base_url

        def held() -> int:
            return sum(
                link.status == "ESTABLISHED" and link.raddr and link.raddr.port in ports
                for link in api_of(service).net_connections()
                if link.laddr.port == url.port
            )

        ports = {connection.getsockname()[1] for connection in connections}
        begun = time.monotonic()
        with contextlib.suppress(AssertionError):
            until(lambda: not held(), "the service to let go", _LONGEST)
        watch.note("longest held connection, s", time.monotonic() - begun + 1, HELD_S)
        for connection in connections:
            connection.close()
    return watch.measures


def many_connections(place: Place) -> Figures:
    """More connections than one client may have: others still get one."""
    service = place.service()
    with watched(place, service) as watch:
        connections = [connect(service) for _ in range(1500)]
        held, _ = drip(connections, b"", every=0.1)
        watch.note("longest held connection, s", held, HELD_S)
    return watch.measures


def large_json(place: Place) -> Figures:
    """JSON of 20 MB where nothing of that size belongs."""
    service = place.service()
    bodies = {
        "names": b"{" + b",".join(b'"%d":1' % number for number in range(1_500_000)) + b"}",
        "lists": b"[" + b"[]," * 6_000_000 + b"[]]",
    }
    with watched(place, service) as watch:
        for name, body in bodies.items():
            for method in ("POST", "PATCH"):
                path = "/webhooks" + ("" if method == "POST" else "/x")
                lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
                begin = head(path, *lines, method=method) + b"\r\n"
                pieces = (body[at : at + _PIECE] for at in range(0, len(body), _PIECE))
                said = pour(connect(service), itertools.chain([begin], pieces))
                watch.note(f"answer to {method} of {name}, KB", len(said) / 1000, 8)
                watch.note("answers of 5xx", float(status_of(said) >= 500), 0)
    return watch.measures


def many_faults(place: Place) -> Figures:
    """A body within the limit with as many faults as it can hold."""
    service = place.service()
    body = json.dumps({f"{n:x}": 1 for n in range(6000)}).encode()[:64_000] + b"}"
    body = body[: body.rindex(b",")] + b"}"
    with watched(place, service) as watch:
        for _ in range(20):
            response = service.client.post(
                "/webhooks", content=body, headers={"Content-Type": "application/json"}
            )
        watch.note("answer, KB", len(response.content) / 1000, 8)
        watch.note("status", response.status_code, 422)
    return watch.measures


def large_fields(place: Place) -> Figures:
    """Forms whose fields are large, which the API would keep in memory, on many connections."""
    service = place.service()
    field = b'--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n' + b"x" * 900_000 + b"\r\n"
    begin = head("/extract", FORM, f"Content-Length: {len(field) * 21}") + b"\r\n"
    with watched(place, service) as watch:
        said = list[bytes]()

        def send() -> None:
            said.append(pour(connect(service), [begin, *[field] * 20]))

        together([send] * 10)
        watch.note("answers of 5xx", sum(status_of(text) >= 500 for text in said), 0)
    return watch.measures


def parts_that_nearly_end(place: Place) -> Figures:
    """Bodies that look like the end of a part again and again, which keeps a parser busy."""
    service = place.service()
    size = (19 if place.full else 4) * MB
    begin = head("/extract?wait=0", FORM, f"Content-Length: {size}") + b"\r\n" + FILE
    with watched(place, service) as watch:
        for near in (b"\r\n--", b"\r", b"\r\n--a\r\n"):
            said = pour(connect(service), [begin, near * ((size - len(FILE)) // len(near) + 9)])
            watch.note("answers of 5xx", float(status_of(said) >= 500), 0)
    return watch.measures


def long_boundary(place: Place) -> Figures:
    """A boundary of 300 characters."""
    service = place.service()
    kind = {"Content-Type": "multipart/form-data; boundary=" + "b" * 300}
    answers = [
        service.client.post(path, content=b"--b", headers=kind).status_code
        for path in ("/batches", "/extract")
    ]
    return [Measure("status", max(answers), 400)]


def slow_uploads(place: Place, sources: Sequence[str], first: int) -> Figures:
    """Forty clients that send a byte a second, after `first` bytes at once, and come back."""
    service = place.service()
    begin = head("/extract", FORM, "Content-Length: 19000000") + b"\r\n" + FILE + b"x" * first
    over = threading.Event()

    def dawdle(source: str) -> None:
        while not over.is_set():
            with contextlib.suppress(OSError), connect(service, source) as connection:
                connection.sendall(begin)
                while not over.wait(1) and not readable([connection]):
                    connection.send(b"x")

    with watched(place, service, upload=True, longest=5.0 if place.full else 0.0) as watch:
        threads = [
            threading.Thread(target=dawdle, args=(source,))
            for source in itertools.islice(itertools.cycle(sources), 40)
        ]
        for thread in threads:
            thread.start()
        time.sleep(20 if place.full else 2)
        over.set()
        for thread in threads:
            thread.join()
    return watch.measures


def slow_uploads_of_one(place: Place) -> Figures:
    """All of them from one address."""
    return slow_uploads(place, ["127.0.0.1"], 0)


def slow_uploads_of_many(place: Place) -> Figures:
    """Each from an address of its own, a megabyte first."""
    return slow_uploads(place, [f"127.0.1.{n}" for n in range(1, 41)], MB)


def waiting_uploads(place: Place) -> Figures:
    """Documents of 5 MB whose senders wait for the answer: their uploads wait for nothing."""
    document = receipt_pdf(make_receipt(99)) + b"\n%" + b"x" * 5 * MB
    service = place.service(fault=f"in_read@{digest(document)}:sleep:10", slow_upload_s=10)
    request = service.client.build_request(
        "POST", "/extract?wait=60", files={"file": ("a.pdf", document)}
    )
    body = request.read()
    lines = [f"{name}: {value}" for name, value in request.headers.items() if name != "host"]
    with watched(place, service) as watch:
        connections = [connect(service) for _ in range(12 if place.full else 4)]
        for connection in connections:
            connection.sendall(head("/extract?wait=60", *lines) + b"\r\n" + body)
        jobs = lambda: len(service.client.get("/jobs").json()["jobs"])  # noqa: E731
        until(lambda: jobs() >= len(connections), "the documents to be accepted")
        time.sleep(1)
        watch.note("uploads kept by the API, MB", spooled_mb(service), 1)
        for connection in connections:
            connection.close()
    return watch.measures


def full_folder(place: Place) -> Figures:
    """An upload that finds no room on the disk."""
    service = place.service(min_free_bytes=0)
    api, limit = api_of(service), (2 * MB, resource.RLIM_INFINITY)
    before = resource.prlimit(api.pid, resource.RLIMIT_FSIZE, limit)
    try:
        said = service.post(b"%PDF-1.7\n" + b"x" * 5 * MB, wait=0)
    finally:
        resource.prlimit(api.pid, resource.RLIMIT_FSIZE, before)
    return [Measure("status is not 507", float(said.status_code != 507), 0)]


def forwarded_as_local(place: Place) -> Figures:
    """Requests that a proxy on this machine passes on for strangers, under a name of this one."""
    service = place.service()
    told = {
        "Forwarded": "for=192.0.2.1",
        "Via": "1.1 proxy",
        "X-Forwarded-For": "192.0.2.1",
        "X-Forwarded-Host": "documents.example",
        "X-Real-IP": "192.0.2.1",
        "CF-Connecting-IP": "192.0.2.1",
    }
    served = [
        name
        for name, value in told.items()
        if service.client.get("/jobs", headers={"Host": "127.0.0.1", name: value}).is_success
    ]
    return [Measure("requests served without a key", len(served), 0)]


def together(tasks: Sequence[Callable[[], None]]) -> None:
    """Run tasks in threads and wait for all of them."""
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
