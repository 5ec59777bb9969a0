"""Signs that a value is right or wrong, beside the score of its words.

Each sign is a number of about one unit, 0 where nothing is known, so that the weights of a package
(`pipeline.answers.confidence.calibration`) can be compared and stay small:

    least      logit of the least sure word's score
    margin     how far its score is above (or below) that of the next value
    places     how many places say it
    printed    how often the document prints it, tagged or not
    letters    how surely the reader read its words
    whole      whether it begins and ends where lines do
    caption    whether the field's name, or a colon, stands before or above it
    named      what the words around it say, by those around the field's labels and around others
    adds       1 for a sum of its column, -1 for a part of one
    normal     whether its text has a sure reading
    length     how far its length is from that of the field's labels
    shape      how usual its pattern of letters, digits and marks is for them
    opening    how usual its first word is for them
    ending     how usual its last word is for them
    fit        how well the document fits the model
    agrees     +1 where sums hold with it, -1 where one fails
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Self

from pipeline.answers.confidence.surroundings import adds_up, named_by
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.ranking import Value
from pipeline.values.normalise import normalise
from pipeline.values.schema import LONG, FieldSpec, Kind

AGREES = "agrees"
SIGNS = (
    *("least", "margin", "places", "printed", "letters", "whole", "caption", "named", "adds"),
    *("normal", "length", "shape", "opening", "ending", "fit", AGREES),
)

Signs = dict[str, float]

_EDGE = 1e-3  # scores nearer to 0 or 1 count as this far from them
_LITTLE = 0.01  # a score next to which none is nothing
_UNREAD = 0.05  # what a word read with no confidence at all counts as
_BEFORE = 3  # words before a value among which its caption may stand
_ABOVE = 2.5  # heights of a line in which a caption may stand above
_LONGEST_SHAPE = 24  # characters of a pattern
_MOST_KEPT = 40  # patterns, or words, of a field
_FEWEST_ISSUERS = 5  # a word of fewer issuers' labels is one of them, and not kept
_RARE = 0.01  # share of labels below which a pattern or word is as if never seen
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Habit:
    """What values of a field look like, learnt from its labels.

    Attributes:
        length: mean of the logarithm of their number of characters.
        spread: its standard deviation, at least 0.1.
        shapes: share of the labels by pattern, see `shape_of`.
        openings, endings: share of the labels by first and last word, of several issuers' words.
        names: how much more often a word stands around labels than around other texts of their
            kind, as a logarithm; see `pipeline.answers.confidence.surroundings.named_by`.
    """

    length: float
    spread: float
    shapes: Mapping[str, float] = field(default_factory=dict)
    openings: Mapping[str, float] = field(default_factory=dict)
    endings: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        labels: Iterable[tuple[str, str]],
        kind: Kind,
        names: Mapping[str, float] | None = None,
    ) -> Self | None:
        """Return the habit of a field's labels as printed; None without any.

        Args:
            labels: (issuer, text) of each label; a word that few issuers have is not kept.
            kind: of the field.
            names: see the attribute.
        """
        found = [(issuer, text) for issuer, text in labels if text.strip()]
        if not found:
            return None
        logs = [math.log(len(text.strip())) for _, text in found]
        mean = sum(logs) / len(logs)
        spread = math.sqrt(sum((value - mean) ** 2 for value in logs) / len(logs))
        shapes = Counter(shape_of(text, kind) for _, text in found)
        return cls(
            round(mean, 4),
            round(max(spread, 0.1), 4),
            {
                shape: round(count / len(found), 4)
                for shape, count in shapes.most_common(_MOST_KEPT)
                if count > 1
            },
            _shares(found, 0) if kind in LONG else {},
            _shares(found, -1) if kind in LONG else {},
            names or {},
        )

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal habit."""
        return {
            "length": self.length,
            "spread": self.spread,
            "shapes": dict(self.shapes),
            "openings": dict(self.openings),
            "endings": dict(self.endings),
            "names": dict(self.names),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the habit that `to_json` wrote.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: it is none.
        """
        tables = [
            {str(name): float(share) for name, share in data.get(key, {}).items()}
            for key in ("shapes", "openings", "endings", "names")
        ]
        found = cls(float(data["length"]), float(data["spread"]), *tables)
        numbers = [found.length, found.spread, *(n for table in tables for n in table.values())]
        if not all(map(math.isfinite, numbers)) or found.spread <= 0:
            raise ValueError("a habit holds a number that is not usable")
        return found

    def signs(self, text: str, kind: Kind) -> Signs:
        """Return the signs of a text that is to be a value of the field."""
        away = abs(math.log(max(len(text.strip()), 1)) - self.length) / self.spread
        found = {
            "length": -min(away, 4.0) / 2,
            "shape": _usual(self.shapes.get(shape_of(text, kind), 0.0)),
        }
        if kind in LONG:
            words = _words(text)
            found["opening"] = _usual(self.openings.get(words[0], 0.0) if words else 0.0)
            found["ending"] = _usual(self.endings.get(words[-1], 0.0) if words else 0.0)
        return found


def shape_of(text: str, kind: Kind) -> str:
    """Return the pattern of a text: runs of letters as ``a``, of digits as ``9``, marks as is.

    Long texts have as many patterns as there are texts: of names and addresses, the pattern of
    their ends counts, and whether a digit stands between them.
    """
    pattern = _DIGITS.sub("9", _LETTERS.sub("a", " ".join(text.split())))
    if kind in LONG and len(pattern) > 1:
        return f"{pattern[0]}{'9' if '9' in pattern[1:-1] else ''}{pattern[-1]}"
    return pattern[:_LONGEST_SHAPE]


def signs_of(
    value: Value,
    others: Sequence[Value],
    spec: FieldSpec,
    evidence: Evidence,
    habit: Habit | None = None,
    fit: float | None = None,
) -> Signs:
    """Return the signs of a value; ``agrees`` is not among them, see `choosing.agreement`.

    Args:
        value: to be judged.
        others: all values that the document offers for the field, this one among them.
        spec: the field.
        evidence: the document as tagged.
        habit: of the field, where the package has one.
        fit: of the document, 0 to 1, where the package can tell.
    """
    words = value.best.words
    tokens = [evidence.words[index][1] for index in words]
    rival = max((other.total for other in others if other is not value), default=0.0)
    read = sum(math.log(max(token.confidence, _UNREAD)) for token in tokens)
    status = value.normalised.status
    found = {
        "least": _logit(value.best.least) / 3,
        # Of many values none is another's rival; a cell stands for itself alone.
        "margin": 0.0
        if spec.many or spec.group
        else _within(math.log((value.total + _LITTLE) / (rival + _LITTLE)) / 3, 1.5),
        "places": 0.0 if spec.group else min(math.log(len(value.places)), 2.0),
        "printed": min(math.log(max(evidence.printed(value.normalised.text), 1)), 2.0),
        "letters": max(read, -6.0) / 2,
        "whole": _whole(words, evidence),
        "caption": _caption(words[0], spec, evidence),
        "adds": _adds(words[0], spec, evidence),
        "normal": {"ok": 0.0, "ambiguous": -0.5}.get(status, -1.0),
        "fit": 0.0 if fit is None else _logit(fit) / 3,
    }
    if habit is not None:
        found |= habit.signs(value.normalised.text, spec.kind)
        if habit.names:
            around = named_by(evidence.words, words[0])
            # A set has no order, and a plain sum would depend on it in the last digit.
            said = math.fsum(habit.names.get(word, 0.0) for word in around)
            found["named"] = _within(said, 4.0) / 2
    return found


def _adds(first: int, spec: FieldSpec, evidence: Evidence) -> float:
    if spec.kind is not Kind.AMOUNT or spec.group:
        return 0.0

    def figure(text: str) -> Decimal | None:
        said = normalise(text, spec, evidence.context).value
        return None if said is None else Decimal(said["amount"])

    return adds_up(evidence.words, first, figure)


def _shares(labels: Sequence[tuple[str, str]], at: int) -> dict[str, float]:
    """Return the share of labels by their first or last word, of words that several issuers use."""
    issuers: dict[str, set[str]] = {}
    counts: Counter[str] = Counter()
    for issuer, text in labels:
        if words := _words(text):
            issuers.setdefault(words[at], set()).add(issuer)
            counts[words[at]] += 1
    kept = [
        (word, count)
        for word, count in counts.most_common()
        if len(issuers[word]) >= _FEWEST_ISSUERS
    ]
    return {word: round(count / len(labels), 4) for word, count in kept[:_MOST_KEPT]}


def _words(text: str) -> list[str]:
    return [_DIGITS.sub("9", word) for word in _WORD.findall(text.casefold())]


def _usual(share: float) -> float:
    """Return 0 for what no label has, to 1 for what all have."""
    return 1 + math.log(max(share, _RARE)) / -math.log(_RARE)


def _logit(score: float) -> float:
    clipped = min(max(score, _EDGE), 1 - _EDGE)
    return math.log(clipped / (1 - clipped))


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)


def _whole(words: Sequence[int], evidence: Evidence) -> float:
    """Return 1 where a value takes whole lines, 0.5 where one end is a line's end, else 0."""
    count = len(evidence.words)
    starts = words[0] == 0 or not evidence.same_line(words[0] - 1, words[0])
    ends = words[-1] + 1 == count or not evidence.same_line(words[-1], words[-1] + 1)
    return (starts + ends) / 2


def _caption(first: int, spec: FieldSpec, evidence: Evidence) -> float:
    """Return 1 where a part of the field's name stands before or above a value, 0.5 for a colon."""
    names = {part for part in _words(spec.column.replace("_", " ")) if len(part) > 2}
    before = range(max(0, first - _BEFORE), first)
    texts = [evidence.words[i][1].text for i in before if evidence.same_line(i, first)]
    texts += [evidence.words[i][1].text for i in _just_above(first, evidence)]
    if names & {word for text in texts for word in _words(text)}:
        return 1.0
    return 0.5 if any(text.endswith(":") for text in texts) else 0.0


def _just_above(first: int, evidence: Evidence) -> list[int]:
    """Return the words that stand over a value within the height of a caption."""
    page, token = evidence.words[first]
    found = []
    for index in range(first - 1, max(-1, first - 40), -1):
        other_page, other = evidence.words[index]
        if other_page is not page:
            break
        space = token.box.top - other.box.bottom
        if space > _ABOVE * token.box.height:
            break
        over = other.box.x0 < token.box.x1 and token.box.x0 < other.box.x1
        if over and space > -0.5 * token.box.height:
            found.append(index)
    return found
