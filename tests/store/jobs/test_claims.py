"""Claims: who comes first, how jobs go from stage to stage, and which go together."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from store.errors import JobCancelled
from store.jobs import Job, LeaseLost
from store.jobs.rows import change
from store.sql.tables import JobRow, LockRow
from tests.stores import JobStore

LEASE = 60.0


def new_job(**changes: Any) -> Job:
    job = Job(str(uuid.uuid4()), "receipts", "0" * 64, "a.png", "image/png", 10)
    return replace(job, **changes)


def add(store: JobStore, **changes: Any) -> Job:
    return store.jobs.add(new_job(**changes))


def claim(store: JobStore, **options: Any) -> Job | None:
    return store.claims.claim("w", **{"lease": LEASE, "max_attempts": 3, **options})


def claimed(store: JobStore, **options: Any) -> Job:
    job = claim(store, **options)
    assert job is not None
    return job


def tagging(store: JobStore, words: int = 100, **changes: Any) -> Job:
    return add(store, stage="tag", model_version="1", words=words, **changes)


def test_who_waits_for_an_answer_comes_first(store: JobStore) -> None:
    batch = [add(store, priority=1) for _ in range(2)]
    waited_for = [add(store) for _ in range(2)]
    order = [claimed(store).id for _ in range(4)]
    assert order == [job.id for job in waited_for + batch]


def test_priority_goes_before_stage(store: JobStore) -> None:
    add(store, priority=1, stage="resolve")
    urgent = add(store, stage="read")
    assert claimed(store).id == urgent.id


def test_lane_leaves_the_batch_to_others(store: JobStore) -> None:
    add(store, priority=1)
    assert claim(store, priority_at_most=0) is None
    urgent = add(store)
    assert claimed(store, priority_at_most=0).id == urgent.id


def test_worker_takes_its_own_stages(store: JobStore) -> None:
    add(store, stage="read")
    tag = add(store, stage="tag")
    assert claim(store, stages=("resolve",)) is None
    assert claimed(store, stages=("resolve", "tag")).id == tag.id


def test_lost_job_of_another_stage_is_left_alone(store: JobStore) -> None:
    add(store)
    lost = claimed(store, lease=-1.0)
    assert claim(store, stages=("tag",)) is None
    assert claimed(store, stages=("read",)).id == lost.id


def test_what_a_worker_works_on_it_never_claims_again(store: JobStore) -> None:
    """Its lease may be over where the store was away: another may have it, but not its holder."""
    add(store)
    own = claimed(store, lease=-1.0)
    assert claim(store, held=[own.token]) is None
    assert claimed(store, held=["another"]).attempts == 2


def test_job_handed_on_has_not_spent_its_attempt(store: JobStore) -> None:
    job = add(store)
    for stage in ("tag", "resolve"):
        store.leases.hand_on(claimed(store, stages=(store.jobs.get(job.id).stage,)), stage, words=7)
        seen = store.jobs.get(job.id)
        assert (seen.state, seen.stage, seen.attempts) == ("queued", stage, 0)
        assert (seen.token, seen.worker, seen.lease_until) == (None, None, None)
    assert store.jobs.get(job.id).words == 7
    last = claimed(store)
    store.leases.succeed(last, "{}")
    assert store.jobs.get(job.id).attempts == 1


def test_crash_counts_over_all_stages(store: JobStore) -> None:
    job = add(store)
    claimed(store, lease=-1.0)
    store.leases.hand_on(claimed(store), "tag")
    assert store.jobs.get(job.id).attempts == 1
    assert claimed(store).attempts == 2


def test_only_the_holder_hands_on(store: JobStore) -> None:
    add(store)
    zombie = claimed(store, lease=-1.0)
    healthy = claimed(store)
    with pytest.raises(LeaseLost):
        store.leases.hand_on(zombie, "tag")
    store.jobs.delete(healthy.id)
    with pytest.raises(JobCancelled):
        store.leases.hand_on(healthy, "tag")


def test_version_is_fixed_at_the_first_claim(store: JobStore) -> None:
    add(store)
    first = claimed(store, version_of=lambda model: "1")
    assert first.model_version == "1"
    store.leases.hand_back(first)
    assert claimed(store, version_of=lambda model: "2").model_version == "1"


def test_version_that_cannot_be_told_stays_open(store: JobStore) -> None:
    add(store)
    assert claimed(store, version_of=lambda model: None).model_version is None


def test_only_waiting_jobs_of_the_stages_wait(store: JobStore) -> None:
    assert not store.claims.waits(("read", "tag"))
    job = add(store, priority=1)
    assert store.claims.waits(("read", "tag"))
    assert not store.claims.waits(("tag",))
    held = claimed(store)
    assert not store.claims.waits(("read", "tag"))
    store.leases.hand_back(held, delay=3600)
    assert not store.claims.waits(("read", "tag"))
    assert store.jobs.get(job.id).state == "queued"


def test_a_clock_that_is_set_back_puts_nothing_off(store: JobStore) -> None:
    """By the hours that it is set back: of a document that was tried at the wrong time."""
    job = add(store)
    store.leases.hand_back(claimed(store), delay=5)
    with store.database.writing() as connection:
        hours = {"not_before": JobRow.not_before + 7200, "announced_at": time.time() + 7200}
        connection.execute(update(JobRow).values(hours))
    assert store.claims.unannounced("read", older_than=15, most=8) == [job.id]
    assert claimed(store).id == job.id


def test_a_clock_that_is_set_back_makes_no_lease_longer(store: JobStore) -> None:
    lost, held = add(store), add(store)
    claimed(store)
    with store.database.writing() as connection:
        later = {"lease_until": JobRow.lease_until + 7200}
        connection.execute(update(JobRow).where(JobRow.id == lost.id).values(later))
    kept = claimed(store)
    assert kept.id == held.id
    store.claims.cut_leases(lease=LEASE)
    assert claim(store) is None  # whoever holds it has as long as ever to renew it
    store.claims.cut_leases(lease=LEASE)  # another process does so, too
    assert store.jobs.get(lost.id).lease_until == pytest.approx(kept.lease_until, abs=60)
    assert store.jobs.get(held.id).lease_until == kept.lease_until


def test_each_job_is_taken_once(store: JobStore) -> None:
    jobs = {add(store).id for _ in range(24)}

    def take_all(number: int) -> list[str]:
        found = []
        while (job := store.claims.claim(f"w{number}", lease=LEASE, max_attempts=3)) is not None:
            found.append(job.id)
        return found

    with ThreadPoolExecutor(6) as pool:
        taken = [job_id for found in pool.map(take_all, range(6)) for job_id in found]
    assert len(taken) == len(set(taken))
    while (left := claim(store)) is not None:  # of a row that another one had locked
        taken.append(left.id)
    assert set(taken) == jobs


def test_jobs_of_one_model_go_together(store: JobStore) -> None:
    first = tagging(store)
    same = [tagging(store), tagging(store, model="receipts@1")]
    for other in (
        {"model": "orders"},
        {"model_version": "2"},
        {"priority": 1},
        {"attempts": 1},  # it may be what stopped a worker
        {"stage": "read"},
    ):
        add(store, **{"stage": "tag", "model_version": "1", "words": 100, **other})
    job = claimed(store, stages=("tag",))
    assert job.id == first.id
    more = store.claims.claim_more("w", job, lease=LEASE, words=1000)
    assert [one.id for one in more] == [one.id for one in same]
    assert {(one.state, one.attempts, one.worker) for one in more} == {("running", 1, "w")}
    for one in more:
        store.leases.hand_on(one, "resolve")


@pytest.mark.parametrize(
    ("words", "taken"), [(100, 0), (299, 1), (300, 2), (10_000, 4)], ids=lambda value: str(value)
)
def test_words_bound_what_goes_together(store: JobStore, words: int, taken: int) -> None:
    for _ in range(5):
        tagging(store, words=100)
    job = claimed(store, stages=("tag",))
    assert len(store.claims.claim_more("w", job, lease=LEASE, words=words)) == taken


def test_leases_are_renewed_together(store: JobStore) -> None:
    add(store)
    add(store)
    kept, lost = claimed(store), claimed(store, lease=-1.0)
    again = claimed(store)
    assert again.id == lost.id
    before = store.jobs.get(again.id).lease_until
    store.leases.renew_all([lost, kept], lease=1000.0)
    assert store.jobs.get(again.id).lease_until == before
    assert (store.jobs.get(kept.id).lease_until or 0) > (kept.lease_until or 0) + 500


def test_leases_are_renewed_in_the_order_in_which_others_lock_jobs(store: JobStore) -> None:
    add(store)
    add(store)
    low, high = sorted((claimed(store), claimed(store)), key=lambda job: job.id)
    with ThreadPoolExecutor() as pool:
        with store.database.writing() as connection:
            change(connection, JobRow.id == low.id, words=1)
            other = pool.submit(store.leases.renew_all, [high, low], lease=LEASE)
            wait([other], 1)
            change(connection, JobRow.id == high.id, words=1)
        assert other.result() == []


def test_hopeless_jobs_are_ended_without_a_claim(store: JobStore) -> None:
    spent = add(store, stage="read", attempts=2)
    cancelled, good = add(store, stage="tag"), add(store, stage="resolve")
    for stage in ("read", "tag", "resolve"):
        claimed(store, lease=-1.0, stages=(stage,))
    store.jobs.delete(cancelled.id)
    assert store.claims.end_hopeless(max_attempts=3) == 2
    assert store.claims.end_hopeless(max_attempts=3) == 0
    assert (store.jobs.get(spent.id).state, store.jobs.get(spent.id).error_code) == (
        "failed",
        "worker_crashed",
    )
    assert store.jobs.get(cancelled.id).state == "cancelled"
    assert store.jobs.get(good.id).state == "running"


def test_jobs_nobody_was_told_of_are_found(store: JobStore) -> None:
    queued, lost = add(store), add(store)
    # They were announced as they came.
    assert store.claims.unannounced("read", older_than=60.0, most=10) == []
    assert set(store.claims.unannounced("read", older_than=-1.0, most=10)) == {queued.id, lost.id}
    assert store.claims.unannounced("read", older_than=-1.0, most=1) == [queued.id]
    assert store.claims.unannounced("tag", older_than=-1.0, most=10) == []
    store.leases.hand_back(claimed(store))
    assert store.claims.unannounced("read", older_than=60.0, most=10) == [queued.id]
    store.claims.note_announced([queued.id])
    assert store.claims.unannounced("read", older_than=60.0, most=10) == []


def test_turn_comes_once_in_its_time(store: JobStore) -> None:
    assert store.turns.take("sweep", "a", every=60.0)
    assert not store.turns.take("sweep", "a", every=60.0)
    assert not store.turns.take("sweep", "b", every=60.0)
    assert store.turns.take("other", "b", every=-1.0)
    assert store.turns.take("other", "a", every=60.0)  # whoever comes first after it is due


def test_turn_of_a_clock_that_was_set_back_is_none(store: JobStore) -> None:
    assert store.turns.take("sweep", "a", every=60.0)
    with store.database.writing() as connection:  # as of a clock that went a day ahead
        connection.execute(update(LockRow).values(lease_until=LockRow.lease_until + 24 * 3600))
    assert store.turns.take("sweep", "b", every=60.0)
    assert not store.turns.take("sweep", "a", every=60.0)
