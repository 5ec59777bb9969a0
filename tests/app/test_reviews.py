"""Reviews over HTTP: decisions become values, and every reader of the answer sees them."""

from __future__ import annotations

import csv
import uuid
from typing import Any

import httpx
import pytest

from tests.app.conftest import Guarded
from tests.app.test_extract_route import check_problem
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf
from tests.patience import until
from tests.service import Service

CLAIMANT = "one-window-of-a-browser"


@pytest.fixture(scope="module")
def batch_id(service: Service) -> str:
    """A batch of one document that was read."""
    files = {"files": ("a.pdf", receipt_pdf(make_receipt(21)))}
    sent = service.client.post("/batches", files=files).json()
    item = service.client.get(f"/batches/{sent['id']}/items").json()["items"][0]
    service.ended(item["job"])
    return str(sent["id"])


@pytest.fixture(scope="module")
def job_id(service: Service, batch_id: str) -> str:
    """Its job."""
    return str(service.client.get("/jobs", params={"limit": 1}).json()["jobs"][0]["id"])


def decide(service: Service, job_id: str, **wanted: Any) -> httpx.Response:
    body = {"id": str(uuid.uuid4()), "claimant": CLAIMANT, "reviewer": "Anna", **wanted}
    return service.client.post(f"/reviews/{job_id}/decisions", json=body)


def result(service: Service, job_id: str, **params: Any) -> dict[str, Any]:
    response = service.client.get(f"/jobs/{job_id}/result", params=params)
    assert response.status_code == 200, response.text
    return dict(response.json())


def test_words_that_were_picked_become_a_value_with_its_place(
    service: Service, job_id: str
) -> None:
    pages = service.client.get(f"/jobs/{job_id}/words").json()["pages"]
    words = [word for page in pages for word in page["words"]]
    (place,) = (n for n, word in enumerate(words) if word["text"] == make_receipt(21).date)
    response = decide(service, job_id, kind="pick", field="date", words=[place])
    assert response.status_code == 200, response.text
    given = result(service, job_id)
    day, month, year = make_receipt(21).date.split("/")
    assert given["fields"]["date"]["value"] == f"{year}-{month}-{day}"
    assert given["fields"]["date"]["box"] == words[place]["box"]
    assert given["reviewed"]["by"] == ["Anna"]
    assert "reviewed" not in result(service, job_id, reviewed=False)


def test_text_is_read_as_the_machine_reads_its_own(service: Service, job_id: str) -> None:
    typed = {"field": "total", "text": "RM 1,234.50"}
    shown = service.client.post(f"/reviews/{job_id}/reading", json=typed).json()
    assert shown["value"] == {"amount": "1234.50", "currency": "MYR"}
    assert "total" not in result(service, job_id)["reviewed"]["fields"]  # nothing was decided
    assert decide(service, job_id, kind="edit", **typed).status_code == 200
    assert result(service, job_id)["fields"]["total"]["value"] == shown["value"]
    before = service.client.get(f"/reviews/{job_id}/decisions").json()
    for text, reason in (("no date at all", "No date"), ("31.11.2026", "There is no such day.")):
        nonsense = decide(service, job_id, kind="edit", field="date", text=text)
        check_problem(nonsense, 422, "option_invalid")
        assert reason in nonsense.json()["detail"]
    assert service.client.get(f"/reviews/{job_id}/decisions").json() == before


def test_white_space_around_a_pasted_text_is_left_out(service: Service, job_id: str) -> None:
    typed = {"field": "company", "text": "  MUSTER  SDN BHD\t\n"}
    shown = service.client.post(f"/reviews/{job_id}/reading", json=typed).json()
    assert (shown["text"], shown["value"]) == ("MUSTER  SDN BHD", "MUSTER SDN BHD")


def test_batch_and_table_have_the_reviewed_values(
    service: Service, batch_id: str, job_id: str
) -> None:
    decide(service, job_id, kind="edit", field="company", text="MUSTER SDN BHD")
    for form in ("jsonl", "csv"):
        results, wanted = f"/batches/{batch_id}/results", {"format": form}
        machine = service.client.get(results, params={**wanted, "reviewed": "false"}).text
        assert "MUSTER SDN BHD" not in machine
        text = service.client.get(results, params=wanted).text
        assert "MUSTER SDN BHD" in text
    (row,) = csv.DictReader(text.splitlines())
    assert "MUSTER SDN BHD" in row.values()


