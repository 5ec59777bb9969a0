"""Cosformer, Linformer and sliding windows against their quadratic formulas, and their laws."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest
import torch

from models.attention import cosformer, near_and_far
from models.attention.base import Padding
from models.attention.cosformer import CosformerAttention, CosineForm, CosinePrior
from models.attention.linformer import LinformerAttention
from models.attention.longformer import LongformerAttention, SlidingWindow
from models.attention.near_and_far import NearAndFarAttention, NearAndFarPrior
from models.attention.relative_bias import BiasedAttention, RelativeBias
from models.position.sequential import SequentialEmbedding
from tests.reference import lambert, longrange
from tests.twins import assert_twins, every_length, twin_batch, twin_heads

FORMS: tuple[CosineForm, ...] = get_args(CosineForm)
every_form = pytest.mark.parametrize("form", FORMS)


@every_length
@every_form
def test_linear_cosformer_is_its_quadratic_formula(length: int, form: CosineForm) -> None:
    batch, inputs = twin_batch(length), twin_heads(length)
    ours = CosformerAttention()(inputs, CosinePrior(form)(batch))
    theirs = longrange.cosformer(*inputs, batch, form, cosformer.EPSILON)
    assert_twins(ours, theirs, inputs)


@every_form
def test_cosformer_in_steps_is_cosformer_at_once(
    form: CosineForm, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, inputs = twin_batch(64), twin_heads(64)
    context = CosinePrior(form)(batch)
    whole = CosformerAttention()(inputs, context)
    monkeypatch.setattr(cosformer, "_STEP_ON_CPU", 10)
    assert_twins(CosformerAttention()(inputs, context), whole, inputs)


@every_form
def test_waves_multiply_to_the_re_weighting(form: CosineForm) -> None:
    batch = twin_batch(12)
    waves = CosinePrior(form)(batch)
    assert waves is not None
    found = torch.einsum("bigr,bjgr->gbij", waves, waves)
    axes = {
        row: [longrange.cosine_weights(batch, row, axis) for axis in ("sequence", "x", "y")]
        for row in range(2)
    }
    for row, (sequence, x, y) in axes.items():
        expected = {
            "sequence": [sequence],
            "squircle": [x * y],
            "cross-sum": [x + y],
            "cross-larger": [x, y],
        }[form]
        torch.testing.assert_close(list(found[:, row]), expected, rtol=0, atol=1e-12)
        assert (found[:, row] >= -1e-12).all()  # a negative weight could make a denominator 0


def test_sum_form_is_not_the_larger_cosine() -> None:
    """The published cross has no linear form: ours under another name gives other numbers."""
    batch, inputs = twin_batch(20), twin_heads(20)
    found = {}
    for form in ("cross-sum", "cross-larger"):
        found[form] = CosformerAttention()(inputs, CosinePrior(form)(batch))
    assert float((found["cross-sum"] - found["cross-larger"]).detach().abs().max()) > 0.05


@pytest.mark.parametrize("sign", [pytest.param(-1.0, id="no_weights"), pytest.param(0.0, id="0")])
@every_form
def test_piece_that_attends_to_nothing_takes_nothing(form: CosineForm, sign: float) -> None:
    batch, (query, key, value) = twin_batch(9), twin_heads(9)
    blind = (sign * query.abs()).detach().requires_grad_()
    out = CosformerAttention()((blind, key, value), CosinePrior(form)(batch))
    assert not out.any()
    gradients = torch.autograd.grad(out.sum(), [blind, key, value])
    assert all(gradient.isfinite().all() for gradient in gradients)


@every_form
def test_cosformer_under_bfloat16_sums_in_float32(form: CosineForm) -> None:
    """A sum in bfloat16 stops growing after 256 equal terms; 4,000 of them must still count."""
    length = 4000
    batch = twin_batch(length)
    batch = dataclasses.replace(batch, keep=torch.ones(2, length, dtype=torch.bool))
    random = torch.Generator().manual_seed(0)
    inputs = [torch.rand(2, 1, length, 4, generator=random).bfloat16() for _ in range(3)]
    context = CosinePrior(form)(batch)
    with torch.autocast("cpu", torch.bfloat16):
        ours = CosformerAttention()(inputs, context)
    exact = CosformerAttention()([x.double() for x in inputs], context)
    assert ours.dtype == torch.bfloat16
    torch.testing.assert_close(ours.double(), exact, rtol=2**-8, atol=0)  # its last bit


@every_length
def test_linformer_is_its_equation(length: int) -> None:
    batch, inputs = twin_batch(length), twin_heads(length)
    attention = LinformerAttention(64, 5).double()
    projections = [attention.project_key, attention.project_value]
    ours = attention(inputs, Padding(batch.keep))
    theirs = longrange.linformer(*inputs, batch.keep, *projections)
    assert_twins(ours, theirs, [*inputs, *projections])


def test_linformer_says_its_longest_sequence() -> None:
    inputs, keep = twin_heads(12), torch.ones(2, 12, dtype=torch.bool)
    with pytest.raises(ValueError, match=r"12 pieces, but linformer .* at most 11: cut the"):
        LinformerAttention(11, 5).double()(inputs, Padding(keep))


@every_length
@pytest.mark.parametrize("reach", [1, 6, 7, 200])
def test_longformer_is_its_equation(length: int, reach: int) -> None:
    batch, inputs = twin_batch(length), twin_heads(length)
    query, key, value = inputs
    ours = LongformerAttention()(inputs, SlidingWindow(reach)(batch))
    scores = query @ key.transpose(-1, -2) / 2.0  # d = 4
    theirs = longrange.windowed_weights(scores, batch.keep, reach) @ value
    assert_twins(ours, theirs, inputs)


@pytest.mark.parametrize("length", [1, 7, 64, 65])
def test_band_holds_no_square(length: int) -> None:
    band = SlidingWindow(8)(twin_batch(length))
    assert band[0].numel() <= (length + 8) * 3 * 8


SPAN = 6  # small, so that some distances are clipped


def _near_and_far(
    *, reach: int, first: int, sequence: bool = True, layout: bool = True
) -> tuple[NearAndFarPrior, NearAndFarAttention]:
    """Return a mechanism of two heads in float64, its gate open and no weight at 0."""
    prior = NearAndFarPrior(
        2, sequence=sequence, layout=layout, page_unit="height", span=SPAN, reach=reach, first=first
    )
    attention = NearAndFarAttention(2)
    random = torch.Generator().manual_seed(2)
    for weights in (*prior.parameters(), *attention.parameters()):
        torch.nn.init.normal_(weights, generator=random)
    return prior.double(), attention.double()


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sequence of 33 be cut in blocks, several steps of them."""
    monkeypatch.setattr(near_and_far, "_BLOCK", 5)
    monkeypatch.setattr(near_and_far, "_STEP", 2)


