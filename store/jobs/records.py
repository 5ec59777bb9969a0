"""Jobs, their progress, and workers as values; the loss of a claim."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, fields
from typing import Any, BinaryIO, Literal

State = Literal["queued", "running", "succeeded", "failed", "cancelled"]
Stage = Literal["read", "tag", "resolve", "done"]
Purpose = Literal["dataset", "shadow", "reread"]
STAGES = ("read", "tag", "resolve")
TERMINAL = ("succeeded", "failed", "cancelled")
WORDS = "words"
"""What the option `include` of a request may ask for."""
REFUSE = "refuse"
"""What the option `on_no_fit` says where a document that fits no model is to have no answer."""
OF_ANSWERS = ("include", "on_no_fit")
"""Options that say what is answered, not how the document is read."""


class LeaseLost(Exception):
    """The job is another worker's by now, or was deleted: stop and write nothing."""


@dataclass(frozen=True, slots=True)
class Job:
    """A document being processed; times are seconds since 1970 by the database's clock.

    Attributes:
        id: UUID, made at submission.
        state: ``queued``, ``running``, then one of ``succeeded``, ``failed``, ``cancelled``.
        stage: what is to be done next: ``read``, ``tag``, ``resolve``, or ``done``.
        attempts: claims so far, without those that were handed back unharmed.
        token: proof of the current claim.
        model: as asked for, ``NAME`` or ``NAME@VERSION``.
        model_version: version that answers, fixed at the first claim.
        options: of the request, without the password.
        filename: as shown to users, cleaned.
        size: of the document in bytes.
        pages_done, pages_total: progress of reading; the total is unknown at first.
        error_code, error_detail, error_advice: why the job failed.
        owner: id of the key that submitted it; None where the service has no keys.
        priority: 0 where somebody waits, 1 in a batch; lower numbers go first.
        fingerprint: hash of document, model and options; equal ones have equal answers.
        words: of the document, once it is read.
        announced_at: when the broker was last told of it.
        expired_at: when its document and its answer were removed for their age.
        purpose: None for what somebody sent; ``dataset`` for a document of a dataset, kept as long
            as that is, ``shadow`` for one that a model reads beside the one in service, ``reread``
            for one that a reviewer has read by another model. None of them is listed, reviewed, or
            told to webhooks.
    """

    id: str
    model: str
    sha256: str
    filename: str
    media_type: str
    size: int
    options: dict[str, Any] = field(default_factory=dict)
    owner: str | None = None
    state: State = "queued"
    stage: Stage = "read"
    attempts: int = 0
    token: str | None = None
    worker: str | None = None
    lease_until: float | None = None
    not_before: float | None = None
    claimed_at: float | None = None
    cancel_requested: bool = False
    model_version: str | None = None
    pages_done: int = 0
    pages_total: int | None = None
    error_code: str | None = None
    error_detail: str | None = None
    error_advice: str | None = None
    created_at: float = 0.0
    started_at: float | None = None
    finished_at: float | None = None
    priority: int = 0
    fingerprint: str | None = None
    words: int | None = None
    announced_at: float | None = None
    expired_at: float | None = None
    purpose: Purpose | None = None

    @property
    def reading(self) -> dict[str, Any]:
        """The options that say how the document is read."""
        return {name: value for name, value in self.options.items() if name not in OF_ANSWERS}

    @property
    def with_words(self) -> bool:
        """True where the answer is to hold the words of the document."""
        return self.options.get("include") == WORDS

    @property
    def refuses_misfits(self) -> bool:
        """True where a document that fits no model is to have no answer."""
        return self.options.get("on_no_fit") == REFUSE

    @property
    def ended(self) -> bool:
        """True once nothing more will happen to the job."""
        return self.state in TERMINAL

    @property
    def waited(self) -> float:
        """Seconds that the job waited for its first worker; 0 while it has none."""
        return max(0.0, (self.started_at or self.created_at) - self.created_at)

    @property
    def cached(self) -> bool:
        """True where an earlier answer was given again: nobody ever claimed the job."""
        return self.state == "succeeded" and self.attempts == 0

    def with_another_model(self, model: str, purpose: Purpose, *, priority: int = 0) -> Job:
        """Return a new job in which another model reads the same document, with an answer always.

        Args:
            model: ``NAME`` or ``NAME@VERSION``.
            purpose: of the new job.
            priority: of the new job.
        """
        return Job(
            id=str(uuid.uuid4()),
            model=model,
            sha256=self.sha256,
            filename=self.filename,
            media_type=self.media_type,
            size=self.size,
            options={key: value for key, value in self.options.items() if key != "on_no_fit"},
            owner=self.owner,
            priority=priority,
            purpose=purpose,
        )


@dataclass(frozen=True, slots=True)
class Submission:
    """A document that was judged fit to be read.

    Attributes:
        job: of the document, complete but for its times; not stored yet.
        content: the document, read from its start.
        password: opens an encrypted PDF; kept beside the document until the job ends.
    """

    job: Job
    content: BinaryIO
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: what those who follow it are told of."""

    state: State
    stage: Stage
    pages_done: int
    pages_total: int | None
    attempts: int
    cancel_requested: bool
    error_code: str | None

    @property
    def ended(self) -> bool:
        """True once nothing more will happen to the job."""
        return self.state in TERMINAL

    @classmethod
    def of(cls, job: Job) -> Progress:
        """Return how far a job is."""
        return cls(*(getattr(job, item.name) for item in fields(cls)))

    @property
    def mark(self) -> str:
        """Equal for equal progress; the id of the event that tells of it."""
        pages = f"{self.pages_done}of{self.pages_total or 0}"
        flag = "-cancelling" if self.cancel_requested else ""
        return f"{self.state}-{self.stage}-{self.attempts}-{pages}{flag}"


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """One worker process.

    Attributes:
        name: unique among all workers of the store.
        ready: it takes jobs; `detail` says what is missing, which may be so of a ready one too.
        models: in its memory, as ``NAME@VERSION``.
        stages: that it works at.
        age: seconds since it was last heard of.
        confinement: of the processes that read documents for it, such as ``landlock+seccomp``, or
            ``none``; empty where it reads none.
    """

    name: str
    pid: int
    ready: bool
    detail: str
    models: tuple[str, ...]
    age: float
    stages: tuple[str, ...] = STAGES
    confinement: str = ""
