"""Which version is in service, through the API."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from app.main import build
from app.settings import ApiSettings
from app.teaching import Releases
from pipeline.errors import InvalidOption
from store.access import ANY_OWNER, audit
from store.jobs import Jobs
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.packages import tiny_package
from tests.stores import prepare


def test_rollback_that_is_sent_again_is_done_once(tmp_path: Path) -> None:
    versions = ("1.0.0", "2.0.0", "3.0.0")
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    for version in versions:
        tiny_package(tmp_path / "models" / "tiny" / version, version=version)
    api = build(ApiSettings(home=tmp_path, model="tiny"))
    prepare(api.state.jobs)
    for version in versions:
        call(api, "POST", "/models/tiny/promote", json={"version": version})
    headers = {"Idempotency-Key": uuid.uuid4().hex}
    for _ in range(2):
        done = call(api, "POST", "/models/tiny/rollback", headers=headers)
        assert done.status_code == 200, done.text
        assert [one["version"] for one in done.json()["versions"] if one["current"]] == ["2.0.0"]
    other = call(api, "POST", "/models/other/rollback", headers=headers)
    check_problem(other, 404, "model_unknown")
    assert call(api, "POST", "/models/tiny/rollback").json()["earlier"] is None
    api.state.jobs.close()


@pytest.mark.parametrize("act", ["promote", "rollback"])
def test_no_transaction_is_open_while_packages_are_copied(
    act: str, releases: Releases, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*given: object) -> None:
        with jobs.database.writing() as connection:  # somebody else's, who waits for nothing
            audit.record(connection, "key.created", "another")

    monkeypatch.setattr(f"app.teaching.releases.{act}", slow)
    if act == "promote":
        releases.promote("tiny", "0.0.1", ANY_OWNER)
    else:
        releases.roll_back("tiny", ANY_OWNER)
    told = [entry.action for entry in audit.entries(jobs.database)]
    assert told == ["key.created", {"promote": "model.promoted"}.get(act, "model.rolled_back")]


def test_what_failed_is_not_in_the_audit_log(releases: Releases, jobs: Jobs) -> None:
    with pytest.raises(InvalidOption):
        releases.roll_back("tiny", ANY_OWNER)  # nothing was in service before
    assert list(audit.entries(jobs.database)) == []
