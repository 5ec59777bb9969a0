"""Laws that every architecture keeps, and those that some keep, each over `PRESETS`."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from models.attention import block
from models.config import PRESETS
from models.encoding import TaggerBatch
from models.labels import LabelSet
from models.packages.package import load_package
from models.position.sequential import SequentialEmbedding
from models.tagger import Tagger
from tests.packages import save_tiny, tiny_config, tiny_tokenizer
from tests.strategies import FIELDS

every_preset = pytest.mark.parametrize("preset", sorted(PRESETS))
SUPPRESSED = [name for name, config in PRESETS.items() if config.order_dropout]
UNORDERED = [
    *SUPPRESSED,
    *(  # a sliding window slides over the order of pieces
        name
        for name, config in PRESETS.items()
        if config.order == "none" and config.attention != "long-skim"
    ),
]
WITHOUT_LAYOUT = ["text", "longformer"]
WINDOW = 40
SHAPES = 32  # rows of tables of word shapes
VOCABULARY = tiny_tokenizer().get_vocab_size()


def _tagger(preset: str, *, progress: float = 1.0) -> Tagger:
    """Return a small tagger of a preset, with no weight at its start value of 0 or 1."""
    config = tiny_config(preset, window=WINDOW, overlap=8, bias_range=20)
    torch.manual_seed(0)
    tagger = Tagger(config, LabelSet(FIELDS))
    with torch.no_grad():
        for parameter in tagger.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    tagger.set_progress(progress)
    return tagger.eval()


def _batch(rows: int, length: int, seed: int = 0) -> TaggerBatch:
    """Return random pieces on two pages of different shape, none of them padding."""
    random = torch.Generator().manual_seed(seed)
    corners = torch.rand(rows, length, 2, 2, generator=random)
    page = (torch.arange(length) >= length / 2).long().expand(rows, length)
    return TaggerBatch(
        torch.randint(5, VOCABULARY, (rows, length), generator=random),
        torch.cat([corners.amin(2), corners.amax(2)], dim=-1),
        page,
        torch.where(page == 0, 0.7, 1.4),
        torch.ones(rows, length, dtype=torch.bool),
        torch.randint(0, SHAPES, (rows, length), generator=random),
        torch.randint(0, len(LabelSet(FIELDS)), (rows, length), generator=random),
    )


def _reordered(batch: TaggerBatch, order: torch.Tensor) -> TaggerBatch:
    """Return a batch with its pieces in another order."""
    return TaggerBatch(*(getattr(batch, f.name)[:, order] for f in dataclasses.fields(batch)))


def _padded(batch: TaggerBatch, columns: int) -> TaggerBatch:
    """Return a batch with columns of the most disturbing padding that there may be."""
    rows = len(batch.keep)

    def grown(values: torch.Tensor, fill: float) -> torch.Tensor:
        shape = (rows, columns, *values.shape[2:])
        return torch.cat([values, torch.full(shape, fill, dtype=values.dtype)], dim=1)

    return TaggerBatch(
        grown(batch.input_ids, VOCABULARY - 1),
        grown(batch.boxes, 1e6),
        grown(batch.page_index, 0),
        grown(batch.aspect, 50.0),
        grown(batch.keep, False),
        grown(batch.word_shape, 1),
    )


@every_preset
def test_padding_never_changes_a_real_piece(preset: str) -> None:
    tagger, batch = _tagger(preset, progress=0.25), _batch(2, 11)
    with torch.inference_mode():
        plain, padded = tagger(batch), tagger(_padded(batch, 13))
    assert padded.isfinite().all()
    torch.testing.assert_close(padded[:, :11], plain, rtol=1e-4, atol=1e-5)


@every_preset
def test_long_sequence_goes_in_parts_to_the_same_end(
    preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger, batch = _tagger(preset, progress=0.25), _batch(2, 11)
    with torch.inference_mode():
        whole = tagger(batch)
        monkeypatch.setattr(block, "_AT_ONCE", 4)
        torch.testing.assert_close(tagger(batch), whole, rtol=1e-4, atol=1e-5)


@every_preset
def test_batch_equals_its_rows_alone(preset: str) -> None:
    tagger = _tagger(preset, progress=0.25)
    rows = [_batch(1, length, seed=length) for length in (1, 5, 17)]
    joined = TaggerBatch(
        *(
            torch.cat([getattr(_padded(row, 17 - row.keep.shape[1]), name) for row in rows])
            for name in ("input_ids", "boxes", "page_index", "aspect", "keep", "word_shape")
        )
    )
    with torch.inference_mode():
        together = tagger(joined)
        for row, logits in zip(rows, together, strict=True):
            [alone] = tagger(row)
            torch.testing.assert_close(logits[: len(alone)], alone, rtol=1e-4, atol=1e-5)


@every_preset
def test_gradients_of_a_padded_batch_are_those_of_the_batch(preset: str) -> None:
    tagger, batch = _tagger(preset, progress=0.25), _batch(2, 9)
    assert batch.labels is not None
    found = []
    for shown in (batch, _padded(batch, 6)):
        logits = tagger(shown)[:, :9].flatten(0, 1)
        loss = nn.functional.cross_entropy(logits, batch.labels.flatten())
        learning = [parameter for parameter in tagger.parameters() if parameter.requires_grad]
        found.append(torch.autograd.grad(loss, learning))
    for plain, padded in zip(*found, strict=True):
        torch.testing.assert_close(padded, plain, rtol=1e-3, atol=1e-6)


@every_preset
def test_every_parameter_learns(preset: str) -> None:
    tagger, batch = _tagger(preset, progress=0.25).train(), _batch(3, 20)
    assert batch.labels is not None
    loss = nn.functional.cross_entropy(tagger(batch).flatten(0, 1), batch.labels.flatten())
    learning = [item for item in tagger.named_parameters() if item[1].requires_grad]
    names, parameters = zip(*learning, strict=True)
    gradients = torch.autograd.grad(loss, parameters)  # an error where one has no part in the loss
    idle = [
        name
        for name, gradient in zip(names, gradients, strict=True)
        if not gradient.isfinite().all() or not gradient.any()
    ]
    assert idle == []
    frozen = {name for name, _ in tagger.named_parameters()} - set(names)
    assert all(name.startswith("encoder.prior.layout.") for name in frozen)
    assert bool(frozen) == bool(PRESETS[preset].skim_top)  # a mask's skim was trained elsewhere


@every_preset
def test_saved_and_loaded_tagger_gives_the_same_logits(preset: str, tmp_path: Path) -> None:
    tagger = _tagger(preset, progress=0.25)
    save_tiny(tmp_path / "saved", tagger)
    loaded = load_package(tmp_path / "saved").tagger
    assert loaded.config == tagger.config
    batch = _batch(2, 12)
    with torch.inference_mode():
        exact = tagger(batch)
        tagger.half().float()  # what the package's number format keeps
        assert torch.equal(loaded(batch), tagger(batch))
        torch.testing.assert_close(loaded(batch), exact, rtol=0.02, atol=0.02)


@every_preset
@pytest.mark.parametrize("length", [1, 2, 7, WINDOW])
def test_any_length_from_one_to_the_window(preset: str, length: int) -> None:
    with torch.inference_mode():
        logits = _tagger(preset)(_batch(2, length))
    assert logits.shape == (2, length, len(LabelSet(FIELDS)))
    assert logits.isfinite().all()


@every_preset
def test_longer_than_the_window_is_refused_where_a_table_ends(preset: str) -> None:
    tagger, batch = _tagger(preset), _batch(1, WINDOW + 1)
    if PRESETS[preset].order == "learned" and not PRESETS[preset].order_rows:
        with pytest.raises(ValueError, match="cut the document into windows"):
            tagger(batch)
    else:
        assert tagger(batch).isfinite().all()


@every_preset
def test_layout_is_read_only_where_the_preset_says_so(preset: str) -> None:
    tagger, batch = _tagger(preset), _batch(1, 8)
    moved = dataclasses.replace(batch, boxes=batch.boxes.flip(1))
    with torch.inference_mode():
        same = torch.equal(tagger(batch), tagger(moved))
    assert same == (preset in WITHOUT_LAYOUT)


@every_preset
def test_finished_model_reads_order_only_where_the_preset_keeps_it(preset: str) -> None:
    tagger, batch = _tagger(preset, progress=1.0), _batch(2, 15)
    order = torch.from_numpy(np.random.default_rng(0).permutation(15))
    with torch.inference_mode():
        moved, expected = tagger(_reordered(batch, order)), tagger(batch)[:, order]
    assert torch.allclose(moved, expected, atol=1e-5) == (preset in UNORDERED)


@pytest.mark.parametrize(
    ("progress", "rate"), [(0.0, 0.0), (0.125, 0.25), (0.25, 0.5), (0.5, 1.0), (0.75, 1.0), (1, 1)]
)
def test_order_dropout_rises_over_the_first_half(progress: float, rate: float) -> None:
    module = SequentialEmbedding(8, 4, droppable=True)
    module.set_progress(progress)
    assert float(module.rate) == pytest.approx(rate)
    kept = SequentialEmbedding(8, 4)
    kept.set_progress(progress)
    assert float(kept.rate) == 0.0


def test_order_dropout_drops_whole_vectors_without_rescaling() -> None:
    module = SequentialEmbedding(WINDOW, 4, droppable=True).train()
    module.set_progress(0.15)  # a rate of 0.3
    torch.manual_seed(0)
    term = module(_batch(200, WINDOW))
    table = module.table.weight.expand_as(term)
    dropped = (term == 0).all(-1)
    assert torch.equal(term[~dropped], table[~dropped])
    assert float(dropped.float().mean()) == pytest.approx(0.3, abs=0.03)


def test_order_dropout_in_use_is_its_mean_in_training() -> None:
    module = SequentialEmbedding(WINDOW, 4, droppable=True).eval()
    batch = _batch(1, WINDOW)
    module.set_progress(0.15)
    torch.testing.assert_close(module(batch)[0], 0.7 * module.table.weight)
    module.set_progress(0.5)
    assert not module(batch).any()
    module.train()
    assert not module(batch).any()


@pytest.mark.parametrize("preset", SUPPRESSED)
def test_rate_is_saved_where_order_can_be_dropped(preset: str) -> None:
    assert float(_tagger(preset).state_dict()["encoder.positions.0.rate"]) == 1.0
    assert "encoder.positions.0.rate" not in _tagger("lambert").state_dict()
