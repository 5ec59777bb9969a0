"""The OpenAPI document is true: whatever is sent, the answer is one that it names.

Requests are made up from the document itself, right ones and wrong ones, against a running
service that holds jobs in several states. No server error but those documented, no undocumented
status, and every body of the shape that is promised.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.main import build
from app.settings import ApiSettings
from tests.builders import make_receipt, receipt_pdf
from tests.service import CALM, Service, digest, serving

PDF, STUCK = receipt_pdf(make_receipt(81)), receipt_pdf(make_receipt(82))
CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that waits for nobody, with one job that succeeds, one that fails, one at work."""
    home = Path(tmp_path_factory.mktemp("openapi"))
    fault = f"in_tag@{digest(STUCK)}:sleep:600"
    waits = {"wait_default_s": 0.05, "wait_max_s": 0.1, "drain_seconds": 0.5}
    with serving(home, fault=fault, **{**CALM, **waits}) as service:
        yield service


def operations() -> dict[str, Any]:
    """Return what the document describes, by method and path."""
    with TemporaryDirectory() as home:
        api = build(ApiSettings(home=Path(home)))
        schema = schemathesis.openapi.from_dict(api.openapi())
        api.state.jobs.close()
    found = (result.ok() for result in schema.get_all_operations())
    return {item.label: item for item in found}


OPERATIONS = operations()


@pytest.fixture(scope="module")
def known(busy: Service) -> dict[str, list[str]]:
    """Ids that exist, by the name of the parameter that takes them."""
    jobs = [busy.ended(busy.submit(data))["id"] for data in (PDF, b"%PDF-1.7 and no more")]
    jobs.append(busy.submit(STUCK))
    files = [("files", ("a.pdf", PDF)), ("files", ("no.txt", b"words"))]
    sent = busy.client.post("/batches", files=files)
    assert sent.status_code == 202, sent.text
    hook = {"url": "https://example.org/told", "events": ["job.succeeded"]}
    made = busy.client.post("/webhooks", json=hook)
    dataset = busy.client.post("/datasets", json={"name": "Receipts"}).json()
    at = f"/datasets/{dataset['id']}"
    fields = {"fields": [{"name": "date"}, {"name": "price", "group": "items"}]}
    assert busy.client.put(f"{at}/fields", json=fields).status_code == 200
    added = busy.client.post(f"{at}/documents", files={"files": ("a.pdf", PDF)}).json()["added"]
    return {
        "dataset_id": [dataset["id"]],
        "document_id": [added[0]["id"]],
        "job_id": jobs,
        "batch_id": [sent.json()["id"]],
        "webhook_id": [made.json()["id"]] if made.status_code == 201 else [],
        "name": ["tiny", "tiny@0.0.1"],
        "number": ["1"],
    }


def wrong(operation: Any) -> bool:
    """Say whether anything can be wrong in a request."""
    return bool(operation.body or list(operation.iter_parameters()))


@pytest.mark.parametrize(
    ("label", "mode"),
    [
        (label, mode)
        for label, operation in OPERATIONS.items()
        for mode in GenerationMode
        if mode is GenerationMode.POSITIVE or wrong(operation)
    ],
)
def test_every_answer_is_documented(
    label: str, mode: GenerationMode, busy: Service, known: dict[str, list[str]]
) -> None:
    # Few names and keys are wrong by their schema, where a request has nothing else.
    @settings(max_examples=10, suppress_health_check=[HealthCheck.filter_too_much])
    @given(case=OPERATIONS[label].as_strategy(generation_mode=mode), pick=st.integers(0, 5))
    def answers(case: Any, pick: int) -> None:
        if label == "POST /extract" and isinstance(case.body, dict) and pick < 3:
            in_json = case.media_type == "application/json"
            case.body |= {"base64": b64encode(PDF).decode()} if in_json else {"file": PDF}
        for name in case.path_parameters or {}:
            ids = known.get(name, [])
            if label.endswith("/events"):
                ids = ids[:2]  # those that have ended: a stream of others goes on and on
            if pick < len(ids):
                case.path_parameters[name] = ids[pick]
        response = case.call(base_url=str(busy.client.base_url).rstrip("/"))
        case.validate_response(response, checks=CHECKS)
        if response.status_code not in (503, 507):
            case.validate_response(response, checks=[not_a_server_error])

    answers()
