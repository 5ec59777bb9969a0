"""What a document calls itself, where a model says what documents of its kind are called.

    [titles]
    number = "invoice_number"
    own = ["Invoice", "Rechnung"]
    other = ["Quotation", "Auftragsbestätigung"]

in its `fields.toml`. An offer has the parties, the rows and the sums of an invoice: that it is none
stands in its title, and where that is small, at its number.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, dropwhile
from statistics import median
from typing import Any

from pipeline.answers.places.beside import (
    WordsOfPage,
    goes_on,
    has_digit,
    pages_of,
    text_around,
    text_before,
)
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rendering import Offer
from pipeline.document import Token
from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec, in_toml
from pipeline.values.texts.credit_notes import is_credit_note
from pipeline.values.texts.strings import lenient

_TALL = 1.15  # of the page's usual letters: those of a title
_TALLER = 1.1  # than the tallest title of the model's own kind
_LONGEST = 6  # words of a title
_EARLY = 3  # words of a text that an own title may begin with: "Your final invoice"
_COMPOUND = 6  # letters of a word that a longer one may end with: "Schlussrechnung"
_LIKELY = 0.5  # score of a place that may well say it
_HEAD = 0.25  # of a page's height
_ABBREVIATED = 3  # letters of the "Nr." of a number
_WORDS = re.compile(r"[^\W_]+")
# What the VAT directive (2006/112/EC, article 226) has an invoice say that the customer makes out.
# Whole words: "Pinto Auto, Fatura" says nothing of it.
_SELF_BILLED = re.compile(
    r"\b(?:SELF ?BILL|RECIPIENT ?CREATED|BUYER ?CREATED|GUTSCHRIFT[\w ]{0,15} 14 ?(?:ABS|UST)"
    r"|AUTOFACTURA|AUTOFATTURA|AUTOFATURA|FACTURACIÓN POR EL DESTINATARIO|ZELFFACTU"
    r"|UITGEREIKT DOOR AFNEMER|SAMOFAKTUROWANIE)"
)
_ADVICE = (
    'Write [titles] with own = ["Invoice"] and other = ["Quotation"]: lists of what documents of '
    f"the model's kind, and of others, are called, in at most {_LONGEST} words each."
)

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """What a document calls itself.

    Attributes:
        text: the title as the model lists it; of what is printed nothing goes into a message.
        own: whether it is one of the model's kind.
    """

    text: str
    own: bool


@dataclass(frozen=True)
class Titles:
    """What documents call themselves.

    Attributes:
        own: titles of the model's kind.
        other: titles of others; case and marks do not count.
        number: the field that holds a document's own number, at which stands what it is.
    """

    own: tuple[str, ...]
    other: tuple[str, ...]
    number: str | None = None

    def title(self, evidence: Evidence, number: int | None) -> Title | None:
        """Return what a document calls itself, None where it says neither.

        Its title is in the tallest letters of all titles on the first page, and in taller ones than
        are usual there. Without one, and where no text of the page names the model's kind, what
        stands before or above the document's number says what it is.

        Args:
            evidence: the document as tagged.
            number: its number's first word, where it has one.
        """
        page = next(pages_of(evidence), None)
        if page is None:
            return None
        own, other = self._tallest(page, evidence)
        if other[0] >= max(_TALL, _TALLER * own[0]):
            return Title(other[1], own=False)
        if own[0] >= _TALL:
            return Title(own[1], own=True)
        if own[0] or number is None:
            return None
        return next(filter(None, map(self._of_caption, _captions(number, evidence))), None)

    def of_credit_note(
        self, title: Title | None, offers: Sequence[Offer], evidence: Evidence
    ) -> bool:
        """Return whether a document is a credit note, by its title or at one of its numbers.

        Args:
            title: of the document, None where its letters are no taller than others.
            offers: of the field that holds a document's own number.
            evidence: the document as tagged.
        """
        if title is not None:
            return is_credit_note(title.text)
        likely = (offer.value.best for offer in offers if offer.value.best.score >= _LIKELY)
        nearest = (self._nearest(best.start, evidence) or "" for best in likely)
        return any(is_credit_note(own) for text in nearest for own in self._own_within(text))

    def is_of_another(self, first: int, evidence: Evidence) -> bool:
        """Return whether a value is of the invoice that a credit note is about: its number or date.

        Args:
            first: the value's first word.
            evidence: a credit note as tagged.
        """
        nearest = self._nearest(first, evidence)
        return nearest is not None and not is_credit_note(nearest)

    def _nearest(self, first: int, evidence: Evidence) -> str | None:
        """Return the nearest caption of a value that names the model's kind."""
        texts = chain(_captions(first, evidence), _farther_captions(first, evidence))
        return next((text for text in texts if any(self._own_within(text))), None)

    def _own_within(self, text: str) -> Iterator[str]:
        """Yield the titles of the model's kind within a text."""
        words = _phrase(text)
        for start in range(len(words)):
            title = self._of_words(words[start:])
            if title is not None and title.own:
                yield title.text

    def titled_pages(self, evidence: Evidence) -> set[int]:
        """Return the pages with a title of the model's kind in taller letters than are usual."""
        return {
            evidence.words[page.indices[0]][0].number
            for page in pages_of(evidence)
            if self._tallest(page, evidence)[0][0] >= _TALL
        }

    def pages_of_others(self, offers: Sequence[Offer], evidence: Evidence) -> dict[int, str]:
        """Return the pages behind the first that are of another document, and what that is called.

        Such a one begins with its title alone in tall letters at the head of a page, and goes on
        up to a title of the model's kind. A page that says the document's own number again belongs
        to it, as its remittance slip does, and so does one with the title of the first page.

        Args:
            offers: of the field that holds a document's own number.
            evidence: the document as tagged.
        """
        places = offers[0].value.places if offers else ()
        numbered = sorted({evidence.words[place.start][0].number for place in places})
        found: dict[int, str] = {}
        first, other = "", ""
        for at, page in enumerate(pages_of(evidence)):
            number = evidence.words[page.indices[0]][0].number
            title = self._at_head(page, evidence)
            if at == 0:
                first = title.text if title else ""
            elif number in numbered[1:] or (title and (title.own or title.text == first)):
                other = ""
            elif title:
                other = title.text
            if other:
                found[number] = other
        return found

    def _at_head(self, page: WordsOfPage, evidence: Evidence) -> Title | None:
        """Return the title that stands alone in tall letters at the head of a page."""
        usual = self._usual(page, evidence)
        for tokens in _texts(page, evidence):
            height = median(token.box.height for token in tokens)
            at_head = tokens[0].box.top <= _HEAD and height >= _TALL * usual
            if at_head and (title := self._alone(tokens)):
                return title
        return None

    def _alone(self, tokens: Sequence[Token]) -> Title | None:
        """Return the title that a text is, with no more than a number and its "No." beside it."""
        words = [token.text for token in tokens if not has_digit(token.text)]
        title = self._of_words(_phrase(" ".join(words)))
        beside = _phrase(" ".join(words))[len(_phrase(title.text)) :] if title else ()
        return title if all(len(word) <= _ABBREVIATED for word in beside) else None

    def _usual(self, page: WordsOfPage, evidence: Evidence) -> float:
        """Return the height of a page's usual letters."""
        return median(evidence.words[index][1].box.height for index in page.indices) or 1.0

    def _tallest(
        self, page: WordsOfPage, evidence: Evidence
    ) -> tuple[tuple[float, str], tuple[float, str]]:
        """Return the tallest title of the model's kind on a page, and of others.

        Each with its height by that of the page's usual letters, 0 where there is none. Of titles
        about as tall, it is one that a text begins with: "Credit note", not "Original invoice no".
        """
        usual = self._usual(page, evidence)
        found: dict[bool, list[tuple[float, bool, str]]] = {True: [], False: []}
        for tokens in _texts(page, evidence):
            text = " ".join(token.text for token in tokens)
            title = self._of_text(text)
            if title is not None:
                height = median(token.box.height for token in tokens) / usual
                begins = self._of_words(_phrase(text)) is not None
                found[title.own].append((height, begins, title.text))
        return _tallest_of(found[True]), _tallest_of(found[False])

    def _of_text(self, text: str) -> Title | None:
        """Return the title that a text is: of the model's kind early on, of others at once."""
        words = _phrase(text)
        early = (self._of_words(words[start:]) for start in range(_EARLY))
        own = next((title for title in early if title and title.own), None)
        return own or self._of_words(tuple(dropwhile(str.isdecimal, words)))  # "2. Mahnung"

    def _of_caption(self, text: str) -> Title | None:
        """Return the title of another kind that a caption holds, and none of the model's."""
        words = _phrase(text)
        found = [title for start in range(len(words)) if (title := self._of_words(words[start:]))]
        return found[0] if found and not any(title.own for title in found) else None

    def _of_words(self, words: Phrase) -> Title | None:
        """Return the longest title that some words begin with."""
        for count in range(min(len(words), _LONGEST), 0, -1):
            if words[:count] in self._listed:
                return self._listed[words[:count]]
        ends = (own for own in self._compounds if words and words[0].endswith(own))
        return next((Title(own, own=True) for own in ends), None)

    @cached_property
    def _listed(self) -> dict[Phrase, Title]:
        lists = ((self.other, False), (self.own, True))
        return {_phrase(text): Title(text, own) for texts, own in lists for text in texts}

    @cached_property
    def _compounds(self) -> tuple[str, ...]:
        phrases = map(_phrase, self.own)
        return tuple(p[0] for p in phrases if len(p) == 1 and len(p[0]) >= _COMPOUND)


