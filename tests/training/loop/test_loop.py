"""The loop on real, tiny trainings: it learns, resumes exactly, stops, and refuses nonsense."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from models.encoding import IGNORED, PieceEncoder, TaggerBatch, collate
from models.example import Example
from models.labels import LabelSet
from models.tagger import Tagger
from pipeline.answers.confidence.calibration import Calibration
from pipeline.errors import InvalidOption
from tests.datasets import SEEDS, write_dataset
from tests.packages import RECEIPT_FIELDS, tiny_config, tiny_tokenizer
from tests.quiet import Quiet
from training.augment import NONE, AugmentConfig, Augmenter
from training.data import Corpus, build_corpus, load_dataset
from training.loop import LoopConfig, Outcome, Session, train
from training.loop.checkpoint import NAME
from training.loop.descent import linear_rate, parameter_groups
from training.loop.drawing import Drawing
from training.loop.epochs import losses_of
from training.scoring import evaluate

FAST = LoopConfig(
    epochs=4, batch_size=2, rate=3e-3, bias_rate=1e-2, patience=99, precision="float32"
)
ONCE = replace(FAST, epochs=1)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = Path(tmp_path_factory.mktemp("data"))
    data = load_dataset(write_dataset(folder / "receipts", SEEDS[:8]))
    return build_corpus(data, RECEIPT_FIELDS, "gold", cache=folder / "cache")


@pytest.fixture(scope="module")
def examples(corpus: Corpus) -> list[Example]:
    return corpus.examples(corpus.documents)


def _tagger(**changes: object) -> Tagger:
    torch.manual_seed(0)
    config = tiny_config(**({"window": 512, "overlap": 64} | changes))
    return Tagger(config, LabelSet(spec.name for spec in RECEIPT_FIELDS))


def _train(
    tagger: Tagger,
    examples: list[Example],
    folder: Path,
    config: LoopConfig = FAST,
    *,
    score: Callable[[Tagger], float] | None = None,
    augment: AugmentConfig = NONE,
    groups: list[str] | None = None,
    resume: bool = False,
    progress: Quiet | None = None,
    pieces: PieceEncoder | None = None,
    documents: str = "",
    settings: Mapping[str, Any] | None = None,
) -> Outcome:
    return train(
        tagger,
        pieces or PieceEncoder(tiny_tokenizer(), tagger.config),
        examples,
        groups=groups or [example.id for example in examples],
        evaluate=score or (lambda current: 0.5),
        augment=Augmenter(augment, {}),
        config=config,
        session=Session(folder, progress or Quiet(), "cpu", resume, settings or {}, documents),
    )


def test_parts_of_a_loss_add_up_to_the_mean_over_all_labelled_pieces(
    examples: list[Example],
) -> None:
    tagger = _tagger().eval()  # without dropout, which draws by pass
    pieces = PieceEncoder(tiny_tokenizer(), tagger.config)
    windows = [pieces.windows(example)[0] for example in examples]
    labels = [tagger.labels.encode(one.spans, len(one.words)) for one in examples]
    parts = list(losses_of(tagger, windows, labels, "float32"))
    assert len(parts) > 1
    sum(parts, torch.zeros(())).backward()  # type: ignore[no-untyped-call]
    gradients = {name: one.grad for name, one in tagger.named_parameters()}
    tagger.zero_grad(set_to_none=True)
    batch = collate(windows, labels)
    assert batch.labels is not None
    whole = torch.nn.functional.cross_entropy(
        tagger(batch).flatten(0, 1), batch.labels.flatten(), ignore_index=IGNORED
    )
    whole.backward()  # type: ignore[no-untyped-call]
    torch.testing.assert_close(sum(parts, torch.zeros(())), whole)
    for name, one in tagger.named_parameters():
        torch.testing.assert_close(gradients[name], one.grad)


def test_eight_documents_are_learnt_by_heart(
    corpus: Corpus, examples: list[Example], tmp_path: Path
) -> None:
    # Pieces of whole words: the sequences are short, and the training quick.
    tokenizer = tiny_tokenizer(word for example in examples for word in example.words)
    tagger = _tagger(vocab_size=tokenizer.get_vocab_size(), hidden_size=48, dropout=0.0)
    pieces = PieceEncoder(tokenizer, tagger.config)
    ids = list(corpus.documents)
    raw = Calibration(styles=corpus.styles(ids))

    def score(current: Tagger) -> float:
        return evaluate(current, pieces, corpus, ids, raw).total("normalised").f1

    config = replace(FAST, epochs=20, batch_size=1, rate=6e-3, head_rate=6e-3, weight_decay=0.0)
    outcome = _train(tagger, examples, tmp_path, config, score=score, pieces=pieces)
    assert outcome.best_score == 1.0
    assert score(tagger) == 1.0  # the tagger ends with the best epoch's weights
    losses = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    steps = [line["loss"] for line in losses if "loss" in line]
    assert steps[-1] < steps[0] / 10


class Interrupted(Exception):
    """Stands for a run that is broken off."""


@pytest.mark.parametrize(
    ("preset", "average"), [("lambert", 0.0), ("lambert", 0.9), ("unordered", 0.9)]
)
def test_resumed_run_ends_with_the_weights_of_the_unbroken_one(
    examples: list[Example], tmp_path: Path, preset: str, average: float
) -> None:
    examples = examples[:4]
    changes = {"order_dropout": True, "sequence_bias": False} if preset == "unordered" else {}
    config = replace(FAST, average=average)
    varied = AugmentConfig()
    rising = iter(range(100))
    whole, part, resumed = (_tagger(**changes) for _ in range(3))

    def train_on(
        tagger: Tagger, name: str, score: Callable[[Tagger], float], **more: bool
    ) -> Outcome:
        folder = tmp_path / name
        return _train(tagger, examples, folder, config, augment=varied, score=score, **more)

    train_on(whole, "whole", lambda _: next(rising))
    calls = 0

    def broken_off(current: Tagger) -> float:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Interrupted
        return float(calls)

    with pytest.raises(Interrupted):
        train_on(part, "part", broken_off)
    outcome = train_on(resumed, "part", lambda _: 10.0 + next(rising), resume=True)
    assert len(outcome.scores) == config.epochs
    for name, value in whole.state_dict().items():
        assert torch.equal(value, resumed.state_dict()[name]), name
    ends = [load_file(tmp_path / run / "last.safetensors") for run in ("whole", "part")]
    assert ends[0].keys() == ends[1].keys()
    assert all(torch.equal(value, ends[1][name]) for name, value in ends[0].items())


def test_order_dropout_keeps_no_epoch_that_still_reads_order(
    examples: list[Example], tmp_path: Path
) -> None:
    falling = iter([0.9, 0.8, 0.7, 0.6])
    config = replace(FAST, epochs=4, patience=1)
    outcome = _train(
        _tagger(order_dropout=True, sequence_bias=False),
        examples[:1],
        tmp_path,
        config,
        score=lambda _: next(falling),
    )
    assert outcome.best_epoch == 2
    assert outcome.scores == (0.0, 0.8, 0.7)  # and patience counts from there


def _once(
    examples: list[Example], folder: Path, config: LoopConfig = ONCE, **options: Any
) -> list[tuple[int, int]]:
    """Train a fresh tagger on the first document for an epoch; return the steps that it took."""
    progress = Quiet()
    _train(_tagger(), examples[:1], folder, config, progress=progress, **options)
    return progress.steps


def test_finished_run_is_resumed_without_a_step(examples: list[Example], tmp_path: Path) -> None:
    first, second, progress = _tagger(), _tagger(), Quiet()
    _train(first, examples[:3], tmp_path, ONCE)
    _train(second, examples[:3], tmp_path, ONCE, resume=True, progress=progress)
    assert progress.steps == []
    assert torch.equal(first.head.weight, second.head.weight)


def test_run_with_other_settings_is_not_resumed(examples: list[Example], tmp_path: Path) -> None:
    _once(examples, tmp_path)
    with pytest.raises(InvalidOption, match=r"other settings: epochs was 1; rate was 0\.0"):
        _train(_tagger(), examples, tmp_path, replace(FAST, epochs=2, rate=1.0), resume=True)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(("shop", "date", "address", "total"), id="as_many"),
        pytest.param(("date",), id="another_number"),
    ],
)
def test_run_of_other_fields_is_not_resumed(
    examples: list[Example], tmp_path: Path, fields: tuple[str, ...]
) -> None:
    _once(examples, tmp_path)
    other = Tagger(_tagger().config, LabelSet(fields))
    with pytest.raises(InvalidOption, match=r"other settings: fields was \['company', "):
        _train(other, examples[:1], tmp_path, ONCE, resume=True)


def test_run_on_other_documents_is_not_resumed(examples: list[Example], tmp_path: Path) -> None:
    _once(examples, tmp_path, documents="these")
    with pytest.raises(InvalidOption, match="other documents or labels"):
        _once(examples, tmp_path, documents="others", resume=True)
    assert _once(examples, tmp_path, documents="these", resume=True) == []


def test_run_from_another_start_is_not_resumed(examples: list[Example], tmp_path: Path) -> None:
    start = {"start": "shops@1", "shift": 0.1}
    _once(examples, tmp_path, settings=start)
    for other, said in (
        ({**start, "start": "minilm"}, "other settings: start was shops@1"),
        ({**start, "shift": 0.2}, r"other settings: shift was 0\.1\."),
    ):
        with pytest.raises(InvalidOption, match=said):
            _once(examples, tmp_path, settings=other, resume=True)
    assert _once(examples, tmp_path, settings=start, resume=True) == []


def _rewrite(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change what the checkpoint of a run holds beside its tensors."""
    path = folder / NAME
    with safe_open(path, framework="pt") as file:
        kept = json.loads(file.metadata()["fieldwright"])
    change(kept)
    save_file(load_file(path), path, metadata={"fieldwright": json.dumps(kept)})


