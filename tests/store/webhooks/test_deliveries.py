"""What webhooks are told of, once and together with the event; who delivers it, and how often."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import func, insert, select, update

from app.routes.webhooks import MESSAGES
from app.schemas.common import ANSWER
from app.schemas.webhooks import BatchMessage, JobMessage, TrialMessage
from pipeline.errors import EncryptedPdf, InvalidOption
from pipeline.result import Extraction
from store.access import ANY_OWNER, Keys
from store.backoff import Schedule
from store.batches import batches
from store.errors import (
    DeliveryUnknown,
    JobCancelled,
    JobUnknown,
    StoreUnavailable,
    TooManyWebhooks,
    WebhookDisabled,
    WebhookTargetRefused,
    WebhookUnknown,
)
from store.jobs import Job
from store.jobs.rows import copies_of, requeue_jobs
from store.networks import Policy
from store.reviews import Made, Need, Reviews
from store.secrets import SecretCipher, new_key
from store.sql.database import Database
from store.sql.tables import BatchItemRow, BatchRow, DeliveryRow, WebhookRow
from store.webhooks import EVENTS, Claimed, Deliveries, Delivery, Event, Outcome, Webhook, Webhooks
from tests.stores import JobStore

CIPHER = SecretCipher(new_key(), Path("/nowhere"))
GOOD = Outcome(0.1, 204, None)
BAD = Outcome(0.1, 500, "status")
GONE = Outcome(0.1, 410, "status")
HOUR = 3600.0
DAY_LEFT = 23 * HOUR


async def public(host: str, port: int) -> list[str]:
    return ["93.184.215.14"]


@pytest.fixture
def webhooks(database: Database) -> Webhooks:
    return Webhooks(database, CIPHER, policy=Policy(), most=40, resolve=public)


@pytest.fixture
def sender(database: Database) -> Deliveries:
    return Deliveries(database, Schedule.of("0,0,0"), CIPHER)


def register(
    webhooks: Webhooks, *events: Event, owner: str | None = None, url: str = "https://a.example/x"
) -> Webhook:
    return asyncio.run(webhooks.register(url, events or EVENTS, owner))[0]


def running(store: JobStore, owner: str | None = None) -> Job:
    """Return a job that a worker has at hand."""
    store.jobs.add(
        Job(str(uuid.uuid4()), "receipts", "0" * 64, "x.png", "image/png", 10, owner=owner)
    )
    job = store.claims.claim("w", lease=HOUR, max_attempts=3)
    assert job is not None
    return job


def batch_of(store: JobStore, *jobs: Job, owner: str | None = None) -> str:
    batch_id = str(uuid.uuid4())
    values = {"id": batch_id, "owner": owner, "name": "", "model": "receipts", "created_at": 0.0}
    with store.database.writing() as connection:
        connection.execute(insert(BatchRow).values(**values, options={}, skipped=[]))
        for number, job in enumerate(jobs, start=1):
            item = {"batch_id": batch_id, "number": number, "filename": "x", "job_id": job.id}
            connection.execute(insert(BatchItemRow).values(item))
    return batch_id


def told(webhooks: Webhooks, webhook: Webhook) -> list[tuple[str, str]]:
    """Return events and subjects of a webhook's deliveries, the oldest first."""
    found, _ = webhooks.deliveries(webhook.id)
    return [(delivery.event, delivery.subject) for delivery in found[::-1]]


def one(webhooks: Webhooks, webhook: Webhook) -> Delivery:
    ((delivery,), _) = webhooks.deliveries(webhook.id)
    return delivery


def take(sender: Deliveries, lease: float = HOUR) -> Claimed:
    (claimed,) = sender.claim(10, lease=lease)
    return claimed


def take_and_die(sender: Deliveries) -> Claimed:
    """Return what a sender took that does nothing more, its lease run out."""
    claimed = take(sender, lease=0.01)
    time.sleep(0.02)
    return claimed


ENDS: dict[str, Callable[[JobStore, Job], None]] = {
    "job.succeeded": lambda store, job: store.leases.succeed(job, "{}"),
    "job.failed": lambda store, job: store.leases.fail(job, EncryptedPdf("secret words")),
    "job.cancelled": lambda store, job: store.leases.fail(job, JobCancelled("It was cancelled.")),
}


