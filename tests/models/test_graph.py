"""A tagger on ONNX Runtime answers as it does on PyTorch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from models.config import PRESETS
from models.example import Example
from models.graph import has_graph
from models.graph_tagger import GraphTagger
from models.labels import LabelSet
from models.packages import manifest
from models.packages.contents import read_contents
from models.packages.package import load_package
from models.packages.serving import WordTagger, load_word_tagger
from models.tagger import Tagger
from tests.packages import save_tiny, tiny_config, tiny_package

GRAPHS = sorted(name for name, config in PRESETS.items() if has_graph(config))


def _example(words: int, seed: int = 0) -> Example:
    """Words all over two pages, one high and one wide."""
    random = np.random.default_rng(seed)
    texts = tuple(f"Word{number} {number * 7}." for number in random.integers(0, 500, words))
    corners = np.sort(random.random((words, 2, 2), dtype=np.float32), axis=1)
    line = np.arange(words) // 5
    page = (np.arange(words) > words / 2).astype(np.int64)
    aspect = np.where(page, 1.4, 0.7).astype(np.float32)
    return Example("one", texts, corners.reshape(words, 4), page, line, aspect)


def _package(folder: Path, preset: str, **changes: object) -> Path:
    """Save a tagger none of whose weights is nothing."""
    torch.manual_seed(0)
    tagger = Tagger(tiny_config(preset, **changes), LabelSet(("a", "b")))
    with torch.no_grad():
        for parameter in tagger.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.2)
    save_tiny(folder, tagger)
    return folder


def _served(folder: Path) -> WordTagger:
    return load_word_tagger(folder, read_contents(folder), device="cpu", precision="float32")


def test_lambert_and_what_is_simpler_have_graphs() -> None:
    assert GRAPHS == [
        "lambert",
        "lambert-layout-bias",
        "lambert-plain",
        "lambert-sequence-bias",
        "lambert-shapes",
        "text",
    ]


@pytest.mark.parametrize("preset", GRAPHS)
@pytest.mark.parametrize("unit", ["height", "longer_side"])
def test_as_on_pytorch(preset: str, unit: str, tmp_path: Path) -> None:
    shapes = {"word_shapes": 20} if PRESETS[preset].word_shapes else {}
    # A span so small that some distances are clipped.
    folder = _package(tmp_path / "saved", preset, bias_range=8, page_unit=unit, **shapes)
    ours, package = _served(folder), load_package(folder)
    assert isinstance(ours, GraphTagger)
    assert ours.labels.names == package.tagger.labels.names
    examples = [_example(words, words) for words in (1, 2, 30, 150)]
    assert len(package.contents.pieces.windows(examples[-1])) > 2
    theirs = package.tagger.probabilities_of(examples, package.contents.pieces)
    for own, their in zip(ours.probabilities_of(examples), theirs, strict=True):
        assert own.shape == their.shape
        np.testing.assert_allclose(own, their, rtol=0, atol=1e-5)


def test_every_preset_tags(tmp_path: Path) -> None:
    """What has no graph runs on PyTorch."""
    for preset in sorted(set(PRESETS) - set(GRAPHS)):
        tagger = _served(_package(tmp_path / preset, preset))
        assert not isinstance(tagger, GraphTagger)
        [found] = tagger.probabilities_of([_example(7)])
        assert found.shape == (7, len(tagger.labels))


def test_bfloat16_runs_on_pytorch(tmp_path: Path) -> None:
    folder = _package(tmp_path / "saved", "lambert")
    tagger = load_word_tagger(folder, read_contents(folder), device="cpu", precision="bfloat16")
    assert not isinstance(tagger, GraphTagger)
    [rough], [exact] = (each.probabilities_of([_example(9)]) for each in (tagger, _served(folder)))
    assert 1e-5 < np.abs(rough - exact).max() < 0.1


def test_a_document_without_words_has_no_labels(tmp_path: Path) -> None:
    tagger = _served(_package(tmp_path / "saved", "lambert"))
    none, some = tagger.probabilities_of([_example(0), _example(3)])
    assert none.shape == (0, len(tagger.labels))
    assert some.shape == (3, len(tagger.labels))


def test_threads_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tagger = _served(_package(tmp_path / "saved", "lambert"))
    example = _example(400)
    [alone] = tagger.probabilities_of([example])
    for threads in ("4", "4,2", "as many"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        [together] = tagger.probabilities_of([example])
        assert np.array_equal(alone, together)


def test_what_is_loaded_stays_whatever_happens_to_the_file(tmp_path: Path) -> None:
    folder = _package(tmp_path / "saved", "lambert")
    tagger = _served(folder)
    [before] = tagger.probabilities_of([_example(9)])
    with (folder / manifest.WEIGHTS).open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(0)
        file.write(bytes(size))
        file.truncate(size // 2)
    [after] = tagger.probabilities_of([_example(9)])
    assert np.array_equal(before, after)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("intermediate_size", 32, r"widen.weight is \(64, 32\), and not \(32, 32\)"),
        ("layers", 3, "there is no encoder.blocks.2.query_key_value.weight"),
        ("layers", 1, "no place for encoder.blocks.1.attention_norm.bias$"),
        ("word_shapes", 50, "there is no encoder.positions.2.weight"),
    ],
)
def test_weights_of_another_config_are_refused(
    name: str, value: int, message: str, tmp_path: Path
) -> None:
    folder = tiny_package(tmp_path / "saved")
    path = folder / manifest.CONFIG
    content = json.loads(path.read_text("utf-8"))
    content["tagger"][name] = value
    path.write_text(json.dumps(content), "utf-8")
    manifest.write_sums(folder)
    with pytest.raises(ValueError, match=f"do not fit the config: .*{message}"):
        _served(folder)
