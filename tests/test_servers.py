"""Tests of the servers that other tests start: they come back after every kind of stop."""

from __future__ import annotations

from tests.servers import PostgresServer, RedisServer


def test_redis_stops_freezes_forgets_and_comes_back(redis: RedisServer) -> None:
    with redis.client() as client:
        client.set("a", "b")
    redis.pause()
    assert not redis.answers()
    redis.resume()
    assert redis.answers()
    redis.flush()
    with redis.client() as client:
        assert client.get("a") is None
    redis.kill9()
    assert not redis.answers()
    assert redis.start().answers()


def test_postgresql_comes_back_with_its_databases(
    postgres: PostgresServer, postgres_url: str
) -> None:
    name = postgres_url.rpartition("/")[2]
    postgres.execute("CREATE TABLE kept (id integer)", name)
    postgres.stop(immediate=True)
    assert not postgres.answers()
    postgres.start().execute("INSERT INTO kept VALUES (1)", name)
