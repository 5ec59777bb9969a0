"""How good answers are: field-level scores, calibration of confidences, reports."""

from training.scoring.answers import Spans, answers_of, evaluate, oracle, said, tag_all, texts_of
from training.scoring.scores import METRICS, Counts, Metric, Scores, Values, score

__all__ = [
    "METRICS",
    "Counts",
    "Metric",
    "Scores",
    "Spans",
    "Values",
    "answers_of",
    "evaluate",
    "oracle",
    "said",
    "score",
    "tag_all",
    "texts_of",
]
