"""Reviews: answers that a person should see, who has them in hand, and what people decided."""

from store.reviews.applied import Decision, DecisionKind, Made
from store.reviews.need import Need, need_of
from store.reviews.reviews import Decided, Review, Reviews, forget, open_review

__all__ = [
    "Decided",
    "Decision",
    "DecisionKind",
    "Made",
    "Need",
    "Review",
    "Reviews",
    "forget",
    "need_of",
    "open_review",
]
