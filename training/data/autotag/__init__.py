"""Labels are values; auto-tagging finds the words that print them."""

from training.data.autotag.align import Tagged, autotag
from training.data.autotag.doubts import doubtful_labels
from training.data.autotag.occurrences import How, Match
from training.data.autotag.styles import learn_form, learn_style
from training.data.autotag.text import Text

__all__ = [
    "How",
    "Match",
    "Tagged",
    "Text",
    "autotag",
    "doubtful_labels",
    "learn_form",
    "learn_style",
]
