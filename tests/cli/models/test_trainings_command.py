"""`fieldwright trainings`: how a training is asked for."""

from __future__ import annotations

import pytest

from store.jobs import Jobs
from store.settings import Settings
from store.trainings import Trainings
from tests.cli.test_command_line import Command
from tests.stores import prepare
from tests.taught import dataset_of_receipts


@pytest.mark.parametrize(
    ("asked", "final"), [([], None), (["--final"], True), (["--no-final"], False)]
)
def test_whether_all_documents_are_learnt_from_in_the_end_is_kept(
    command: Command, asked: list[str], final: bool | None
) -> None:
    command.home.mkdir()
    jobs = Jobs(Settings(home=command.home))
    prepare(jobs)
    dataset = dataset_of_receipts(jobs, labelled=10, others=0)
    done = command("trainings", "start", dataset.id, *asked, code=0)
    assert Trainings(jobs.database).get(done.out.strip()).options["final"] is final
    jobs.close()