def test_run_that_is_older_than_a_setting_is_resumed(
    examples: list[Example], tmp_path: Path
) -> None:
    def older(kept: dict[str, Any]) -> None:
        assert kept["config"].pop("crop") == ONCE.crop == 0

    _once(examples, tmp_path)
    _rewrite(tmp_path, older)
    assert _once(examples, tmp_path, resume=True) == []
    with pytest.raises(InvalidOption, match="other settings: crop was 0"):
        _once(examples, tmp_path, replace(ONCE, crop=64), resume=True)


def test_run_with_a_setting_that_is_gone_is_resumed_where_it_was_off(
    examples: list[Example], tmp_path: Path
) -> None:
    _once(examples, tmp_path)
    _rewrite(tmp_path, lambda kept: kept["config"].update(freeze_words=False, warp=0.0))
    assert _once(examples, tmp_path, resume=True) == []
    _rewrite(tmp_path, lambda kept: kept["config"].update(freeze_words=True))
    with pytest.raises(InvalidOption, match="other settings: freeze_words was True"):
        _once(examples, tmp_path, resume=True)


def test_older_run_on_other_documents_is_not_resumed(
    examples: list[Example], tmp_path: Path
) -> None:
    """Its state had the mark of its documents, and its settings."""

    def older(kept: dict[str, Any]) -> None:
        kept["state"] |= {name: kept.pop(name) for name in ("documents", "settings")}

    _once(examples, tmp_path, documents="these", settings={"shift": 0.1})
    _rewrite(tmp_path, older)
    for documents, shift, said in (("others", 0.1, "on other documents"), ("these", 0.2, "shift")):
        with pytest.raises(InvalidOption, match=said):
            _once(examples, tmp_path, documents=documents, settings={"shift": shift}, resume=True)


