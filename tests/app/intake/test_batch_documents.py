"""The files of a batch are judged together: all or none, each under a name of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.intake import Upload
from store.batches import Batches
from store.errors import ArchiveUnsafe, BatchTooLarge
from store.jobs import Jobs
from store.settings import Settings
from tests.archives import zip_of
from tests.stores import opened
from tests.submitting import PDFS, order, stored, submit_batch, upload, uploads

MOST = 6


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with opened(Settings(home=tmp_path, model="tiny", batch_max_files=MOST), tiny="0.0.1") as queue:
        yield queue


@pytest.fixture
def batches(jobs: Jobs) -> Batches:
    return Batches(jobs)


@pytest.mark.parametrize(
    ("last", "error"),
    [
        pytest.param(upload("x.zip", zip_of([("../x", b"x")])), ArchiveUnsafe, id="unsafe"),
        pytest.param(
            upload("x.zip", zip_of([(f"{n}.pdf", PDFS[0]) for n in range(5)])),
            BatchTooLarge,
            id="many",
        ),
    ],
)
def test_what_is_refused_leaves_nothing(
    jobs: Jobs, batches: Batches, last: Upload, error: type[Exception]
) -> None:
    with pytest.raises(error):
        submit_batch(jobs, [*uploads("a.pdf", "b.pdf"), last], order(jobs))
    assert (stored(jobs), jobs.repository.page()[0], batches.page()[0]) == (0, [], [])


def test_archives_have_so_many_entries_together(jobs: Jobs, batches: Batches) -> None:
    """Of each a few are no documents; all of their names would be kept, and told at each look."""
    junk = zip_of([(f".{n}", b"") for n in range(3 * MOST)])
    batch = submit_batch(jobs, [*uploads("a.pdf"), *[upload("x.zip", junk)] * 5], order(jobs))
    assert batch.skipped == tuple(f".{n % (3 * MOST)}" for n in range(90))
    batch = submit_batch(jobs, [*uploads("a.pdf"), *[upload("x.zip", junk)] * 6], order(jobs))
    assert len(batch.skipped) == 100
    with pytest.raises(BatchTooLarge, match="118 entries"):
        submit_batch(jobs, [*uploads("a.pdf"), *[upload("x.zip", junk)] * 7], order(jobs))


def test_names_are_told_apart_and_cut(jobs: Jobs, batches: Batches) -> None:
    long = "n" * 300 + ".pdf"
    batch = submit_batch(jobs, uploads("A.pdf", "a.PDF", long, long, "", "\u202e"), order(jobs))
    names = [item.filename for item in batches.items(batch.id)[0]]
    assert names[:2] == ["A.pdf", "a (2).PDF"]
    assert names[4:] == ["document", "document (2)"]
    assert len(set(names)) == 6
    assert all(len(name) <= 255 for name in names)
