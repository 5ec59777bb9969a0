"""Places are taken in the order in which threads came for them."""

from __future__ import annotations

import threading

import pytest

from store.sql.fair_semaphore import Places
from tests.patience import PATIENCE


def test_places_are_taken_in_order() -> None:
    waits, order = threading.Semaphore(0), list[int]()
    places = Places(1, on_wait=waits.release)

    def come(number: int) -> None:
        assert places.take(PATIENCE)
        order.append(number)
        places.give_back()

    assert places.take(0)
    threads = [threading.Thread(target=come, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
        assert waits.acquire(timeout=PATIENCE)
    places.give_back()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == list(range(20))


def test_place_that_is_given_back_is_who_waits_longest_s() -> None:
    """Whoever gives it back and comes again at once has to wait."""
    waits = threading.Event()
    places = Places(1, on_wait=waits.set)
    assert places.take(0)
    other = threading.Thread(target=places.take, args=(PATIENCE,))
    other.start()
    assert waits.wait(PATIENCE)
    places.give_back()
    assert not places.take(0)
    other.join(PATIENCE)
    assert not places.take(0)


def test_who_went_without_a_place_is_given_none() -> None:
    places = Places(2)
    assert places.take(0)
    assert places.take(0)
    assert not places.take(0.01)
    places.give_back()
    assert places.take(0)
    assert not places.take(0)


@pytest.mark.parametrize("given", [True, False])
def test_place_is_not_lost_with_who_is_interrupted_while_it_waits(given: bool) -> None:
    def interrupted() -> None:
        if given:  # at the same moment
            places.give_back()
        raise KeyboardInterrupt

    places = Places(1, on_wait=interrupted)
    assert places.take(0)
    with pytest.raises(KeyboardInterrupt):
        places.take(0)
    if not given:
        places.give_back()
    assert places.take(0)


def test_no_place_is_lost_or_doubled_where_threads_give_up() -> None:
    places, held, most = Places(3), 0, 0
    counting = threading.Lock()

    def come_and_go() -> None:
        nonlocal held, most
        for _ in range(300):
            if places.take(0.0001):
                with counting:
                    held += 1
                    most = max(most, held)
                with counting:
                    held -= 1
                places.give_back()

    threads = [threading.Thread(target=come_and_go) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert most <= 3
    assert [places.take(0) for _ in range(4)] == [True, True, True, False]
