"""Answers that were right or wrong, for the tests of what confidences are worth."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from pipeline.result import FieldValue
from tests.builders import field_value
from training.scoring.confidence import Judged


def judged_of(*pairs: tuple[float, bool]) -> Judged:
    """Return answers by confidence and rightness; those below a half are marked."""
    confidence = np.array([value for value, _ in pairs], dtype=np.float64)
    right = np.array([right for _, right in pairs], dtype=bool)
    return Judged(confidence, right, confidence < 0.5)


pairs = st.tuples(
    st.sampled_from([0.0, 0.1, 0.5, 0.7, 0.9, 0.99, 1.0]) | st.floats(0, 1), st.booleans()
)
samples = st.lists(pairs, min_size=1, max_size=60).map(lambda items: judged_of(*items))


def value_of(text: str, confidence: float) -> FieldValue:
    """Return an answer that nobody is asked to look at."""
    return field_value("amount", text, None, confidence=confidence)
