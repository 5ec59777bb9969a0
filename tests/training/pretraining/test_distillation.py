"""Distillation: a student meets its teacher's states, of long sequences too, and nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from models.build import build_encoder
from models.encoder import Encoder
from models.encoding import PieceEncoder, TaggerBatch, Window, collate
from models.packages.package import save_encoder
from pipeline.errors import InvalidOption
from tests.builders import document_of, make_receipt
from tests.packages import tiny_config, tiny_tokenizer
from tests.quiet import Quiet
from training.errors import DatasetError
from training.loop import Session
from training.pretraining.distillation import DistilConfig, distance, distil, states
from training.pretraining.unlabelled import hold_out, windows_of
from training.starts import start_from_teacher
from training.starts.start import Pair

TEACHER = tiny_config("layoutlm", window=32, overlap=0)
RUN = DistilConfig(steps=8, pieces=128, rate=3e-3, save_every=4, precision="float32")


def _windows(length: int) -> tuple[list[Window], list[Window]]:
    texts = [" | ".join(" ".join(line) for line in make_receipt(seed).lines) for seed in range(6)]
    pieces = PieceEncoder(tiny_tokenizer(), replace(TEACHER, window=length))
    found = windows_of([document_of(text, columns=200) for text in texts], pieces)
    training, held = hold_out(found, 0.2, seed=0)
    return training, [window for each in held.values() for window in each]


TRAINING, HELD = _windows(100)


def _pair(folder: Path, preset: str = "cosformer", **changes: object) -> Pair:
    torch.manual_seed(3)
    encoder = build_encoder(TEACHER)
    # Weights of the size of trained ones: a fresh attention hardly tells pieces apart.
    for parameter in encoder.parameters():
        parameter.data *= 3.0 if parameter.ndim > 1 else 1.0
    save_encoder(folder, encoder=encoder, config=TEACHER, tokenizer=tiny_tokenizer(), notes={})
    return start_from_teacher(folder, preset, changes={"window": 256, "overlap": 0, **changes})


def _distil(
    pair: Pair,
    folder: Path,
    *,
    config: DistilConfig = RUN,
    progress: Quiet | None = None,
    resume: bool = False,
    teacher: str = "one",
    training: Sequence[Window] = TRAINING,
    held: Sequence[Window] = HELD,
) -> float:
    return distil(
        pair.student,
        pair.teacher,
        training,
        held,
        new=pair.new,
        teacher_window=pair.teacher_window,
        config=config,
        session=Session(folder, progress or Quiet(), "cpu", resume, {"--teacher": teacher}),
    )


def _planted(batch: TaggerBatch, more: int) -> TaggerBatch:
    """Return a batch with `more` columns of padding that hold values of their own."""
    rows = len(batch.keep)

    def longer(values: Tensor, added: Tensor) -> Tensor:
        return torch.cat([values, added.to(values.dtype)], 1)

    return TaggerBatch(
        longer(batch.input_ids, torch.full((rows, more), 7)),
        longer(batch.boxes, torch.full((rows, more, 4), 0.4)),
        longer(batch.page_index, torch.ones((rows, more))),
        longer(batch.aspect, torch.ones((rows, more))),
        longer(batch.keep, torch.zeros((rows, more))),
        longer(batch.word_shape, torch.zeros((rows, more))),
    )


def test_student_has_the_teachers_weights_and_repeats_its_places(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    assert pair.new == ()
    teacher, student = pair.teacher.state_dict(), pair.student.state_dict()
    assert student.keys() == teacher.keys()
    for name, value in student.items():
        if name == "positions.0.table.weight":
            assert torch.equal(value[32:64], teacher[name])
            assert torch.equal(value[224:], teacher[name])
        else:
            assert torch.equal(value, teacher[name]), name


def test_what_only_one_of_the_two_has_is_new_or_left_behind(tmp_path: Path) -> None:
    pair = _pair(tmp_path, "lambert", window=64)
    assert pair.new
    assert all(name.startswith(("positions.1.", "prior.")) for name in pair.new)
    words = pair.student.words.weight.detach()
    assert torch.equal(words, pair.teacher.words.weight.detach())
    skimmer = _pair(tmp_path, "skimformer")
    stacked = pair.teacher.state_dict()["blocks.1.query_key_value.weight"]
    assert torch.equal(skimmer.student.state_dict()["blocks.1.value.weight"], stacked[64:])


def test_student_of_another_width_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="2 layers, 32 wide, the student 2, 16 wide"):
        _pair(tmp_path, hidden_size=16)
    with pytest.raises(InvalidOption, match="has 2 layers, 32 wide, the student 3, 32 wide"):
        _pair(tmp_path, layers=3)
    with pytest.raises(InvalidOption, match="needs a trained Skimformer"):
        _pair(tmp_path, "skimming-mask")
    with pytest.raises(InvalidOption, match="no preset 'cosfomer'"):
        _pair(tmp_path, "cosfomer")


def test_teacher_sees_parts_of_its_own_length(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    pair.teacher.eval()
    batch = collate(TRAINING[:2])
    length = batch.input_ids.shape[1]
    assert length > 64
    found = states(pair.teacher, batch, 32)
    assert len(found) == TEACHER.layers + 1
    for start in range(0, length, 32):
        part = TaggerBatch(*(values[:, start : start + 32] for values in _parts(batch)))
        own = list(pair.teacher.states(part))
        for whole, state in zip(found, own, strict=True):
            real = part.keep
            torch.testing.assert_close(
                whole[:, start : start + 32][real], state[real], rtol=1e-4, atol=1e-5
            )


def _parts(batch: TaggerBatch) -> Sequence[Tensor]:
    return [getattr(batch, field.name) for field in dataclasses.fields(batch)[:-1]]


def test_padding_changes_no_loss(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    pair.teacher.eval()
    pair.student.eval()
    batch = collate(TRAINING[:3])
    losses = []
    for given in (batch, _planted(batch, 9)):
        goals = states(pair.teacher, given, 32)
        for forced in (goals, None):
            found = list(pair.student.states(given, forced))[1:]
            losses.append(distance(found, goals, given.keep))
    torch.testing.assert_close(losses[:2], losses[2:], rtol=1e-4, atol=1e-5)


def test_blocks_are_given_the_teachers_states(tmp_path: Path) -> None:
    pair = _pair(tmp_path)
    pair.teacher.eval()
    pair.student.eval()
    batch = collate(TRAINING[:1])
    goals = states(pair.teacher, batch, 32)
    forced = list(pair.student.states(batch, goals))[1:]
    own = list(pair.student.states(batch))[1:]
    assert torch.equal(forced[0], own[0])  # nothing stands before the first block but the input
    _, context = pair.student._enter(batch)
    assert torch.equal(forced[1], pair.student.blocks[1](goals[1], context))
    assert torch.equal(own[1], pair.student(batch))
    assert not torch.equal(forced[1], own[1])


def test_distance_is_the_missed_over_the_added() -> None:
    keep = torch.tensor([[True, True, False]])
    goals = [torch.zeros(1, 3, 2), torch.full((1, 3, 2), 2.0), torch.full((1, 3, 2), 5.0)]
    found = [torch.full((1, 3, 2), 3.0), torch.full((1, 3, 2), 5.0)]
    assert float(distance(found, goals, keep)) == pytest.approx(1.0 / 4.0 + 0.0)
    found[1][0, 2] = 99.0  # padding
    assert float(distance(found, goals, keep)) == pytest.approx(0.25)


def test_equal_architecture_misses_nothing(tmp_path: Path) -> None:
    pair = _pair(tmp_path, "layoutlm", window=256)
    config = replace(RUN, steps=1, rate=0.0, rest_rate=0.0)
    assert pair.teacher_window == 32
    _, short = _windows(32)
    assert _distil(pair, tmp_path / "run", config=config, training=short, held=short) < 1e-6


@pytest.mark.parametrize("preset", ["cosformer", "cosformer-squircle", "linformer", "skimformer"])
def test_states_are_learnt_and_words_stay(preset: str, tmp_path: Path) -> None:
    pair = _pair(tmp_path, preset)
    still = replace(RUN, steps=1, rate=0.0, rest_rate=0.0)
    before = _distil(pair, tmp_path / "still", config=still)
    words = pair.student.words.weight.detach().clone()
    after = _distil(pair, tmp_path / "run", config=replace(RUN, steps=60))
    assert 0 < after < 0.7 * before  # on documents that were held out
    assert torch.equal(pair.student.words.weight.detach(), words)
    assert all(parameter.requires_grad for parameter in pair.student.parameters())


def test_resumed_run_ends_with_the_weights_of_the_unbroken_one(tmp_path: Path) -> None:
    class Stopping(Quiet):
        def step(self, done: int, total: int, loss: float) -> None:
            if done == 6:  # the last checkpoint is of step 4, in the half that is not forced
                raise InterruptedError

    whole, first, resumed = (_pair(tmp_path) for _ in range(3))
    _distil(whole, tmp_path / "whole")
    with pytest.raises(InterruptedError):
        _distil(first, tmp_path / "part", progress=Stopping())
    _distil(resumed, tmp_path / "part", resume=True)
    for name, value in whole.student.state_dict().items():
        assert torch.equal(value, resumed.student.state_dict()[name]), name
    with pytest.raises(InvalidOption, match="other settings: steps was"):
        _distil(_pair(tmp_path), tmp_path / "part", config=replace(RUN, steps=9), resume=True)


def test_run_of_another_teacher_is_not_resumed(tmp_path: Path) -> None:
    _distil(_pair(tmp_path), tmp_path / "run")
    with pytest.raises(InvalidOption, match="other settings: --teacher was one"):
        _distil(_pair(tmp_path), tmp_path / "run", resume=True, teacher="two")


def test_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no text"):
        _distil(_pair(tmp_path), tmp_path / "run", training=[])


def test_encoder_gives_its_states(tmp_path: Path) -> None:
    encoder: Encoder = _pair(tmp_path).teacher.eval()
    batch = collate(_windows(32)[0][:2])
    found = list(encoder.states(batch))
    assert len(found) == TEACHER.layers + 1
    assert torch.equal(found[-1], encoder(batch))
