"""The words of other kinds of documents, which profiles are measured against."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.document import Document, Page
from training.field_model.elsewhere import kinds_elsewhere, other_papers, words_elsewhere, words_of


def test_each_kind_is_a_distribution_of_its_own() -> None:
    kinds = words_elsewhere()
    assert len(kinds) >= 5
    for words in kinds:
        assert np.exp(words).sum() == pytest.approx(1.0, abs=0.01)
    assert len({tuple(words) for words in kinds}) == len(kinds)


def test_papers_are_of_twenty_three_kinds_in_eight_languages() -> None:
    papers = other_papers()
    languages, kinds = ({one[at] for one in papers} for at in (0, 1))
    assert languages == {"de", "en", "es", "fr", "it", "nl", "pl", "pt"}
    assert len(kinds) == 23
    assert len(papers) == 184
    for (language, kind), documents in papers.items():
        count, most = (10, 220) if kind == "receipts" else (2, 130)
        assert len(documents) == count, (language, kind)
        for document in documents:
            assert 40 <= len(list(document.words())) <= most, (language, kind)


def test_a_kind_of_which_there_are_both_is_half_of_each() -> None:
    kinds, papers = kinds_elsewhere(), other_papers()
    assert {name for name in kinds if name.startswith("receipts-")} == {
        f"receipts-{language}"
        for language in ("de", "en", "es", "fr", "it", "ms", "nl", "pl", "pt")
    }
    written = words_of(papers["de", "receipts"])
    usual = int(written.argmax())
    assert kinds["receipts-de"][usual] >= written[usual] - np.log(2)
    assert kinds["receipts-de"][usual] != pytest.approx(written[usual])


def test_documents_without_words_are_no_kind() -> None:
    with pytest.raises(ValueError, match="no document"):
        words_of([Document("0" * 64, "image/png", (Page(1, 600.0, 800.0),), 1)])