def test_training_stops_when_the_score_no_longer_rises(
    examples: list[Example], tmp_path: Path
) -> None:
    scores = iter([0.1, 0.6, 0.5, 0.6, 0.9])
    weights: list[Tensor] = []

    def score(current: Tagger) -> float:
        weights.append(current.head.weight.detach().clone())
        return next(scores)

    tagger, progress = _tagger(), Quiet()
    config = replace(FAST, epochs=9, patience=2)
    outcome = _train(tagger, examples[:2], tmp_path, config, score=score, progress=progress)
    assert outcome.scores == (0.1, 0.6, 0.5, 0.6)
    assert (outcome.best_epoch, outcome.best_score) == (2, 0.6)
    assert progress.epochs == [(1, 0.1, True), (2, 0.6, True), (3, 0.5, False), (4, 0.6, False)]
    assert torch.equal(tagger.head.weight, weights[1])


def test_patience_does_not_count_while_nothing_is_found(
    examples: list[Example], tmp_path: Path
) -> None:
    scores = iter([0.0, 0.0, 0.0, 0.2, 0.1, 0.1, 0.9])
    config = replace(FAST, epochs=9, patience=2)
    outcome = _train(_tagger(), examples[:1], tmp_path, config, score=lambda _: next(scores))
    assert outcome.scores == (0.0, 0.0, 0.0, 0.2, 0.1, 0.1)
    assert outcome.best_epoch == 4


