"""What a GPU gives: parity with the CPU, attention by length, taggers, batches, pre-training.

    python -m benchmarks.gpu [--device cuda] [--report gpu.md] [--minutes 10]

Runs from a checkout on a machine that has PyTorch and nothing else of this project's environment,
within `--minutes`: a part that would take longer is cut, and the report says where. Weights are
random, for they matter neither to speed nor to parity; documents are made of random pieces in rows
across pages. Exits with 1 where the device does not compute what the CPU does.

Parity: logits of two sequences of 512 pieces, one of them padded, by every preset, beside those of
the CPU in float32; the error is the largest difference over the largest logit. TF32 is off.
Seconds are medians of passes behind one that is not counted, with the device waited for.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch.nn import functional as F

from models.config import PRESETS, TaggerConfig
from models.encoding import IGNORED, TaggerBatch
from models.labels import LabelSet
from models.precision import Precision, autocast
from models.tagger import Tagger
from training.pretraining.model import MaskedModel

_FIELDS = LabelSet(("advertiser", "contract_number", "flight_from", "flight_to", "gross_amount"))
_ROWS = 60  # of a page
_PAGE = 800  # pieces
_PARITY = {"float32": 1e-3, "bfloat16": 0.1}  # errors that rounding explains
_CHOSEN = 0.15  # of the pieces are guessed in pre-training
_BY_LENGTH = ("cosformer", "near-and-far", "layoutlm", "lambert")
_TAGGERS = ("lambert", "layoutlm", "layoutlm-splitpage", "cosformer", "near-and-far", "skimformer")
_PRECISIONS: tuple[Precision, ...] = ("float32", "bfloat16")


@dataclass(frozen=True, slots=True)
class Scale:
    """How large everything is; a test runs the same code with small numbers.

    Attributes:
        presets: whose parity is looked at.
        pieces: of a document.
        lengths: of one sequence.
        batches: documents in one pass.
        hidden: width and layers of every preset; None leaves them.
        slowest: seconds a pass may take; longer lengths of that system are not tried.
    """

    presets: tuple[str, ...] = tuple(PRESETS)
    pieces: int = 512
    lengths: tuple[int, ...] = (512, 2048, 8192, 16384, 65536, 262_144)
    batches: tuple[int, ...] = (1, 4, 16, 64)
    hidden: tuple[int, int] | None = None
    slowest: float = 8.0

    def config(self, preset: str, length: int) -> TaggerConfig:
        """Return a preset with room for a sequence of so many pieces."""
        config = PRESETS[preset]
        config = replace(config, window=max(length, 3), overlap=0, dropout=0.0)
        if self.hidden:
            width, layers = self.hidden
            config = replace(
                config,
                hidden_size=width,
                intermediate_size=2 * width,
                layers=layers,
                heads=4,
                layout_dim=16,
                vocab_size=1000,
                rank=16,
                reach=16,
            )
        return config


def documents(count: int, pieces: int, vocabulary: int) -> TaggerBatch:
    """Return a batch of documents of random pieces in rows across their pages, without padding."""
    random = torch.Generator().manual_seed(0)
    place = torch.arange(pieces)
    page, rest = place // _PAGE, place % _PAGE
    columns = -(-_PAGE // _ROWS)
    left, top = 0.05 + 0.9 * (rest % columns) / columns, 0.05 + 0.9 * (rest // columns) / _ROWS
    boxes = torch.stack([left, top, left + 0.8 / columns, top + 0.7 / _ROWS], 1)
    return TaggerBatch(
        torch.randint(1, vocabulary, (count, pieces), generator=random),
        boxes.clamp(0, 1).expand(count, -1, -1).contiguous(),
        page.expand(count, -1).contiguous(),
        torch.full((count, pieces), 612 / 792),
        torch.ones(count, pieces, dtype=torch.bool),
        torch.zeros(count, pieces, dtype=torch.int64),
    )


def seconds(act: Callable[[], object], device: str) -> float:
    """Return the median seconds of an act, over at most 2 seconds and 20 passes."""
    act()
    _wait(device)
    passes = list[float]()
    begun = time.perf_counter()
    while not passes or (time.perf_counter() - begun < 2 and len(passes) < 20):
        started = time.perf_counter()
        act()
        _wait(device)
        passes.append(time.perf_counter() - started)
    return statistics.median(passes)


def _wait(device: str) -> None:
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def parity(scale: Scale, device: str) -> Iterator[tuple[str, dict[str, float], bool]]:
    """Yield preset, error by precision, and whether all are within what rounding explains."""
    for preset in scale.presets:
        torch.manual_seed(0)
        config = scale.config(preset, scale.pieces)
        tagger = Tagger(config, _FIELDS).eval().requires_grad_(False)
        batch = documents(2, scale.pieces, config.vocab_size)
        batch.keep[1, scale.pieces * 2 // 3 :] = False
        wanted = tagger(batch)[batch.keep]
        largest = float(wanted.abs().max())
        tagger.to(device)
        errors = dict[str, float]()
        for precision in _PRECISIONS:
            with autocast(device, precision):
                found = tagger(batch.to(device)).float().cpu()[batch.keep]
            errors[precision] = float((found - wanted).abs().max()) / largest
        # A comparison with NaN is False, so that NaN is no parity.
        yield preset, errors, all(errors[name] <= most for name, most in _PARITY.items())


@torch.inference_mode()
def by_length(scale: Scale, device: str, ends: float) -> Iterator[tuple[str, list[str]]]:
    """Yield what attends, and milliseconds a pass by length, in bfloat16, one sequence.

    First PyTorch's fused softmax alone, over as many heads and layers as the presets have.
    """
    for system in ("PyTorch's softmax alone", *_BY_LENGTH):
        cells, last, length_before = list[str](), 0.0, 0
        for length in scale.lengths:
            # Quadratic at worst: what would surely be too slow is not begun.
            growth = length / max(length_before, 1)
            if last * growth > scale.slowest or time.monotonic() > ends:
                cells.append("not run")
                continue
            try:
                last, length_before = _pass_over(system, scale, length, device), length
                cells.append(f"{last * 1e3:,.1f}")
            except torch.OutOfMemoryError:
                cells.append("no room")
                last = scale.slowest  # nor for what is longer
        yield system, cells


def _pass_over(system: str, scale: Scale, length: int, device: str) -> float:
    config = scale.config(system if system in PRESETS else "layoutlm", length)
    if system in PRESETS:
        tagger = Tagger(config, _FIELDS).eval().to(device)
        batch = documents(1, length, config.vocab_size).to(device)

        def act() -> object:
            with autocast(device, "bfloat16"):
                return tagger(batch)

    else:
        shape = (1, config.heads, length, config.hidden_size // config.heads)
        query, key, value = torch.randn((3, *shape), device=device, dtype=torch.bfloat16)

        def act() -> object:
            return [F.scaled_dot_product_attention(query, key, value) for _ in range(config.layers)]

    return seconds(act, device)


@torch.inference_mode()
def taggers(scale: Scale, device: str, ends: float) -> Iterator[tuple[str, str, list[str]]]:
    """Yield preset, precision, and documents a second by how many share a pass."""
    for preset in _TAGGERS:
        config = scale.config(preset, scale.pieces)
        tagger = Tagger(config, _FIELDS).eval().to(device)
        for precision in _PRECISIONS:
            cells = []
            for count in scale.batches:
                if time.monotonic() > ends:
                    cells.append("not run")
                    continue
                batch = documents(count, scale.pieces, config.vocab_size).to(device)
                with autocast(device, precision):
                    took = seconds(lambda tagger=tagger, batch=batch: tagger(batch), device)  # type: ignore[misc]
                cells.append(f"{count / took:,.0f}")
            yield preset, precision, cells


def pretraining(scale: Scale, device: str, ends: float) -> Iterator[tuple[str, list[str]]]:
    """Yield precision, and pieces a second of masked pre-training of `lambert` by batch."""
    config = scale.config("lambert", scale.pieces)
    for precision in _PRECISIONS:
        model = MaskedModel(Tagger(config, _FIELDS).encoder).to(device)
        steps = torch.optim.AdamW(model.parameters(), lr=1e-5)
        cells = []
        for count in scale.batches:
            plain = documents(count, scale.pieces, config.vocab_size)
            chosen = torch.rand(plain.input_ids.shape) < _CHOSEN
            chosen[:, 0] = True
            labels = torch.where(chosen, plain.input_ids, IGNORED)
            batch = replace(plain, labels=labels).to(device)

            def step(batch: TaggerBatch = batch) -> None:
                with autocast(device, precision):  # noqa: B023 - is called in this very turn
                    loss = model(batch)  # noqa: B023
                loss.backward()
                steps.step()  # noqa: B023
                steps.zero_grad(set_to_none=True)  # noqa: B023

            if time.monotonic() > ends:
                cells.append("not run")
                continue
            try:
                cells.append(f"{count * scale.pieces / seconds(step, device):,.0f}")
            except torch.OutOfMemoryError:
                cells.append("no room")
        yield precision, cells


def report(scale: Scale, device: str, minutes: float) -> Iterator[str]:
    """Yield the lines of the report as they come; the last one says whether parity holds."""
    ends = time.monotonic() + minutes * 60
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    name = torch.cuda.get_device_name() if device.startswith("cuda") else "the CPU"
    yield f"# {name}\n\nPyTorch {torch.__version__}, {torch.get_num_threads()} CPU threads.\n"
    yield "## Parity with the CPU in float32\n\n| preset | float32 | bfloat16 | |"
    yield "| --- | --- | --- | --- |"
    wrong = []
    for preset, errors, holds in parity(scale, device):
        wrong += [] if holds else [preset]
        yield (
            f"| {preset} | {errors['float32']:.1e} | {errors['bfloat16']:.1e} "
            f"| {'' if holds else '**differs**'} |"
        )
    lengths = " | ".join(f"{length:,}" for length in scale.lengths)
    yield f"\n## Attention by length: ms a pass, one sequence, bfloat16\n\n| | {lengths} |"
    yield _rule(len(scale.lengths) + 1)
    for system, cells in by_length(scale, device, ends):
        yield f"| {system} | {' | '.join(cells)} |"
    batches = " | ".join(f"{count} a pass" for count in scale.batches)
    yield f"\n## Documents of {scale.pieces} pieces a second\n\n| preset | | {batches} |"
    yield _rule(len(scale.batches) + 2)
    for preset, precision, cells in taggers(scale, device, ends):
        yield f"| {preset} | {precision} | {' | '.join(cells)} |"
    yield f"\n## Pre-training of lambert: pieces a second\n\n| | {batches} |"
    yield _rule(len(scale.batches) + 1)
    for precision, cells in pretraining(scale, device, ends):
        yield f"| {precision} | {' | '.join(cells)} |"
    yield f"\nParity: {'missed by ' + ', '.join(wrong) if wrong else 'all presets'}."


def _rule(columns: int) -> str:
    return "|" + " --- |" * columns


def main() -> None:
    """Print the report, and write it where asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    lines = []
    for line in report(Scale(), options.device, options.minutes):
        print(line, flush=True)
        lines.append(line)
        if options.report:  # at once: what was measured stays, whatever befalls
            options.report.write_text("\n".join(lines) + "\n", encoding="utf-8")
    raise SystemExit(0 if "missed" not in lines[-1] else 1)


if __name__ == "__main__":
    main()
