"""What a cluster and systemd are given: valid by their schemas, and in step with the product."""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
import subprocess
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from store.blobs import open_packages
from tests.commands import run

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
BASE = DEPLOY / "kubernetes" / "base"
RESOURCES = yaml.safe_load((BASE / "kustomization.yaml").read_text())["resources"]
OBJECTS: list[dict[str, Any]] = [
    item for name in RESOURCES for item in yaml.safe_load_all((BASE / name).read_text())
]
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
GPU = DEPLOY / "systemd" / "gpu.conf"
COMPOSED = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


def named(kind: str) -> dict[str, dict[str, Any]]:
    return {item["metadata"]["name"]: item for item in OBJECTS if item["kind"] == kind}


def pods() -> dict[str, dict[str, Any]]:
    """Return the pods' specifications by the name of what makes them."""
    owners = {**named("Deployment"), **named("Job")}
    return {name: item["spec"]["template"]["spec"] for name, item in owners.items()}


def ids(item: dict[str, Any]) -> str:
    return f"{item['kind']}-{item['metadata']['name']}"


@pytest.mark.parametrize("item", OBJECTS, ids=ids)
def test_objects_are_valid(item: dict[str, Any]) -> None:
    kubernetes_validate.validate(item, "1.30", strict=True)


def test_validation_would_see_a_fault() -> None:
    broken = {**OBJECTS[0], "datta": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, "1.30", strict=True)


