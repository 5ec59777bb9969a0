"""The log of a service at work: one JSON object a line, joined by ids, without any document."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.builders import encrypted_pdf, make_receipt, receipt_pdf, receipt_png
from tests.service import Service, digest, serving

TEXT, SCAN, LOCKED, STUMBLING = (make_receipt(seed) for seed in range(91, 95))
PASSWORD = "quite-secret-word"
SECRETS = ("private-name", "private-folder", PASSWORD, "hidden-in-the-query", "hidden-in-a-header")


def send_everything(service: Service) -> list[str]:
    """Send documents of all kinds, good and bad, under telling names; return the ids of jobs."""
    stumbling = receipt_pdf(STUMBLING)
    locked = encrypted_pdf(receipt_pdf(LOCKED), PASSWORD)
    answers = [
        service.post(receipt_pdf(TEXT), "private-folder/private-name.pdf"),
        service.post(receipt_png(SCAN), "private-name.png", ocr="always"),
        service.post(locked, "private-name.pdf", password=PASSWORD),
        service.post(stumbling, "private-name.pdf"),
    ]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert service.post(locked, "private-name.pdf", password=f"{PASSWORD}!").status_code == 422
    assert service.post(b"private-name", "private-name.txt").status_code == 415
    files = [("files", (f"private-name-{i}.pdf", receipt_pdf(TEXT))) for i in range(2)]
    batch = service.client.post("/batches", files=files, data={"name": "private-name"})
    assert batch.status_code == 202
    headers = {"Authorization": "Bearer hidden-in-a-header", "User-Agent": "hidden-in-a-header"}
    service.client.get("/jobs?cursor=hidden-in-the-query", headers=headers)
    service.client.post("/extract?password=hidden-in-the-query", files={"file": b"%PDF-"})
    return [answer.json()["id"] for answer in answers]


@pytest.mark.slow
@pytest.mark.ocr
def test_log_follows_each_job_and_tells_nothing_of_its_document(tmp_path: Path) -> None:
    fault = f"in_tag@{digest(receipt_pdf(STUMBLING))}:raise:1"
    with serving(tmp_path, fault=fault) as service:
        job_ids = send_everything(service)
        service.stop()
        log = service.log.read_text(encoding="utf-8")
    banner, *lines = log.splitlines()
    assert banner.startswith("Serving on http://")
    events = [json.loads(line) for line in lines]
    assert {"time", "level", "logger", "event"} <= set.intersection(*map(set, events))

    # Each job can be followed from its request to its end.
    requests = {e["request"]: e for e in events if e["event"] == "request"}
    for job_id in job_ids:
        own = [event for event in events if event.get("job") == job_id]
        names = [event["event"] for event in own]
        assert {"job accepted", "job started", "job succeeded"} <= set(names)
        (accepted,) = (event for event in own if event["event"] == "job accepted")
        assert requests[accepted["request"]]["path"] == "/extract"
    assert "job stumbled" in [e["event"] for e in events if e.get("job") == job_ids[3]]

    for secret in SECRETS:
        assert secret not in log
    shown = ((name, value) for event in events for name, value in event.items())
    texts = [value for name, value in shown if isinstance(value, str) and name != "time"]
    for receipt in (TEXT, SCAN, LOCKED, STUMBLING):
        assert receipt.date not in log
        assert not [text for text in texts if receipt.total in text]
        for word in {word for word in receipt.words if len(word) > 4 and word.isalpha()}:
            assert not re.search(rf"\b{word}\b", log, re.IGNORECASE), word
