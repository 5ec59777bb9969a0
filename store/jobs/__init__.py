"""Jobs: accepted, queued, claimed by workers, ended once; what others import of them."""

from store.jobs.claims import Claims
from store.jobs.jobs import Jobs
from store.jobs.leases import Leases
from store.jobs.records import (
    OF_ANSWERS,
    REFUSE,
    STAGES,
    TERMINAL,
    WORDS,
    Job,
    LeaseLost,
    Progress,
    Stage,
    State,
    Submission,
    WorkerInfo,
)
from store.jobs.rows import Later, New
from store.jobs.telemetry import Telemetry
from store.jobs.workers import WorkerRegistry

__all__ = [
    "OF_ANSWERS",
    "REFUSE",
    "STAGES",
    "TERMINAL",
    "WORDS",
    "Claims",
    "Job",
    "Jobs",
    "Later",
    "LeaseLost",
    "Leases",
    "New",
    "Progress",
    "Stage",
    "State",
    "Submission",
    "Telemetry",
    "WorkerInfo",
    "WorkerRegistry",
]
