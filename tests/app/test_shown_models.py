"""Whose models are seen: of another key those that it put in service."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.main import build
from app.settings import ApiSettings
from store.access import Keys
from store.trainings import Training
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.stores import prepare

PDF = receipt_pdf(make_receipt(5))


class Installation:
    """A service with keys, and a model that was trained on a dataset of Anna and is withheld."""

    def __init__(self, home: Path) -> None:
        models = home / "models"
        for name in ("tiny", "secret"):
            (models / name).mkdir(parents=True)
            tiny_package(models / name / "1.0.0")
        (models / "secret" / "current").write_text("")
        self.api = build(ApiSettings(home=home, model="tiny"))
        self.jobs = self.api.state.jobs
        prepare(self.jobs)
        keys = Keys(self.jobs.database)
        scopes = ("extract", "read", "review", "train")
        made = {name: keys.create(name, scopes) for name in ("anna", "ben")}
        made["admin"] = keys.create("admin", ("admin",))
        self.shown = {name: text for name, (_, text) in made.items()}
        owner = made["anna"][0].owner
        dataset = self.api.state.teaching.store.create("x", "secret", owner)
        training = Training(str(uuid.uuid4()), dataset.id, owner, "secret", "1.0.0", {})
        self.api.state.releases.trainings.start(training)

    def ask(self, who: str, method: str, path: str, **options: object) -> httpx.Response:
        return call(self.api, method, path, headers={"X-API-Key": self.shown[who]}, **options)

    def listed(self, who: str) -> set[str]:
        return {one["name"] for one in self.ask(who, "GET", "/models").json()["models"]}

    def sent(self, who: str, path: str = "/extract", name: str = "file") -> httpx.Response:
        form = {"model": "secret@1.0.0"} | ({"wait": "0"} if path == "/extract" else {})
        return self.ask(who, "POST", path, files={name: ("a.pdf", PDF)}, data=form)


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path)
    yield made
    made.jobs.close()


def test_withheld_version_is_its_owners(installation: Installation) -> None:
    for who in ("anna", "admin"):
        assert "secret" in installation.listed(who)
        assert installation.ask(who, "GET", "/models/secret@1.0.0/schema").status_code == 200
        assert installation.ask(who, "GET", "/models/secret/versions").status_code == 200
        assert installation.sent(who).status_code == 202
    assert "secret" not in installation.listed("ben")
    for path in (
        "/models/secret@1.0.0/schema",
        "/models/secret/versions",
        "/models/secrets/schema",
    ):
        refused = installation.ask("ben", "GET", path)
        check_problem(refused, 404, "model_unknown")
        assert "secret@" not in refused.json()["advice"]
        assert "mean secret" not in refused.json()["advice"]
    check_problem(installation.sent("ben"), 404, "model_unknown")
    check_problem(installation.sent("ben", "/batches", "files"), 404, "model_unknown")


def test_version_in_service_serves_all(installation: Installation) -> None:
    promoted = installation.ask("anna", "POST", "/models/secret/promote", json={"version": "1.0.0"})
    assert promoted.status_code == 200, promoted.text
    assert "secret" in installation.listed("ben")
    assert installation.sent("ben").status_code == 202


@pytest.mark.parametrize("name", ["tiny\0", "a" * 5000, "../models/tiny", "tiny/1.0.0", ".", "\n"])
def test_what_is_no_name_of_a_model_is_unknown(installation: Installation, name: str) -> None:
    for who in ("admin", "ben"):
        form = {"files": {"file": ("a.pdf", PDF)}, "data": {"model": name, "wait": "0"}}
        check_problem(installation.ask(who, "POST", "/extract", **form), 404, "model_unknown")


def test_default_of_the_installation_serves_all(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.jobs.close()
    api = build(ApiSettings(home=tmp_path, model="secret@1.0.0"))
    prepare(api.state.jobs)
    headers = {"X-API-Key": installation.shown["ben"]}
    form = {"wait": "0"}
    sent = call(api, "POST", "/extract", headers=headers, files={"file": PDF}, data=form)
    assert sent.status_code == 202, sent.text
    api.state.jobs.close()
