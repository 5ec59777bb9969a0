"""Reviews in the store: who has what in hand, and decisions that are kept for good."""

from __future__ import annotations

import json
import uuid
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert, update

from app.schemas.common import ANSWER
from pipeline.errors import CorruptDocument, InvalidOption
from pipeline.result import Extraction
from store.access import audit
from store.actor import acting
from store.errors import JobExpired, JobNotFinished, JobUnknown, ReviewClaimed
from store.jobs import Job, New
from store.jobs.rows import change
from store.reviews import Made, Reviews, need_of
from store.reviews import reviews as store_reviews
from store.sql.tables import JobRow, ResultRow, ReviewRow, WebhookRow
from store.webhooks import EVENTS
from tests.stores import JobStore

ANNA, BEN = "window-of-anna", "window-of-ben"
TOTAL = ANSWER["fields"]["total"]


def value(text: str, confidence: float = 0.5, **changes: Any) -> dict[str, Any]:
    """Return a doubtful value of a field."""
    plain = {**TOTAL, "text": text, "value": text, "confidence": confidence, "needs_review": True}
    return {**plain, **changes}


AMBIGUOUS = {"status": "ambiguous", "reason": "Two ways.", "alternatives": ["2018-03-04"]}
OTHER = {"text": "7.00", "value": "7.00", "confidence": 0.2, "page": 1, "box": [0, 0, 1, 1]}
FIELDS = {
    "total": value("9.00", candidates=[OTHER]),
    "date": value("3/4/2018", value="2018-04-03", normalisation=AMBIGUOUS),
    "party": [value("ACME"), value("Muster")],
    "note": None,
}


def answered(store: JobStore, owner: str | None = None, groups: Any = None, **changes: Any) -> str:
    """Return the id of a job that ended with an answer; `changes` are of its fields."""
    job_id = str(uuid.uuid4())
    store.jobs.add(
        Job(job_id, "tiny", "0" * 64, f"{job_id[:4]}.pdf", media_type="", size=1, owner=owner)
    )
    job = store.claims.claim("w", lease=60, max_attempts=3)
    assert job is not None
    content = {"id": job_id, "fields": {**FIELDS, **changes}, "groups": groups or {}}
    answer = Extraction.model_validate({**ANSWER, **content})
    store.leases.succeed(job, answer.model_dump_json(), None, need_of(answer))
    return job_id


@pytest.fixture
def reviews(store: JobStore) -> Reviews:
    """The reviews of an empty store."""
    return Reviews(store.database)


def decide(reviews: Reviews, job_id: str, kind: Any, field: str, **wanted: Any) -> dict[str, Any]:
    """Decide as Anna; return the fields."""
    made = Made(**{"id": str(uuid.uuid4()), "kind": kind, "field": field, **wanted})
    return reviews.decide(job_id, made, claimant=ANNA, reviewer="Anna").fields


def result(store: JobStore, job_id: str, *, reviewed: bool = True) -> dict[str, Any]:
    body = store.jobs.answered(job_id, reviewed=reviewed)[1]
    assert body is not None
    return dict(json.loads(body))


def test_what_is_most_doubtful_comes_first(store: JobStore, reviews: Reviews) -> None:
    sure = {"date": None, "party": []}
    usual = answered(store, total=value("1", 0.9), **sure)
    worst = answered(store, total=value("1", 0.2), **sure)
    answered(store, total={**value("1"), "needs_review": False}, **sure)  # nobody has to see it
    younger = answered(store, total=value("1", 0.9), **sure)
    queue = reviews.queue()
    assert [review.job_id for review in queue.reviews] == [worst, usual, younger]
    assert queue.waiting == {"tiny": 3}
    assert queue.oldest is not None
    assert reviews.queue(model="other").reviews == []


