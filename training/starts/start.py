"""What an encoder starts from, in training and in pre-training.

minilm    all-MiniLM-L6-v2, its layout parts new
scratch   fresh weights, with MiniLM's tokenizer
a folder  a pre-trained encoder or a model package; its architecture is kept, or changed to another
          preset that has a place for all its weights; or a Hugging Face folder of the BERT family
          (`models.starts.hugging_face`), which is used as MiniLM is
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError
from tokenizers import Tokenizer
from torch import Tensor

from models.build import build_encoder
from models.config import PRESETS, TaggerConfig
from models.encoder import Encoder
from models.errors import UnknownModel
from models.packages import Registry
from models.packages.package import load_encoder
from models.starts import (
    PRESET_OF,
    convert_bert,
    fill,
    is_foreign,
    load_skim,
    load_teacher,
    minilm_folder,
    read_bert,
    read_foreign,
    scale_layout,
    start_fresh,
)
from models.tagger import Head, Tagger
from pipeline.errors import InvalidOption

MINILM, SCRATCH = "minilm", "scratch"
_SIZES = (
    *("vocab_size", "hidden_size", "layers", "heads", "intermediate_size"),
    *("layer_norm_eps", "line_separator"),
)


@dataclass(frozen=True, slots=True)
class Start:
    """What an encoder is built from, and how it is filled.

    Attributes:
        init: minilm, scratch, or a folder.
        config: to build the encoder from.
        tokenizer: that goes with the words.
        weights: under an encoder's names; none for fresh ones.
        skim: weights of a Skimformer whose layout is taken over, or None.
        head: of the package that it starts from, or None.
        moved: the weights are of another preset; what only this one has starts new.
        foreign: the weights are of another library.
    """

    init: str
    config: TaggerConfig
    tokenizer: Tokenizer
    weights: dict[str, Tensor]
    skim: dict[str, Tensor] | None
    head: Head | None = None
    moved: bool = False
    foreign: bool = False

    @property
    def draws_layout(self) -> bool:
        """Whether layout starts new; any other start has learnt it already."""
        return self.foreign or self.init in (MINILM, SCRATCH)

    def fill(self, encoder: Encoder) -> None:
        """Give an encoder that was built from `config` its starting weights.

        Raises:
            InvalidOption: the weights do not fit.
        """
        with _refusals(self.init):
            new: list[str] = []
            if self.init == SCRATCH:
                new = list(encoder.state_dict())
                start_fresh(encoder)
            elif self.draws_layout or self.moved:
                new = fill(encoder, self.weights)
            else:
                encoder.load_state_dict(self.weights)
            if self.skim is not None:
                load_skim(encoder, self.skim)
            scale_layout(encoder, self.config.adapter_start, new)

    def fill_tagger(self, tagger: Tagger) -> None:
        """Give a tagger its starting weights: its encoder, and its head where a package knows it.

        Raises:
            InvalidOption: the weights do not fit.
        """
        self.fill(tagger.encoder)
        if self.head is not None:
            with _refusals(self.init):
                tagger.take_over(self.head)


def resolve_start(init: str, registry: Registry) -> str:
    """Return the folder of the model in service that a start names; other starts as they are.

    Raises:
        InvalidOption: it is neither a folder nor a model.
        ModelPackageError: it is a damaged model.
    """
    if init in (MINILM, SCRATCH) or Path(init).exists():
        return init
    try:
        return str(registry.resolve(init).path)
    except UnknownModel as error:
        raise InvalidOption(
            f"Cannot start from {init}: there is neither such a folder nor such a model.",
            advice=error.advice,
        ) from error


def choose_start(
    preset: str | None, init: str, *, changes: Mapping[str, Any], skim: Path | None = None
) -> Start:
    """Return the start that was asked for; its files are read, nothing is built yet.

    Args:
        preset: key of `models.config.PRESETS`; None for lambert, or for that of the folder (of
            LayoutLM's, layoutlm). Of a folder's settings those change in which its own preset
            differs from this one; word shapes that it has learnt stay.
        init: minilm, scratch, or a folder.
        changes: to the preset, or to the folder's own settings, by name.
        skim: folder of a trained Skimformer, for presets that take its layout.

    Raises:
        InvalidOption: unknown preset or setting, or files that do not fit.
    """
    chosen = preset_of(preset or "lambert")
    head, moved, foreign = None, False, False
    with _refusals(init):
        if init in (MINILM, SCRATCH):
            bert, tokenizer = read_bert(minilm_folder())
            config = dataclasses.replace(chosen, **changes)
            weights = convert_bert(bert, config.layers) if init == MINILM else {}
        elif foreign := is_foreign(Path(init)):
            other = read_foreign(Path(init))
            chosen = preset_of(preset or PRESET_OF[other.kind])
            config = dataclasses.replace(chosen, **{**other.sizes, **changes})
            weights, tokenizer = other.converted(config), other.tokenizer
        else:
            source = load_encoder(Path(init))
            weights, own, tokenizer = source.weights, source.config, source.tokenizer
            head = source.head
            moved = preset not in (None, own.preset)
            config = dataclasses.replace(_moved(own, chosen) if moved else own, **changes)
    if skim is None:
        if config.skim_top and (moved or foreign or init in (MINILM, SCRATCH)):
            raise _without_skim(config)
        return Start(init, config, tokenizer, weights, None, head, moved, foreign)
    with _refusals(str(skim)):
        learnt = load_encoder(skim)
        config = dataclasses.replace(config, skim_layers=learnt.config.skim_layers)
    return Start(init, config, tokenizer, weights, learnt.weights, head, moved, foreign)


def _moved(own: TaggerConfig, preset: TaggerConfig) -> TaggerConfig:
    """Return a config with what a preset changes of the preset that it was made from.

    Raises:
        ValueError: that preset is not known any more.
    """
    if own.preset not in PRESETS:
        raise ValueError(f"its preset {own.preset} is not known, so that it cannot become another")
    was, now = (dataclasses.asdict(each) for each in (PRESETS[own.preset], preset))
    changed = {name: value for name, value in now.items() if value != was[name]}
    if changed.get("order_rows"):  # its table of places stays as long as it is
        changed["order_rows"] = own.order_rows or own.window
    if own.word_shapes:  # what the weights read besides words they go on reading
        changed.pop("word_shapes", None)
    return dataclasses.replace(own, **changed)


@dataclass(frozen=True, slots=True)
class Pair:
    """A teacher, and a student with the same weights wherever they have the same part.

    Attributes:
        student: of the preset asked for.
        config: that it was built from.
        new: names of its weights that no teacher gave.
        teacher: as it was trained.
        teacher_window: most pieces that it sees at once.
        tokenizer: of both.
    """

    student: Encoder
    config: TaggerConfig
    new: tuple[str, ...]
    teacher: Encoder
    teacher_window: int
    tokenizer: Tokenizer


def start_from_teacher(folder: Path, preset: str, *, changes: Mapping[str, Any]) -> Pair:
    """Return a teacher and the student that is to learn from it.

    Args:
        folder: of the teacher, an encoder or a package.
        preset: key of `models.config.PRESETS`, of the student.
        changes: to the preset, by name.

    Raises:
        InvalidOption: unknown preset or setting, one that needs a Skimformer too, or the two differ
            in width or depth.
    """
    with _refusals(str(folder), "--teacher"):
        source = load_encoder(folder)
        own = source.config
        # Sizes are the teacher's; what a preset is made of is its own.
        sizes = {name: getattr(own, name) for name in _SIZES}
        config = dataclasses.replace(preset_of(preset), **{**sizes, **changes})
        if config.skim_top:
            raise _without_skim(config)
        teacher, student = build_encoder(own), build_encoder(config)
        teacher.load_state_dict(source.weights)
        new = load_teacher(student, teacher)
        scale_layout(student, config.adapter_start, new)
    return Pair(student, config, tuple(new), teacher, own.window, source.tokenizer)


def _without_skim(config: TaggerConfig) -> InvalidOption:
    return InvalidOption(
        f"{config.preset} needs a trained Skimformer, which tells it where to look.",
        advice="Make one with: fieldwright pretrain CORPUS --preset skimformer --out DIR, "
        "and train with --init minilm --skim DIR.",
    )


def preset_of(name: str) -> TaggerConfig:
    """Return a preset of `models.config.PRESETS`; raises InvalidOption where it is not there."""
    if name not in PRESETS:
        raise InvalidOption(
            f"There is no preset {name!r}.", advice=f"Choose one of {', '.join(PRESETS)}."
        )
    return PRESETS[name]


def parse_changes(settings: Sequence[str]) -> dict[str, Any]:
    """Return changes to a preset from texts such as ``skim_top=64``.

    Raises:
        InvalidOption: a text is not NAME=VALUE, names no setting, or gives one what it cannot be.
    """
    kinds = get_type_hints(TaggerConfig)
    known = [field.name for field in dataclasses.fields(TaggerConfig) if field.name != "preset"]
    found: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or name not in known:
            raise InvalidOption(
                f"{setting!r} is not a setting of a preset.",
                advice=f"Give NAME=VALUE, with one of {', '.join(known)}.",
            )
        try:
            value = json.loads(text)
        except ValueError:
            value = text  # a word, such as layout=none
        try:
            found[name] = TypeAdapter(kinds[name]).validate_python(value)
        except ValidationError as error:
            raise InvalidOption(
                f"{setting!r} cannot be: {error.errors()[0]['msg']}.",
                advice=f"Give another {name}, or leave it out.",
            ) from error
    return found


@contextmanager
def _refusals(start: str, option: str = "--init") -> Iterator[None]:
    """Turn whatever goes wrong with a start into one error that names the start."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise InvalidOption(
            "The pretrained encoder is not installed.",
            advice="Run: pip install 'fieldwright[train]', or start from a package with --init.",
        ) from error
    except (TypeError, ValueError, RuntimeError, OSError) as error:
        raise InvalidOption(
            f"Cannot start from {start}: {error}.",
            advice=f"Choose another {option}, preset or setting.",
        ) from error
