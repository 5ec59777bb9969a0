"""Datasets over HTTP: documents in, labels on, suggestions, the folder out; what is in service."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.patience import until
from tests.service import CALM, Service, serving

RECEIPTS = {f"{number}.pdf": make_receipt(number) for number in (301, 302, 303)}


@pytest.fixture(scope="module")
def teaching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose `auto` has two versions of a tiny model to choose among."""
    with serving(
        Path(tmp_path_factory.mktemp("teaching")), dataset_max_documents=4, max_datasets=9, **CALM
    ) as service:
        yield service


@pytest.fixture(scope="module")
def at(teaching: Service) -> str:
    """The address of a dataset with three documents that are read, and three fields."""
    client = teaching.client
    made = client.post("/datasets", json={"name": "Réçus 2026"})
    assert made.status_code == 201, made.text
    assert made.json()["model_name"] == "recus-2026"
    at = f"/datasets/{made.json()['id']}"
    files = [("files", (name, receipt_pdf(receipt))) for name, receipt in RECEIPTS.items()]
    added = client.post(f"{at}/documents", files=[*files, ("files", ("x.txt", b"plain text"))])
    assert added.status_code == 202, added.text
    assert [one["filename"] for one in added.json()["added"]] == list(RECEIPTS)
    assert [one["code"] for one in added.json()["refused"]] == ["unsupported_media_type"]
    fields = [{"name": "shop"}, {"name": "date"}, {"name": "price", "group": "items"}]
    assert client.put(f"{at}/fields", json={"fields": fields}).status_code == 200
    until(lambda: client.get(at).json()["counts"]["reading"] == 0, "all documents to be read")
    return at


def documents(service: Service, at: str) -> dict[str, str]:
    """Return the addresses of the documents by their names."""
    found = service.client.get(f"{at}/documents").json()["documents"]
    return {one["filename"]: f"{at}/documents/{one['id']}" for one in found}


def words_of(document: dict[str, Any], text: str) -> list[int]:
    numbers = [word["number"] for word in document["words"]]
    texts = [word["text"] for word in document["words"]]
    parts = text.split()
    starts = [n for n in numbers if texts[n : n + len(parts)] == parts]
    return list(range(starts[0], starts[0] + len(parts)))


def say(service: Service, one: str, **wanted: Any) -> dict[str, Any]:
    response = service.client.put(f"{one}/labels", json=wanted)
    assert response.status_code == 200, response.text
    return dict(response.json())


def test_a_document_is_labelled_by_its_words(teaching: Service, at: str) -> None:
    name, receipt = next(iter(RECEIPTS.items()))
    one = documents(teaching, at)[name]
    document = teaching.client.get(one).json()
    assert document["pages_of"][0]["number"] == 1
    words = words_of(document, receipt.company)
    after = say(teaching, one, fields={"shop": {"words": words}})
    assert after["labels"]["shop"][0]["text"] == receipt.company
    assert after["labels"]["shop"][0]["words"] == words
    assert after["labelled"] == 1
    date = document["words"][words_of(document, receipt.date)[0]]
    by_box = {"page": date["page"], "box": date["box"]}
    after = say(teaching, one, fields={"date": by_box})
    day, month, year = receipt.date.split("/")
    assert after["labels"]["date"][0]["text"] == receipt.date
    assert after["state"] != "labelled"
    price = after["words"][-1]["number"]
    after = say(teaching, one, groups={"items": [{"price": {"words": [price]}}, {}]})
    assert after["state"] == "labelled"
    assert len(after["rows"]["items"]) == 1
    kinds = {one["key"]: one for one in teaching.client.get(at).json()["fields"]}
    assert kinds["date"]["kind"] == "date"  # from its first value
    assert kinds["date"]["guessed"]
    after = teaching.client.get(one).json()
    assert after["labels"]["date"][0]["value"] == f"{year}-{month}-{day}"


def test_what_does_not_fit_is_refused_and_changes_nothing(teaching: Service, at: str) -> None:
    one = documents(teaching, at)["302.pdf"]
    refused: tuple[dict[str, Any], ...] = (
        {"fields": {"nothing": {"text": "x"}}},
        {"fields": {"shop": {"words": [99999]}}},
        {"fields": {"shop": {}}},
        {"fields": {"shop": {"suggestion": 40}}},
        {"fields": {"shop": [{"text": "a"}, {"text": "b"}]}},
        {"groups": {"items": [{"unknown": {"text": "x"}}]}},
        {"fields": {"shop": {"page": 9, "box": [0, 0, 1, 1]}}},
    )
    for wrong in refused:
        body: dict[str, Any] = {"fields": {}, **wrong}
        body["fields"] = {"date": {"absent": True}, **body["fields"]}
        check_problem(teaching.client.put(f"{one}/labels", json=body), 422, "option_invalid")
    assert "date" not in teaching.client.get(one).json()["labels"]