def test_two_people_never_have_the_same_document(store: JobStore, reviews: Reviews) -> None:
    first, second = answered(store), answered(store)
    taken = [reviews.claim_next(who, who) for who in (ANNA, BEN, ANNA, BEN)]
    assert [review and review.job_id for review in taken] == [first, second, first, second]
    with pytest.raises(ReviewClaimed, match=ANNA):
        reviews.claim(first, BEN, "Ben")
    made = Made(str(uuid.uuid4()), "accept", "total")
    with pytest.raises(ReviewClaimed):
        reviews.decide(first, made, claimant=BEN, reviewer="Ben")
    assert reviews.decided(first).decisions == []


def test_cells_of_the_longest_names_can_be_decided(store: JobStore, reviews: Reviews) -> None:
    group, column = "g" * 64, "c" * 64
    job_id = answered(store, groups={group: [{column: value("4.00")}]})
    decide(reviews, job_id, "edit", f"{group}.{column}", value=value("5.00"))
    (row,) = result(store, job_id)["groups"][group]
    assert row[column]["text"] == "5.00"


@pytest.mark.parametrize("queued", [True, False])
def test_an_answer_that_is_removed_meanwhile_is_unknown(
    store: JobStore, reviews: Reviews, monkeypatch: pytest.MonkeyPatch, *, queued: bool
) -> None:
    job_id = answered(store, **({} if queued else {"total": None, "date": None, "party": []}))
    look = store_reviews._answer

    def removed_behind(connection: Connection, *arguments: Any) -> Any:
        found = look(connection, *arguments)
        connection.execute(delete(JobRow))
        return found

    monkeypatch.setattr(store_reviews, "_answer", removed_behind)
    with pytest.raises(JobUnknown):
        reviews.claim(job_id, ANNA, "Anna")
    monkeypatch.undo()
    assert reviews.claim(job_id, BEN, "Ben").job_id == job_id  # nothing of it was kept


def test_lapsed_claim_loses_nothing_that_was_decided(store: JobStore, reviews: Reviews) -> None:
    job_id = answered(store)
    decide(reviews, job_id, "absent", "total")
    with store.database.writing() as connection:
        connection.execute(update(ReviewRow).values(claimed_until=1.0))
    decide(reviews, job_id, "accept", "note")  # nobody came meanwhile
    with store.database.writing() as connection:
        connection.execute(update(ReviewRow).values(claimed_until=1.0))
    assert reviews.claim(job_id, BEN, "Ben").reviewer == "Ben"
    with pytest.raises(ReviewClaimed, match="Ben"):
        decide(reviews, job_id, "accept", "date")
    assert [one.kind for one in reviews.decided(job_id).decisions] == ["absent", "accept"]


def test_a_clock_that_is_set_back_makes_no_claim_longer(store: JobStore, reviews: Reviews) -> None:
    job_id = answered(store)
    reviews.claim(job_id, ANNA, "Anna")
    with store.database.writing() as connection:
        later = ReviewRow.claimed_until + 7200
        connection.execute(update(ReviewRow).values(claimed_until=later))
    assert reviews.claim(job_id, BEN, "Ben").reviewer == "Ben"
    with pytest.raises(ReviewClaimed, match="Ben"):
        reviews.claim(job_id, ANNA, "Anna")


def test_a_claim_made_since_the_time_was_asked_for_is_held(
    store: JobStore, reviews: Reviews
) -> None:
    """On PostgreSQL whoever waits for the row has asked for the time before."""
    job_id = answered(store)
    reviews.claim(job_id, ANNA, "Anna")
    with store.database.writing() as connection:
        later = ReviewRow.claimed_until + 5
        connection.execute(update(ReviewRow).values(claimed_until=later))
    with pytest.raises(ReviewClaimed, match="Anna"):
        reviews.claim(job_id, BEN, "Ben")


