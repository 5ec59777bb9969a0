"""The edge of the API in this process: faults of ours, and bodies that are no honest ones."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.main import build
from app.schemas.common import JobView, Problem
from app.settings import ApiSettings
from pipeline.result import Extraction
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.stores import prepare


@pytest.fixture
def api(tmp_path: Path) -> Iterator[FastAPI]:
    """The application without workers, its store ready."""
    application = build(ApiSettings(home=tmp_path))
    prepare(application.state.jobs)
    yield application
    application.state.jobs.close()


def test_fault_of_ours_tells_nothing_but_its_id(
    api: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise RuntimeError("secret of the inside")

    api.add_api_route("/fails", fails)
    with caplog.at_level(logging.ERROR, "app.edge.middleware"):
        response = call(api, "GET", "/fails")
    check_problem(response, 500, "internal")
    assert "secret" not in response.text
    (record,) = caplog.records
    assert vars(record)["request"] == response.json()["request_id"]


def test_examples_keep_the_contract(api: FastAPI) -> None:
    schemas = call(api, "GET", "/openapi.json").json()["components"]["schemas"]
    for kind in (Extraction, JobView, Problem):
        (example,) = schemas[kind.__name__]["examples"]
        shown = kind.model_validate(example).model_dump(mode="json", exclude_unset=True)
        assert shown == example
    assert schemas["Extraction"]["examples"][0]["fields"]["date"] is None


def test_service_without_workers_is_alive_but_not_ready(api: FastAPI) -> None:
    assert call(api, "GET", "/livez").status_code == 200
    response = call(api, "GET", "/readyz")
    check_problem(response, 503, "not_ready")
    assert response.headers["retry-after"].isdigit()


def test_form_of_a_thousand_parts_is_refused(api: FastAPI) -> None:
    fields = {f"f{index}": "x" for index in range(1100)}
    response = call(api, "POST", "/extract", data=fields, files={"file": ("a", b"%PDF-")})
    check_problem(response, 400, "request_malformed")


def test_store_that_cannot_be_read_is_not_our_fault(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path, database_url=f"sqlite:///{tmp_path}"))
    check_problem(call(api, "GET", "/jobs"), 503, "store_unavailable")
    check_problem(call(api, "GET", "/readyz"), 503, "not_ready")
    assert call(api, "GET", "/livez").status_code == 200
    api.state.jobs.close()
