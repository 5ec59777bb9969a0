"""Rows in reviews over HTTP: inserted, removed, split, their cells corrected, sums made again."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import itemised
from tests.app.test_extract_route import check_problem
from tests.service import CALM, Service, serving

CLAIMANT = "one-window-of-a-browser"


@pytest.fixture(scope="module")
def goods(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a model of rows."""
    home = Path(tmp_path_factory.mktemp("goods"))
    itemised.install(home)
    with serving(home, **CALM) as running:
        yield running


@pytest.fixture(scope="module")
def job_id(goods: Service) -> str:
    """An answer with two mistakes in its rows."""
    return itemised.send(goods)


def decide(goods: Service, job_id: str, **wanted: Any) -> httpx.Response:
    body = {"id": str(uuid.uuid4()), "claimant": CLAIMANT, "reviewer": "Anna", **wanted}
    return goods.client.post(f"/reviews/{job_id}/decisions", json=body)


def decided(goods: Service, job_id: str, **wanted: Any) -> dict[str, Any]:
    response = decide(goods, job_id, **wanted)
    assert response.status_code == 200, response.text
    return dict(response.json())


def shown(body: dict[str, Any]) -> list[tuple[int, str | None]]:
    """Return the rows' numbers, and the text of their amounts."""
    rows = body["groups"]["items"]
    return [(row["row"], (row["cells"]["amount"] or {}).get("text")) for row in rows]


def test_rows_are_put_right_until_the_sum_is(goods: Service, job_id: str) -> None:
    words = itemised.words_of(goods, job_id)
    given = goods.client.get(f"/reviews/{job_id}/decisions").json()
    assert shown(given) == [(0, "12.00"), (1, "31.00"), (2, "2.50 8.00")]
    assert given["checks"] == []  # one amount cannot be read
    added = decided(goods, job_id, kind="insert", field="items", place=0)
    assert shown(added) == [(0, "12.00"), (3, None), (1, "31.00"), (2, "2.50 8.00")]
    picked = [word.number for word in itemised.chosen(words, "4.50")]
    decided(goods, job_id, kind="pick", field="items.amount", place=3, words=picked)
    again = {"id": str(uuid.uuid4()), "kind": "split", "field": "items", "place": 2}
    split = decided(goods, job_id, **again)
    assert decided(goods, job_id, **again)["groups"] == split["groups"]  # sent again, kept once
    expected = [(0, "12.00"), (3, "4.50"), (1, "31.00"), (2, "2.50"), (4, "8.00")]
    assert shown(split) == expected
    assert split["groups"]["items"][4]["cells"]["description"]["text"] == "Letter tray"
    assert split["checks"] == [
        {
            "name": "items add up to the subtotal",
            "expected": "58.00",
            "found": "58.00",
            "ok": True,
            "fields": [*(f"items.amount[{n}]" for n in range(5)), "subtotal"],
        }
    ]
    result = goods.client.get(f"/jobs/{job_id}/result").json()
    assert [row["amount"]["text"] for row in result["groups"]["items"]] == [
        text for _, text in expected
    ]
    assert result["checks"] == split["checks"]
    marks = result["reviewed"]["fields"]
    assert [mark["decision"] for mark in marks["items"]] == ["insert", "split"]
    assert marks["items.amount"][0]["place"] == 3
    machine = goods.client.get(f"/jobs/{job_id}/result", params={"reviewed": False}).json()
    assert len(machine["groups"]["items"]) == 3


def test_rows_that_were_taken_out_come_back_by_undoing(goods: Service, job_id: str) -> None:
    before = goods.client.get(f"/reviews/{job_id}/decisions").json()
    numbers = [row for row, _ in shown(before)]
    gone = {"id": str(uuid.uuid4()), "kind": "remove", "field": "items", "place": numbers[0]}
    without = decided(goods, job_id, **gone)
    assert [row for row, _ in shown(without)] == numbers[1:]
    assert not without["checks"][0]["ok"]
    lost = decide(goods, job_id, kind="accept", field="items.amount", place=numbers[0])
    check_problem(lost, 422, "option_invalid")
    undo = {"kind": "undo", "undoes": gone["id"], "field": "items", "place": numbers[0]}
    assert decided(goods, job_id, **undo)["groups"] == before["groups"]
    first = decided(goods, job_id, kind="insert", field="items", place=-1)
    assert shown(first)[0] == (max(numbers) + 1, None)
    result = goods.client.get(f"/jobs/{job_id}/result").json()
    assert all(any(row.values()) for row in result["groups"]["items"])  # an empty row is none


@pytest.mark.parametrize(
    "wanted",
    [
        {"kind": "insert", "field": "taxes"},
        {"kind": "remove", "field": "items", "place": 99},
        {"kind": "split", "field": "items", "place": 0},
        {"kind": "edit", "field": "items.colour", "text": "red"},
        {"kind": "accept", "field": "vendor", "place": -1},
        {"kind": "accept", "field": "items.amount", "place": -1},
    ],
)
def test_decision_on_rows_that_cannot_be_is_refused(
    goods: Service, job_id: str, wanted: dict[str, Any]
) -> None:
    check_problem(decide(goods, job_id, **wanted), 422, "option_invalid")


@pytest.mark.parametrize(
    ("field", "place", "told"),
    [
        ("items", 99, "The group items has no row 99."),
        ("items", -1, "The group items has no row -1."),
        ("taxes", 0, "The answer has no group 'taxes'."),
    ],
)
def test_splitting_a_row_that_is_not_there_is_told_as_such(
    goods: Service, job_id: str, field: str, place: int, told: str
) -> None:
    refused = decide(goods, job_id, kind="split", field=field, place=place)
    check_problem(refused, 422, "option_invalid")
    assert refused.json()["detail"] == told


def test_queue_is_narrowed_by_age(goods: Service, job_id: str) -> None:
    every = goods.client.get("/reviews").json()
    assert job_id in [one["job_id"] for one in every["reviews"]]
    aged = goods.client.get("/reviews", params={"older_than": 3600}).json()
    assert (aged["reviews"], aged["waiting"], aged["oldest_seconds"]) == ([], {}, None)
    claim = {"claimant": "another-window", "older_than": 3600}
    assert goods.client.post("/reviews/claims", json=claim).status_code == 204


def test_reviewed_rows_are_rows_of_a_dataset(goods: Service) -> None:
    job_id = itemised.send(goods, "other.pdf")
    decided(goods, job_id, kind="remove", field="items", place=1)
    decided(goods, job_id, kind="accept", field="items.amount", place=0)
    decided(goods, job_id, kind="accept", field="vendor")
    made = goods.client.post("/datasets", json={"name": "Goods"}).json()
    at = f"/datasets/{made['id']}"
    taken = goods.client.post(f"{at}/documents/take", json={"job_ids": [job_id]})
    assert taken.status_code == 202, taken.text
    (one,) = taken.json()["added"]
    document = goods.client.get(f"{at}/documents/{one['id']}").json()
    assert document["labels"].keys() == {"vendor"}
    rows = document["rows"]["items"]
    assert [row["amount"]["text"] for row in rows] == ["12.00", "2.50 8.00"]
    assert rows[0]["description"]["text"] == "Copy paper"
    assert rows[0]["description"]["box"] is not None
    keys = {field["key"] for field in goods.client.get(at).json()["fields"]}
    assert keys == {"vendor", "items.description", "items.amount"}