def test_decisions_change_the_answer_and_never_the_machines(
    store: JobStore, reviews: Reviews
) -> None:
    job_id = answered(store)
    machine = result(store, job_id)
    decide(reviews, job_id, "candidate", "total", number=0)
    decide(reviews, job_id, "reading", "date", number=0)
    decide(reviews, job_id, "absent", "party", place=0)
    decide(reviews, job_id, "pick", "party", place=2, value=value("One more"))
    fields = decide(reviews, job_id, "edit", "note", value=value("typed"))
    assert [one and one["text"] for one in fields["party"]] == [None, "Muster", "One more"]
    given = result(store, job_id)
    assert given["fields"]["total"]["text"] == "7.00"
    assert given["fields"]["date"]["value"] == "2018-03-04"
    assert given["fields"]["date"]["normalisation"]["status"] == "ok"
    assert [one["text"] for one in given["fields"]["party"]] == ["Muster", "One more"]
    assert not given["fields"]["date"]["needs_review"]
    mark = given["reviewed"]["fields"]["date"][0]
    assert (mark["decision"], mark["by"], given["reviewed"]["done"]) == ("reading", "Anna", False)
    Extraction.model_validate(given)
    assert result(store, job_id, reviewed=False) == machine
    before = reviews.decided(job_id).decisions[0]
    assert (before.before, before.reviewer) == (machine["fields"]["total"], "Anna")


def test_undo_takes_back_what_it_names_and_keeps_both(store: JobStore, reviews: Reviews) -> None:
    job_id = answered(store)
    wrong = str(uuid.uuid4())
    decide(reviews, job_id, "absent", "total", id=wrong)
    reviews.end(job_id, "done", claimant=ANNA, reviewer="Anna")
    assert reviews.queue().reviews == []
    fields = decide(reviews, job_id, "undo", "total", undoes=wrong)
    assert fields["total"]["text"] == "9.00"
    assert [review.job_id for review in reviews.queue().reviews] == [job_id]  # to be done again
    assert [one.kind for one in reviews.decided(job_id).decisions] == ["absent", "undo"]
    with pytest.raises(InvalidOption):
        decide(reviews, job_id, "undo", "total", undoes=wrong)


def test_decision_that_is_sent_again_is_kept_once(store: JobStore, reviews: Reviews) -> None:
    job_id, same = answered(store), str(uuid.uuid4())
    for _ in range(3):
        decide(reviews, job_id, "pick", "party", place=2, value=value("more"), id=same)
    assert len(reviews.decided(job_id).decisions) == 1


def test_id_of_another_decision_is_refused(store: JobStore, reviews: Reviews) -> None:
    """It would be taken for one that was sent again, and nobody would hear that it was not kept."""
    job_id = answered(store)
    decide(reviews, job_id, "edit", "total", value=value("12.00"), id="d")
    with pytest.raises(InvalidOption, match="the same `id`"):
        decide(reviews, job_id, "pick", "party", place=2, value=value("more"), id="d")
    assert len(reviews.decided(job_id).decisions) == 1


def test_who_decided_what_stands_in_the_audit_log_without_a_value(
    store: JobStore, reviews: Reviews
) -> None:
    job_id = answered(store)
    with acting("key:fw_anna"):
        for _ in range(2):  # sent again, it is one deed
            decide(reviews, job_id, "pick", "total", value=value("12.00"), id="d")
        reviews.end(job_id, "skip", claimant=ANNA, reviewer="Anna", note="unreadable")
        reviews.end(job_id, "done", claimant=ANNA, reviewer="Anna")
        with pytest.raises(InvalidOption):
            decide(reviews, job_id, "accept", "nothing")
    logged = list(audit.entries(store.database))
    assert [(entry.actor, entry.action, entry.subject, entry.detail) for entry in logged] == [
        (
            "key:fw_anna",
            "review.decided",
            job_id,
            {"decision": "d", "kind": "pick", "field": "total"},
        ),
        ("key:fw_anna", "review.skipped", job_id, {}),
        ("key:fw_anna", "review.done", job_id, {}),
    ]
    store.jobs.delete(job_id)
    assert "12.00" not in str(logged)
    assert len(list(audit.entries(store.database))) == 4  # the deletion is the fourth


