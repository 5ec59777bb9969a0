"""Jobs, models, health and the OpenAPI document of the running service."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from app.schemas.common import Problem
from pipeline.reading.isolation.sandbox import in_force
from tests.app.conftest import MAX_BYTES, SLOW
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.packages import RECEIPT_FIELDS
from tests.patience import until
from tests.service import Service

PDF = receipt_pdf(make_receipt(2))


def blobs(service: Service, job_id: str) -> list[str]:
    return [path.name for path in (service.home / "blobs" / job_id[:2] / job_id).glob("*")]


def test_deleted_job_is_gone_with_its_document(service: Service) -> None:
    job_id = service.post(PDF).json()["id"]
    assert sorted(blobs(service, job_id)) == ["file", "words.json"]  # and nothing of the stages
    assert service.client.delete(f"/jobs/{job_id}").status_code == 204
    assert blobs(service, job_id) == []
    assert service.results(job_id) == 0
    for path in (f"/jobs/{job_id}", f"/jobs/{job_id}/result"):
        check_problem(service.client.get(path), 404, "job_unknown")
    check_problem(service.client.delete(f"/jobs/{job_id}"), 404, "job_unknown")


def test_running_job_is_cancelled_between_pages(service: Service) -> None:
    job_id = service.submit(SLOW)
    until(lambda: service.job(job_id)["state"] == "running", "the job to run")
    response = service.client.delete(f"/jobs/{job_id}")
    assert response.status_code == 202
    assert response.json()["cancelling"] is True
    job = service.ended(job_id)
    assert (job["state"], job["document"]) == ("cancelled", "")
    assert job["pages_done"] < 3
    until(lambda: blobs(service, job_id) == [], "the files to go")
    check_problem(service.client.get(f"/jobs/{job_id}/result"), 409, "job_cancelled")
    assert service.client.delete(f"/jobs/{job_id}").status_code == 204


def test_post_that_waits_learns_of_the_cancellation(service: Service) -> None:
    job_id = service.submit(SLOW)
    service.client.delete(f"/jobs/{job_id}")
    job = service.client.get(f"/jobs/{job_id}", params={"wait": 30})
    assert job.status_code == 404 or job.json()["state"] == "cancelled"


def test_json_that_is_sent_as_something_else_is_told_how(service: Service) -> None:
    """As curl sends it where its type is not named."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    response = service.client.post("/datasets", content='{"name": "a"}', headers=form)
    check_problem(response, 422, "request_invalid")
    assert "Content-Type: application/json" in response.json()["advice"]


def test_jobs_are_listed_by_pages(service: Service) -> None:
    ids = [service.submit(PDF) for _ in range(3)][::-1]
    seen: list[str] = []
    cursor: dict[str, Any] = {}
    while len(seen) < 3:
        page = service.client.get("/jobs", params={"limit": 2, **cursor}).json()
        seen += [job["id"] for job in page["jobs"]]
        cursor = {"cursor": page["next"]}
    assert seen[:3] == ids
    for job_id in ids:
        service.ended(job_id)


def test_jobs_are_listed_by_state(service: Service) -> None:
    failed = [service.ended(service.submit(b"%PDF-1.7 and no more"))["id"] for _ in range(2)][::-1]
    assert service.post(PDF).status_code == 200
    first = service.client.get("/jobs", params={"state": "failed", "limit": 1}).json()
    following = {"state": "failed", "limit": 1, "cursor": first["next"]}
    second = service.client.get("/jobs", params=following).json()
    assert [job["id"] for page in (first, second) for job in page["jobs"]] == failed
    response = service.client.get("/jobs", params={"state": "broken"})
    check_problem(response, 422, "request_invalid")


