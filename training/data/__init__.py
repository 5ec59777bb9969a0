"""A folder of labelled documents, read, tagged and split."""

from training.data.corpus import Corpus, build_corpus
from training.data.dataset import (
    TRANSCRIPTIONS,
    Dataset,
    Row,
    Transcription,
    default_transcription,
    load_dataset,
)
from training.data.fields import infer_fields
from training.data.reading import gold_document, read_rows

__all__ = [
    "TRANSCRIPTIONS",
    "Corpus",
    "Dataset",
    "Row",
    "Transcription",
    "build_corpus",
    "default_transcription",
    "gold_document",
    "infer_fields",
    "load_dataset",
    "read_rows",
]
