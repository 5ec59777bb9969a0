"""Comb fields, one letter a cell, are words; what else stands apart is not."""

from __future__ import annotations

from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from pipeline.reading.reader import ReadOptions, read_document
from tests.builders import change_pdf, draw_pdf

COMB = 1 << 24
VALUE = b"ACME CORP"


def form(value: bytes, look: bytes | None, *, flags: int = COMB, cells: int | None = 10) -> bytes:
    """Return a page with a caption and a field of 200 points; without a look viewers fill it in."""

    def write(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0].obj
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        fonts = Dictionary(Font=Dictionary(F1=pdf.make_indirect(font)))
        widget: Any = Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T="name", V=value, Ff=flags, F=4,
            Rect=Array([150, 700, 350, 720]), DA="/F1 12 Tf 0 g",
        )  # fmt: skip
        if cells:
            widget.MaxLen = cells
        if look is not None:
            widget.AP = Dictionary(
                N=pdf.make_stream(
                    b"/Tx BMC BT /F1 12 Tf 5 5 Td " + look + b" ET EMC",
                    Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 20], Resources=fonts,
                )
            )  # fmt: skip
        widget = pdf.make_indirect(widget)
        page.Annots = Array([widget])
        page.Rotate = 0
        pdf.Root.AcroForm = Dictionary(
            Fields=Array([widget]), DR=fonts, NeedAppearances=look is None
        )

    return change_pdf(draw_pdf(lambda canvas: canvas.drawString(50, 705, "Name:")), write)


def words(data: bytes) -> list[str]:
    (page,) = read_document(data, ReadOptions(ocr="never")).pages
    return [token.text for token in page.tokens]


BY_LETTER = b" ".join(b"(%c) Tj 20 0 Td" % letter for letter in VALUE)


@pytest.mark.parametrize("look", [None, BY_LETTER], ids=["filled in by the viewer", "drawn"])
def test_the_letters_of_a_comb_field_are_words(look: bytes | None) -> None:
    assert words(form(VALUE, look)) == ["Name:", "ACME", "CORP"]


def test_cells_are_told_by_the_letters_where_the_field_does_not_tell() -> None:
    assert words(form(VALUE, BY_LETTER, cells=None)) == ["Name:", "ACME", "CORP"]


def test_spaced_figures_of_another_field_stay_apart() -> None:
    spaced = b" ".join(b"(%c) Tj 20 0 Td" % letter for letter in b"12345")
    assert words(form(b"1 2 3 4 5", spaced, flags=0, cells=None)) == ["Name:", *"12345"]


def test_the_comb_of_a_page_that_is_turned() -> None:
    def turn(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.Rotate = 90

    assert words(change_pdf(form(VALUE, BY_LETTER), turn)) == ["Name:", "ACME", "CORP"]


def test_a_word_in_cells_is_as_wide_as_they_are() -> None:
    (page,) = read_document(form(b"1234567890", None), ReadOptions(ocr="never")).pages
    box = page.tokens[1].box
    assert page.tokens[1].text == "1234567890"
    assert (box.x0 * 595, box.x1 * 595) == pytest.approx((150, 350), abs=3)


@pytest.mark.parametrize("dynamic", [True, False])
def test_of_a_dynamic_form_it_is_said_that_its_values_are_not_there(dynamic: bool) -> None:
    def xfa(pdf: pikepdf.Pdf) -> None:
        pdf.Root.AcroForm.XFA = pdf.make_stream(b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'/>")
        if dynamic:
            pdf.Root.NeedsRendering = True

    document = read_document(change_pdf(form(VALUE, BY_LETTER), xfa), ReadOptions(ocr="never"))
    assert any("XFA" in warning for warning in document.warnings) == dynamic