@pytest.mark.parametrize(
    ("method", "path", "says"),
    [
        ("GET", "/jobs?stat=failed", "query.stat: Extra inputs are not permitted; allowed are cur"),
        ("GET", "/v1/models?name=x", "query.name: Extra inputs are not permitted; there are none"),
        ("DELETE", "/session?all=1", "query.all: Extra inputs are not permitted"),
        (
            "POST",
            "/extract?modle=x",
            "query.modle: Extra inputs are not permitted; allowed are",
        ),
    ],
)
def test_unknown_parameters_are_refused(
    service: Service, method: str, path: str, says: str
) -> None:
    form = {"files": {"file": ("a.pdf", PDF)}} if method == "POST" else {}
    response = service.client.request(method, path, **form)
    check_problem(response, 422, "request_invalid")
    assert says in response.json()["detail"]


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics", "/", "/docs"])
def test_probes_and_pages_may_have_parameters_of_their_own(service: Service, path: str) -> None:
    assert service.client.get(f"{path}?probe=1").status_code == 200


@pytest.mark.parametrize("cursor", ["nonsense", "W10=", "WzEsMl0=", "ééé"])
def test_cursor_of_others_is_refused(service: Service, cursor: str) -> None:
    response = service.client.get("/jobs", params={"cursor": cursor})
    check_problem(response, 422, "option_invalid")


@pytest.mark.parametrize(
    "job_id", [str(uuid.UUID(int=1, version=4)), "1", "..%2F..%2Fetc", "x" * 300]
)
def test_unknown_job(service: Service, job_id: str) -> None:
    response = service.client.get(f"/jobs/{job_id}")
    assert response.json()["code"] in ("job_unknown", "not_found")
    assert response.status_code == 404


def test_unknown_address_and_method_are_problems(service: Service) -> None:
    check_problem(service.client.get("/nothing"), 404, "not_found")
    response = service.client.put("/jobs")
    check_problem(response, 405, "method_not_allowed")
    assert response.headers["allow"] == "GET, HEAD"
    response = service.client.options(f"/v1/jobs/{uuid.uuid4()}")
    assert response.headers["allow"] == "DELETE, GET, HEAD"  # of two routes
    assert service.client.put("/web/common/api.js").headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("path", ["/", "/livez", "/v1/models", "/web/common/api.js", "/nothing"])
def test_head_is_get_without_a_body(service: Service, path: str) -> None:
    head, get = service.client.head(path), service.client.get(path)
    assert head.content == b""
    assert head.status_code == get.status_code
    for name in ("content-type", "cache-control"):
        assert head.headers[name] == get.headers[name]
    if get.is_success:
        assert head.headers["content-length"] == str(len(get.content))
    else:
        assert head.headers["x-request-id"] != get.headers["x-request-id"]


def test_models_are_listed_with_their_fields(service: Service) -> None:
    models = service.client.get("/models").json()["models"]
    (tiny,) = [model for model in models if model["name"] == "tiny"]
    assert tiny["default"]
    assert tiny["current"]
    assert tiny["fields"] == {spec.name: spec.kind.value for spec in RECEIPT_FIELDS}


def test_schema_has_the_models_own_fields(service: Service) -> None:
    schema = service.client.get("/v1/models/tiny/schema").json()
    fields = schema["properties"]["fields"]
    assert set(fields["required"]) == {spec.name for spec in RECEIPT_FIELDS}
    reference = fields["properties"]["total"]["anyOf"][0]["$ref"].rpartition("/")[2]
    assert schema["$defs"][reference]["properties"]["kind"] == {"const": "amount"}
    check_problem(service.client.get("/models/none/schema"), 404, "model_unknown")


def test_health(service: Service) -> None:
    assert service.client.get("/livez").json() == {"status": "ok"}
    ready = service.client.get("/readyz").json()
    assert ready["confinement"] == [in_force("auto")]
    assert ready["models"][0] == "tiny@0.0.1"
    limits = service.client.get("/limits").json()
    assert (limits["max_bytes"], limits["max_pages"]) == (MAX_BYTES, 3)


def test_docs_page_loads_nothing_from_elsewhere(service: Service) -> None:
    page = service.client.get("/docs").text
    sources = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert sources
    assert not [source for source in sources if source.startswith(("http:", "https:", "//"))]
    for source in sources:
        if source.startswith("/"):
            assert service.client.get(source).status_code == 200
    assert "SwaggerUIBundle" in service.client.get("/docs/assets/swagger-ui-bundle.js").text