def test_progress_counts_all_steps(examples: list[Example], tmp_path: Path) -> None:
    progress = Quiet()
    _train(_tagger(), examples[:5], tmp_path, replace(FAST, epochs=2), progress=progress)
    assert progress.steps == [(number, 6) for number in range(1, 7)]


def test_loss_that_is_no_number_is_refused(examples: list[Example], tmp_path: Path) -> None:
    tagger = _tagger()
    with torch.no_grad():
        tagger.head.bias.fill_(float("nan"))
    with pytest.raises(InvalidOption, match="loss is nan in epoch 1"):
        _train(tagger, examples, tmp_path)
    assert not (tmp_path / "best.safetensors").exists()


def test_nothing_to_train_on_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no training documents"):
        _train(_tagger(), [], tmp_path)


@pytest.mark.parametrize("passes", [1, 3])
def test_few_documents_of_one_issuer_are_drawn_in_each_pass(
    examples: list[Example], tmp_path: Path, passes: int
) -> None:
    progress = Quiet()
    groups = ["shop"] * 6 + ["other", "third"]
    config = replace(ONCE, batch_size=1, per_group=2, passes=passes)
    _train(_tagger(), examples, tmp_path, config, groups=groups, progress=progress)
    assert progress.steps[-1] == (4 * passes, 4 * passes)


def test_windows_with_labels_are_drawn_as_often_as_asked(examples: list[Example]) -> None:
    tagger = _tagger(window=16, overlap=0)
    pieces = PieceEncoder(tiny_tokenizer(), tagger.config)
    (span,) = [span for span in examples[0].spans if span.field == "total"][:1]
    one_span = replace(examples[0], spans=(span,))
    assert len(pieces.windows(one_span)) > 4

    def labelled(share: float) -> int:
        config = replace(FAST, batch_size=1, passes=40, labelled=share)
        drawing = Drawing([one_span], ["shop"], pieces, tagger.labels, Augmenter(NONE, {}), config)
        nothing = tagger.labels.encode((), len(one_span.words))[0]
        return sum(
            bool((labels[0][np.unique(windows[0].word[windows[0].word >= 0])] != nothing).any())
            for windows, labels in drawing.batches(0)
        )

    assert labelled(1.0) == 40
    assert labelled(0.0) < 30


