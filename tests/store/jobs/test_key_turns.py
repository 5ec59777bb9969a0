"""Keys are served in turns, one document each; within a key first come, first served."""

from __future__ import annotations

import itertools
import random
import time
import uuid
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, text, update

from pipeline.errors import EncryptedPdf
from store.jobs import Job
from store.jobs.rows import COLUMNS, change, insert_jobs, requeue_jobs
from store.sql.tables import JobRow
from tests.stores import JobStore

LEASE = 60.0


def new_job(owner: str | None, priority: int = 1) -> Job:
    job_id = str(uuid.uuid4())
    return Job(job_id, "m", "0" * 64, "", "", 1, owner=owner, priority=priority)


def send(store: JobStore, owner: str | None, number: int = 1, priority: int = 1) -> list[Job]:
    """Store the jobs of one request."""
    with store.database.writing() as connection:
        return insert_jobs(connection, [new_job(owner, priority) for _ in range(number)])


def claim(store: JobStore, *stages: str) -> Job | None:
    wanted: dict[str, Any] = {"stages": stages} if stages else {}
    return store.claims.claim("w", lease=LEASE, max_attempts=3, **wanted)


def claimed(store: JobStore, *stages: str) -> Job:
    job = claim(store, *stages)
    assert job is not None
    return job


def serve(store: JobStore, number: int) -> str:
    """Have so many jobs answered, one after another; return their owners, a letter each."""
    owners = ""
    for _ in range(number):
        job = claimed(store)
        owners += job.owner or "-"
        store.leases.succeed(job, "{}")
    return owners


def turn(store: JobStore, job: Job) -> int | None:
    with store.database.reading() as connection:
        return connection.scalar(select(JobRow.turn).where(JobRow.id == job.id))


def test_long_queue_of_one_key_holds_up_no_other(store: JobStore) -> None:
    send(store, "a", 50)
    assert serve(store, 10) == "a" * 10
    send(store, "b", 3)
    assert serve(store, 8) == "abababaa"


def test_three_keys_share(store: JobStore) -> None:
    send(store, "a", 9)
    send(store, "b", 3)
    send(store, "c", 6)
    assert serve(store, 18) == "abcabcabc" + "acacac" + "aaa"


def test_key_that_sends_one_at_a_time_takes_its_turns_too(store: JobStore) -> None:
    """What it had before gives it no advance, whether that still runs or not."""
    send(store, "a", 20)
    owners = ""
    for _ in range(6):
        send(store, "b")
        owners += serve(store, 2)
    assert owners == "ab" * 6
    running = []
    for _ in range(6):  # it sends the next as soon as one is claimed
        send(store, "b")
        running += [claimed(store), claimed(store)]
    assert "".join(job.owner or "" for job in running) == "ab" * 6


def test_within_a_key_the_first_is_served_first(store: JobStore) -> None:
    mine = send(store, "a", 2)
    send(store, "b", 9)
    mine += [*send(store, "a"), *send(store, "a", 2)]
    order = [claimed(store) for _ in range(14)]
    assert [job.id for job in order if job.owner == "a"] == [job.id for job in mine]


def test_without_keys_and_with_one_the_oldest_comes_first(store: JobStore) -> None:
    for owner in (None, "a"):
        jobs = [*send(store, owner, 3), *send(store, owner), *send(store, owner, 2)]
        back = claimed(store)
        store.leases.hand_back(back)
        assert [claimed(store).id for _ in jobs] == [job.id for job in jobs]


def test_jobs_without_a_key_take_turns_with_those_of_keys(store: JobStore) -> None:
    """They were sent before the first key was made."""
    send(store, None, 5)
    send(store, "b", 2)
    assert serve(store, 7) == "-b-b---"


def test_priority_comes_before_the_turn(store: JobStore) -> None:
    send(store, "a", 3)
    serve(store, 2)
    send(store, "b", 2, priority=0)
    send(store, "a", 2, priority=0)
    assert serve(store, 5) == "babaa"