def test_every_file_of_the_base_is_in_it() -> None:
    files = {path.name for path in BASE.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(RESOURCES) == files


def test_what_objects_name_is_there() -> None:
    deployments, claims = named("Deployment"), named("PersistentVolumeClaim")
    for scaler in named("HorizontalPodAutoscaler").values():
        assert scaler["spec"]["scaleTargetRef"]["name"] in deployments
    assert named("PodDisruptionBudget").keys() == deployments.keys()
    for name, pod in pods().items():
        for volume in pod["volumes"]:
            claim = volume.get("persistentVolumeClaim")
            assert claim is None or claim["claimName"] in claims, name
        for container in pod["containers"]:
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            assert mounted == {volume["name"] for volume in pod["volumes"]}
            (source,) = container["envFrom"]
            assert source["configMapRef"]["name"] in named("ConfigMap")
    for item in deployments.values():
        labels = item["spec"]["template"]["metadata"]["labels"]
        assert item["spec"]["selector"]["matchLabels"].items() <= labels.items()
    for item in named("PodDisruptionBudget").values():
        (name,) = item["spec"]["selector"]["matchLabels"].values()
        assert name in deployments


def test_pods_have_no_rights() -> None:
    for name, pod in pods().items():
        assert pod["securityContext"]["runAsNonRoot"], name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"]
            assert context["allowPrivilegeEscalation"] is False
            assert context["capabilities"] == {"drop": ["ALL"]}
            assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("service", ["api", "read", "tag", "train"])
def test_pods_run_what_the_composition_runs(service: str) -> None:
    (container,) = pods()[f"fieldwright-{service}"]["containers"]
    composed = COMPOSED[service]
    assert container["image"] == composed["image"]
    mine = [re.sub(r"^\d$", "N", word) for word in container["args"]]
    theirs = [
        re.sub(r"^\$\{.*\}$", "N", word)
        for word in composed.get("command", ["serve", "--host", "0.0.0.0", "--port", "8000"])
    ]
    assert mine == theirs
    asked = {item["key"] for volume in pods()[f"fieldwright-{service}"]["volumes"]
             if "secret" in volume for item in volume["secret"]["items"]}  # fmt: skip
    assert asked == set(composed["secrets"])


def test_release_is_the_packages() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for folder in ("base", "gpu"):
        path = DEPLOY / "kubernetes" / folder / "kustomization.yaml"
        images = yaml.safe_load(path.read_text())["images"]
        assert {image["newTag"] for image in images} == {version}
    assert list(named("Job")) == [f"fieldwright-migrate-{version.replace('.', '-')}"]


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
@pytest.mark.parametrize("folder", ["base", "gpu", "objects"])
def test_kustomization_builds(folder: str) -> None:
    command = ["kubectl", "kustomize", str(DEPLOY / "kubernetes" / folder)]
    built = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    items = list(yaml.safe_load_all(built))
    for item in items:
        kubernetes_validate.validate(item, "1.30", strict=True)
        assert item["metadata"]["namespace"] == "fieldwright"
    (tagger,) = [item for item in items if ids(item) == "Deployment-fieldwright-tag"]
    (container,) = tagger["spec"]["template"]["spec"]["containers"]
    assert ("cuda" in container["args"]) == (folder == "gpu")
    assert len(items) == len(OBJECTS) - 2 * (folder == "objects")


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_pods_with_an_object_store_share_no_volume() -> None:
    command = ["kubectl", "kustomize", str(DEPLOY / "kubernetes" / "objects")]
    built = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    items = {ids(item): item for item in yaml.safe_load_all(built)}
    assert not any(name.startswith("PersistentVolumeClaim") for name in items)
    settings = items["ConfigMap-fieldwright-settings"]["data"]
    assert open_packages(settings["FIELDWRIGHT_BLOB_URL"]) is not None
    for name in pods():
        item = items.get(f"Deployment-{name}") or items[f"Job-{name}"]
        pod = item["spec"]["template"]["spec"]
        assert not any("persistentVolumeClaim" in volume for volume in pod["volumes"])
        (container,) = pod["containers"]
        assert {"secretRef": {"name": "fieldwright-objects"}} in container["envFrom"]
        read_only = {mount["name"] for mount in container["volumeMounts"] if mount.get("readOnly")}
        assert read_only == {"secrets"}, name


@pytest.mark.parametrize("path", [*UNITS, GPU], ids=lambda path: path.stem)
def test_units_start_what_there_is(path: Path) -> None:
    text = path.read_text()
    settings = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "systemd/fieldwright.env").read_text(),
                               re.MULTILINE))  # fmt: skip
    (started,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    program, command, *words = shlex.split(started)
    assert program.endswith("/.venv/bin/fieldwright")
    assert set(re.findall(r"\$\{(\w+)\}", started)) <= settings.keys()
    helped = run(command, "--help").stdout
    for word in words:
        assert not word.startswith("--") or word in helped
    for stop in re.findall(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE):
        assert int(stop) > 20  # the drain


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_units_have_time_to_stop(path: Path) -> None:
    assert len(re.findall(r"^TimeoutStopSec=\d+$", path.read_text(), re.MULTILINE)) == 1


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_child_without_memory_does_not_end_its_unit(path: Path) -> None:
    assert re.findall(r"^OOMPolicy=(.*)$", path.read_text(), re.MULTILINE) == ["continue"]


def test_pods_of_the_api_outlive_the_news_of_their_end() -> None:
    pod = pods()["fieldwright-api"]
    (container,) = pod["containers"]
    program, seconds = container["lifecycle"]["preStop"]["exec"]["command"]
    assert program == "sleep"
    drain = int(named("ConfigMap")["fieldwright-settings"]["data"]["FIELDWRIGHT_DRAIN_SECONDS"])
    assert int(seconds) + drain < pod["terminationGracePeriodSeconds"]


def test_uploads_fit_into_the_volume_that_they_wait_in() -> None:
    folder = DEPLOY / "kubernetes" / "objects"
    patch = yaml.safe_load((folder / "volumes.yaml").read_text())
    (volume,) = [one["value"] for one in patch if one["path"].endswith("/volumes/0") and
                 one["op"] == "replace"]  # fmt: skip
    room = int(volume["emptyDir"]["sizeLimit"].removesuffix("Gi")) * 2**30
    data = yaml.safe_load((folder / "settings.yaml").read_text())["data"]
    most = int(data["FIELDWRIGHT_MAX_UPLOADS"])
    assert most * int(data["FIELDWRIGHT_BATCH_MAX_BYTES"]) < room


def test_secrets_name_the_hosts_that_are_given(tmp_path: Path) -> None:
    program = shutil.copy(ROOT / "docker" / "make-secrets", tmp_path)
    for wrong in (["--database", "db"], ["--database-host=db"], ["--database-host"]):
        unknown = subprocess.run([program, *wrong], capture_output=True, text=True)
        assert (unknown.returncode, "usage" in unknown.stderr) == (2, True)
    hosts = ["--database-host", "db.example", "--broker-host", "redis.example"]
    subprocess.run([program, *hosts], check=True, capture_output=True)
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert f":{made['postgres_password']}@db.example:" in made["fieldwright_database_url"]
    assert f":{made['redis_password']}@redis.example:" in made["fieldwright_broker_url"]
    again = subprocess.run([program], check=True, capture_output=True, text=True)
    assert again.stdout == ""


def test_commands_of_the_page_install_no_secret_for_everybody() -> None:
    told = (ROOT / "docs" / "deploy.md").read_text()
    modes = re.findall(r"install -D --mode (\d+) .*(?:secrets|\.env)", told)
    assert len(modes) == 2
    assert all(mode.endswith("00") for mode in modes)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    program = tmp_path / "fieldwright"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "fieldwright-tag.service.d").mkdir()
    for path in [*UNITS, DEPLOY / "systemd" / "fieldwright.target", GPU]:
        text = path.read_text().replace("/opt/fieldwright/.venv/bin/fieldwright", str(program))
        place = tmp_path / ("fieldwright-tag.service.d" if path is GPU else "")
        (place / path.name).write_text(text)
    names = [str(tmp_path / path.name) for path in UNITS]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_migrate_makes_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(tmp_path))
    for _ in range(2):  # safe to repeat
        done = run("migrate")
        assert (done.returncode, done.stdout) == (0, "")
        assert "up to date" in done.stderr
    assert (tmp_path / "jobs.db").is_file()


def test_release_is_rolled_back_by_the_newer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(tmp_path))

    def tables() -> set[str]:
        with closing(sqlite3.connect(tmp_path / "jobs.db")) as database:
            return {name for (name,) in database.execute("SELECT name FROM sqlite_master")}

    assert run("migrate").returncode == 0
    newest = tables()
    assert "reviews" in newest
    assert run("migrate", "--to", "0006").returncode == 0
    assert "reviews" not in tables()
    assert "sessions" in tables()
    assert run("migrate").returncode == 0
    assert tables() == newest
    unknown = run("migrate", "--to", "yesterday")
    assert (unknown.returncode, "no revision 'yesterday'" in unknown.stderr) == (2, True)


def test_older_release_says_that_the_tables_are_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(tmp_path))
    assert run("migrate").returncode == 0
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    done = run("migrate")
    assert (done.returncode, done.stdout) == (2, "")
    assert "those of a newer release: 9999" in done.stderr
    assert "fieldwright migrate --to 0" in done.stderr