def test_steps_show_parts_of_documents_that_are_tagged_whole(
    examples: list[Example], tmp_path: Path
) -> None:
    tagger = _tagger(window=2048, overlap=128)
    pieces = PieceEncoder(tiny_tokenizer(), tagger.config)
    lengths: dict[bool, list[int]] = {True: [], False: []}

    def note(module: torch.nn.Module, given: tuple[TaggerBatch]) -> None:
        lengths[module.training].append(given[0].input_ids.shape[1])

    def score(current: Tagger) -> float:
        current.probabilities(examples[0], pieces)
        return 0.5

    tagger.register_forward_pre_hook(note)
    _train(tagger, examples[:4], tmp_path, replace(FAST, epochs=1, crop=40), score=score)
    [whole] = pieces.windows(examples[0])
    assert lengths[False] == [len(whole)]
    assert len(whole) > 80
    assert all(20 < length <= 40 for length in lengths[True])


def test_a_step_of_hardly_any_pieces_is_refused(examples: list[Example], tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="cannot learn from 1 pieces"):
        _train(_tagger(), examples[:1], tmp_path, replace(FAST, crop=1))


def test_average_lies_between_start_and_end(examples: list[Example], tmp_path: Path) -> None:
    plain, averaged = _tagger(), _tagger()
    start = plain.head.weight.detach().clone()
    _train(plain, examples[:3], tmp_path / "plain", ONCE)
    _train(averaged, examples[:3], tmp_path / "averaged", replace(FAST, epochs=1, average=0.9))
    moved = (plain.head.weight - start).norm()
    assert 0 < (averaged.head.weight - start).norm() < moved


def test_average_has_the_order_dropout_of_its_last_step(
    examples: list[Example], tmp_path: Path
) -> None:
    # A rate of 1 is what makes the finished model read no order: a mean of rates would not be 1.
    tagger = _tagger(order_dropout=True, sequence_bias=False)
    scores = iter([0.1, 0.2, 0.3, 0.4])
    config = replace(FAST, average=0.99)
    _train(tagger, examples[:3], tmp_path, config, score=lambda _: next(scores))
    assert float(tagger.state_dict()["encoder.positions.0.rate"]) == 1.0


def test_each_part_learns_at_the_rate_of_its_role() -> None:
    tagger = _tagger()
    config = LoopConfig(rate=1.0, head_rate=2.0, bias_rate=3.0, adapter_rate=4.0, weight_decay=0.5)
    names = {id(parameter): name for name, parameter in tagger.named_parameters()}
    found = {
        names[id(parameter)]: (group["lr"], group["weight_decay"])
        for group in parameter_groups(tagger, config)
        for parameter in group["params"]
    }
    assert found.keys() == set(names.values())
    for name, expected in {
        "head.weight": (2.0, 0.5),
        "head.bias": (2.0, 0.0),
        "encoder.prior.horizontal": (3.0, 0.0),
        "encoder.positions.1.adapter.weight": (4.0, 0.5),
        "encoder.words.weight": (1.0, 0.5),
        "encoder.norm.weight": (1.0, 0.0),
        "encoder.blocks.0.widen.weight": (1.0, 0.5),
    }.items():
        assert found[name] == expected, name


def test_frozen_parts_are_given_to_no_optimiser() -> None:
    tagger = _tagger()
    tagger.encoder.words.weight.requires_grad_(False)
    groups = parameter_groups(tagger, LoopConfig())
    assert not any(p is tagger.encoder.words.weight for group in groups for p in group["params"])


@pytest.mark.parametrize(("total", "warmup"), [(100, 0.06), (100, 0.0), (3, 0.5), (1, 0.06)])
def test_rate_rises_and_falls_in_straight_lines(total: int, warmup: float) -> None:
    rates = [linear_rate(step, total, warmup) for step in range(total)]
    warm = max(1, round(warmup * total))
    assert rates[:warm] == [pytest.approx((step + 1) / warm) for step in range(warm)]
    assert rates[warm:] == sorted(rates[warm:], reverse=True)
    assert max(rates) == 1.0
    assert all(0 < rate <= 1 for rate in rates)
    assert linear_rate(total, total, warmup) == 0.0
