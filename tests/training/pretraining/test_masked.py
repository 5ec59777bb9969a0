"""Pre-training: what is hidden and what is not, and runs that resume exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.random import default_rng
from safetensors.torch import load_file

from models.build import build_encoder
from models.config import PRESETS
from models.encoder import Encoder
from models.encoding import IGNORED, NO_WORD, PieceEncoder, Window, collate
from models.packages.package import save_encoder
from pipeline.errors import InvalidOption
from tests.builders import document_of, make_receipt
from tests.packages import tiny_config, tiny_tokenizer
from tests.quiet import Quiet
from training.errors import DatasetError
from training.loop import Session
from training.pretraining.masked import (
    Guesses,
    MaskedConfig,
    MaskedModel,
    guess,
    mask,
    perplexity,
    pretrain,
)
from training.pretraining.unlabelled import hold_out, text_mark, windows_of
from training.starts import choose_start

CONFIG = tiny_config(window=64, overlap=0)
PIECES = PieceEncoder(tiny_tokenizer(), CONFIG)
MASK = 4  # id of [MASK] in `tiny_tokenizer`
RUN = MaskedConfig(batch_size=2, rate=3e-3, save_every=2, precision="float32")


def _split() -> tuple[list[Window], dict[str, list[Window]]]:
    texts = [" | ".join(" ".join(line) for line in make_receipt(seed).lines) for seed in range(6)]
    found = windows_of([document_of(text, columns=200) for text in texts], PIECES)
    return hold_out(found, 0.2, seed=0)


TRAINING, HELD = _split()


def _encoder() -> Encoder:
    torch.manual_seed(0)
    return build_encoder(CONFIG)


def _guesses(
    encoder: Encoder,
    folder: Path,
    *,
    windows: int = 10,
    config: MaskedConfig = RUN,
    progress: Quiet | None = None,
    resume: bool = False,
    init: str = "minilm",
    documents: str = "",
) -> Mapping[str, Guesses]:
    session = Session(folder, progress or Quiet(), "cpu", resume, {"--init": init}, documents)
    training = TRAINING[:windows]
    return pretrain(encoder, training, HELD, mask_id=MASK, config=config, session=session)


def _pretrain(
    encoder: Encoder, folder: Path, *, stop_at: int | None = None, **options: Any
) -> list[float]:
    losses: list[float] = []

    class Stopping(Quiet):
        def step(self, done: int, total: int, loss: float) -> None:
            losses.append(loss)
            if done == stop_at:
                raise InterruptedError

    _guesses(encoder, folder, progress=Stopping(), **options)
    return losses


def test_pieces_are_hidden_and_boxes_never() -> None:
    random = default_rng(0)
    counts = np.zeros(4)
    for window in TRAINING * 20:
        hidden, labels = mask(window, random, MASK, CONFIG.vocab_size)
        chosen = labels.numpy() != IGNORED
        assert np.array_equal(labels.numpy()[chosen], window.input_ids[chosen])
        assert np.array_equal(hidden.input_ids[~chosen], window.input_ids[~chosen])
        assert not chosen[window.word == NO_WORD].any()
        assert hidden.boxes is window.boxes
        covered = hidden.input_ids == MASK
        same = hidden.input_ids == window.input_ids
        real = (window.word != NO_WORD).sum()
        counts += [real, chosen.sum(), covered.sum(), (chosen & same).sum()]
    real, chosen, covered, same = counts
    assert chosen / real == pytest.approx(0.15, abs=0.01)
    assert covered / chosen == pytest.approx(0.8, abs=0.03)
    assert same / chosen == pytest.approx(0.1, abs=0.03)


def test_resumed_run_ends_with_the_weights_of_the_unbroken_one(tmp_path: Path) -> None:
    whole, first, resumed = _encoder(), _encoder(), _encoder()
    losses = _pretrain(whole, tmp_path / "whole")
    assert len(losses) == 5
    with pytest.raises(InterruptedError):
        _pretrain(first, tmp_path / "part", stop_at=3)  # the last checkpoint is of step 2
    assert _pretrain(resumed, tmp_path / "part", resume=True) == losses[2:]
    for name, value in whole.state_dict().items():
        assert torch.equal(value, resumed.state_dict()[name]), name


def test_decoder_learns_before_all_else(tmp_path: Path) -> None:
    start, encoder = _encoder(), _encoder()
    config = replace(RUN, head_share=0.6)
    with pytest.raises(InterruptedError):
        _pretrain(encoder, tmp_path / "part", stop_at=3, config=config)
    for name, value in start.state_dict().items():
        assert torch.equal(value, encoder.state_dict()[name]), name
    [kept] = (tmp_path / "part").glob("*.safetensors")
    assert load_file(kept)["weights.bias"].abs().sum() > 0
    _pretrain(encoder, tmp_path / "part", resume=True, config=config)
    moved = [n for n, v in start.state_dict().items() if not v.equal(encoder.state_dict()[n])]
    assert {"words.weight", "positions.1.adapter.weight"} <= set(moved)


def test_text_is_learnt(tmp_path: Path) -> None:
    still = replace(RUN, rate=0.0, head_rate=0.0, bias_rate=0.0, adapter_rate=0.0)
    before, after = (
        perplexity(_guesses(_encoder(), tmp_path / name, config=config).values())
        for name, config in (("still", still), ("moved", replace(RUN, epochs=6)))
    )
    assert after < before / 2  # on documents that were held out


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_any_preset_is_pretrained_and_can_be_started_from(preset: str, tmp_path: Path) -> None:
    config = tiny_config(preset, window=64, overlap=0)
    torch.manual_seed(0)
    encoder = build_encoder(config)
    before = {name: value.clone() for name, value in encoder.named_parameters()}
    found = _guesses(encoder, tmp_path / "run", windows=4)
    assert 1.0 < perplexity(found.values()) < math.inf
    moved = {name for name, value in encoder.named_parameters() if not value.equal(before[name])}
    assert moved == {name for name, value in encoder.named_parameters() if value.requires_grad}
    save_encoder(tmp_path, encoder=encoder, config=config, tokenizer=tiny_tokenizer(), notes={})
    start = choose_start(None, str(tmp_path), changes={})
    again = build_encoder(start.config)
    start.fill(again)
    for name, value in encoder.state_dict().items():
        assert torch.equal(again.state_dict()[name], value), name


def test_order_is_dropped_by_the_end_where_the_preset_says_so(tmp_path: Path) -> None:
    encoder = build_encoder(replace(CONFIG, order_dropout=True, sequence_bias=False))
    _pretrain(encoder, tmp_path)
    assert float(encoder.state_dict()["positions.0.rate"]) == 1.0


def test_run_of_another_architecture_is_not_resumed(tmp_path: Path) -> None:
    _pretrain(_encoder(), tmp_path)
    other = build_encoder(replace(CONFIG, layout="none"))
    with pytest.raises(InvalidOption, match="another architecture"):
        _pretrain(other, tmp_path, resume=True)


def test_batch_without_a_chosen_piece_has_no_loss() -> None:
    model = MaskedModel(_encoder())
    batch = collate(TRAINING[:1])
    batch = replace(batch, labels=torch.full_like(batch.input_ids, IGNORED))
    assert float(model(batch).detach()) == 0.0


def test_run_with_other_settings_is_not_resumed(tmp_path: Path) -> None:
    _pretrain(_encoder(), tmp_path)
    with pytest.raises(InvalidOption, match="other settings: epochs was 1"):
        _pretrain(_encoder(), tmp_path, resume=True, config=replace(RUN, epochs=RUN.epochs + 1))


def test_run_that_began_otherwise_is_not_resumed(tmp_path: Path) -> None:
    """Documents that it learnt from would be held out, and notes would name another start."""
    text = text_mark(TRAINING, HELD)
    _pretrain(_encoder(), tmp_path, documents=text)
    assert _pretrain(_encoder(), tmp_path, resume=True, documents=text) == []
    with pytest.raises(InvalidOption, match=r"other settings: --init was minilm\."):
        _pretrain(_encoder(), tmp_path, resume=True, documents=text, init="scratch")
    other = text_mark(TRAINING[1:], HELD)
    with pytest.raises(InvalidOption, match="holds a run on other documents"):
        _pretrain(_encoder(), tmp_path, resume=True, documents=other)


def test_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    _pretrain(_encoder(), tmp_path)
    path = tmp_path / "last.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InvalidOption, match="is not a checkpoint"):
        _pretrain(_encoder(), tmp_path, resume=True)


def test_too_little_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="fewer than the 2 of one step"):
        _pretrain(_encoder(), tmp_path, windows=1)


def test_run_may_be_given_in_steps(tmp_path: Path) -> None:
    losses = _pretrain(_encoder(), tmp_path, config=replace(RUN, steps=7))
    assert len(losses) == 7  # more than an epoch of five


def test_guesses_in_a_document_do_not_depend_on_how_it_is_batched() -> None:
    model = MaskedModel(_encoder())
    whole, parts = (
        guess(model, HELD, MASK, replace(RUN, batch_size=size), "cpu") for size in (1, 8)
    )
    assert list(whole) == list(parts) == list(HELD)
    for name, windows in HELD.items():
        assert whole[name].pieces == parts[name].pieces > 0
        assert whole[name].nats == pytest.approx(parts[name].nats, rel=1e-4)
        hidden = whole[name].pieces / sum(int((w.word != NO_WORD).sum()) for w in windows)
        assert 0.0 < hidden < 0.4  # about 15%, of few pieces


def test_perplexity_is_of_all_pieces_together() -> None:
    found = [Guesses(nats=math.log(2) * 30, pieces=30), Guesses(nats=math.log(16) * 10, pieces=10)]
    assert perplexity(found) == pytest.approx(2 ** (70 / 40))
    assert perplexity([*found, Guesses(0.0, 0)]) == perplexity(found)


def test_loss_that_is_no_number_is_refused(tmp_path: Path) -> None:
    encoder = _encoder()
    with torch.no_grad():
        encoder.norm.bias.fill_(float("nan"))
    with pytest.raises(InvalidOption, match="loss is nan in step 1"):
        _pretrain(encoder, tmp_path)
