"""`fieldwright inspect` draws the page with what a word attends to, or says why it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from cli.main import build
from pipeline.errors import InvalidOption
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package


@pytest.fixture
def receipt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A receipt's PDF, and a home with a model that can be inspected and one that cannot."""
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(tmp_path))
    tiny_package(tmp_path / "models" / "seen" / "1", name="seen", version="1")
    tiny_package(tmp_path / "models" / "far" / "1", name="far", version="1", preset="cosformer")
    path = tmp_path / "receipt.pdf"
    path.write_bytes(receipt_pdf(make_receipt()))
    return path


def _inspect(*arguments: object) -> None:
    build()(["inspect", *map(str, arguments)], standalone_mode=False)


def test_page_is_drawn_and_words_are_listed(
    receipt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "seen.png"
    _inspect(receipt, "--model", "seen", "--word", 3, "--output", picture)
    out, err = capsys.readouterr()
    words = make_receipt().words
    for line in out.splitlines():
        share, number, text = line.split()
        assert 0 < float(share) <= 1
        assert words[int(number)] == text
    assert len(out.splitlines()) == 10
    assert repr(words[3]) in err
    with Image.open(picture) as image:
        assert image.height > image.width  # an A4 page upright
        colours = image.convert("RGB").getcolors(1 << 20)
    assert colours is not None
    # Where most goes is the deepest colour, and the word itself has its frame.
    assert {(217, 72, 15), (25, 90, 190)} <= {colour for _, colour in colours}


def test_layers_and_heads_differ(receipt: Path, tmp_path: Path) -> None:
    pictures = set()
    for number, options in enumerate(((), ("--layer", 1), ("--layer", 2, "--head", 3))):
        picture = tmp_path / f"{number}.png"
        _inspect(receipt, "--model", "seen", "--word", 3, "--output", picture, *options)
        pictures.add(picture.read_bytes())
    assert len(pictures) == 3


def test_model_without_a_matrix_is_refused_by_its_preset(receipt: Path) -> None:
    with pytest.raises(InvalidOption, match=r"preset is cosformer, and Cosformer.* no attention"):
        _inspect(receipt, "--model", "far", "--word", 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--word", 10_000), "no word 10000"),
        (("--word", 0, "--layer", 9), "no layer 9"),
        (("--word", 0, "--output", "/nowhere/at/all.png"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_named(
    receipt: Path, options: tuple[object, ...], message: str
) -> None:
    with pytest.raises(InvalidOption, match=message):
        _inspect(receipt, "--model", "seen", *options)


def test_missing_document_is_named(receipt: Path) -> None:
    with pytest.raises(InvalidOption, match="cannot be read"):
        _inspect(receipt.with_name("other.pdf"), "--model", "seen", "--word", 0)
