"""How long a tagger takes over an order of many pages, and how much memory: one pass or windows.

Measures on an invented order of twelve pages and 11,000 words: the cosformer over the whole
document in one sequence, near and far likewise, LAMBERT over windows with overlap, and a package
where one is named.
Weights do not matter to speed: presets are measured with random ones. Each system has a process of
its own; the first pass is not counted.

    python -m benchmarks.long_order [--words 11000] [--pages 12] [--package NAME_OR_FOLDER]
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import alone
from models.example import Example

_SYSTEMS = ("cosformer", "cosformer-squircle", "near-and-far", "layoutlm-splitpage", "lambert")
_LINES = 80  # of a page
_VOCABULARY = [
    "contract",
    "agency",
    "advertiser",
    "flight",
    "gross",
    "spots",
    "rate",
    "line",
    "week",
]


def invented_order(words: int, pages: int) -> Example:
    """Return an order of so many words, in rows across its pages as such orders are printed."""
    random = np.random.default_rng(0)
    texts = [
        str(random.choice(_VOCABULARY))
        if random.random() < 0.6
        else f"{random.integers(1, 13)}/{random.integers(1, 29)}/20"
        if random.random() < 0.3
        else f"{random.integers(10, 9999)}.{random.integers(0, 99):02d}"
        for _ in range(words)
    ]
    page = np.arange(words) * pages // words
    place = np.concatenate([np.arange(np.count_nonzero(page == n)) for n in range(pages)])
    columns = -(-words // (pages * _LINES))
    row, column = place // columns, place % columns
    left = 0.05 + 0.9 * column / columns
    top = 0.05 + 0.9 * row / _LINES
    boxes = np.stack([left, top, left + 0.8 / columns, top + 0.7 / _LINES], axis=1)
    return Example(
        "order",
        tuple(texts),
        np.clip(boxes, 0, 1).astype(np.float32),
        page.astype(np.int64),
        (page * _LINES + row).astype(np.int64),
        np.full(words, 612 / 792, dtype=np.float32),
    )


def measure(system: str, example: Example, *, threads: int, repeats: int) -> dict[str, float]:
    """Return the median seconds to tag an example and the peak memory of this process in bytes.

    Args:
        system: a preset, on PyTorch, or the folder of a package, as it is served.
        example: to tag.
        threads: that tag.
        repeats: passes after the first.
    """
    os.environ["OMP_NUM_THREADS"] = str(threads)
    import torch
    from tokenizers import Tokenizer

    from models.config import PRESETS
    from models.encoding import PieceEncoder
    from models.labels import LabelSet
    from models.packages import BUNDLED
    from models.packages.contents import read_contents
    from models.packages.manifest import TOKENIZER
    from models.packages.serving import load_word_tagger
    from models.tagger import Tagger

    torch.set_num_threads(threads)
    tag: Callable[[], Any]
    if system in PRESETS:
        labels = LabelSet(("advertiser", "contract_number", "flight_from", "flight_to", "amount"))
        tagger = Tagger(PRESETS[system], labels).eval().requires_grad_(False)
        tokenizer = Tokenizer.from_file(str(BUNDLED / "receipts" / TOKENIZER))
        pieces = PieceEncoder(tokenizer, tagger.config)
        tag = partial(tagger.probabilities, example, pieces)
    else:
        contents = read_contents(Path(system))
        served = load_word_tagger(Path(system), contents, device="cpu", precision="float32")
        pieces, tag = contents.pieces, partial(served.probabilities_of, [example])
    windows = pieces.windows(example)
    seconds = []
    for _ in range(repeats + 1):
        started = time.perf_counter()
        tag()
        seconds.append(time.perf_counter() - started)
    return {
        "seconds": statistics.median(seconds[1:]),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0,
        "pieces": float(pieces.count(example)),
        "windows": float(len(windows)),
    }


def main() -> None:
    """Measure every system in its own process and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--words", type=int, default=11_000)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--package", action="append", default=[], help="folder of a package")
    options = parser.parse_args()
    example = invented_order(options.words, options.pages)
    print("| system | pieces | sequences | seconds | of lambert | peak memory, GB |")
    print("| --- | --- | --- | --- | --- | --- |")
    results = {
        system: alone(measure, system, example, threads=options.threads, repeats=options.repeats)
        for system in (*_SYSTEMS, *options.package)
    }
    for system, found in results.items():
        share = found["seconds"] / results["lambert"]["seconds"]
        print(
            f"| {Path(system).name} | {found['pieces']:,.0f} | {found['windows']:.0f} "
            f"| {found['seconds']:.2f} | {share:.2f} | {found['memory'] / 1e9:.2f} |"
        )


if __name__ == "__main__":
    main()