@pytest.mark.parametrize(
    ("kind", "field", "wanted"),
    [
        ("accept", "nothing", {}),
        ("candidate", "total", {"number": 1}),
        ("reading", "note", {}),
        ("absent", "total", {"place": 1}),
        ("pick", "party", {"place": 3}),
    ],
)
def test_decision_that_does_not_fit_is_refused(
    store: JobStore, reviews: Reviews, kind: str, field: str, wanted: dict[str, Any]
) -> None:
    job_id = answered(store)
    with pytest.raises(InvalidOption):
        decide(reviews, job_id, kind, field, **wanted)
    assert reviews.decided(job_id).decisions == []


def test_what_was_put_back_comes_last_with_its_note(store: JobStore, reviews: Reviews) -> None:
    first, second = answered(store), answered(store)
    reviews.claim_next(ANNA, "Anna")
    reviews.end(first, "skip", claimant=ANNA, reviewer="Anna", note="unreadable")
    found = reviews.queue().reviews
    assert [(review.job_id, review.note) for review in found] == [
        (second, ""),
        (first, "unreadable"),
    ]
    assert [review.claimant for review in found] == [None, None]


def test_owners_see_what_is_theirs(store: JobStore, reviews: Reviews) -> None:
    job_id = answered(store, owner="a")
    assert reviews.queue("b").reviews == []
    assert reviews.claim_next(BEN, "Ben", "b") is None
    for ask in (
        lambda: reviews.claim(job_id, BEN, "Ben", "b"),
        lambda: reviews.decided(job_id, "b"),
        lambda: reviews.end(job_id, "done", claimant=BEN, reviewer="Ben", scope="b"),
    ):
        with pytest.raises(JobUnknown):
            ask()
    claimed = reviews.claim_next(ANNA, "Anna", "a")
    assert claimed is not None


def test_agreement_counts_what_was_accepted(store: JobStore, reviews: Reviews) -> None:
    for kind in ("accept", "accept", "absent"):
        decide(reviews, answered(store), kind, "total", seconds=3.0)
    (found,) = reviews.agreement()
    assert (found.field, found.decisions, found.accepted, found.seconds) == ("total", 3, 2, 3.0)


def test_nothing_is_left_of_an_answer_that_is_deleted(store: JobStore, reviews: Reviews) -> None:
    job_id = answered(store)
    decide(reviews, job_id, "accept", "total")
    store.jobs.delete(job_id)
    assert reviews.queue().reviews == []
    with pytest.raises(JobUnknown):
        reviews.decided(job_id)


def test_job_without_an_answer_is_not_reviewed(store: JobStore, reviews: Reviews) -> None:
    job_id = str(uuid.uuid4())
    store.jobs.add(Job(job_id, "tiny", "0" * 64, "a.pdf", media_type="", size=1))
    with pytest.raises(JobNotFinished) as refused:
        reviews.claim(job_id, ANNA, "Anna")
    assert refused.value.retry_after == 1.0
    why: dict[str, New] = {"error_code": "document_corrupt", "error_detail": "It is cut off."}
    with store.database.writing() as connection:
        change(connection, JobRow.id == job_id, state="failed", **why, error_advice="Scan it anew.")
    with pytest.raises(CorruptDocument, match="It is cut off") as failed:
        reviews.claim(job_id, ANNA, "Anna")
    assert failed.value.advice == "Scan it anew."  # to wait would not help


