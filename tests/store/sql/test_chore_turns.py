"""Turns of what one process at a time does, and who holds something for good."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import insert

from store.sql.database import Database
from store.sql.tables import LockRow
from store.sql.turns import Turns


def test_of_two_that_take_the_first_turn_of_all_one_has_it(database: Database) -> None:
    row = {"name": "sweep", "holder": "a", "lease_until": time.time() + 3600}
    with ThreadPoolExecutor() as pool:
        with database.writing() as connection:
            connection.execute(insert(LockRow).values(row))
            other = pool.submit(Turns(database).take, "sweep", "b", every=3600)
            time.sleep(0.3)  # so that it finds no turn, and waits for this one
        assert other.result() is False
    assert Turns(database).holder("sweep") == "a"


def test_who_was_first_holds_until_it_passes_on(database: Database) -> None:
    turns = Turns(database)
    assert turns.holder("blobs") is None
    assert [turns.hold("blobs", name) for name in ("a", "b", "a")] == [None, "a", "a"]
    assert turns.hold("blobs", "c", over=True) == "a"
    assert turns.holder("blobs") == "c"