def parse_titles(text: str, fields: Iterable[FieldSpec]) -> Titles | None:
    """Return the titles of a `fields.toml`, None where it has none.

    Args:
        text: that `parse_fields` has read.
        fields: what it found there.

    Raises:
        InvalidOption: they are not as described.
    """
    table = tomllib.loads(text).get("titles")
    if table is None:
        return None
    if (
        not isinstance(table, dict)
        or not {"own", "other"} <= table.keys() <= {"own", "other", "number"}
        or not all(map(_are_titles, (table["own"], table["other"])))
    ):
        raise InvalidOption("The titles are not usable.", advice=_ADVICE)
    number = table.get("number")
    if number is not None and number not in [spec.name for spec in fields if not spec.group]:
        raise InvalidOption(
            f"The titles have number = {number!r}, which is no field.",
            advice="Name the field that holds a document's own number, or leave it out.",
        )
    return Titles(tuple(table["own"]), tuple(table["other"]), number)


def dump_titles(titles: Titles) -> str:
    """Return the TOML text that `parse_titles` turns back into equal titles."""
    lines = ["[titles]"]
    if titles.number is not None:
        lines.append(f'number = "{titles.number}"')
    for name, texts in (("own", titles.own), ("other", titles.other)):
        lines.append(f"{name} = {in_toml(texts)}")
    return "\n".join([*lines, ""])


