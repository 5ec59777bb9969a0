"""What invoices say, language by language: captions in many wordings, sentences, articles.

The wordings are those of everyday business correspondence and of the invoice standard EN 16931.
"""

from __future__ import annotations

from training.invent.invoices.words.base import Article, Words
from training.invent.invoices.words.dutch import DUTCH
from training.invent.invoices.words.english import ENGLISH
from training.invent.invoices.words.french import FRENCH
from training.invent.invoices.words.german import GERMAN
from training.invent.invoices.words.italian import ITALIAN
from training.invent.invoices.words.polish import POLISH
from training.invent.invoices.words.portuguese import PORTUGUESE
from training.invent.invoices.words.spanish import SPANISH

WORDS = {
    "de": GERMAN,
    "en": ENGLISH,
    "es": SPANISH,
    "fr": FRENCH,
    "it": ITALIAN,
    "nl": DUTCH,
    "pl": POLISH,
    "pt": PORTUGUESE,
}
"""The vocabulary of each language, by its ISO 639-1 code."""

__all__ = ["WORDS", "Article", "Words"]
