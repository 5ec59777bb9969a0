"""Models are exchanged under a running service: `fieldwright models`, from one job to the next."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.builders import make_receipt, receipt_pdf
from tests.commands import run
from tests.packages import tiny_package
from tests.service import Service, digest, environment, serving, until

SLOW, GOOD = receipt_pdf(make_receipt(61)), receipt_pdf(make_receipt(62))


def command(service: Service, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `fieldwright models` in the service's home."""
    return run("models", *words, **environment(service.home, service.settings))


def answering(service: Service, data: bytes = GOOD) -> str:
    """Return the version that answers now."""
    answer = service.post(data, wait=60)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["model"]["version"])


@pytest.mark.slow
def test_next_job_has_the_promoted_model_and_the_running_one_its_own(tmp_path: Path) -> None:
    fault = f"in_tag@{digest(SLOW)}:sleep:4"
    with serving(tmp_path, fault=fault) as service:
        assert command(service, "promote", "tiny@0.0.1").returncode == 0
        tiny_package(tmp_path / "models" / "tiny" / "0.0.2", version="0.0.2", seed=2)
        assert answering(service) == "0.0.1"  # new, but not in service
        running = service.submit(SLOW)
        until(lambda: service.job(running)["model_version"], "the version to be fixed")

        assert command(service, "promote", "tiny@0.0.2").returncode == 0
        assert answering(service) == "0.0.2"
        assert service.ended(running)["model_version"] == "0.0.1"
        answer = service.client.get(f"/jobs/{running}/result").json()
        assert answer["model"]["version"] == "0.0.1"

        damaged = tiny_package(tmp_path / "models" / "tiny" / "0.0.3", version="0.0.3")
        (damaged / "model.safetensors").write_bytes(b"half of it")
        refused = command(service, "promote", "tiny@0.0.3")
        assert refused.returncode == 3
        assert "damaged" in refused.stderr
        assert answering(service) == "0.0.2"

        assert command(service, "rollback", "tiny").returncode == 0
        assert answering(service) == "0.0.1"
        assert service.client.get("/readyz").json()["status"] == "ready"