@pytest.mark.parametrize("path", ["/livez", "/nothing", "/docs"])
def test_every_answer_has_the_security_headers(service: Service, path: str) -> None:
    headers = service.client.get(path, headers={"X-Request-Id": "my-own-1"}).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert headers["x-request-id"] == "my-own-1"
    assert "server" not in headers


def test_foreign_request_ids_cannot_forge_log_lines(service: Service) -> None:
    headers = {"X-Request-Id": 'a" , "event": "forged'}
    assert service.client.get("/livez", headers=headers).headers["x-request-id"] != headers
    assert service.events("forged") == []


def test_what_is_refused_unread_has_the_form_of_all_errors(service: Service) -> None:
    described = service.client.get("/openapi.json").json()["paths"]["/jobs"]["get"]["responses"]
    for response, status in (
        (service.client.get("/jobs", params={"cursor": "x" * 9000}), 414),
        (service.client.get("/jobs", headers={"X-Large": "x" * 40_000}), 431),
    ):
        assert response.status_code == status
        assert str(status) in described
        Problem.model_validate(response.json())


def test_a_method_that_an_address_does_not_take_is_told_the_others(service: Service) -> None:
    response = service.client.put("/jobs")
    check_problem(response, 405, "method_not_allowed")
    assert response.json()["detail"] == "This address takes GET and HEAD, not PUT."


@pytest.mark.parametrize("address", ["/extract/", "/v1/batches/", "/jobs/"])
def test_a_slash_too_many_is_told_and_not_redirected(service: Service, address: str) -> None:
    """The redirection names the scheme that the API sees: http, where a proxy speaks TLS."""
    files = {"file": ("a.pdf", b"%PDF-1.4")}
    response = service.client.post(address, files=files)
    check_problem(response, 404, "not_found")
    assert "slash" in response.json()["advice"]
    nowhere = service.client.get("/nothing/")
    check_problem(nowhere, 404, "not_found")
    assert "slash" not in nowhere.json()["advice"]


def test_openapi_documents_every_route_and_its_problems(service: Service) -> None:
    document = service.client.get("/openapi.json").json()
    without_422 = {
        path
        for path, operations in document["paths"].items()
        for one in operations.values()
        if "422" not in one["responses"]
    }
    assert without_422 == {"/livez", "/readyz", "/limits", "/metrics"}
    assert document["servers"] == [{"url": "/"}, {"url": "/v1"}]  # each has every path
    for path, operations in document["paths"].items():
        assert not path.startswith("/v1")
        methods = {method.upper() for method in operations}
        refused = service.client.request("TRACE", f"/v1{path}").headers["allow"]
        assert set(refused.split(", ")) >= methods, path
    names = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(names) == len(set(names))
    assert "list_jobs" in names  # clients are generated with these names
    answers = document["paths"]["/extract"]["post"]["responses"]
    assert {"200", "202", "400", "404", "413", "415", "422", "503"} <= set(answers)
    for operations in document["paths"].values():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert list(answer["content"]) == ["application/problem+json"]
    (events,) = document["paths"]["/jobs/{job_id}/events"]["get"]["responses"]["200"][
        "content"
    ].values()
    assert set(events) == {"itemSchema"}  # a stream is no string
    schemas = document["components"]["schemas"]
    form = document["paths"]["/extract"]["post"]["requestBody"]["content"]
    fields = schemas[form["multipart/form-data"]["schema"]["$ref"].rpartition("/")[2]]["properties"]
    in_json = set(form["application/json"]["schema"]["properties"])
    assert set(fields) - {"file"} == in_json - {"base64", "url", "filename"}
    assert "(60 unless FIELDWRIGHT_WAIT_MAX_S is set)" in fields["wait"]["description"]
    problem = schemas["Problem"]
    assert {"code", "advice", "status", "detail"} <= set(problem["required"])
