"""What a document calls itself: its title, or where that is small, what stands at its number."""

from __future__ import annotations

import pytest

from models.geometry import Box
from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rendering import Basis
from pipeline.answers.resolve import offered
from pipeline.answers.titles import Title, Titles, dump_titles, parse_titles
from pipeline.document import Document, Page, Token
from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec, Kind, parse_fields

NUMBER = FieldSpec("number", Kind.IDENTIFIER)
TITLES = Titles(
    own=("Invoice", "Tax invoice", "Rechnung", "Bill", "Statement no"),
    other=("Quotation", "Bill of lading", "Statement", "Lohnabrechnung", "Angebot", "D.D.T."),
    number="number",
)
SMALL = "Thirty words of the usual size that say nothing of what this paper is at all"


def _title(*lines: tuple[str, float], number: str = "") -> Title | None:
    """Return the title of a page of lines, each with the height of its letters over the usual.

    Args:
        lines: texts and heights.
        number: the word that is the document's own number.
    """
    tokens = []
    for line, (text, height) in enumerate([*lines, (SMALL, 1.0)]):
        for at, word in enumerate(text.split()):
            box = Box(0.05 * at, 0.03 * line, 0.05 * at + 0.04, 0.03 * line + 0.012 * height)
            tokens.append(Token(word, box, line=line))
    page = Page(1, 595.0, 842.0, 0, "gold", "built for a test", tuple(tokens))
    document = Document("0" * 64, "application/pdf", (page,), 1)
    at = next((i for i, token in enumerate(tokens) if token.text == number), None)
    spans = [] if at is None else [Span("number", at, at + 1, (0.9,))]
    return TITLES.title(Evidence.of(document, spans), at)


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        pytest.param("QUOTATION", "Quotation", id="by_itself"),
        pytest.param("Angebot 4100083 über ein Bad", "Angebot", id="with_what_it_is_about"),
        pytest.param("2. Angebot", "Angebot", id="counted"),
        pytest.param("D.D.T. 118", "D.D.T.", id="in_letters_with_marks"),
        pytest.param("BILL OF LADING", "Bill of lading", id="longer_than_an_own_title"),
        pytest.param("Lohnabrechnung Mai", "Lohnabrechnung", id="its_end_alone_is_an_own_title"),
    ],
)
def test_a_tall_title_of_another_kind_says_so(text: str, listed: str) -> None:
    assert _title((text, 1.5)) == Title(listed, own=False)
    assert _title((text, 1.5), ("Invoice no. 17", 1.0)) == Title(listed, own=False)


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        pytest.param("TAX INVOICE", "Tax invoice", id="by_itself"),
        pytest.param("Your final bill", "Bill", id="after_two_words"),
        pytest.param("Schlussrechnung 2024-17", "RECHNUNG", id="compound"),
        pytest.param("Statement No. 17", "Statement no", id="longer_than_another_title"),
    ],
)
def test_a_tall_title_of_its_own_kind_says_so(text: str, listed: str) -> None:
    assert _title((text, 1.5)) == Title(listed, own=True)
    assert _title((text, 1.5), ("Quotation 17", 1.5)) == Title(listed, own=True)
    assert _title((text, 1.0)) is None


def test_the_tallest_title_counts() -> None:
    assert _title(("Invoice", 1.4), ("Quotation", 2.0)) == Title("Quotation", own=False)
    assert _title(("Invoice", 2.0), ("Quotation", 1.4)) == Title("Invoice", own=True)


def test_of_titles_about_as_tall_one_that_a_text_begins_with_counts() -> None:
    """Letters of a scan that is not quite straight are higher than they are."""
    expected = Title("Rechnung", own=True)
    assert _title(("Rechnung", 1.3), ("Original invoice no. 17", 1.35)) == expected
    assert _title(("Rechnung", 1.3), ("Your invoice", 1.6)) == Title("Invoice", own=True)


def test_what_is_mentioned_is_no_title() -> None:
    assert _title(("We refer to your quotation 17", 2.0)) is None
    assert _title(("Quotation 17", 1.0)) is None
    assert _title() is None


def test_a_small_title_says_it_at_the_number() -> None:
    assert _title(("Our Quotation no. 17", 1.0), number="17") == Title("Quotation", own=False)
    assert _title(("Quotation", 1.0), ("17", 1.0), number="17") == Title("Quotation", own=False)
    assert _title(("Our reference 17", 1.0), number="17") is None
    assert _title(("Quotation no. 17", 1.0), ("Invoice", 1.0), number="17") is None
    assert _title(("Statement no. 17", 1.0), number="17") is None


def test_letters_without_a_height_are_no_title() -> None:
    assert _title(("Quotation", 0.0)) is None


def test_a_document_without_words_says_nothing() -> None:
    document = Document("0" * 64, "application/pdf", (Page(1, 595.0, 842.0, 0, "gold", "", ()),), 1)
    assert TITLES.title(Evidence.of(document, []), None) is None


FIELDS = '[fields.number]\nkind = "identifier"\n'