def test_answer_that_was_removed_for_its_age_is_decided_no_more(
    store: JobStore, reviews: Reviews
) -> None:
    job_id = answered(store)
    reviews.claim(job_id, ANNA, "Anna")
    with store.database.writing() as connection:
        connection.execute(update(JobRow).where(JobRow.id == job_id).values(expired_at=1.0))
        connection.execute(delete(ResultRow).where(ResultRow.job_id == job_id))
    for ask in (
        lambda: decide(reviews, job_id, "accept", "total"),
        lambda: reviews.claim(job_id, ANNA, "Anna"),
        lambda: reviews.decided(job_id),
    ):
        with pytest.raises(JobExpired):
            ask()


def test_decisions_that_are_sent_together_are_all_kept_or_none(
    store: JobStore, reviews: Reviews
) -> None:
    job_id = answered(store, groups={"items": [{"amount": value("1.00")}, {"amount": value("2")}]})
    made = [Made(str(uuid.uuid4()), "accept", "items.amount", place) for place in (0, 1, 2)]
    who: Any = {"claimant": ANNA, "reviewer": "Anna"}
    with pytest.raises(InvalidOption, match="no row 2"):
        reviews.decide(job_id, *made, **who)
    assert reviews.decided(job_id).decisions == []
    for _ in range(2):  # sent again, they are kept once
        decided = reviews.decide(job_id, *made[:2], **who)
        assert [one.number for one in decided.decisions] == [1, 2]
    doubtful = [row["cells"]["amount"]["needs_review"] for row in decided.groups["items"]]
    assert doubtful == [False, False]
    undone = [Made(f"u{n}", "undo", one.field, n, undoes=one.id) for n, one in enumerate(made[:2])]
    decided = reviews.decide(job_id, *undone, **who)
    doubtful = [row["cells"]["amount"]["needs_review"] for row in decided.groups["items"]]
    assert doubtful == [True, True]


def of_another_model(job_id: str, **fields: Any) -> dict[str, Any]:
    """Return the answer of another model to the document of a job."""
    answer = {**ANSWER, "id": job_id, "fields": fields}
    answer["model"] = {**ANSWER["model"], "name": "letters", "version": "2.0.0"}
    return Extraction.model_validate(answer).model_dump(mode="json")


def test_answer_of_another_model_takes_the_place_of_the_first_until_that_is_undone(
    store: JobStore, reviews: Reviews
) -> None:
    job_id = answered(store)
    decide(reviews, job_id, "absent", "date")
    first = result(store, job_id, reviewed=False)
    another = of_another_model(job_id, sender=value("ACME"), total=value("8.00"))
    made = Made(id=str(uuid.uuid4()), kind="model", field="model", value=another)
    decided = reviews.decide(job_id, made, claimant=ANNA, reviewer="Anna")
    assert decided.answer["model"]["name"] == "letters"
    assert decided.in_force == []  # what was said of the first answer is not said of this one
    assert decided.decisions[-1].before == {"model": first["model"]}
    assert decide(reviews, job_id, "accept", "sender")["sender"]["confidence"] == 1.0
    given = result(store, job_id)
    assert given["id"] == job_id
    assert (given["model"]["name"], set(given["fields"])) == ("letters", {"sender", "total"})
    assert list(given["reviewed"]["fields"]) == ["sender"]
    assert given["reviewed"]["model"]["was"] == "{name}@{version}".format(**first["model"])
    assert result(store, job_id, reviewed=False) == first
    assert reviews.queue().waiting == {"letters": 1}
    assert [(one.model, one.field) for one in reviews.agreement()] == [("letters", "sender")]
    with pytest.raises(InvalidOption, match="no field"):
        decide(reviews, job_id, "accept", "party")

    for undoes, field in ((reviews.decided(job_id).decisions[-1].id, "sender"), (made.id, "model")):
        fields = decide(reviews, job_id, "undo", field, undoes=undoes)
    assert fields["date"] is None  # as it was decided before
    given = result(store, job_id)
    assert given["model"] == first["model"]
    assert "model" not in given["reviewed"]
    assert reviews.queue().waiting == {first["model"]["name"]: 1}
    assert len(reviews.decided(job_id).decisions) == 5