@pytest.mark.parametrize("event", ENDS)
def test_every_end_is_told_to_those_who_listen(
    store: JobStore, webhooks: Webhooks, sender: Deliveries, event: Event
) -> None:
    listens, deaf = register(webhooks, event), register(webhooks, "batch.finished")
    off = register(webhooks, event)
    asyncio.run(webhooks.change(off.id, active=False))
    job = running(store)
    assert told(webhooks, listens) == []
    ENDS[event](store, job)
    assert told(webhooks, listens) == [(event, job.id)]
    assert told(webhooks, deaf) == told(webhooks, off) == []
    payload = json.loads(take(sender).body)
    assert payload["type"] == event
    assert payload["timestamp"].endswith("Z")
    assert payload["data"] == {
        "id": job.id,
        "state": event.removeprefix("job."),
        "model": "receipts",
        "error_code": {"job.failed": "pdf_encrypted", "job.cancelled": "job_cancelled"}.get(event),
        "batch": None,
        "url": f"/v1/jobs/{job.id}",
        "result_url": f"/v1/jobs/{job.id}/result",
    }


def test_messages_are_what_the_api_says_of_them(store: JobStore, webhooks: Webhooks) -> None:
    listens = register(webhooks)
    for end in ENDS.values():
        job = running(store)
        batch_of(store, job)
        end(store, job)
    job = running(store)
    store.leases.succeed(job, json.dumps(ANSWER))
    Reviews(store.database).end(job.id, "done", claimant="anna", reviewer="Anna")
    webhooks.test(listens.id)
    with store.database.reading() as connection:
        sent = list(map(json.loads, connection.scalars(select(DeliveryRow.payload))))
    described = {"job": JobMessage, "batch": BatchMessage, "webhook": TrialMessage}
    for message in sent:
        model = described[message["type"].partition(".")[0]]
        shown = model.model_validate(message).model_dump()  # what it does not name is left out
        assert shown["data"] == message["data"]
    events = {message["type"] for message in sent}
    told_of = {route.path for route in MESSAGES.routes if isinstance(route, APIRoute)}
    assert events == told_of == {*EVENTS, "webhook.test"}


def test_poison_is_told_of_too(store: JobStore, webhooks: Webhooks) -> None:
    webhook = register(webhooks)
    store.jobs.add(Job(str(uuid.uuid4()), "receipts", "0" * 64, "x.png", "image/png", 10))
    assert store.claims.claim("w", lease=-1.0, max_attempts=1) is not None
    assert store.claims.claim("w", lease=HOUR, max_attempts=1) is None
    assert [event for event, _ in told(webhooks, webhook)] == ["job.failed"]


def test_end_that_is_rolled_back_is_told_to_nobody(store: JobStore, webhooks: Webhooks) -> None:
    webhook, job = register(webhooks), running(store)
    fails: Any = {("a name without a label",): 1.0}  # in the last statement of the transaction
    with pytest.raises(ValueError, match="unpack"):
        store.leases.succeed(job, "{}", fails)
    assert told(webhooks, webhook) == []
    store.leases.succeed(job, "{}")
    assert told(webhooks, webhook) == [("job.succeeded", job.id)]


def test_owners_hear_of_their_own_alone(store: JobStore, webhooks: Webhooks) -> None:
    ours, theirs, nobodys = (register(webhooks, owner=owner) for owner in ("a", "b", None))
    job = running(store, owner="a")
    batch = batch_of(store, job, owner="a")
    store.leases.succeed(job, "{}")
    assert told(webhooks, ours) == [("job.succeeded", job.id), ("batch.finished", batch)]
    assert told(webhooks, theirs) == told(webhooks, nobodys) == []
    assert [item.id for item in webhooks.page(scope="a")[0]] == [ours.id]
    assert len(webhooks.page()[0]) == 3
    delivery = webhooks.deliveries(ours.id)[0][0]
    for scope in ("b", None):
        for refused in (
            lambda scope=scope: webhooks.get(ours.id, scope),
            lambda scope=scope: webhooks.delete(ours.id, scope),
            lambda scope=scope: webhooks.rotate(ours.id, scope),
            lambda scope=scope: webhooks.test(ours.id, scope),
            lambda scope=scope: webhooks.deliveries(ours.id, scope=scope),
            lambda scope=scope: webhooks.replay(ours.id, delivery.id, scope),
            lambda scope=scope: asyncio.run(webhooks.change(ours.id, scope, active=False)),
        ):
            with pytest.raises(WebhookUnknown):
                refused()
    with pytest.raises(DeliveryUnknown):  # of another webhook
        webhooks.replay(theirs.id, delivery.id, "b")
    assert webhooks.get(ours.id, "a").active