def test_end_of_a_review_is_told_and_the_history_stays(service: Service, job_id: str) -> None:
    end = {"claimant": CLAIMANT, "reviewer": "Anna", "how": "done"}
    done = service.client.post(f"/reviews/{job_id}/end", json=end).json()
    assert done["done_at"] is not None
    waiting = service.client.get("/reviews").json()["reviews"]
    assert job_id not in [review["job_id"] for review in waiting]
    assert result(service, job_id)["reviewed"]["done"]
    history = service.client.get(f"/reviews/{job_id}/decisions").json()["decisions"]
    assert [one["number"] for one in history] == list(range(1, len(history) + 1))
    assert {one["reviewer"] for one in history} == {"Anna"}


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"kind": "edit", "field": "total"}, "option_invalid"),
        ({"kind": "pick", "field": "total", "words": [10**6]}, "option_invalid"),
        ({"kind": "edit", "field": "unknown", "text": "x"}, "option_invalid"),
        ({"kind": "guess", "field": "total"}, "request_invalid"),
    ],
)
def test_decision_that_cannot_be_is_refused(
    service: Service, job_id: str, wanted: dict[str, Any], code: str
) -> None:
    check_problem(decide(service, job_id, **wanted), 422, code)


def test_somebody_elses_document_is_left_alone(service: Service, job_id: str) -> None:
    claim = {"claimant": "another-window", "reviewer": "Ben", "job_id": job_id}
    assert service.client.post("/reviews/claims", json=claim).status_code == 200
    refused = decide(service, job_id, kind="accept", field="total")
    check_problem(refused, 409, "review_claimed")
    assert "Ben" in refused.json()["detail"]
    assert service.client.post("/reviews/claims", json={**claim, "reviewer": ""}).is_success
    refused = decide(service, job_id, kind="accept", field="total")
    assert refused.json()["detail"] == "Somebody has this document in hand."


def test_reviewer_needs_the_scope_and_sees_the_key_it_is_for(guarded: Guarded) -> None:
    client, pdf = guarded.service.client, receipt_pdf(make_receipt(22))
    job_id = guarded.service.post(pdf, headers=guarded.headers("a"), wait=60).json()["id"]
    check_problem(client.get("/reviews", headers=guarded.headers("reader")), 403, "scope_missing")
    _, shown = guarded.keys.create("anna", ["review"], owner_of="a")
    anna = {"X-API-Key": shown}
    claim = {"claimant": CLAIMANT, "reviewer": "not Anna", "job_id": job_id}
    until(lambda: client.get("/reviews", headers=anna).status_code == 200, "the new key")
    claimed = client.post("/reviews/claims", json=claim, headers=anna)
    assert claimed.json()["reviewer"] == "anna"  # who it is, the key says
    assert client.get(f"/jobs/{job_id}/words", headers=anna).status_code == 200
    check_problem(client.delete(f"/jobs/{job_id}", headers=anna), 403, "scope_missing")
    _, shown = guarded.keys.create("ben", ["review"])
    ben = {"X-API-Key": shown}
    until(lambda: client.get("/reviews", headers=ben).status_code == 200, "the new key")
    check_problem(client.post("/reviews/claims", json=claim, headers=ben), 404, "job_unknown")


def ask_again(service: Service, job_id: str, **wanted: Any) -> httpx.Response:
    body = {"claimant": CLAIMANT, "reviewer": "Anna", "model": "tiny", **wanted}
    return service.client.post(f"/reviews/{job_id}/again", json=body)


