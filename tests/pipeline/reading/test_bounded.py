"""Long and hostile documents, read by the real readers within their limits."""

from __future__ import annotations

import shutil
import zlib
from contextlib import closing, suppress
from pathlib import Path
from typing import get_args

import pikepdf
import psutil
import pytest

from pipeline.reading.media import sniff
from pipeline.reading.options import EngineName, ReadOptions
from pipeline.reading.reader import read_document
from pipeline.reading.sources import open_source
from tests.bombs import unfolding_pdf, zeros_packed
from tests.builders import (
    change_pdf,
    draw_pdf,
    endless_pdf,
    make_receipt,
    multipage_tiff,
    receipt_image,
    receipt_pdf,
    scan_page,
)

RECEIPT = make_receipt(3)


def children() -> list[psutil.Process]:
    """Return the processes that read for this one."""
    found: list[psutil.Process] = []
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it ends at this moment
            if "pipeline.reading.isolation.forkserver" in process.cmdline():
                found += process.children()
    return found


def _resident(process: psutil.Process) -> float:
    try:
        return float(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0.0


@pytest.mark.slow
def test_five_hundred_pages_take_the_memory_of_fifty() -> None:
    def peak(pages: int) -> float:
        """Return the most bytes that a reader had in memory."""
        seen = [0.0]

        def look(done: int, total: int) -> None:
            if done % 10 == 0:
                seen.extend(map(_resident, children()))

        data = receipt_pdf(RECEIPT, pages=pages)
        read_document(data, ReadOptions(max_pages=500, processes=2), look)
        return max(seen)

    few, many = peak(50), peak(500)
    assert 0 < many < 1.2 * few + 2**22


@pytest.mark.ocr
@pytest.mark.parametrize("engine", get_args(EngineName))
def test_no_picture_of_a_page_stays_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: EngineName
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    picture = receipt_image(RECEIPT, width=500, size=18)
    scans = draw_pdf(*[scan_page(picture)] * 2, size=(500, picture.height))
    for data, kept in ((scans, {"document.pdf"}), (multipage_tiff([picture] * 2), set())):
        folder = tmp_path / "files"
        folder.mkdir()
        with closing(open_source(data, sniff(data), folder, ReadOptions(engine=engine))) as source:
            for number in (1, 2):
                assert source.read_page(number).tokens
                assert {path.name for path in folder.iterdir()} == kept
        shutil.rmtree(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_page_without_end_fails_alone() -> None:
    data = endless_pdf(receipt_pdf(RECEIPT, pages=3), page=2)
    document = read_document(data, ReadOptions(page_timeout_s=3.0, memory_mb=1024))
    assert document.pages[1].reason in (
        "not read: processing_timeout",
        "not read: resource_limit",
        "not read: reader_crashed",
    )
    assert document.pages[0].tokens == document.pages[2].tokens != ()
    (warning,) = document.warnings
    assert warning.startswith("Page 2 was not read. ")


def test_a_page_too_large_fails_alone() -> None:
    def enlarge(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        page.mediabox = pikepdf.Array([0, 0, 14_400, 14_400])
        page.Contents = pdf.make_stream(b"100 100 9000 9000 re f")

    data = change_pdf(receipt_pdf(RECEIPT, pages=2), enlarge)
    document = read_document(data, ReadOptions(max_pixels_per_page=10**6))
    assert [page.reason == "not read: page_too_large" for page in document.pages] == [True, False]


def test_the_packed_zeros_are_zeros() -> None:
    assert zlib.decompress(zeros_packed(3)) == bytes(3 << 20)


def test_a_stream_that_unfolds_to_gigabytes_fails_alone() -> None:
    bomb = unfolding_pdf(receipt_pdf(RECEIPT, pages=2))
    assert len(bomb) < 100_000
    options = ReadOptions(page_timeout_s=5.0, memory_mb=1024)
    document = read_document(bomb, options)
    assert document.pages[0].tokens == ()
    assert document.warnings[0].startswith("Page 1")
    assert len(document.pages[1].tokens) == len(RECEIPT.words)
