"""What a worker works with, and what it knows of the job in hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from models.labels import Span
from models.packages import PackageRef, Registry
from pipeline.answers.answerer import Answerer
from pipeline.document import Document
from pipeline.routing import Choice
from store.jobs import STAGES, Job, Jobs, New

if TYPE_CHECKING:  # what runs models comes in with it
    from pipeline.extract import Extractor


@dataclass(frozen=True, slots=True)
class StageDependencies:
    """What the stages of a worker work with.

    Attributes:
        jobs: the queue.
        registry: the model packages.
        model: returns the model of a package, loaded now or before.
        resolver: returns what answers for a package, which may be its model.
        check: raises LeaseLost where a job that is in work here is another worker's by now.
        stages: that are done here.
    """

    jobs: Jobs
    registry: Registry
    model: Callable[[PackageRef], Extractor]
    resolver: Callable[[PackageRef], Answerer]
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