def test_key_that_comes_back_has_no_credit(store: JobStore) -> None:
    send(store, "a", 40)
    send(store, "b")
    assert serve(store, 20) == "ab" + "a" * 18
    send(store, "b", 9)
    assert serve(store, 8) == "abababab"


def test_job_put_off_does_not_hold_the_turn_back(store: JobStore) -> None:
    """Even once it is due: else all that another key sends would go before those that wait."""
    send(store, "a", 60)
    put_off = claimed(store)
    store.leases.hand_back(put_off, delay=600)
    serve(store, 30)
    (new,) = send(store, "b")
    assert (turn(store, put_off), turn(store, new)) == (0, 31)
    with store.database.writing() as connection:
        change(connection, JobRow.id == put_off.id, not_before=1.0)
    (new,) = send(store, "c")
    assert turn(store, new) == 31
    assert claimed(store).id == put_off.id
    assert serve(store, 6) == "abcaaa"


def test_turns_go_on_where_none_waits_but_those_put_off(store: JobStore) -> None:
    """A new batch does not go before what was served up to now."""
    send(store, "a", 8)
    serve(store, 7)
    last = claimed(store)
    (beside,) = send(store, "b")
    assert turn(store, beside) == turn(store, last) == 7
    store.jobs.delete(beside.id)
    store.leases.hand_back(last, delay=600)
    assert [turn(store, job) for job in send(store, "c", 2)] == [7, 8]


def test_document_that_is_read_for_long_does_not_hold_the_turn_back(store: JobStore) -> None:
    """It comes first at the next stage, and new jobs come where the others are by then."""
    send(store, "a", 40)
    slow = claimed(store, "read")
    for _ in range(20):
        store.leases.hand_on(claimed(store, "read"), "tag")
    assert serve(store, 10) == "a" * 10  # of those read
    store.leases.hand_on(slow, "tag")
    assert claimed(store, "tag").id == slow.id
    (new,) = send(store, "b")
    assert turn(store, new) == turn(store, slow) == 11


def test_key_waits_for_no_backlog_between_stages(store: JobStore) -> None:
    send(store, "a", 30)
    for _ in range(20):
        store.leases.hand_on(claimed(store, "read"), "tag")
    send(store, "b")
    store.leases.hand_on(claimed(store, "read"), "tag")
    # The first one was handed on while nothing but the second waited: they have one turn.
    assert [claimed(store, "tag").owner for _ in range(4)] == ["a", "a", "b", "a"]


@pytest.mark.parametrize("readers", [2, 8])
def test_key_whose_documents_are_read_at_once_has_one_turn_for_each(
    store: JobStore, readers: int
) -> None:
    """It sends one after the other, and each is claimed before the next one comes."""
    send(store, "a", 70)
    for _ in range(60):
        store.leases.hand_on(claimed(store, "read"), "tag")
    owners, being_read = "", []
    for _ in range(60):
        send(store, "b")
        being_read.append(claimed(store, "read"))
        if len(being_read) == readers:
            store.leases.hand_on(being_read.pop(0), "tag")
        job = claimed(store, "tag")
        owners += job.owner or ""
        store.leases.succeed(job, "{}")
    assert abs(owners.count("a") - owners.count("b")) <= readers + 1, owners


def test_job_tried_anew_stands_behind_those_of_its_key(store: JobStore) -> None:
    (failed,) = send(store, "a")
    store.leases.fail(claimed(store), EncryptedPdf("It is locked."))
    send(store, "b", 3)
    send(store, "a", 2)
    with store.database.writing() as connection:
        assert requeue_jobs(connection, [failed.id]) == [failed.id]
    send(store, "a")
    order = [claimed(store) for _ in range(7)]
    assert "".join(job.owner or "" for job in order) == "bababaa"
    assert [job.id for job in order].index(failed.id) == 5


def test_lost_job_is_claimed_in_its_turn(store: JobStore) -> None:
    send(store, "a", 9)
    lost = store.claims.claim("dead", lease=-1.0, max_attempts=3)
    assert lost is not None
    send(store, "b", 2)
    assert claimed(store).id == lost.id
    assert serve(store, 5) == "ababa"


