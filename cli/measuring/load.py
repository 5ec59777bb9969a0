"""Load on a running service: requests one by one, as many as it takes, or at a fixed rate."""

from __future__ import annotations

import asyncio
import http.client
import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import httpx

from pipeline.errors import FieldwrightError

Documents = Callable[[int], bytes]
"""Gives the document of a number; each number another one."""

_ENDED = ("succeeded", "failed", "cancelled")
_KEPT_S = 2.0  # idle, after which the service may have closed a connection
_LOOK, _PATIENCE = 2.0, 600.0  # seconds between two looks at a batch or job, and for a batch


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request came to.

    Attributes:
        status: of the answer; 0 where the connection broke.
        seconds: from the moment the request was due to its answer.
        job_id: where a job was accepted.
        retry_after: the header, where there is one.
    """

    status: int
    seconds: float
    job_id: str | None
    retry_after: str | None


class Load:
    """Sends documents to a service.

    Args:
        url: of the service.
        key: access key; none where the service is open.
        model: that answers; the service's default where None.
    """

    def __init__(self, url: str, *, key: str | None = None, model: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
        self._client = httpx.AsyncClient(
            base_url=url, headers=headers, timeout=120, limits=limits, trust_env=False
        )
        self._form = {"model": model} if model else {}
        at = self._client.base_url
        secure = at.scheme == "https"
        connection = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._line = connection(at.host, at.port, timeout=120)
        self._used = time.monotonic()

    async def close(self) -> None:
        """Close all connections."""
        self._line.close()
        await self._client.aclose()

    def one_by_one(self, documents: Iterable[bytes]) -> list[Answer]:
        """Send documents, each when the one before is answered; holds up all else meanwhile.

        The requests are put together before their time begins, and sent over one connection:
        what a client takes is hardly in it.
        """
        if time.monotonic() - self._used > _KEPT_S:
            self._line.close()  # the next request opens it again
        found = [_timed(self._line, self._request(data)) for data in documents]
        self._used = time.monotonic()
        return found

    def _request(self, data: bytes) -> httpx.Request:
        return self._client.build_request(
            "POST", "/extract", files={"file": ("d", data)}, data={**self._form, "wait": "60"}
        )

    async def as_fast_as_it_goes(
        self, documents: Documents, seconds: float, *, clients: int
    ) -> tuple[list[Answer], float]:
        """Keep so many clients busy for a while; return the answers and the seconds it took."""
        numbers, found = count(), list[Answer]()
        started = time.perf_counter()

        async def client() -> None:
            while (left := seconds + started - time.perf_counter()) > 0:
                answer = await self.send(documents(next(numbers)), wait=60)
                found.append(answer)
                if answer.retry_after is not None:  # a client that does as it is told
                    await asyncio.sleep(min(left, float(answer.retry_after)))

        await asyncio.gather(*(client() for _ in range(clients)))
        return found, time.perf_counter() - started

    async def at_rate(
        self, documents: Documents, rate: float, seconds: float, *, wait: float
    ) -> list[Answer]:
        """Send documents at a fixed rate, whether answered or not; return all answers.

        Args:
            documents: to send.
            rate: requests a second.
            seconds: how long.
            wait: as the form field of that name.
        """
        started = time.perf_counter()

        async def client(place: int) -> Answer:
            due = started + place / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            return await self.send(documents(place), wait=wait, due=due)

        return list(await asyncio.gather(*map(client, range(max(1, int(rate * seconds))))))

    async def batch(self, documents: Iterable[bytes]) -> str:
        """Send documents as one batch and return its address."""
        files = [("files", ("d", data)) for data in documents]
        answer = await self._client.post("/batches", files=files, data=self._form)
        answer.raise_for_status()
        return str(answer.headers["location"])

    async def finished(self, address: str) -> None:
        """Return when all documents of a batch have ended, or up to two seconds later.

        Raises:
            FieldwrightError: some of them have no answer, or not within ten minutes.
        """
        deadline = time.monotonic() + _PATIENCE
        while True:
            answer = await self._client.get(address)
            answer.raise_for_status()
            batch = answer.json()
            if batch["finished"] or time.monotonic() > deadline:
                break
            await asyncio.sleep(_LOOK)  # every look is work for the service
        if batch["counts"]["succeeded"] != batch["total"]:
            raise FieldwrightError(
                f"Of {batch['total']} documents {batch['counts']['succeeded']} were answered.",
                advice="See the log of the service.",
            )

    async def remove(self, address: str) -> None:
        """Delete a job or a batch."""
        (await self._client.delete(address)).raise_for_status()

    async def ends(self, answers: Sequence[Answer], *, patience: float) -> Counter[str]:
        """Follow the accepted jobs to their ends and count these; ``lost`` are those without one.

        Args:
            answers: of requests that were accepted, others are left out.
            patience: seconds for all of them together.
        """
        waiting = [answer.job_id for answer in answers if answer.job_id is not None]
        ends, deadline = Counter[str](), time.monotonic() + patience
        for job_id in waiting:
            state = ""
            while time.monotonic() < deadline:
                answer = await self._client.get(f"/jobs/{job_id}", params={"wait": 20})
                state = answer.json().get("state", "") if answer.status_code == 200 else ""
                if state in _ENDED:
                    break
                await asyncio.sleep(_LOOK)
            ends[state if state in _ENDED else "lost"] += 1
        return ends

    async def send(self, data: bytes, *, wait: float, due: float | None = None) -> Answer:
        """Send one document; `due` is the moment from which its time counts, now where None."""
        started = time.perf_counter() if due is None else due
        try:
            form = {**self._form, "wait": str(wait)}
            answer = await self._client.post("/extract", files={"file": ("d", data)}, data=form)
        except httpx.TransportError:
            return Answer(0, time.perf_counter() - started, None, None)
        seconds = time.perf_counter() - started
        job_id = answer.json().get("id") if answer.status_code in (200, 202) else None
        return Answer(answer.status_code, seconds, job_id, answer.headers.get("retry-after"))


def _timed(line: http.client.HTTPConnection, request: httpx.Request) -> Answer:
    # Of a multipart form httpx would make the bytes while it sends them.
    body = b"".join(request.stream)  # type: ignore[arg-type]
    headers = dict(request.headers)
    started = time.perf_counter()
    try:
        line.request("POST", request.url.raw_path.decode(), body, headers)
        response = line.getresponse()
        text = response.read()
    except (OSError, http.client.HTTPException):
        line.close()  # the next request opens it again
        return Answer(0, time.perf_counter() - started, None, None)
    seconds = time.perf_counter() - started
    job_id = json.loads(text)["id"] if response.status in (200, 202) else None
    return Answer(response.status, seconds, job_id, response.getheader("retry-after"))


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies (nearest rank); NaN of none."""
    if not seconds:
        return math.nan
    return sorted(seconds)[max(0, math.ceil(share * len(seconds)) - 1)]


def processor_seconds(process: int) -> float:
    """Return the processor time that a process and all below it have taken, ended ones too."""
    parents, taken = dict[int, int](), dict[int, float]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:  # it ended
            continue
        values = text.rpartition(")")[2].split()
        number = int(path.parent.name)
        parents[number] = int(values[1])
        taken[number] = sum(map(int, values[11:15])) / os.sysconf("SC_CLK_TCK")

    def below(number: int) -> bool:
        while number not in (process, 0):
            number = parents.get(number, 0)
        return number == process

    return sum(seconds for number, seconds in taken.items() if below(number))
