"""Requests a minute by key: what is over them is sent away, and told when to come back."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

from app.edge.rates import Rates
from app.main import build
from app.settings import ApiSettings
from store.access import Keys
from tests.app.conftest import Guarded
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.patience import until
from tests.servers import RedisServer
from tests.stores import prepare


@pytest.fixture
def early() -> None:
    """Early in a minute: the windows of a process are whole minutes, and a new one lets more in."""
    until(lambda: time.time() % 60 < 30, "a new minute")


@pytest.mark.usefixtures("early")
def test_key_over_its_rate_is_sent_away(guarded: Guarded) -> None:
    _, shown = guarded.keys.create("slow", rate_per_minute=3)
    client, headers = guarded.service.client, {"X-API-Key": shown}
    until(lambda: client.get("/limits", headers=headers).status_code == 200, "the key")
    answers = [client.get("/limits", headers=headers) for _ in range(3)]
    refused = answers[-1]
    check_problem(refused, 429, "rate_limited")
    assert refused.headers["ratelimit-policy"] == '"key";q=3;w=60'
    assert refused.headers["ratelimit"].startswith('"key";r=0;t=')
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.headers["retry-after"] in refused.headers["ratelimit"]
    other = client.get("/limits", headers=guarded.headers("a"))
    assert other.status_code == 200  # the others feel nothing
    assert other.headers["ratelimit-policy"] == '"key";q=5000;w=60'
    assert client.get("/livez").status_code == 200


@pytest.mark.usefixtures("early")
def test_keys_that_follow_each_other_share_a_rate(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path, default_rate_per_minute=2))
    prepare(api.state.jobs)
    keys = Keys(api.state.jobs.database)
    shown = [keys.create("erp")[1], keys.rotate("erp", grace_s=60)[1]]
    sent = [call(api, "GET", "/limits", headers={"X-API-Key": text}) for text in shown * 2]
    assert [answer.status_code for answer in sent] == [200, 200, 429, 429]
    api.state.jobs.close()


def test_service_without_keys_has_no_rate(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path, default_rate_per_minute=1))
    prepare(api.state.jobs)
    assert [call(api, "GET", "/limits").status_code for _ in range(3)] == [200] * 3
    api.state.jobs.close()


def test_processes_count_together_and_a_restart_forgets_nothing(redis: RedisServer) -> None:
    first, second = Rates(redis.url), Rates(redis.url)
    assert [rates.hit("k", 3).granted for rates in (first, second, first)] == [True] * 3
    first.close()
    restarted = Rates(redis.url)
    refused = restarted.hit("k", 3)
    assert (refused.granted, refused.remaining) == (False, 0)
    assert 1 <= refused.reset_s <= 60
    assert restarted.hit("other", 3).granted
    for rates in (second, restarted):
        assert not rates.local
        rates.close()


def test_limit_outlives_a_restart_of_the_api(tmp_path: Path, redis: RedisServer) -> None:
    statuses = []
    shown = ""
    for _ in range(3):
        api = build(ApiSettings(home=tmp_path, broker_url=redis.url, default_rate_per_minute=2))
        prepare(api.state.jobs)
        shown = shown or Keys(api.state.jobs.database).create("erp")[1]
        statuses.append(call(api, "GET", "/limits", headers={"X-API-Key": shown}).status_code)
        api.state.jobs.close()
    assert statuses == [200, 200, 429]


@pytest.mark.parametrize("fault", ["stop", "pause"])
def test_fault_of_redis_locks_nobody_out(
    redis: RedisServer,
    fault: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.edge.rates._PAUSE", 0.5)
    rates = Rates(redis.url)
    assert [rates.hit("k", 2).granted for _ in range(3)] == [True, True, False]
    getattr(redis, fault)()
    with caplog.at_level(logging.WARNING, "app.edge.rates"):
        assert rates.hit("k", 2).granted  # counted in this process, from the start
    assert caplog.messages == ["rate limits without redis"]
    assert rates.local
    redis.resume() if fault == "pause" else redis.start()
    until(lambda: not rates.local and rates.hit("j", 1000).granted and not rates.local, "Redis")
    rates.close()


def test_without_redis_each_process_counts_for_itself() -> None:
    rates = Rates("")
    assert rates.local
    assert [rates.hit("k", 1).granted for _ in range(2)] == [True, False]
    rates.close()