def test_values_are_accepted_together_and_undone_together(service: Service) -> None:
    sent = service.post(receipt_pdf(make_receipt(27)), "together.pdf").json()
    fields = [name for name, value in sent["fields"].items() if value]
    ids = [str(uuid.uuid4()) for _ in fields]

    def together(kind: str, more: list[dict[str, str]]) -> httpx.Response:
        first = {**more[0], "id": str(uuid.uuid4())} if kind == "undo" else more[0]
        return decide(service, sent["id"], kind=kind, **first, likewise=more[1:])

    places = [{"id": one, "field": field} for one, field in zip(ids, fields, strict=True)]
    kept = together("accept", places).json()
    assert [one["id"] for one in kept["decisions"]] == ids
    assert not any(kept["fields"][field]["needs_review"] for field in fields)
    check_problem(together("absent", places), 422, "option_invalid")
    check_problem(together("accept", places * 201), 422, "request_invalid")  # at most 200
    undone = [{**one, "id": str(uuid.uuid4()), "undoes": one["id"]} for one in places]
    again = together("undo", undone).json()
    assert again["fields"] == sent["fields"]
    assert len(again["decisions"]) == 2 * len(fields)


def test_document_is_read_again_by_the_model_that_is_chosen(service: Service) -> None:
    job_id = str(service.post(receipt_pdf(make_receipt(23))).json()["id"])
    check_problem(decide(service, job_id, kind="model", field="model"), 422, "option_invalid")
    decide(service, job_id, kind="absent", field="total")
    assert result(service, job_id)["fields"]["total"] is None
    second = ask_again(service, job_id)
    assert second.status_code == 202, second.text
    reading = second.json()["id"]
    assert ask_again(service, job_id).json()["id"] == reading  # sent again
    service.ended(reading)
    listed = [job["id"] for job in service.client.get("/jobs").json()["jobs"]]
    assert reading not in listed
    body = {"id": str(uuid.uuid4()), "kind": "model", "field": "model"}
    decided = [decide(service, job_id, **body) for _ in range(2)]
    assert [one.status_code for one in decided] == [200, 200], decided[0].text
    assert decided[0].json() == decided[1].json()
    given = result(service, job_id)
    assert given["reviewed"]["model"]["was"].startswith("tiny@")
    assert given["fields"] == result(service, job_id, reviewed=False)["fields"]
    until(lambda: service.client.get(f"/jobs/{reading}").status_code == 404, "the sweeper")
    undone = {"kind": "undo", "field": "model", "undoes": body["id"]}
    assert decide(service, job_id, **undone).json()["fields"]["total"] is None
    end = {"claimant": CLAIMANT, "how": "done"}
    service.client.post(f"/reviews/{job_id}/end", json=end)


def test_second_reading_that_cannot_be_says_why(service: Service) -> None:
    locked = encrypted_pdf(receipt_pdf(make_receipt(24)), "secret")
    job_id = str(service.post(locked, password="secret").json()["id"])
    check_problem(ask_again(service, job_id, model="auto"), 422, "option_invalid")
    check_problem(ask_again(service, job_id, model="nothing-like-it"), 404, "model_unknown")
    reading = ask_again(service, job_id).json()["id"]
    service.ended(reading)
    refused = decide(service, job_id, kind="model", field="model")
    check_problem(refused, 422, "pdf_encrypted")
    again = ask_again(service, job_id, password="secret").json()["id"]
    assert again != reading
    service.ended(again)
    assert decide(service, job_id, kind="model", field="model").status_code == 200
    other = {"claimant": "another-window", "reviewer": "Ben"}
    check_problem(ask_again(service, job_id, **other), 409, "review_claimed")


def test_queue_names_the_batches_of_which_something_waits(service: Service, batch_id: str) -> None:
    files = {"files": ("b.pdf", receipt_pdf(make_receipt(25)))}
    sent = service.client.post("/batches", files=files, data={"name": "Monday"}).json()
    item = service.client.get(f"/batches/{sent['id']}/items").json()["items"][0]
    service.ended(item["job"])
    queue = service.client.get("/reviews").json()
    named = {batch["id"]: (batch["name"], batch["waiting"]) for batch in queue["batches"]}
    assert named[sent["id"]] == ("Monday", 1)
    assert batch_id not in named  # its one answer is done
    only = service.client.get("/reviews", params={"batch": sent["id"]}).json()
    assert [review["job_id"] for review in only["reviews"]] == [item["job"]]
