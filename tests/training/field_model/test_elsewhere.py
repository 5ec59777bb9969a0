"""The words of other kinds of documents, which profiles are measured against."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.document import Document, Page
from training.field_model.elsewhere import words_elsewhere, words_of


def test_each_kind_is_a_distribution_of_its_own() -> None:
    kinds = words_elsewhere()
    assert len(kinds) >= 5
    for words in kinds:
        assert np.exp(words).sum() == pytest.approx(1.0, abs=0.01)
    assert len({tuple(words) for words in kinds}) == len(kinds)


def test_documents_without_words_are_no_kind() -> None:
    with pytest.raises(ValueError, match="no document"):
        words_of([Document("0" * 64, "image/png", (Page(1, 600.0, 800.0),), 1)])
