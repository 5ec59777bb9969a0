"""What the product is made of: locked by hash, its images complete and pinned on request."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("lock", ["requirements.lock", "torch.lock", "label-studio.lock"])
def test_every_locked_package_has_its_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)
    pins = [entry for entry in entries if re.match(r"[A-Za-z0-9._-]+==", entry)]
    assert pins
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry) for entry in pins)


def test_what_tests_need_beside_the_lock_is_not_in_it() -> None:
    """They come first where modules are looked for, and would take the place of what is locked."""
    beside, locked = (
        set(re.findall(r"^([a-z0-9-]+)==", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
        for name in ("label-studio.lock", "requirements.lock")
    )
    assert "label-studio-sdk" in beside
    assert not beside & locked


def test_torch_is_locked_in_the_version_that_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = [name for name in project["dependencies"] if name.startswith("torch==")]
    assert f"\n{wanted} " in (ROOT / "torch.lock").read_text(encoding="utf-8")


def test_images_are_pinned_where_compose_finds_it(tmp_path: Path) -> None:
    """With a docker that only answers as docker does."""
    (tmp_path / "docker").mkdir()
    for name in ("docker/pin-images", "docker-compose.yml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / ".env").write_text("FIELDWRIGHT_READERS=3\nREDIS_IMAGE=redis@sha256:0\n")
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text('#!/bin/sh\n[ "$1" = pull ] || echo "${5%%:*}@sha256:abc"\n')
    docker.chmod(0o755)
    environment = {**os.environ, "PATH": f"{docker.parent}:{os.environ['PATH']}"}
    command = ["sh", str(tmp_path / "docker/pin-images")]
    for _ in range(2):  # safe to repeat
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        assert (tmp_path / ".env").read_text().splitlines() == [
            "FIELDWRIGHT_READERS=3",
            "POSTGRES_IMAGE=postgres@sha256:abc",
            "PYTHON_IMAGE=python@sha256:abc",
            "REDIS_IMAGE=redis@sha256:abc",
        ]


def test_images_get_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    built = project["tool"]["setuptools"]
    places = [built["package-dir"].get(name, name.replace(".", "/")) for name in built["packages"]]
    top = {place.partition("/")[0] for place in places}
    passed = (ROOT / ".dockerignore").read_text().split()
    assert {f"!{name}" for name in top} <= set(passed)
    for recipe in (ROOT / "docker").glob("Dockerfile.*"):
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", recipe.read_text(), re.MULTILINE):
            for name in line.split():
                covered = {f"!{name}", f"!{name.partition('/')[0]}"}
                assert name == "." or covered & set(passed), name
