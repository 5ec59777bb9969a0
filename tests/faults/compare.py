"""Every answer under random kills, compared with that to the same document read in calm.

    python -m tests.faults.compare --documents 200 --minutes 4

Documents with a text layer and scans are read once in calm; then in each mode while readers,
workers and the API, in production mode Redis and PostgreSQL too, are killed at random. Answers
have to be the same, character for character, but for the job's id and its times. Exits with 1
where a document was lost, done twice, not answered, or answered otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.builders import make_receipt, scanned_pdf
from tests.faults.soak import Outcome, invented, soak
from tests.faults.topology import Topology, topology
from tests.servers import PostgresServer, RedisServer, running_postgres

log = logging.getLogger("soak")

_SCANS = 5  # every fifth document is one
_SETTINGS: dict[str, object] = {"model": "receipts", "lease_seconds": 5}
_ROW = "| {} | {} | {} | {} | {} | {} | {} | {:.0f} |\n"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the answers of one run differ from those in calm.

    Attributes:
        same: documents that were answered as in calm.
        different: those that were answered otherwise.
        missing: those that have no answer here, though they have one in calm.
    """

    same: int
    different: int
    missing: int


def compared(calm: Mapping[str, str], stormy: Mapping[str, str]) -> Comparison:
    """Compare answers by the hashes of their documents; raises KeyError for one not in calm."""
    same = sum(calm[sha256] == answer for sha256, answer in stormy.items())
    return Comparison(same, len(stormy) - same, len(calm.keys() - stormy.keys()))


def mixed(number: int) -> list[bytes]:
    """Return documents of which every fifth is a scan."""
    documents = invented(number)
    for place in range(0, number, _SCANS):
        documents[place] = scanned_pdf(make_receipt(place))
    return documents


def calm_answers(folder: Path, documents: list[bytes]) -> dict[str, str]:
    """Return the answers to documents that are read while nothing breaks."""
    with _embedded(folder) as running:
        for document in documents:
            running.submit(document)
        running.drain(60.0 * len(documents))
        return running.answers_stored()


def storm(
    running: Topology, documents: list[bytes], seconds: float, postgres: PostgresServer | None
) -> tuple[Outcome, dict[str, str]]:
    """Return how documents fare while everything breaks, and their answers."""
    outcome = soak(running, documents=documents, seconds=seconds, postgres=postgres)
    for row in running.unfinished():
        log.error("never ended: %s", row)
    return outcome, running.answers_stored()


def _embedded(folder: Path) -> contextlib.AbstractContextManager[Topology]:
    return topology(folder, None, f"sqlite:///{folder / 'jobs.db'}", **_SETTINGS)


@contextlib.contextmanager
def _production(folder: Path) -> Iterator[tuple[Topology, PostgresServer]]:
    with contextlib.ExitStack() as stack:
        postgres = stack.enter_context(running_postgres())
        redis = RedisServer(folder / "redis").start()
        stack.callback(redis.stop)
        queues = "read", "tag,resolve"
        place, url = folder / "home", postgres.new_database()
        yield stack.enter_context(topology(place, redis, url, queues=queues, **_SETTINGS)), postgres


def main() -> int:
    """Run the comparison of the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=4.0, help="of each mode")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    documents, seconds = mixed(options.documents), 60.0 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "calm").mkdir()
        calm = calm_answers(place / "calm", documents)
        if len(calm) < len(documents):
            sys.exit(f"Only {len(calm)} of {len(documents)} documents were answered in calm.")
        (place / "embedded").mkdir()
        with _embedded(place / "embedded") as running:
            runs = {"embedded": storm(running, documents, seconds, None)}
        (place / "production").mkdir()
        with _production(place / "production") as (running, postgres):
            runs["production"] = storm(running, documents, seconds, postgres)
    return report(calm, runs)


def report(calm: Mapping[str, str], runs: Mapping[str, tuple[Outcome, dict[str, str]]]) -> int:
    """Write the table of all runs; return 1 where one of them is not as in calm, else 0."""
    names = "mode", "as in calm", "different", "failed", "lost", "doubled", "kills", "seconds"
    sys.stdout.write(f"| {' | '.join(names)} |\n|{'---|' * len(names)}\n")
    bad = 0
    for mode, (outcome, answers) in runs.items():
        found, counts = compared(calm, answers), outcome.counts
        kills, codes = outcome.misfortunes, outcome.reasons
        values = found.same, found.different, found.missing, counts.lost, counts.duplicated
        sys.stdout.write(_ROW.format(mode, *values, kills.total(), outcome.seconds))
        log.info("%s: %s; failed: %s", mode, _listed(kills), _listed(codes))
        for sha256, answer in answers.items():
            if answer != calm[sha256]:
                log.error("%s: %s", sha256, "; ".join(_differences(calm[sha256], answer)))
        bad += not outcome.sound or found != Comparison(len(calm), 0, 0)
    return 1 if bad else 0


def _differences(calm: str, stormy: str) -> list[str]:
    """Return the places of two answers where they differ, with both values."""
    one, other = dict(_leaves(json.loads(calm))), dict(_leaves(json.loads(stormy)))
    places = [place for place in {**one, **other} if one.get(place) != other.get(place)]
    return [f"{place}: {one.get(place)!r}, then {other.get(place)!r}" for place in places]


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(inner, f"{place}/{key}")
    else:
        yield place, value


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "none"


if __name__ == "__main__":
    sys.exit(main())