@pytest.mark.parametrize("decided", [True, False])
def test_what_a_person_has_ended_asks_for_no_review(
    store: JobStore, reviews: Reviews, decided: bool
) -> None:
    def asking(given: dict[str, Any]) -> list[bool]:
        values = [given["fields"][name] for name in ("total", "date")] + given["fields"]["party"]
        cells = [cell for row in given["groups"]["items"] for cell in row.values()]
        return [value["needs_review"] for value in [*values, *cells] if value is not None]

    row = {"amount": value("9.00")}
    job_id = answered(store, groups={"items": [row]})
    first = str(uuid.uuid4())
    if decided:
        decide(reviews, job_id, "pick", "date", value=value("tomorrow"), id=first)
    reviews.end(job_id, "done", claimant=ANNA, reviewer="Anna")
    given = result(store, job_id)
    assert not any(asking(given))
    assert not given["needs_review"]
    assert given["reviewed"]["done"]
    assert given["reviewed"]["by"] == ["Anna"]
    assert any(asking(result(store, job_id, reviewed=False)))  # the machine's stays as it was
    if decided:  # what is open again asks again
        assert reviews.decided(job_id).decisions[0].after == value("tomorrow")
        decide(reviews, job_id, "undo", "date", undoes=first)
        assert any(asking(result(store, job_id)))


def test_undo_that_is_sent_again_reopens_nothing(store: JobStore, reviews: Reviews) -> None:
    job_id, wrong, back = answered(store), str(uuid.uuid4()), str(uuid.uuid4())
    decide(reviews, job_id, "absent", "total", id=wrong)
    decide(reviews, job_id, "undo", "total", undoes=wrong, id=back)
    reviews.end(job_id, "done", claimant=ANNA, reviewer="Anna")
    decide(reviews, job_id, "undo", "total", undoes=wrong, id=back)
    assert reviews.done() == [job_id]
    assert result(store, job_id)["reviewed"]["done"]


def test_only_an_undo_takes_back_a_decision(store: JobStore, reviews: Reviews) -> None:
    job_id, first = answered(store), str(uuid.uuid4())
    decide(reviews, job_id, "absent", "date", id=first)
    fields = decide(reviews, job_id, "accept", "total", undoes=first)
    assert fields["date"] is None
    decided = reviews.decided(job_id)
    assert [one.kind for one in decided.in_force] == ["absent", "accept"]
    assert [one.undoes for one in decided.decisions] == [None, None]


@pytest.mark.parametrize("how", ["decide", "end"])
def test_an_answer_is_removed_while_somebody_reviews_it(
    store: JobStore, reviews: Reviews, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What both lock, they lock in the same order: neither fails for the other."""
    job_id, others = answered(store), list[Future[object]]()
    with store.database.writing() as connection:
        hook = {"id": "hook", "url": "", "secret": "", "events": list(EVENTS), "active": True}
        connection.execute(insert(WebhookRow).values(**hook, active_since=0.0, created_at=0.0))
    reviews.end(job_id, "done", claimant=ANNA, reviewer="Anna")
    decide(reviews, job_id, "absent", "total")  # so its end is told again
    act = partial(decide, reviews, job_id, "accept", "date")
    if how == "end":
        act = partial(reviews.end, job_id, "done", claimant=ANNA, reviewer="Anna")
    forget = store_reviews.forget

    def while_somebody_reviews(*given: Any) -> None:
        others.append(pool.submit(act))
        wait(others, 1)
        forget(*given)

    monkeypatch.setattr("store.reviews.forget", while_somebody_reviews)
    with ThreadPoolExecutor() as pool:
        assert store.jobs.delete(job_id) == [job_id]
    error = others[0].exception()
    assert error is None or isinstance(error, JobUnknown)  # as it came first, or second
    with pytest.raises(JobUnknown):
        store.jobs.get(job_id)
