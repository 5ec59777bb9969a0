"""The words of other kinds of documents, which profiles are measured against."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.document import Document, Page
from training.field_model.elsewhere import other_papers, words_elsewhere, words_of


def test_each_kind_is_a_distribution_of_its_own() -> None:
    kinds = words_elsewhere()
    assert len(kinds) >= 5
    for words in kinds:
        assert np.exp(words).sum() == pytest.approx(1.0, abs=0.01)
    assert len({tuple(words) for words in kinds}) == len(kinds)


def test_papers_are_of_twenty_kinds_in_eight_languages() -> None:
    papers = other_papers()
    languages, kinds = ({one[at] for one in papers} for at in (0, 1))
    assert languages == {"de", "en", "es", "fr", "it", "nl", "pl", "pt"}
    assert len(kinds) == 20
    assert len(papers) == 160
    for (language, kind), documents in papers.items():
        assert len(documents) == 2, (language, kind)
        for document in documents:
            assert 50 <= len(list(document.words())) <= 130, (language, kind)


def test_documents_without_words_are_no_kind() -> None:
    with pytest.raises(ValueError, match="no document"):
        words_of([Document("0" * 64, "image/png", (Page(1, 600.0, 800.0),), 1)])