def test_a_text_finds_its_words_and_labels_can_be_taken_away(teaching: Service, at: str) -> None:
    one = documents(teaching, at)["303.pdf"]
    after = say(teaching, one, fields={"shop": {"text": RECEIPTS["303.pdf"].company.lower()}})
    assert after["labels"]["shop"][0]["page"] == 1
    after = say(teaching, one, fields={"shop": {"text": "written by hand"}, "date": None})
    assert after["labels"]["shop"][0]["page"] is None
    after = say(teaching, one, rest="absent")
    assert after["labels"]["date"] == []
    assert after["rows"]["items"] == []
    assert after["state"] == "labelled"
    after = say(teaching, one, fields={"shop": None})
    assert "shop" not in after["labels"]


def test_a_field_that_is_not_there_cannot_be_renamed(teaching: Service) -> None:
    """Misspelt, it would be taken for one that was left out, and its labels would be lost."""
    client = teaching.client
    at = f"/datasets/{client.post('/datasets', json={'name': 'Renamed'}).json()['id']}"
    client.put(f"{at}/fields", json={"fields": [{"name": "total"}]})
    wrong = client.put(f"{at}/fields", json={"fields": [{"name": "gross", "was": "totl"}]})
    check_problem(wrong, 422, "option_invalid")
    assert [one["key"] for one in client.get(at).json()["fields"]] == ["total"]
    for _ in range(2):  # asked again, it is there under its new name
        body = {"fields": [{"name": "gross", "was": "total"}]}
        assert client.put(f"{at}/fields", json=body).status_code == 200
    assert client.delete(at).status_code == 204


def test_the_same_bytes_are_in_a_dataset_once(teaching: Service, at: str) -> None:
    files = {"files": ("again.pdf", receipt_pdf(RECEIPTS["301.pdf"]))}
    again = teaching.client.post(f"{at}/documents", files=files).json()
    assert again["added"] == []
    assert len(again["known"]) == 1
    many = [("files", (f"{n}.pdf", receipt_pdf(make_receipt(n)))) for n in (311, 312)]
    check_problem(teaching.client.post(f"{at}/documents", files=many), 413, "dataset_full")


def test_pages_are_seen_and_listed_nowhere_else(teaching: Service, at: str) -> None:
    document = teaching.client.get(documents(teaching, at)["301.pdf"]).json()
    picture = teaching.client.get(f"/jobs/{document['job_id']}/pages/1.png?width=160")
    assert picture.headers["content-type"] == "image/png"
    listed = [job["id"] for job in teaching.client.get("/jobs").json()["jobs"]]
    assert document["job_id"] not in listed
    waiting = [one["job_id"] for one in teaching.client.get("/reviews").json()["reviews"]]
    assert document["job_id"] not in waiting


def test_reviewed_answers_become_labels(teaching: Service) -> None:
    client = teaching.client
    job = teaching.ended(teaching.submit(receipt_pdf(make_receipt(321))))
    words = client.get(f"/jobs/{job['id']}/words").json()["pages"][0]["words"]
    for decision in (
        {"kind": "pick", "field": "company", "words": [0, 1]},
        {"kind": "absent", "field": "total"},
    ):
        body = {"id": job["id"], "claimant": "a-window-of-a-browser", **decision}
        body["id"] = body["id"][:-1] + ("0" if decision["kind"] == "pick" else "1")
        assert client.post(f"/reviews/{job['id']}/decisions", json=body).status_code == 200
    end = {"claimant": "a-window-of-a-browser", "how": "done"}
    assert client.post(f"/reviews/{job['id']}/end", json=end).status_code == 200
    made = client.post("/datasets", json={"name": "Reviewed"}).json()
    at = f"/datasets/{made['id']}"
    taken = client.post(f"{at}/documents/take", json={"reviewed": True})
    assert taken.status_code == 202, taken.text
    assert taken.json()["left"] == 0
    again = client.post(f"{at}/documents/take", json={"reviewed": True}).json()
    assert (again["added"], again["known"]) == ([], [taken.json()["added"][0]["id"]])
    assert client.delete(f"/jobs/{job['id']}").status_code == 204
    (one,) = taken.json()["added"]
    document = client.get(f"{at}/documents/{one['id']}").json()
    text = " ".join(word["text"] for word in words[:2])
    assert document["labels"]["company"][0]["text"] == text
    assert document["labels"]["total"] == []
    assert document["state"] == "labelled"  # its fields are those that were decided
    fields = {field["key"]: field["kind"] for field in client.get(at).json()["fields"]}
    assert fields == {"company": "name", "total": "text"}
    nothing = client.post(f"{at}/documents/take", json={})
    check_problem(nothing, 422, "option_invalid")