@every_length
@pytest.mark.parametrize("reach", [1, 6, 7, 200])
@pytest.mark.parametrize("first", [0, 1, 3])
@pytest.mark.parametrize(("sequence", "layout"), [(True, True), (True, False), (False, True)])
def test_near_and_far_is_its_equation(
    small_blocks: None, length: int, reach: int, first: int, sequence: bool, layout: bool
) -> None:
    batch, inputs = twin_batch(length), twin_heads(length)
    prior, attention = _near_and_far(reach=reach, first=first, sequence=sequence, layout=layout)
    bias = lambert.relative_bias(
        batch,
        unit="height",
        span=SPAN,
        sequence=prior.sequence,
        horizontal=prior.horizontal,
        vertical=prior.vertical,
        closed=0.0,
    )
    theirs = longrange.near_and_far(*inputs, batch, bias, attention.gate, reach, first)
    ours = attention(inputs, prior(batch))
    real = batch.keep[:, None, :, None]
    learnt = [*inputs, attention.gate, *prior.parameters()]
    assert_twins(ours.where(real, 0.0), theirs.where(real, 0.0), learnt)
    with torch.no_grad():  # another way through the same sums
        untaught = attention(inputs, prior(batch))
    torch.testing.assert_close(untaught.where(real, 0.0), ours.where(real, 0.0).detach())


@pytest.mark.parametrize("length", [1, 7, 64])
def test_near_that_reaches_everything_is_lambert(small_blocks: None, length: int) -> None:
    batch, inputs = twin_batch(length), twin_heads(length)
    prior, attention = _near_and_far(reach=length, first=1)
    whole = RelativeBias(2, sequence=True, layout=True, page_unit="height", span=SPAN).double()
    whole.load_state_dict(prior.state_dict())
    torch.nn.init.zeros_(attention.gate)
    ours = attention(inputs, prior(batch))
    theirs = BiasedAttention()(inputs, whole(batch))
    real = batch.keep[:, None, :, None]
    assert_twins(ours.where(real, 0.0), theirs.where(real, 0.0), inputs)


def test_gate_starts_closed_and_learns_at_once() -> None:
    attention, batch, inputs = NearAndFarAttention(2).double(), twin_batch(9), twin_heads(9)
    prior, _ = _near_and_far(reach=3, first=1)
    assert not attention.gate.any()
    [gradient] = torch.autograd.grad(attention(inputs, prior(batch)).sum(), [attention.gate])
    assert gradient.all()


@pytest.mark.parametrize("length", [1, 20, 64, 65])
def test_near_holds_no_square(small_blocks: None, length: int) -> None:
    prior, _ = _near_and_far(reach=4, first=1)
    context = prior(twin_batch(length))
    assert context.cells[0].numel() <= (length + 5) * (5 + 2 * 4 + 1)
    assert context.along.shape[-1] <= 5 + 2 * 4


def test_near_and_far_under_bfloat16_is_about_the_same(small_blocks: None) -> None:
    batch, inputs = twin_batch(64), [x.detach() for x in twin_heads(64)]
    batch = dataclasses.replace(batch, boxes=batch.boxes.float(), aspect=batch.aspect.float())
    prior, attention = (part.float() for part in _near_and_far(reach=6, first=1))
    with torch.inference_mode():
        exact = attention([x.float() for x in inputs], prior(batch))
        with torch.autocast("cpu", torch.bfloat16):
            ours = attention([x.bfloat16() for x in inputs], prior(batch))
    assert ours.dtype == torch.bfloat16
    real = batch.keep[:, None, :, None]
    torch.testing.assert_close(
        ours.float().where(real, 0.0), exact.where(real, 0.0), rtol=0.05, atol=0.1
    )


def test_order_that_repeats_leaves_its_first_row_to_the_first_piece() -> None:
    order = SequentialEmbedding(5, 3, repeats=True)
    rows = [0, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2]
    assert torch.equal(order(twin_batch(11))[0], order.table.weight[rows])
    assert torch.equal(order(twin_batch(4))[0], order.table.weight[:4])