def test_batch_is_finished_once_whoever_ends_its_last_jobs(
    store: JobStore, webhooks: Webhooks
) -> None:
    webhook = register(webhooks, "batch.finished")
    for _ in range(5):
        jobs = [running(store) for _ in range(4)]
        batch = batch_of(store, *jobs)
        start = threading.Barrier(len(jobs))

        def end(job: Job, start: threading.Barrier = start) -> None:
            start.wait()
            store.leases.succeed(job, "{}")

        threads = [threading.Thread(target=end, args=(job,)) for job in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert told(webhooks, webhook)[-1] == ("batch.finished", batch)
    assert len(told(webhooks, webhook)) == 5


def test_batch_is_not_finished_while_one_of_its_jobs_is_tried_again(
    store: JobStore, webhooks: Webhooks
) -> None:
    webhook = register(webhooks, "batch.finished")
    failed, last = running(store), running(store)
    batch = batch_of(store, failed, last)
    ENDS["job.failed"](store, failed)
    with ThreadPoolExecutor() as pool:
        with store.database.writing() as connection:
            assert requeue_jobs(connection, [failed.id]) == [failed.id]
            other = pool.submit(store.leases.succeed, last, "{}")
            wait([other], 1)  # it ends before the retry is committed, or waits for that
        other.result()
    assert told(webhooks, webhook) == []
    again = store.claims.claim("w", lease=HOUR, max_attempts=3)
    assert again is not None
    store.leases.succeed(again, "{}")
    assert told(webhooks, webhook) == [("batch.finished", batch)]


@pytest.mark.parametrize("by", ["worker", "owner"])
def test_batch_is_removed_whoever_ends_its_last_job_meanwhile(
    store: JobStore, webhooks: Webhooks, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    webhook = register(webhooks, "job.succeeded", "batch.finished")
    job = store.jobs.add(Job(str(uuid.uuid4()), "receipts", "0" * 64, "x.png", "image/png", 10))
    batch, others = batch_of(store, job), list[Future[None]]()

    def end() -> None:
        if by == "owner":
            store.jobs.delete(job.id)
        elif claimed := store.claims.claim("w", lease=HOUR, max_attempts=3):
            store.leases.succeed(claimed, "{}")

    def while_another_ends_it(*given: Any) -> list[str]:
        others.append(pool.submit(end))
        wait(others, 2)
        return copies_of(*given)

    monkeypatch.setattr(batches, "copies_of", while_another_ends_it)
    with ThreadPoolExecutor() as pool:
        assert store.batches.delete(batch, ANY_OWNER) == 0
    assert isinstance(others[0].exception(), JobUnknown | StoreUnavailable | None)
    assert not store.jobs.exists(job.id)
    assert told(webhooks, webhook) == []


def test_batch_counts_its_items_by_state(
    store: JobStore, webhooks: Webhooks, sender: Deliveries
) -> None:
    register(webhooks, "batch.finished")
    jobs = [running(store) for _ in range(3)]
    batch = batch_of(store, *jobs)
    with store.database.writing() as connection:
        refused = {"batch_id": batch, "number": 9, "filename": "x", "error_code": "file_too_large"}
        connection.execute(insert(BatchItemRow).values(refused))
    for job, event in zip(jobs, ENDS, strict=True):
        ENDS[event](store, job)
    data = json.loads(take(sender).body)["data"]
    assert data["items"] == {"cancelled": 1, "failed": 1, "refused": 1, "succeeded": 1}
    assert data["result_url"] == f"/v1/batches/{batch}/results"


def test_last_waiting_job_that_is_deleted_finishes_its_batch(
    store: JobStore, webhooks: Webhooks
) -> None:
    webhook, done = register(webhooks, "batch.finished"), running(store)
    waits = store.jobs.add(Job(str(uuid.uuid4()), "receipts", "0" * 64, "x.png", "image/png", 10))
    batch = batch_of(store, done, waits)
    store.leases.succeed(done, "{}")
    assert told(webhooks, webhook) == []
    store.jobs.delete(waits.id)
    assert told(webhooks, webhook) == [("batch.finished", batch)]


def test_deleted_job_leaves_nothing_to_tell(
    store: JobStore, webhooks: Webhooks, sender: Deliveries
) -> None:
    webhook, job = register(webhooks, "job.succeeded"), running(store)
    store.leases.succeed(job, "{}")
    sender.settle(take(sender), GOOD)
    store.jobs.delete(job.id)
    assert told(webhooks, webhook) == []
    with store.database.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(DeliveryRow)) == 0


def test_job_tried_again_is_told_of_again(store: JobStore, webhooks: Webhooks) -> None:
    webhook, job = register(webhooks), running(store)
    batch = batch_of(store, job)
    ENDS["job.failed"](store, job)
    first = {delivery.id for delivery in webhooks.deliveries(webhook.id)[0]}
    with store.database.writing() as connection:
        assert requeue_jobs(connection, [job.id]) == [job.id]
    assert told(webhooks, webhook) == []
    again = store.claims.claim("w", lease=HOUR, max_attempts=3)
    assert again is not None
    ENDS["job.failed"](store, again)
    assert told(webhooks, webhook) == [("job.failed", job.id), ("batch.finished", batch)]
    assert not first & {delivery.id for delivery in webhooks.deliveries(webhook.id)[0]}


def test_review_that_ends_again_is_told_again_where_it_changed(
    store: JobStore, webhooks: Webhooks, sender: Deliveries
) -> None:
    webhook, job, reviews = (
        register(webhooks, "job.reviewed"),
        running(store),
        Reviews(store.database),
    )
    answer = Extraction.model_validate({**ANSWER, "id": job.id})
    store.leases.succeed(job, answer.model_dump_json(), None, Need(1, 1.0))
    anna: Any = {"claimant": "window-of-anna", "reviewer": "Anna"}

    def ended() -> str:
        reviews.end(job.id, "done", **anna)
        return one(webhooks, webhook).id

    first = ended()
    sender.settle(take(sender), GOOD)
    assert ended() == first  # the same request again
    reviews.decide(job.id, Made("a", "absent", "total"), **anna)  # when it was done
    second = ended()
    assert second != first
    reviews.decide(job.id, Made("b", "undo", "total", undoes="a"), **anna)  # which reopens it
    assert ended() not in (first, second)
    assert one(webhooks, webhook).state == "pending"


def test_delivery_is_tried_until_it_goes_through(webhooks: Webhooks, sender: Deliveries) -> None:
    webhook = register(webhooks)
    delivery = webhooks.test(webhook.id)
    attempts = []
    for outcome in (BAD, Outcome(15.0, None, "timeout"), GOOD):
        attempts.append(take(sender))
        assert one(webhooks, webhook).state == "sending"
        sender.settle(attempts[-1], outcome)
    assert len({(claimed.id, claimed.body) for claimed in attempts}) == 1
    assert attempts[0].id == delivery.id
    assert sender.claim(10, lease=HOUR) == []
    ended = one(webhooks, webhook)
    assert (ended.state, ended.next_at) == ("delivered", None)
    assert [(a.number, a.status, a.error) for a in ended.attempts] == [
        (1, 500, "status"),
        (2, None, "timeout"),
        (3, 204, None),
    ]


def test_delivery_waits_as_long_as_its_schedule_or_its_receiver_says(
    database: Database, webhooks: Webhooks
) -> None:
    sender, webhook = Deliveries(database, Schedule.of("0,100,100"), CIPHER), register(webhooks)
    waits = []
    for outcome in (BAD, Outcome(0.1, 503, "status", wish=5000.0)):
        webhooks.test(webhook.id)
        claimed = take(sender)
        sender.settle(claimed, outcome)
        delivery = webhooks.replay(webhook.id, claimed.id)  # now
        waits.append(delivery.next_at or 0.0)
        sender.settle(take(sender), outcome)
        later = next(d for d in webhooks.deliveries(webhook.id)[0] if d.id == claimed.id)
        assert later.next_at is not None
        waits[-1] = later.next_at - waits[-1]
        assert sender.claim(10, lease=HOUR) == []
    assert 100 <= waits[0] < 200
    assert 5000 <= waits[1] < 5100


def test_sender_that_died_is_followed_by_another_and_noted(
    webhooks: Webhooks, sender: Deliveries
) -> None:
    webhook = register(webhooks)
    webhooks.test(webhook.id)
    dead = take_and_die(sender)  # its process was killed between sending and settling
    second = take(sender)
    assert (second.id, second.body) == (dead.id, dead.body)
    assert second.token != dead.token
    sender.settle(second, GOOD)
    sender.settle(dead, BAD)  # it was only slow, and comes too late to change the outcome
    delivery = one(webhooks, webhook)
    assert delivery.state == "delivered"
    assert [attempt.error for attempt in delivery.attempts] == ["status", None]


def test_interrupted_attempts_come_to_an_end(webhooks: Webhooks, sender: Deliveries) -> None:
    webhook = register(webhooks)
    webhooks.test(webhook.id)
    for _ in range(3):
        take_and_die(sender)
    assert sender.claim(10, lease=HOUR) == []
    delivery = one(webhooks, webhook)
    assert delivery.state == "failed"
    assert [attempt.error for attempt in delivery.attempts] == 3 * ["interrupted"]


def test_stop_gives_back_what_it_cannot_finish(webhooks: Webhooks, sender: Deliveries) -> None:
    webhook = register(webhooks)
    webhooks.test(webhook.id)
    for _ in range(5):  # more often than there are attempts: none of them counts
        sender.give_back(take(sender))
    sender.settle(take(sender), GOOD)
    assert one(webhooks, webhook).state == "delivered"


def test_410_switches_a_webhook_off(
    store: JobStore, webhooks: Webhooks, sender: Deliveries
) -> None:
    webhook = register(webhooks)
    deliveries = [webhooks.test(webhook.id) for _ in range(4)]
    claimed = sender.claim(10, lease=HOUR)
    sender.settle(claimed[0], GONE)
    sender.settle(claimed[1], BAD)  # was under way; a webhook that is off gets no second attempt
    seen = webhooks.get(webhook.id)
    assert not seen.active
    assert "410" in (seen.disabled_reason or "")
    found, _ = webhooks.deliveries(webhook.id)
    assert {delivery.state for delivery in found} == {"failed"}
    store.leases.succeed(running(store), "{}")
    assert sender.claim(10, lease=HOUR) == []
    for refused in (webhooks.test, lambda i: webhooks.replay(i, deliveries[0].id)):
        with pytest.raises(WebhookDisabled, match="410"):
            refused(webhook.id)
    assert asyncio.run(webhooks.change(webhook.id, active=True)).active
    assert sender.claim(10, lease=HOUR) == []  # what failed is asked for one by one
    webhooks.replay(webhook.id, deliveries[3].id)
    sender.settle(take(sender), GOOD)


@pytest.mark.parametrize("outcome", [GONE, BAD])
def test_sender_that_comes_too_late_switches_nothing_off(
    webhooks: Webhooks, database: Database, outcome: Outcome
) -> None:
    sender, webhook = Deliveries(database, Schedule.of("0"), CIPHER), register(webhooks)
    late = []
    for _ in range(5):  # as many as have a webhook switched off
        webhooks.test(webhook.id)
        late.append(take_and_die(sender))
        assert sender.claim(10, lease=HOUR) == []  # another sender gives it up
    for claimed in late:
        sender.settle(claimed, outcome)
    assert webhooks.get(webhook.id).active


def test_receiver_that_never_hears_is_switched_off_in_the_end(
    webhooks: Webhooks, sender: Deliveries
) -> None:
    webhook = register(webhooks)

    def fail() -> None:
        webhooks.test(webhook.id)
        for _ in range(3):
            sender.settle(take(sender), BAD)

    for _ in range(4):
        fail()
    webhooks.test(webhook.id)
    sender.settle(take(sender), GOOD)  # it hears after all: counted from here
    for _ in range(4):
        fail()
    assert webhooks.get(webhook.id).active
    fail()
    assert "5 deliveries" in (webhooks.get(webhook.id).disabled_reason or "")
    asyncio.run(webhooks.change(webhook.id, active=True))
    fail()
    assert webhooks.get(webhook.id).active


def test_blocked_is_blocked_for_good(webhooks: Webhooks, sender: Deliveries) -> None:
    webhook = register(webhooks)
    webhooks.test(webhook.id)
    sender.settle(take(sender), Outcome(0.0, None, "blocked"))
    assert one(webhooks, webhook).state == "blocked"
    assert sender.claim(10, lease=HOUR) == []
    assert webhooks.get(webhook.id).active


def test_replay_sends_the_same_and_counts_anew(webhooks: Webhooks, sender: Deliveries) -> None:
    webhook = register(webhooks)
    delivery = webhooks.test(webhook.id)
    for _ in range(3):
        last = take(sender)
        sender.settle(last, BAD)
    assert one(webhooks, webhook).state == "failed"
    for outcome in (BAD, BAD, GOOD):
        if outcome is BAD:
            assert webhooks.replay(webhook.id, delivery.id).state == "pending"
        again = take(sender)
        assert webhooks.replay(webhook.id, delivery.id).state == "sending"  # left alone
        sender.settle(again, outcome)
        assert (again.id, again.body) == (last.id, last.body)
    assert [a.number for a in one(webhooks, webhook).attempts] == [1, 2, 3, 4, 5, 6]


def test_slow_receiver_holds_up_nobody_else(webhooks: Webhooks, sender: Deliveries) -> None:
    slow = [register(webhooks, owner=None) for _ in range(6)]
    for webhook in slow:
        for _ in range(5):
            webhooks.test(webhook.id)
    held = sender.claim(100, lease=HOUR)
    per_receiver = [sum(c.webhook_id == w.id for c in held) for w in slow]
    assert max(per_receiver) == 2  # of each receiver
    assert len(held) == 8  # of all receivers of an owner
    assert sender.claim(100, lease=HOUR) == []


def test_receiver_that_hears_at_once_goes_before_those_that_never_answer(
    webhooks: Webhooks, sender: Deliveries
) -> None:
    silent = [register(webhooks) for _ in range(4)]
    for webhook in silent:
        for _ in range(5):
            webhooks.test(webhook.id)
    held = sender.claim(100, lease=HOUR)
    assert len(held) == 8  # all that the owner may have at work
    prompt = register(webhooks)
    for _ in range(3):
        webhooks.test(prompt.id)
    for claimed in held:  # all together, as those do that never answer
        sender.settle(claimed, BAD)
    held = sender.claim(100, lease=HOUR)
    mine = [claimed for claimed in held if claimed.webhook_id == prompt.id]
    assert mine
    for number in range(1, 4):
        sender.settle(mine.pop(), GOOD)
        mine += [one for one in sender.claim(1, lease=HOUR) if one.webhook_id == prompt.id]
        assert bool(mine) == (number < 3)


def test_owners_take_turns(database: Database, webhooks: Webhooks, sender: Deliveries) -> None:
    keys = Keys(database)
    owners = [keys.create(name)[0].owner for name in ("many", "few")]
    of: dict[str, str] = {}
    for owner in (*4 * owners[:1], owners[1]):  # the few come last
        webhook = register(webhooks, owner=owner)
        webhooks.test(webhook.id)
        of[webhook.id] = owner
    first, second = sender.claim(2, lease=HOUR)
    assert [of[first.webhook_id], of[second.webhook_id]] == owners
    assert len(sender.claim(10, lease=HOUR)) == 3


def test_owner_without_a_valid_key_is_told_nothing(
    database: Database, webhooks: Webhooks, sender: Deliveries
) -> None:
    keys = Keys(database)
    key, _ = keys.create("client")
    webhooks.test(register(webhooks, owner=key.owner).id)
    keys.revoke(key.id)
    assert sender.claim(10, lease=HOUR) == []
    key, _ = keys.create("another")
    webhooks.test(register(webhooks, owner=key.owner).id)
    keys.rotate("another", grace_s=0.0)  # the new key owns what the old one owned
    assert len(sender.claim(10, lease=HOUR)) == 1


def test_rotated_secret_signs_beside_the_old_one_for_a_day(
    database: Database, webhooks: Webhooks, sender: Deliveries
) -> None:
    webhook, first = asyncio.run(webhooks.register("https://a.example", EVENTS, None))
    assert first.startswith("whsec_")
    rotated, second = webhooks.rotate(webhook.id)
    assert rotated.old_secret_until is not None
    webhooks.test(webhook.id)
    claimed = take(sender)
    assert claimed.secrets == (second, first)
    assert DAY_LEFT < rotated.old_secret_until - claimed.at <= 24 * HOUR
    sender.settle(claimed, GOOD)
    _, third = webhooks.rotate(webhook.id)
    webhooks.test(webhook.id)
    claimed = take(sender)
    assert claimed.secrets == (third, second)
    sender.settle(claimed, GOOD)
    with database.writing() as connection:  # a day later
        connection.execute(update(WebhookRow).values(old_secret_until=claimed.at))
    webhooks.test(webhook.id)
    assert take(sender).secrets == (third,)
    assert webhooks.get(webhook.id).old_secret_until is None


def test_log_is_cut_after_a_while_and_read_by_pages(webhooks: Webhooks, sender: Deliveries) -> None:
    webhook = register(webhooks)
    ids = [webhooks.test(webhook.id).id for _ in range(5)][::-1]
    seen: list[str] = []
    cursor = None
    while True:
        page, cursor = webhooks.deliveries(webhook.id, cursor, 2)
        seen += [delivery.id for delivery in page]
        if cursor is None:
            break
    assert seen == ids
    with pytest.raises(InvalidOption):
        webhooks.deliveries(webhook.id, "nonsense")
    sender.prune(older_than=HOUR)
    assert len(webhooks.deliveries(webhook.id)[0]) == 5
    sender.prune(older_than=-1.0)
    assert webhooks.deliveries(webhook.id)[0] == []


def test_a_clock_that_is_set_back_puts_no_delivery_off(
    database: Database, webhooks: Webhooks
) -> None:
    webhook = register(webhooks)
    sender = Deliveries(database, Schedule.of("0,7200"), CIPHER)
    failed = webhooks.test(webhook.id)
    sender.settle(take(sender), BAD)
    lost = webhooks.test(webhook.id)
    take(sender)
    sender.hasten()
    assert sender.claim(9, lease=HOUR) == []  # neither the next attempt is due, nor the lease over
    with database.writing() as connection:  # as if all had been a year later
        later = DeliveryRow.next_at + 365 * 24 * HOUR
        connection.execute(update(DeliveryRow).values(next_at=later))
    sender.hasten()
    assert {one.id for one in sender.claim(9, lease=HOUR)} == {failed.id, lost.id}


def test_webhooks_are_limited_changed_and_removed(database: Database) -> None:
    webhooks = Webhooks(database, CIPHER, policy=Policy(), most=2, resolve=public)
    first, second = register(webhooks, "job.failed"), register(webhooks)
    with pytest.raises(TooManyWebhooks):
        register(webhooks)
    register(webhooks, owner="another")
    changed = asyncio.run(
        webhooks.change(first.id, url="https://b.example/", events=["job.succeeded"] * 2)
    )
    assert (changed.url, changed.events) == ("https://b.example/", ("job.succeeded",))
    assert asyncio.run(webhooks.change(first.id)) == changed
    webhooks.test(second.id)
    webhooks.delete(second.id)
    with pytest.raises(WebhookUnknown):
        webhooks.get(second.id)
    for unknown in ("", "\0", "x" * 300, str(uuid.uuid4())):
        with pytest.raises(WebhookUnknown):
            webhooks.delete(unknown)
        with pytest.raises(DeliveryUnknown):
            webhooks.replay(first.id, unknown)


def test_target_is_judged_at_the_door(database: Database) -> None:
    async def nowhere(host: str, port: int) -> list[str]:
        return []

    async def inside(host: str, port: int) -> list[str]:
        return ["10.0.0.1"]

    messages = set()
    for resolve in (nowhere, inside):
        webhooks = Webhooks(database, CIPHER, policy=Policy(), most=20, resolve=resolve)
        with pytest.raises(WebhookTargetRefused) as refusal:
            register(webhooks)
        messages.add(refusal.value.detail)
    (told,) = messages  # which names exist inside is not told
    assert "no public address, or none at all" in told  # and both may be
    webhook = register(Webhooks(database, CIPHER, policy=Policy(), most=20, resolve=public))
    with pytest.raises(WebhookTargetRefused):
        asyncio.run(webhooks.change(webhook.id, url="https://b.example/"))
    assert webhooks.get(webhook.id) == webhook