def test_titles_are_written_and_read() -> None:
    text = f"{FIELDS}\n{dump_titles(TITLES)}"
    assert parse_titles(text, parse_fields(text)) == TITLES
    plain = Titles(("a",), ("b",))
    assert parse_titles(FIELDS + dump_titles(plain), [NUMBER]) == plain
    assert parse_titles(FIELDS, [NUMBER]) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('titles = "Invoice"', id="no_table"),
        pytest.param('[titles]\nown = ["Invoice"]', id="no_others"),
        pytest.param('[titles]\nown = ["Invoice"]\nother = []\nmine = []', id="unknown_key"),
        pytest.param('[titles]\nown = "Invoice"\nother = []', id="no_list"),
        pytest.param("[titles]\nown = [1]\nother = []", id="no_text"),
        pytest.param('[titles]\nown = ["--"]\nother = []', id="no_word"),
        pytest.param('[titles]\nown = ["a b c d e f g"]\nother = []', id="too_long"),
    ],
)
def test_titles_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="titles are not usable"):
        parse_titles(text, [NUMBER])


@pytest.mark.parametrize("number", ['"total"', "3"])
def test_a_number_that_is_no_field_is_refused(number: str) -> None:
    text = f'[titles]\nnumber = {number}\nown = ["Invoice"]\nother = ["Offer"]'
    with pytest.raises(InvalidOption, match="which is no field"):
        parse_titles(text, [NUMBER])


def _evidence(*pages: tuple[str, ...]) -> Evidence:
    """Return pages of lines; the first is tall, and words that begin with # are tagged numbers."""
    spans, made, at = [], [], 0
    for number, lines in enumerate(pages, 1):
        tokens = []
        for line, text in enumerate([*lines, SMALL]):
            for place, word in enumerate(text.split()):
                top, height = 0.03 * line, 0.02 if line == 0 else 0.012
                box = Box(0.05 * place, top, 0.05 * place + 0.04, top + height)
                tokens.append(Token(word.lstrip("#"), box, line=line))
                if word.startswith("#"):
                    spans.append(Span("number", at, at + 1, (0.95,)))
                at += 1
        made.append(Page(number, 595.0, 842.0, 0, "gold", "built for a test", tuple(tokens)))
    return Evidence.of(Document("0" * 64, "application/pdf", tuple(made), len(made)), spans)


def test_pages_with_an_own_title_in_tall_letters_are_titled() -> None:
    evidence = _evidence(("Invoice",), ("Page two",), ("Oak Ltd", "Invoice"), (), ("Rechnung 18",))
    assert TITLES.titled_pages(evidence) == {1, 5}


@pytest.mark.parametrize(
    ("title", "lines", "another"),
    [
        pytest.param("Gutschrift", ["zu Rechnung #17"], True, id="of_an_invoice"),
        pytest.param("Gutschrift", ["Gutschrift #17"], False, id="its_own"),
        pytest.param("Gutschrift", ["No. #17"], False, id="nothing_said"),
        pytest.param("Rechnung", ["zu Rechnung #17"], False, id="no_credit_note"),
        pytest.param(None, ["zu Rechnung #17", "Gutschrift #4"], True, id="said_at_its_own_number"),
        pytest.param(None, ["zu Rechnung #17", "Gutschrift 4"], False, id="of_no_number"),
        pytest.param(None, ["Rechnung #17", "Credit Union Rechnung #4"], False, id="of_a_bank"),
    ],
)
def test_a_credit_note_names_the_invoice_that_it_is_about(
    title: str | None, lines: list[str], another: bool
) -> None:
    titles = Titles(own=("Rechnung", "Gutschrift"), other=("Angebot",), number="number")
    evidence = _evidence((title or "Oak Ltd", *lines))
    offers = offered(Basis([NUMBER], evidence, Calibration()))["number"]
    own = Title(title, own=True) if title else None
    first = next(
        span.start for span in evidence.spans if evidence.words[span.start][1].text == "17"
    )
    of_another = titles.of_credit_note(own, offers, evidence)
    of_another = of_another and titles.is_of_another(first, evidence)
    assert of_another is another


@pytest.mark.parametrize(
    ("pages", "others"),
    [
        pytest.param([("Invoice",), ("Quotation",)], {2: "Quotation"}, id="by_itself"),
        pytest.param([("Invoice",), ("Quotation No. Q-8",)], {2: "Quotation"}, id="with_a_number"),
        pytest.param(
            [("Invoice",), ("Quotation",), ("Oak Ltd",), ("Invoice 18",)],
            {2: "Quotation", 3: "Quotation"},
            id="up_to_an_invoice",
        ),
        pytest.param([("Quotation",), ("Oak Ltd",)], {}, id="the_first_page"),
        pytest.param([("Quotation",), ("Quotation",)], {}, id="the_first_pages_title_again"),
        pytest.param([("Invoice", "#1784"), ("Statement", "#1784")], {}, id="with_its_number"),
        pytest.param([("Invoice",), ("Statement #1784",)], {2: "Statement"}, id="with_its_own"),
        pytest.param([("Invoice",), ("Quotation details",)], {}, id="about_it"),
        pytest.param([("Invoice",), ("Statement of all your meters",)], {}, id="a_heading"),
        pytest.param([("Invoice",), ("Oak Ltd", "Quotation")], {}, id="in_usual_letters"),
    ],
)
def test_a_page_may_begin_a_document_of_another_kind(
    pages: list[tuple[str, ...]], others: dict[int, str]
) -> None:
    evidence = _evidence(*pages)
    offers = offered(Basis([NUMBER], evidence, Calibration()))["number"]
    assert TITLES.pages_of_others(offers, evidence) == others
