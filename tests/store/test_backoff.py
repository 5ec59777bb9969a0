"""When deliveries are tried again: three days in all, never sooner than a receiver asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InvalidOption
from store.backoff import Schedule, wish_of
from store.settings import Settings

DAY = 24 * 3600.0


def test_default_schedule_is_that_of_standard_webhooks() -> None:
    schedule = Settings().webhook_delays
    assert schedule.delays[:4] == (0, 5, 300, 1800)
    assert len(schedule.delays) == 10
    assert sum(schedule.delays) == 75 * 3600 + 35 * 60 + 5


@given(st.integers(1, 12), st.none() | st.floats(0, 1e9))
def test_delay_is_the_schedules_with_chance_or_what_is_wished(
    attempts: int, wish: float | None
) -> None:
    schedule = Settings().webhook_delays
    delay = schedule.after(attempts, wish)
    if attempts >= len(schedule.delays):
        assert delay is None
        return
    planned = schedule.delays[attempts]
    assert delay is not None
    assert max(planned, min(wish or 0.0, DAY)) <= delay <= max(1.2 * planned, min(wish or 0, DAY))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({}, None, id="none"),
        pytest.param({"retry-after": "120"}, 120, id="seconds"),
        pytest.param({"retry-after": "9" * 400}, 9999999999, id="for_ever"),
        pytest.param({"retry-after": "-5"}, None, id="negative"),
        pytest.param({"retry-after": "²"}, None, id="no_digit"),
        pytest.param({"retry-after": "soon"}, None, id="words"),
        pytest.param(
            {
                "retry-after": "Wed, 21 Oct 2015 07:30:00 GMT",
                "date": "Wed, 21 Oct 2015 07:28:00 GMT",
            },
            120,
            id="date",
        ),
        pytest.param(
            {
                "retry-after": "Wed, 21 Oct 2015 07:20:00 GMT",
                "date": "Wed, 21 Oct 2015 07:28:00 GMT",
            },
            0,
            id="past",
        ),
        pytest.param({"retry-after": "Wed, 21 Oct 2015 07:30:00 GMT"}, None, id="no_own_date"),
        pytest.param(
            {"retry-after": "Wed, 21 Oct 2015 07:30:00", "date": "Wed, 21 Oct 2015 07:28:00 GMT"},
            None,
            id="no_zone",
        ),
    ],
)
def test_wishes_of_receivers(headers: dict[str, str], seconds: float | None) -> None:
    assert wish_of(headers) == seconds


@pytest.mark.parametrize("text", ["", "soon", "0,-1", "nan", "0,inf", "0;5"])
def test_schedule_that_is_none_is_told_at_the_start(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=r"float|delay"):
        Schedule.of(text)
    monkeypatch.setenv("FIELDWRIGHT_WEBHOOK_SCHEDULE", text)
    with pytest.raises(InvalidOption):
        Settings.load()


def test_no_attempt_comes_later_than_the_longest_delay() -> None:
    for delays in ("0,5", "0,200000"):
        schedule = Schedule.of(delays)
        assert all((schedule.after(1, wish) or 0) <= schedule.longest for wish in (None, 1.0, 1e9))
