"""The service is killed with -9 at any moment of a review: each acknowledged decision is there."""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.builders import make_receipt, receipt_pdf
from tests.service import Service, serving

KILLS = 50
FIELDS = ("company", "date", "address", "total")


class Reviewer(threading.Thread):
    """Decides on one answer without end; sends each decision until it is acknowledged.

    Attributes:
        acknowledged: ids in the order in which the service said that it has them.
        unsure: the one on its way.
        refused: what the service answered where it should not have.
    """

    def __init__(self, service: Service, job_id: str) -> None:
        super().__init__(daemon=True)
        self.url = f"{str(service.client.base_url).rstrip('/')}/reviews/{job_id}/decisions"
        self.acknowledged: list[str] = []
        self.unsure = ""
        self.refused: list[str] = []
        self.over = threading.Event()

    def run(self) -> None:
        """Decide until it is over."""
        while not self.over.is_set():
            self.unsure = str(uuid.uuid4())
            count = len(self.acknowledged)
            kind = {"kind": "absent"} if count % 2 else {"kind": "edit", "text": f"{count}.00"}
            body = {"id": self.unsure, "claimant": "one-window", "field": FIELDS[count % 4], **kind}
            while not self.over.is_set():
                try:
                    response = httpx.post(self.url, json=body, timeout=20)
                except httpx.HTTPError:
                    time.sleep(0.05)  # it is down
                    continue
                if response.status_code == 200:
                    self.acknowledged.append(self.unsure)
                    break
                if response.status_code < 500:
                    self.refused.append(response.text)
                    return


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_every_acknowledged_decision_outlives_fifty_kills(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(52)
    with serving(tmp_path, model="receipts") as service:
        job_id = str(service.post(receipt_pdf(make_receipt(3))).json()["id"])
        port = int(str(service.client.base_url).rstrip("/").rpartition(":")[2])
        reviewer = Reviewer(service, job_id)
        reviewer.start()
        between = []
        for _ in range(KILLS):
            before = len(reviewer.acknowledged)
            waited = time.monotonic() + 60
            while len(reviewer.acknowledged) < before + 1 and time.monotonic() < waited:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.3))
            service.kill()
            between.append(len(reviewer.acknowledged) - before)
            service.start(ready=False, port=port)
        reviewer.over.set()
        reviewer.join(60)
        kept = service.client.get(f"/reviews/{job_id}/decisions").json()["decisions"]
        ids = [one["id"] for one in kept]
        record_property("acknowledged", len(reviewer.acknowledged))
        record_property("kept", len(ids))
        assert reviewer.refused == []
        assert min(between) > 0  # it lived long enough each time to acknowledge some
        assert len(ids) == len(set(ids))
        # The last one may be kept and its acknowledgement lost.
        assert ids in (reviewer.acknowledged, [*reviewer.acknowledged, reviewer.unsure])