def test_a_dataset_is_exported_as_trainings_take_it(teaching: Service, at: str) -> None:
    shop = RECEIPTS["301.pdf"].company
    named = {"shop": {"text": shop}}
    say(teaching, documents(teaching, at)["301.pdf"], fields=named, rest="absent")
    response = teaching.client.get(f"{at}/export")
    assert response.status_code == 200
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        names = archive.namelist()
        lines = [json.loads(line) for line in archive.read("labels.jsonl").splitlines()]
    assert "fields.toml" in names
    assert all(line["document"] in names for line in lines)
    shops = [value for line in lines for value in line["fields"]["shop"]]
    assert shop in shops


def test_a_document_that_cannot_be_read_cannot_be_labelled(teaching: Service) -> None:
    client = teaching.client
    at = f"/datasets/{client.post('/datasets', json={'name': 'Broken'}).json()['id']}"
    client.put(f"{at}/fields", json={"fields": [{"name": "shop"}]})
    files = {"files": ("a.pdf", b"%PDF-1.7 and no more")}
    (added,) = client.post(f"{at}/documents", files=files).json()["added"]
    document = f"{at}/documents/{added['id']}"
    until(lambda: client.get(document).json()["state"] == "failed", "it to fail")
    refused = client.put(f"{document}/labels", json={"fields": {"shop": {"absent": True}}})
    check_problem(refused, 409, "job_not_finished")
    assert "remove it" in refused.json()["advice"]
    assert "retry-after" not in refused.headers  # a client that waits would wait for ever
    assert client.delete(at).status_code == 204


def test_a_dataset_may_be_called_as_no_model_may(teaching: Service) -> None:
    for name in ("auto", "E-Invoice", "Einvoice"):
        made = teaching.client.post("/datasets", json={"name": name}).json()
        assert made["model_name"] == {"E-Invoice": "e-invoice"}.get(name, f"{name.lower()}-model")
        assert teaching.client.delete(f"/datasets/{made['id']}").status_code == 204


def test_datasets_have_an_end(teaching: Service) -> None:
    client, made = teaching.client, list[str]()
    while (sent := client.post("/datasets", json={"name": "One more"})).status_code == 201:
        made.append(sent.json()["id"])
        assert len(made) <= 9
    check_problem(sent, 409, "too_many_datasets")
    assert "Delete a dataset" in sent.json()["advice"]
    for one in made:
        assert client.delete(f"/datasets/{one}").status_code == 204
    described = client.get("/openapi.json").json()["paths"]
    assert "409" in described["/datasets"]["post"]["responses"]
    assert "409" in described["/datasets/{dataset_id}"]["patch"]["responses"]


def test_too_few_labels_say_how_many_more(teaching: Service, at: str) -> None:
    problem = teaching.client.post(f"{at}/trainings", json={})
    check_problem(problem, 422, "too_few_labels")
    assert "more" in problem.json()["detail"]
    assert teaching.client.get(at).json()["needed"] > 0


def test_a_preset_that_there_is_not_is_refused_at_once(teaching: Service, at: str) -> None:
    """A trainer would read all documents before it came to that."""
    problem = teaching.client.post(f"{at}/trainings", json={"preset": "lamb"})
    check_problem(problem, 422, "option_invalid")
    assert "lambert" in problem.json()["advice"]


def test_a_version_runs_beside_the_one_in_service(teaching: Service) -> None:
    home, client = teaching.home, teaching.client
    tiny_package(home / "models" / "tiny" / "0.0.2", version="0.0.2", seed=3)
    promoted = client.post("/models/tiny/promote", json={"version": "0.0.1"})
    assert promoted.status_code == 200, promoted.text
    check_problem(client.get("/models/tiny/shadow"), 404, "shadow_unknown")
    same = client.post("/models/tiny/shadow", json={"version": "0.0.1"})
    check_problem(same, 422, "option_invalid")
    begun = client.post("/models/tiny/shadow", json={"version": "0.0.2"})
    assert begun.status_code == 201, begun.text
    assert begun.json()["against"] == "0.0.1"
    live = teaching.ended(teaching.submit(receipt_pdf(make_receipt(331))))
    assert live["model_version"] == "0.0.1"
    found = until(
        lambda: one if (one := client.get("/models/tiny/shadow").json())["documents"] else None,
        "the shadow to have read the document",
    )
    assert found["same"] + found["different"] == 1
    assert {field["key"] for field in found["fields"]} == {"company", "date", "address", "total"}
    for difference in found["differences"]:
        assert difference["job_id"] == live["id"]
    assert client.delete("/models/tiny/shadow").status_code == 204
    assert not client.get("/models/tiny/shadow").json()["active"]
    promoted = client.post("/models/tiny/promote", json={"version": "0.0.2"}).json()
    assert [one["version"] for one in promoted["versions"] if one["current"]] == ["0.0.2"]
    assert promoted["earlier"] == "0.0.1"
    versions = client.post("/models/tiny/rollback").json()["versions"]
    assert [one["version"] for one in versions if one["current"]] == ["0.0.1"]
