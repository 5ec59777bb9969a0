"""Programs that readers start: whose fault it is that one of them ended."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from PIL import Image

from pipeline.errors import CorruptDocument, DependencyMissing, ReaderLost, ReadingTimeout
from pipeline.reading.engines.base import Raster
from pipeline.reading.engines.tesseract import Tesseract
from pipeline.reading.isolation.programs import killed_from_outside, run
from pipeline.reading.sources import poppler
from tests.builders import endless_pdf, make_receipt, receipt_pdf
from tests.patience import until

KILLS = [signal.SIGKILL, signal.SIGTERM]


@contextmanager
def ending(program: str, by: signal.Signals) -> Iterator[None]:
    """End the next program of that name that this process starts, by a signal."""

    def running() -> list[psutil.Process]:
        return [each for each in psutil.Process().children() if each.name() == program]

    def end() -> None:
        until(running, f"{program} to run")[0].send_signal(by)

    helper = threading.Thread(target=end)
    helper.start()
    yield
    helper.join()


@pytest.fixture(scope="module")
def noise() -> Raster:
    """Return a page that Tesseract is at for many seconds."""
    return Raster(Image.effect_noise((3000, 3000), 200), 300)


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a PDF whose page is never drawn to its end."""
    path = tmp_path_factory.mktemp("endless") / "document.pdf"
    path.write_bytes(endless_pdf(receipt_pdf(make_receipt(1)), page=1))
    return path


def render(path: Path, folder: Path) -> None:
    size = (595.0, 842.0)
    poppler.render(path, 1, folder, size=size, dpi=72, max_pixels=10**8, timeout_s=60)


@pytest.mark.ocr
@pytest.mark.parametrize("by", KILLS)
def test_a_tesseract_that_somebody_killed_says_nothing_of_its_page(
    by: signal.Signals, noise: Raster
) -> None:
    with ending("tesseract", by), pytest.raises(ReaderLost, match=f"tesseract .*{by.name}"):
        Tesseract().recognise(noise, language="eng", timeout_s=60)


@pytest.mark.parametrize("by", KILLS)
def test_a_renderer_that_somebody_killed_says_nothing_of_its_page(
    by: signal.Signals, endless: Path, tmp_path: Path
) -> None:
    with ending("pdftoppm", by), pytest.raises(ReaderLost, match="pdftoppm"):
        render(endless, tmp_path)


@pytest.mark.parametrize("by", [signal.SIGSEGV, signal.SIGABRT, signal.SIGXCPU])
def test_a_renderer_that_crashes_fails_on_its_page(
    by: signal.Signals, endless: Path, tmp_path: Path
) -> None:
    with ending("pdftoppm", by), pytest.raises(CorruptDocument):
        render(endless, tmp_path)


@pytest.mark.ocr
def test_a_tesseract_that_crashes_fails_on_its_page(noise: Raster) -> None:
    with ending("tesseract", signal.SIGSEGV), pytest.raises(CorruptDocument):
        Tesseract().recognise(noise, language="eng", timeout_s=60)


def test_a_program_out_of_time_is_ended(endless: Path) -> None:
    command = ["pdftoppm", str(endless), "/dev/null"]
    with pytest.raises(ReadingTimeout, match=r"Drawing took longer than 0\.5 seconds"):
        run(command, timeout_s=0.5046, doing="Drawing")  # what was left of some time
    assert "pdftoppm" not in [each.name() for each in psutil.Process().children()]


def test_a_program_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DependencyMissing, match="pdfinfo is not installed"):
        run(["pdfinfo"], timeout_s=1, doing="Opening")
    (tmp_path / "pdfinfo").touch(0o600)
    with pytest.raises(DependencyMissing, match="may not be run"):
        run(["pdfinfo"], timeout_s=1, doing="Opening")


def test_a_system_without_room_for_a_process_is_no_fault_of_the_document(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise BlockingIOError(11, os.strerror(11))

    monkeypatch.setattr("subprocess.Popen.__init__", refuse)
    monkeypatch.setattr("subprocess.Popen.__del__", lambda process: None)
    with pytest.raises(ReaderLost, match="could not be started"):
        run(["pdfinfo"], timeout_s=1, doing="Opening")


@pytest.mark.parametrize(
    ("status", "outside"),
    [(0, False), (1, False), (-6, False), (-9, True), (-11, False), (-15, True), (-24, False)],
)
def test_whose_fault_an_end_is(status: int, outside: bool) -> None:
    assert killed_from_outside(status) == outside
