"""Access keys in the store: shown once, stored as a hash, followed by others, and revoked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select, text, update

from pipeline.errors import InvalidOption
from store.access import ANY_OWNER, OPEN, Keys, Principal, Sessions, owned
from store.sql.database import Database
from store.sql.tables import JobRow, KeyRow
from tests.patience import until


@pytest.fixture
def keys(database: Database) -> Keys:
    """The keys of an empty store."""
    return Keys(database)


def set_used(keys: Keys, key_id: str, seconds_ago: float) -> None:
    with keys.database.writing() as connection:
        then = KeyRow.last_used_at - seconds_ago
        connection.execute(update(KeyRow).where(KeyRow.id == key_id).values(last_used_at=then))


def used_at(keys: Keys, key_id: str) -> float | None:
    return next(key.last_used_at for key in keys.list() if key.id == key_id)


def test_key_opens_for_its_scopes_and_limits(keys: Keys) -> None:
    key, shown = keys.create("erp", ["read", "extract"], rate_per_minute=5, max_queued=7)
    found = keys.ring().find(shown)
    assert found is not None
    scopes = frozenset({"extract", "read"})
    assert found.principal == Principal(key.id, scopes, 5, 7, f"key:fw_{key.prefix}")
    assert (key.scopes, key.state) == (("extract", "read"), "valid")


def test_store_holds_nothing_that_opens(keys: Keys) -> None:
    _, shown = keys.create("erp")
    with keys.database.reading() as connection:
        rows = connection.execute(text("SELECT * FROM api_keys")).all()
    stored = repr(rows)
    assert shown not in stored
    _, _, secret = shown.split("_", 2)  # the secret may have underscores of its own
    assert secret not in stored
    ring = keys.ring()
    assert ring.find(rows[0].hash) is None  # the hash itself is no key
    assert rows[0].hash not in repr(ring)


def test_secrets_are_long_and_never_the_same(keys: Keys) -> None:
    shown = [keys.create(f"k{index}")[1] for index in range(5)]
    assert len(set(shown)) == 5
    for one in shown:
        assert len(one.split("_", 2)[2]) * 6 >= 128  # bits, six a character


def test_whatever_is_no_valid_key_opens_nothing(keys: Keys) -> None:
    key, shown = keys.create("erp")
    _, expired = keys.create("old", expires_s=0)
    _, revoked = keys.create("gone")
    keys.revoke("gone")
    ring = keys.ring()
    assert ring.find(shown) is not None
    wrong = [shown[:-1], f"{shown}x", f"fw_{key.prefix}_", f"fw_{key.prefix}", shown[3:]]
    for presented in [*wrong, expired, revoked, "", "_", "__", "x" * 10_000, "fw_0_é"]:
        assert ring.find(presented) is None, presented
    assert {one.name: one.state for one in keys.list()} == {
        "erp": "valid",
        "old": "expired",
        "gone": "revoked",
    }


def test_installation_remembers_that_it_had_keys(keys: Keys) -> None:
    assert not keys.ring().used
    keys.create("erp")
    keys.revoke("erp")
    ring = keys.ring()
    assert ring.used
    assert not ring.keys


def test_names_of_valid_keys_are_their_own(keys: Keys) -> None:
    first, _ = keys.create("erp")
    with pytest.raises(InvalidOption, match="rotate erp"):
        keys.create("erp")
    keys.revoke(first.prefix)
    second, _ = keys.create("erp")
    assert second.owner != first.owner  # a name that was given up brings no jobs with it


@pytest.mark.parametrize(
    ("name", "scopes"),
    [("", ["read"]), ("x" * 121, ["read"]), ("a\nb", ["read"]), ("a", []), ("a", ["write"])],
    ids=["no_name", "long_name", "line_break", "no_scope", "unknown_scope"],
)
def test_key_that_cannot_be_made(keys: Keys, name: str, scopes: list[str]) -> None:
    with pytest.raises(InvalidOption):
        keys.create(name, scopes)
    assert keys.list() == []


def test_following_key_owns_what_the_first_owned(keys: Keys) -> None:
    old, old_text = keys.create("erp", ["read"], rate_per_minute=5, max_queued=2)
    new, new_text = keys.rotate("erp", grace_s=3600)
    ring = keys.ring()
    first, second = ring.find(old_text), ring.find(new_text)
    assert first is not None
    assert second is not None
    assert first.principal == replace(second.principal, actor=first.principal.actor)
    assert (new.owner, new.name, new.id != old.id) == (old.owner, "erp", True)
    with pytest.raises(InvalidOption, match="2 valid keys"):
        keys.rotate("erp", grace_s=1)
    third, _ = keys.rotate(f"fw_{new.prefix}", grace_s=0)
    assert third.owner == old.owner
    assert keys.ring().find(new_text) is None  # no grace was given
    assert keys.ring().find(old_text) is not None


def test_grace_does_not_outlive_the_old_key(keys: Keys) -> None:
    old, _ = keys.create("erp", expires_s=60)
    keys.rotate("erp", grace_s=3600)
    assert [key.expires_at for key in keys.list()] == [old.expires_at, old.expires_at]


def test_name_revokes_all_of_its_keys_and_a_prefix_one(keys: Keys) -> None:
    keys.create("erp")
    second, _ = keys.rotate("erp", grace_s=60)
    keys.create("other")
    assert [key.id for key in keys.revoke(second.prefix)] == [second.id]
    keys.rotate("erp", grace_s=60)
    assert {key.state for key in keys.revoke("erp")} == {"revoked"}
    assert [key.name for key in keys.list() if key.state == "valid"] == ["other"]
    with pytest.raises(InvalidOption, match="no valid key"):
        keys.revoke("erp")


def test_use_is_noted_once_a_minute(keys: Keys) -> None:
    key, _ = keys.create("erp")
    assert used_at(keys, key.id) is None
    keys.touch(key.id)
    noted = used_at(keys, key.id)
    assert noted is not None
    keys.touch(key.id)
    assert used_at(keys, key.id) == noted
    set_used(keys, key.id, 61)
    keys.touch(key.id)
    again = used_at(keys, key.id)
    assert again is not None
    assert again >= noted


def test_whose_objects_a_principal_sees() -> None:
    assert OPEN.owner_scope is ANY_OWNER
    assert Principal("a", frozenset({"admin"})).owner_scope is ANY_OWNER
    assert Principal("a", frozenset({"read"})).owner_scope == "a"


def test_condition_of_a_scope() -> None:
    shown = {
        scope: str(select(JobRow.id).where(owned(JobRow.owner, scope)).whereclause)
        for scope in (None, "a")
    }
    assert shown == {None: "jobs.owner IS NULL", "a": "jobs.owner = :owner_1"}


def test_keys_are_read_again_when_they_change(keys: Keys) -> None:
    empty = keys.ring()
    assert keys.ring(empty) is empty
    key, shown = keys.create("erp")
    first = keys.ring(empty)
    assert first.find(shown) is not None
    assert keys.ring(first) is first
    keys.touch(key.id)  # is no change of what opens
    assert keys.ring(first) is first
    token = Sessions(keys.database).start(key.id)
    signed_in = keys.ring(first)
    assert signed_in.find_session(token) is not None
    assert keys.ring(signed_in) is signed_in
    Sessions(keys.database).end(token)
    signed_out = keys.ring(signed_in)
    assert signed_out.find_session(token) is None
    keys.revoke("erp")
    assert keys.ring(signed_out).find(shown) is None


def test_newest_sessions_of_a_key_are_kept(keys: Keys) -> None:
    (one, _), (other, _) = keys.create("erp"), keys.create("other")
    elsewhere = Sessions(keys.database).start(other.id)
    tokens = [Sessions(keys.database).start(one.id) for _ in range(23)]
    ring = keys.ring()
    assert [ring.find_session(token) is not None for token in tokens] == [False] * 3 + [True] * 20
    assert ring.find_session(elsewhere) is not None


def test_key_that_was_changed_by_hand_is_read_again(keys: Keys) -> None:
    key, shown = keys.create("erp")
    ring = keys.ring()
    with keys.database.writing() as connection:
        connection.execute(update(KeyRow).where(KeyRow.id == key.id).values(revoked_at=1.0))
    assert keys.ring(ring).find(shown) is None


def test_key_that_expires_is_read_again_without_a_change(keys: Keys) -> None:
    _, lasting = keys.create("lasting", expires_s=3600)
    _, shown = keys.create("brief", expires_s=2.0)
    ring = keys.ring()
    assert ring.find(shown) is not None
    until(lambda: keys.ring(ring) is not ring, "the key to expire")
    again = keys.ring(ring)
    assert again.find(shown) is None
    assert again.find(lasting) is not None
    assert keys.ring(again) is again