@pytest.mark.parametrize("seed", range(4))
def test_keys_that_wait_are_served_alike(store: JobStore, seed: int) -> None:
    """While two keys wait, neither gets two documents more than the other, and one in hand."""
    rng = random.Random(seed)
    waiting: Counter[str] = Counter()
    served: Counter[str] = Counter()
    since: dict[tuple[str, str], int] = {}  # how far a pair was apart when both began to wait
    for _ in range(120):
        if rng.random() < 0.3:
            owner = rng.choice("abcd")
            number = rng.choice((1, 1, 2, 10))
            send(store, owner, number)
            waiting[owner] += number
        elif job := claim(store):
            store.leases.succeed(job, "{}")
            waiting[job.owner or ""] -= 1
            served[job.owner or ""] += 1
        for pair in itertools.combinations("abcd", 2):
            first, second = pair
            if not (waiting[first] and waiting[second]):
                since.pop(pair, None)
                continue
            apart = served[first] - served[second]
            assert abs(apart - since.setdefault(pair, apart)) <= 2
    assert served.total() > 40


def test_place_in_the_queue_is_that_of_the_claims(store: JobStore) -> None:
    jobs = [*send(store, "a", 4), *send(store, "b", 2), *send(store, None)]
    urgent = send(store, "b", priority=0)

    def place(job: Job) -> int | None:
        return store.jobs.position(job)

    places = {job.id: place(job) for job in [*jobs, *urgent]}
    assert places[jobs[3].id] == 8
    send(store, "c", 9)
    assert place(jobs[3]) == 11  # others have sent meanwhile
    assert place(jobs[0]) == places[jobs[0].id] == 2
    now = [place(job) for job in (*urgent, *jobs)]
    order = [claimed(store).id for _ in range(17)]
    assert now == [order.index(job.id) + 1 for job in (*urgent, *jobs)]
    store.jobs.delete(jobs[0].id)
    (gone,) = send(store, "a")
    store.jobs.delete(gone.id)
    assert place(gone) is None


def test_pass_of_several_documents_takes_them_in_turns(store: JobStore) -> None:
    ready = {"stage": "tag", "model_version": "1", "words": 10}
    for owner, number in (("a", 4), ("b", 2)):
        with store.database.writing() as connection:
            insert_jobs(connection, [replace(new_job(owner), **ready) for _ in range(number)])
    first = claimed(store, "tag")
    more = store.claims.claim_more("w", first, lease=LEASE, words=40)
    assert [job.owner for job in (first, *more)] == ["a", "b", "a", "b"]


def test_migration_keeps_the_order_and_lets_new_keys_in(store: JobStore) -> None:
    store.database.migrate("0016")
    old = [
        *send(store, "a", 3),
        *send(store, "b"),
        *send(store, "a", 6),
        *send(store, "b", priority=0),
    ]
    with store.database.writing() as connection:
        running = {"state": "running", "lease_until": 0.0}
        connection.execute(update(JobRow).where(JobRow.id == old[0].id).values(running))
    store.database.migrate()
    (new,) = send(store, "c")
    order = [claimed(store).id for _ in range(12)]
    assert order[:4] == [old[-1].id, old[0].id, old[1].id, new.id]
    assert [*order[:3], *order[4:]] == [job.id for job in (old[-1], *old[:-1])]


def test_release_before_adds_and_moves_jobs_in_their_turns(store: JobStore) -> None:
    """It knows nothing of them: an API or a worker of it may run beside the new ones."""
    send(store, "a", 5)
    serve(store, 2)
    values = {name: getattr(new_job("b"), name) for name in (column.key for column in COLUMNS)}
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    statement = text(f"INSERT INTO jobs ({names}) VALUES ({marks})")
    with store.database.writing() as connection:
        for number in range(2):
            row = {"id": f"old-{number}", "options": "{}", "created_at": time.time()}
            connection.execute(statement, values | row)
    assert serve(store, 5) == "ababa"
