"""The model card: what a package was trained on, how good it is, and where it ends."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from models.config import TaggerConfig
from pipeline.postprocess.schema import FieldSpec
from training.report import short_table, table
from training.score import Scores


def write_card(
    scores: Mapping[Any, Scores],
    ceiling: Mapping[Any, Scores],
    fields: Sequence[FieldSpec],
    *,
    name: str,
    version: str,
    dataset: str,
    counts: tuple[int, int],
    config: TaggerConfig,
    recipe: Mapping[str, Any],
    best_epoch: int,
    data_licence: str,
    description: str,
) -> str:
    """Return the card as Markdown.

    Args:
        scores: on the validation split, by transcription.
        ceiling: oracle scores of the same documents.
        fields: the model's fields.
        name: of the package.
        version: of the package.
        dataset: name of the training data.
        counts: documents in training and in validation.
        config: of the tagger.
        recipe: every setting of the training, as JSON values.
        best_epoch: whose weights are kept.
        data_licence: licence and source of the training data, in words.
        description: what documents the model is for, in words.
    """
    runs = {f"{key} transcription": value for key, value in scores.items()}
    runs |= {f"oracle, {key} transcription": value for key, value in ceiling.items()}
    kinds = [[spec.name, spec.kind.value, "many" if spec.many else "one"] for spec in fields]
    trained, held_out = counts
    lines = [
        f"# {name} {version}",
        description or f"Reads {', '.join(spec.name for spec in fields)}.",
        table(["field", "kind", "values"], kinds),
        "## Data",
        f"{trained} documents of `{dataset}` for training, {held_out} for validation. The split is "
        "by issuer: no company, and no address, is on both sides, and issuers with many documents "
        "are never validated on. Labels are values; their places were found by auto-tagging.",
        f"Source and licence of the data: {data_licence}.",
        "## Scores on the validation split (micro F1)",
        short_table(runs, fields),
        "Exact: white space folded. Lenient: upper case, letters and digits only, amounts as "
        "decimals. Normalised: by value. The interval is a bootstrap over documents. The epoch was "
        "chosen and the confidences were fitted on the same split, which flatters both a little.",
        "## Model",
        f"Preset `{config.preset}`, {config.layers} layers, {config.hidden_size} wide, windows of "
        f"{config.window} pieces; weights of epoch {best_epoch}, stored in float16. "
        "The encoder started from all-MiniLM-L6-v2 (Apache 2.0)."
        if recipe["init"] == "minilm"
        else f"Preset `{config.preset}`, started from the package {recipe['init']}.",
        "## Limits",
        f"Trained on {trained} documents of one kind and region; other kinds, languages and "
        "layouts will score lower. Values that run over two pages, and handwriting, are not "
        "learnt. Confidence is fitted on few documents: set thresholds on documents of your own.",
        "## Settings",
        "```json\n" + json.dumps(recipe, indent=2, default=str) + "\n```",
    ]
    return "\n\n".join(lines) + "\n"
