"""Makes tiny model packages with random weights, for tests of everything around a model."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from models.config import PRESETS, TaggerConfig
from models.labels import LabelSet
from models.packages import BUNDLED
from models.packages.manifest import write_sums
from models.packages.package import save_package
from models.tagger import Tagger
from pipeline.answers.confidence.calibration import Calibration
from pipeline.document import Document
from pipeline.values.schema import FieldSpec, Kind, dump_fields
from training.field_model.word_profiles import fit_profile

RECEIPT_FIELDS = (
    FieldSpec("company", Kind.NAME),
    FieldSpec("date", Kind.DATE, day_first=True),
    FieldSpec("address", Kind.ADDRESS),
    FieldSpec("total", Kind.AMOUNT, currency="MYR"),
)


def tiny_tokenizer(words: Iterable[str] = ()) -> Tokenizer:
    """Return a WordPiece tokenizer that spells words in characters, but for `words`."""
    characters = [chr(code) for code in range(33, 127)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters]
    pieces += [f"##{character}" for character in characters]
    parts = {part for word in words for part in re.findall(r"[a-z0-9]{2,}", word.lower())}
    pieces += sorted(parts)
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def tiny_config(preset: str = "lambert", **changes: object) -> TaggerConfig:
    """Return a preset with two narrow layers for `tiny_tokenizer`, and other small sizes."""
    values: dict[str, object] = {
        "vocab_size": tiny_tokenizer().get_vocab_size(),
        "hidden_size": 32,
        "layers": 2,
        "heads": 4,
        "intermediate_size": 64,
        "layout_dim": 16,
        "window": 128,
        "overlap": 32,
        "reach": 7,
        "rank": 6,
        "skim_top": min(5, PRESETS[preset].skim_top),
        **changes,
    }
    return dataclasses.replace(PRESETS[preset], **values)  # type: ignore[arg-type]


def doubting_package(home: Path, doubted: str, name: str = "receipts") -> None:
    """Put an included package into a home whose answers always leave one field to be reviewed.

    What the package itself is unsure of changes with each calibration; tests of pages need to know.

    Args:
        home: of a service.
        doubted: the field whose value is never sure enough; those of all others always are.
        name: of the package.
    """
    folder = home / "models" / name / "9.0.0"
    shutil.copytree(BUNDLED / name, folder)
    settings = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**settings, "version": "9.0.0"}), "utf-8")
    calibration = json.loads((folder / "calibration.json").read_text("utf-8"))
    for field, fitted in calibration["fields"].items():
        fitted["review_threshold"] = 1.0 if field == doubted else fitted["answer_threshold"]
    (folder / "calibration.json").write_text(json.dumps(calibration), "utf-8")
    write_sums(folder)


def save_tiny(folder: Path, tagger: Tagger, **changes: Any) -> None:
    """Save a tagger as a package that says as little as possible beside it."""
    usual = {"name": "tiny", "version": "1", "tokenizer": tiny_tokenizer(), "fields_toml": ""}
    save_package(folder, tagger=tagger, **{**usual, "calibration": {}, "card": "", **changes})


def tiny_package(
    folder: Path,
    *,
    name: str = "tiny",
    version: str = "0.0.1",
    fields: Sequence[FieldSpec] = RECEIPT_FIELDS,
    seed: int = 0,
    preset: str = "lambert",
    layers: int = 2,
    documents: Sequence[Document] = (),
) -> Path:
    """Write a package with random weights to `folder` (which must not exist) and return it.

    With `documents` it carries their profile, by which it can be chosen.
    """
    torch.manual_seed(seed)
    tagger = Tagger(tiny_config(preset, layers=layers), LabelSet(spec.name for spec in fields))
    save_tiny(
        folder,
        tagger,
        name=name,
        version=version,
        fields_toml=dump_fields(fields),
        calibration=Calibration().to_json(),
        card="# tiny\n\nRandom weights, for tests.\n",
        profile=fit_profile(documents).to_json() if documents else None,
    )
    return folder