def is_self_billed(evidence: Evidence) -> bool:
    """Return whether a document says that its customer has made it out."""
    words = " ".join(lenient(token.text) for _, token in evidence.words)
    return _SELF_BILLED.search(words) is not None


def _are_titles(texts: Any) -> bool:
    return isinstance(texts, list) and all(
        isinstance(text, str) and 0 < len(_phrase(text)) <= _LONGEST for text in texts
    )


def _texts(page: WordsOfPage, evidence: Evidence) -> Iterator[Sequence[Token]]:
    """Yield the texts of a page: its lines, cut at gaps."""
    tokens: list[Token] = []
    for index in page.indices:
        tokens.append(evidence.words[index][1])
        if not goes_on(index, evidence):
            yield tokens
            tokens = []


def _tallest_of(titles: Sequence[tuple[float, bool, str]]) -> tuple[float, str]:
    """Return the height of the tallest of some titles, and what it says.

    Args:
        titles: the height of each, whether its text begins with it, and what it says.
    """
    tallest = max((height for height, _, _ in titles), default=0.0)
    about = [
        (begins, height, text) for height, begins, text in titles if height * _TALLER >= tallest
    ]
    return tallest, max(about)[2] if about else ""


def _captions(first: int, evidence: Evidence) -> Iterator[str]:
    """Yield what stands before a word in its line, and above it."""
    yield from text_before(first, evidence)
    page = next(page for page in pages_of(evidence) if first in page.indices)
    if (above := page.above(first)) is not None:
        yield text_around(above, evidence)


def _farther_captions(first: int, evidence: Evidence) -> Iterator[str]:
    """Yield what stands before the figures before a word: "invoice" in "invoice 4711 dated 3 May".

    Of the words of its text, the nearest first.
    """
    index = first
    while index and goes_on(index - 1, evidence):
        index -= 1
        if has_digit(evidence.words[index][1].text):
            yield from text_before(index, evidence)


def _phrase(text: str) -> Phrase:
    return tuple(filter(None, map(lenient, _WORDS.findall(text))))
