"""What a worker works with, and what it knows of the job in hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from models.labels import Span
from models.packages import PackageRef, Registry
from pipeline.document import Document
from pipeline.reading.options import ReadOptions
from pipeline.result import Extraction
from pipeline.routing import Choice
from store.jobs import STAGES, Job, Jobs, New


class Resolver(Protocol):
    """What the last stage needs of `pipeline.answers.answerer.Answerer`."""

    def resolve(
        self,
        document: Document,
        spans: list[Span],
        *,
        job_id: str,
        timings: dict[str, float],
        choice: Choice | None = None,
        with_words: bool = False,
        refuse: bool = False,
    ) -> Extraction:
        """Return the fields that the spans spell."""


class Model(Resolver, Protocol):
    """What the stages need of `pipeline.extract.Extractor`."""

    def tag_many(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the labelled spans of each document."""


class Reader(Protocol):
    """What the stages need of `pipeline.reading.reader.read_document`."""

    def __call__(
        self,
        data: bytes,
        options: ReadOptions,
        on_page: Callable[[int, int], None],
        check: Callable[[], None],
    ) -> Document:
        """Return a document as read.

        Args:
            data: the file.
            options: how to read it.
            on_page: called with the pages done and the pages in all.
            check: called often; what it raises ends the reading.
        """


@dataclass(frozen=True, slots=True)
class StageDependencies:
    """What the stages of a worker work with.

    Attributes:
        jobs: the queue.
        registry: the model packages.
        reader: reads documents.
        model: returns the model of a package, loaded now or before.
        resolver: returns what answers for a package, which may be its model.
        check: raises LeaseLost where a job that is in work here is another worker's by now.
        stages: that are done here.
    """

    jobs: Jobs
    registry: Registry
    reader: Reader
    model: Callable[[PackageRef], Model]
    resolver: Callable[[PackageRef], Resolver]
    check: Callable[[Job], None]
    stages: Sequence[str] = STAGES


@dataclass(slots=True)
class JobRun:
    """A claimed job, and what its stages have made of it so far.

    Attributes:
        job: at the stage that is next.
        package: that answers, once it was looked up.
        document, spans: where they are in memory.
        choice: how sure it is that the model fits, where it was chosen for the document.
        timings: seconds by stage.
        progress: what is not noted in the store yet, because the answer comes in a moment.
    """

    job: Job
    package: PackageRef | None = None
    document: Document | None = None
    spans: list[Span] | None = None
    choice: Choice | None = None
    timings: dict[str, float] = field(default_factory=dict)
    progress: dict[str, New] = field(default_factory=dict)
