"""Reviews: answers that a person should see, who has them in hand, and what people decided."""

from store.reviews.applied import KINDS, ROW_KINDS, Decision, DecisionKind, Made
from store.reviews.need import Need, need_of
from store.reviews.reviews import (
    Agreement,
    Decided,
    Queue,
    Rechecked,
    Review,
    Reviews,
    WaitingBatch,
    forget,
    open_review,
)

__all__ = [
    "KINDS",
    "ROW_KINDS",
    "Agreement",
    "Decided",
    "Decision",
    "DecisionKind",
    "Made",
    "Need",
    "Queue",
    "Rechecked",
    "Review",
    "Reviews",
    "WaitingBatch",
    "forget",
    "need_of",
    "open_review",
]
