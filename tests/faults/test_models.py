"""A model is damaged: jobs wait until it is whole again, and none fails."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import make_receipt, receipt_pdf
from tests.patience import until
from tests.service import Service, serving

pytestmark = pytest.mark.slow

GOOD = receipt_pdf(make_receipt(20))


def truncate(weights: Path) -> None:
    weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])


def flip(weights: Path) -> None:
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)


DAMAGES: tuple[Callable[[Path], None], ...] = (truncate, flip, Path.unlink)


def tried_again(service: Service) -> None:
    """Wait until a worker has met the damage once more."""
    before = len(service.events("model damaged"))
    until(lambda: len(service.events("model damaged")) > before, "another try")


def test_damaged_model_makes_jobs_wait(tmp_path: Path) -> None:
    weights = Service(tmp_path).package / "model.safetensors"
    kept = Path(shutil.copy(weights, tmp_path / "kept"))
    truncate(weights)
    with serving(tmp_path, ready=False) as service:
        until(lambda: "damaged" in service.client.get("/readyz").text, "the reason")
        job_id = service.submit(GOOD)
        for damage in DAMAGES:
            shutil.copy(kept, tmp_path / "next")
            damage(tmp_path / "next")
            weights.unlink(missing_ok=True)
            if (tmp_path / "next").exists():
                (tmp_path / "next").rename(weights)
            tried_again(service)
            response = service.client.get("/readyz")
            assert (response.status_code, response.json()["code"]) == (503, "not_ready")
            assert service.job(job_id)["state"] == "queued"
        kept.rename(weights)
        assert service.ended(job_id)["state"] == "succeeded"
        until(lambda: service.status("/readyz") == 200, "the next heartbeat's word")
