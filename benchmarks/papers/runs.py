"""Runs of the experiments: each known by its settings, done once, written down as a JSON line.

STORE/runs.jsonl    one line a finished run: settings, scores a document, time, machine
STORE/running/KEY/  checkpoints of runs that were broken off, taken up the next time
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from training.errors import DatasetError

Measure = Literal["f1", "perplexity"]
Summands = dict[str, list[float]]
Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What a run measured.

    Attributes:
        measure: f1, from (true positives, false positives, false negatives) of each document, or
            its mean over several such triples, as of fields; perplexity, from (nats, pieces).
        scores: way of scoring -> document -> those numbers.
        trained_on: how much, such as ``500 documents``.
    """

    measure: Measure
    scores: dict[str, Summands]
    trained_on: str


@dataclass(frozen=True, slots=True)
class Record:
    """A finished run.

    Attributes:
        settings: of the run, a JSON value; with ``experiment``, ``system``, ``trained`` (how) and
            ``seed`` among them.
        result: what was measured.
        seconds: from start to end, of all its parts where it was broken off.
        machine: where it ran, and the commit.
    """

    settings: dict[str, Any]
    result: Result
    seconds: float
    machine: str


class OutOfTimeError(Exception):
    """The budget is used up; the run goes on from its checkpoint the next time."""


class Budget:
    """Time that runs may take, and the progress of a training that keeps to it.

    Args:
        minutes: from now on; None for no limit.
        clock: seconds from any moment on.
    """

    def __init__(self, minutes: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = None if minutes is None else clock() + 60 * minutes

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._end is not None and self._clock() >= self._end

    def step(self, done: int, total: int, loss: float) -> None:
        """Go on after a step, or not.

        Raises:
            OutOfTimeError: nothing is left, and the run is not done.
        """
        if done % 50 == 0 or done == total:
            tell(f"    step {done} of {total}, loss {loss:.3f}")
        if self.is_over and done < total:
            raise OutOfTimeError

    def epoch(self, number: int, score: float | None, best: bool) -> None:
        """Tell how an epoch was scored."""
        told = "not scored" if score is None else f"{score:.4f}"
        tell(f"    epoch {number}: {told}{' (best)' if best else ''}")


class Store:
    """The folder of finished and broken-off runs; made when the first is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "runs.jsonl"

    def records(self) -> list[Record]:
        """Return the finished runs, in the order in which they ended.

        Raises:
            DatasetError: a line is not one of a run, such as one that a full disk cut off.
        """
        if not self._path.is_file():
            return []
        found = []
        lines = self._path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            try:
                data = json.loads(line)
                result, seconds = Result(**data["result"]), float(data["seconds"])
                found.append(Record(data["settings"], result, seconds, data["machine"]))
            except (ValueError, KeyError, TypeError) as error:
                raise DatasetError(
                    f"{self._path}, line {number}, is not a run: {error!r}.",
                    advice="Delete the line; its run is then done again.",
                ) from error
        return found

    def add(self, record: Record) -> None:
        """Write a finished run down, and delete its checkpoints."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(dataclasses.asdict(record)) + "\n")
        shutil.rmtree(self.running(record.settings), ignore_errors=True)

    def running(self, settings: Settings) -> Path:
        """Return the folder of a run's checkpoints."""
        return self.folder / "running" / key_of(settings)


def key_of(settings: Settings) -> str:
    """Return the name of a run: 16 hexadecimal digits of the hash of its settings."""
    text = json.dumps(settings, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def run_all(
    plan: Iterable[Settings],
    execute: Callable[[Settings, Path], Result],
    store: Store,
    budget: Budget,
    machine: str,
) -> bool:
    """Do the runs of a plan that are not done; return whether all of them are.

    Args:
        plan: settings of the runs, in order.
        execute: does one, with checkpoints in the folder given; it resumes from what lies there,
            and may raise `OutOfTimeError`.
        store: where finished runs are written down.
        budget: no run is begun when it is over.
        machine: for the record.
    """
    wanted = list(plan)
    finished = {key_of(record.settings) for record in store.records()}
    for number, settings in enumerate(wanted, start=1):
        if key_of(settings) in finished:
            continue
        name = f"{settings['system']}, {settings['trained']}, seed {settings['seed']}"
        if budget.is_over:
            tell(f"out of time before run {number} of {len(wanted)}: {name}")
            return False
        tell(f"run {number} of {len(wanted)}: {name}")
        folder = store.running(settings)
        folder.mkdir(parents=True, exist_ok=True)
        before = _seconds(folder)
        started = time.monotonic()
        try:
            result = execute(settings, folder)
        except OutOfTimeError:
            spent = before + time.monotonic() - started
            (folder / "seconds").write_text(str(spent), encoding="ascii")
            tell("    broken off; the same command goes on from here")
            return False
        spent = before + time.monotonic() - started
        store.add(Record(dict(settings), result, spent, machine))
    return True


def tell(line: str) -> None:
    """Write a line of progress to standard error."""
    print(line, file=sys.stderr, flush=True)


def _seconds(folder: Path) -> float:
    path = folder / "seconds"
    return float(path.read_text(encoding="ascii")) if path.is_file() else 0.0
