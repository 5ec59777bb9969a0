"""A little of the fuzzing at every run, and what it ever found; for an hour: tests.attacks.fuzz."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.fuzz import CORPUS, Doors, attempt, mutated

NAMES = ("multipart", "json", "archive", "media", "pages", "e-invoice", "proxies", "networks")


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with Doors(Path(tmp_path_factory.mktemp("fuzz"))) as given:
        yield given


def test_every_door_is_here(doors: Doors) -> None:
    assert tuple(doors.all()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_what_is_valid_is_taken(doors: Doors, name: str) -> None:
    door, seeds = doors.all()[name]
    assert "taken" in {attempt(door, seed)[0] for seed in seeds}


@pytest.mark.parametrize("name", NAMES)
def test_what_was_changed_at_random_is_taken_or_refused(doors: Doors, name: str) -> None:
    door, seeds = doors.all()[name]
    chance = random.Random(name)
    outcomes = {attempt(door, mutated(chance, seeds))[0] for _ in range(100)}
    assert len(outcomes) > 1


@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.bin")), ids=lambda path: path.parent.name)
def test_what_was_found_once_is_mended(doors: Doors, path: Path) -> None:
    attempt(doors.all()[path.parent.name][0], path.read_bytes())
