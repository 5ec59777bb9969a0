"""Rows whose figures make the products that a package's rules ask for."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.arithmetic.checks import Check, parse_checks
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.answers.rows.products import products
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = (
    FieldSpec("items.description", Kind.TEXT, many=True),
    FieldSpec("items.quantity", Kind.NUMBER, many=True),
    FieldSpec("items.price", Kind.AMOUNT, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
)
COLUMNS = {"d": "description", "q": "quantity", "p": "price", "a": "amount"}
RULE = "items.quantity * items.price = items.amount"


def _checks(*rules: str) -> tuple[Check, ...]:
    return parse_checks(f'[[check]]\nname = "products"\nrules = {list(rules)}\n', FIELDS)


def _rows(
    page: str, tags: str, *rules: str, fields: tuple[FieldSpec, ...] = FIELDS
) -> list[dict[str, str]]:
    """Return the rows of a page; a letter a word says its column, a point that it has none."""
    document = document_of(page)
    spans = [
        Span(f"items.{COLUMNS[tag]}", index, index + 1, (0.9,))
        for index, tag in enumerate(tags.replace(" ", ""))
        if tag != "."
    ]
    found = resolve_all(document, spans, fields, Calibration(), _checks(*(rules or (RULE,))))
    return [
        {name: cell.text for name, cell in row.items() if cell} for row in found.groups["items"]
    ]


TABLE = "1  tea     3     4.00     19.0     12.00 | 2  cake    5     2.50     19.0     12.50"
BOTH = [
    {"description": "tea", "quantity": "3", "price": "4.00", "amount": "12.00"},
    {"description": "cake", "quantity": "5", "price": "2.50", "amount": "12.50"},
]


@pytest.mark.parametrize(
    "tags",
    [
        ".dqp.a .dqp.a",
        ".dqpa. .dqp.a",  # the tax rate as amount
        ".dqp.a .d.p.a",  # no quantity
        ".dqp.a .dq.pa",  # the tax rate as price
        ".dqp.a qd.p.a",  # the position as quantity
    ],
)
def test_a_product_tells_the_figures_of_a_row(tags: str) -> None:
    assert _rows(TABLE, tags) == BOTH


def test_columns_tell_the_two_that_are_multiplied() -> None:
    page = f"{TABLE} | 3  nuts    6     1.50     19.0      9.00"
    assert _rows(page, ".dqp.a .dpq.a .dqp.a")[:2] == BOTH


def test_figures_that_make_no_product_stay_as_they_were_tagged() -> None:
    page = TABLE.replace("12.50", "11.00")
    assert _rows(page, ".dqp.a .dqp.a")[1] == {**BOTH[1], "amount": "11.00"}


def test_two_ways_to_make_a_product_decide_nothing() -> None:
    page = "tea   2   6.00   3   4.00   12.00"
    assert _rows(page, "d..... ".replace(".....", "....a")) == [
        {"description": "tea", "amount": "12.00"}
    ]
    assert _rows(page, "dq...a") == [
        {"description": "tea", "quantity": "2", "price": "6.00", "amount": "12.00"}
    ]


def test_what_is_another_columns_is_not_taken() -> None:
    columns = (*FIELDS, FieldSpec("items.rate", Kind.NUMBER, many=True))
    document = document_of("tea     3     4.00     12.00")
    spans = [
        Span("items.description", 0, 1, (0.9,)),
        Span("items.rate", 1, 2, (0.9,)),
        Span("items.price", 2, 3, (0.9,)),
        Span("items.amount", 3, 4, (0.9,)),
    ]
    checks = parse_checks(f'[[check]]\nname = "products"\nrules = ["{RULE}"]\n', columns)
    [row] = resolve_all(document, spans, columns, Calibration(), checks).groups["items"]
    assert row["quantity"] is None


@pytest.mark.parametrize(
    ("page", "tags", "price"),
    [
        ("tea   € 4.00   3   12.00", "d.qpa", "4.00"),
        ("tea   €4.00   3   12.00", "dqpa", "€4.00"),
        ("tea   $4.00   3   12.00", "dqpa", "$4.00"),
        ("tea   3   4.00€   12.00", "dpqa", "4.00€"),
        ("tea   4.00 €    3   12.00", "dp.qa", "4.00"),  # no sign of the 3
        ("tea   4.00 € 3   12.00", "dp.qa", "4.00"),  # one of either: as tagged
        ("tea   4.00     €   3   12.00", "dp.qa", "4.00"),
        ("tea         €       4.00   3   12.00", "d.qpa", "4.00"),  # in a column of its own
    ],
)
def test_a_currency_tells_which_of_two_figures_is_the_price(
    page: str, tags: str, price: str
) -> None:
    row = {"description": "tea", "quantity": "3", "price": price, "amount": "12.00"}
    assert _rows(page, tags) == [row]


@pytest.mark.parametrize(
    ("row", "values"),
    [
        ("4     2.500     10", ["4", "2.500", "10"]),
        ("4     2.500     10000", ["4", "2500", "10000"]),
        ("1,500     2     3", ["1.500", "2", "3"]),
        ("20     57.000     1100", ["20", "57.000", "1100"]),  # with a discount: about its product
        ("20     57,000     1100", ["20", "57.000", "1100"]),
        ("1,500     2     70", ["1500", "2", "70"]),  # neither is near it
    ],
)
def test_a_product_tells_how_its_figures_are_read(row: str, values: list[str]) -> None:
    document = document_of(f"tea     {row}")
    names = ("description", "quantity", "price", "amount")
    spans = [Span(f"items.{name}", at, at + 1, (0.9,)) for at, name in enumerate(names)]
    [cells] = resolve_all(document, spans, FIELDS, Calibration(), _checks(RULE)).groups["items"]
    found = [cells[name] for name in names[1:]]
    assert [
        cell.value["amount"] if isinstance(cell.value, dict) else cell.value
        for cell in found
        if cell
    ] == values
    settled = values[2] not in ("1100", "70")
    assert all(cell and cell.normalisation.status == "ok" for cell in found) is settled


def test_a_figure_below_its_row_counts_where_another_row_follows() -> None:
    """The price after a discount stands below the one before it."""
    page = "tea    5    20.00    90.00 | less    2.00 | net    18.00 | cake    3    2.00    6.00"
    tags = "dqpa .. .. dqpa"
    assert _rows(page, tags)[0]["price"] == "18.00"
    alone = page.split(" | cake")[0]
    assert _rows(alone, "dqpa .. ..")[0]["price"] == "20.00"
    # The figures of other rows are theirs.
    assert _rows("tea    5    20.00    90.00 | cake    5    18.00    90.00", "dqpa dqpa")[0][
        "price"
    ] == ("20.00")


def test_the_lines_up_to_the_next_row_are_of_its_page() -> None:
    document = document_of(
        "tea    1    7.00 | OVER    99.00", "OVER    99.00 | cake    3    2.00    6.00"
    )
    names = {0: "description", 1: "quantity", 2: "amount"}
    names |= {7: "description", 8: "quantity", 9: "price", 10: "amount"}
    spans = [Span(f"items.{name}", at, at + 1, (0.9,)) for at, name in names.items()]
    found = resolve_all(document, spans, FIELDS, Calibration(), _checks(RULE))
    first = found.groups["items"][0]["amount"]
    assert first is not None
    assert first.text == "7.00"


def test_what_was_tagged_makes_a_product_in_another_order() -> None:
    assert _rows("30.48     tea     6     5.08", "pd qa".replace(" ", "")) == [
        {"description": "tea", "quantity": "6", "price": "5.08", "amount": "30.48"}
    ]


def test_small_products_fit_by_rounding_and_say_nothing() -> None:
    page = "tea     2     0.04     0.02"
    assert _rows(page, "dqpa") == [
        {"description": "tea", "quantity": "2", "price": "0.04", "amount": "0.02"}
    ]


def test_a_currency_sign_may_stick_to_a_figure() -> None:
    page = "tea     3     €4.00     €12.00 | cake    5     €2.50     €12.50"
    assert _rows(page, "dq.a dqpa")[0]["price"] == "€4.00"


def test_rules_that_are_no_products_are_left_alone() -> None:
    rules = (
        "items.price + items.amount = items.price",
        "items.amount <= items.quantity * items.price",
    )
    assert list(products(_checks(*rules), "items")) == []
    assert list(products(_checks(RULE), "items")) == [("quantity", "price", "amount")]
    assert list(products(_checks(RULE), "taxes")) == []
    assert _rows(TABLE, ".dqpa. .dqp.a", rules[1])[0]["amount"] == "19.0"


def _marked(page: str, tags: str, *rules: str) -> list[bool]:
    """Return of each row whether all of its cells are to be looked at; none or all are."""
    document = document_of(page)
    spans = [
        Span(f"items.{COLUMNS[tag]}", index, index + 1, (0.999,))
        for index, tag in enumerate(tags.replace(" ", ""))
        if tag != "."
    ]
    found = resolve_all(document, spans, FIELDS, Calibration(), _checks(*rules))
    marks = [{cell.needs_review for cell in row.values() if cell} for row in found.groups["items"]]
    assert all(len(of_row) == 1 for of_row in marks)
    return [of_row.pop() for of_row in marks]


def test_a_row_that_no_product_speaks_for_is_marked_whole() -> None:
    page = "tea     3     4.00     12.00 | cake    5     2.50     99.00 | post    7.00"
    tags = "dqpa dqpa da"
    assert _marked(page, tags, RULE) == [False, True, True]


@pytest.mark.parametrize(("total", "needs"), [("30.00", False), ("31.00", True)])
def test_amounts_that_add_up_need_no_product(total: str, needs: bool) -> None:
    fields = (*FIELDS, FieldSpec("total", Kind.AMOUNT))
    rules = f'[[check]]\nname = "p"\nrules = ["{RULE}"]\n'
    rules += '[[check]]\nname = "s"\nrules = ["sum(items.amount) = total"]\n'
    spans = [
        *(Span("items.description", at, at + 1, (0.999,)) for at in (0, 2)),
        *(Span("items.amount", at, at + 1, (0.999,)) for at in (1, 3)),
        Span("total", 4, 5, (0.999,)),
    ]
    document = document_of(f"tea     12.00 | cake    18.00 | {total}")
    rows = resolve_all(document, spans, fields, Calibration(), parse_checks(rules, fields)).groups
    marks = [
        {name: cell.needs_review for name, cell in row.items() if cell} for row in rows["items"]
    ]
    assert marks == [{"description": True, "amount": needs}] * 2


def test_without_a_rule_of_rows_none_is_marked_for_it() -> None:
    page = "tea     3     4.00     12.00 | cake    5     2.50     99.00"
    assert _marked(page, "dqpa dqpa", "items.price <= items.amount") == [False, False]


LESS = "tea  {}  38.0  {}  {} | "  # quantity, per cent off, price after it, amount
SHOP = LESS.format(4, "88.41", "353.64") + LESS.format(12, "38.04", "456.48")
SHOP += LESS.format(20, "2.67", "53.40") + "cake  7  38.0  5.00  35.00"


def test_products_of_most_rows_tell_where_the_columns_stand() -> None:
    """Percentages were taken for quantities, and of most rows no amount was found."""
    rows = _rows(SHOP, "d.qp. d.qp. d.qp. dq.pa")
    assert [(row["quantity"], row["price"], row["amount"]) for row in rows] == [
        ("4", "88.41", "353.64"),
        ("12", "38.04", "456.48"),
        ("20", "2.67", "53.40"),
        ("7", "5.00", "35.00"),
    ]


@pytest.mark.parametrize(
    ("page", "tags", "expected"),
    [
        pytest.param("lunch 68 days at 5.15       350.20", "d....a", ("68", "5.15"), id="beside"),
        pytest.param("a partner     1302.00 | 4.2 hours at 310.00 | tea   7.00",
                     "dda .... da", ("4.2", "310.00"), id="below"),
        pytest.param("mate 3 days @ $115       345.00", "dd..pa", ("3", "$115"), id="a_currency"),
        pytest.param("pipe 2 x 50 mm       100.00", "d....a", None, id="no_price"),
        pytest.param("lunch 1 day at 350.20       350.20", "d....a", None, id="one"),
        pytest.param("lunch 68 days at 5.25       350.20", "d....a", None, id="no_product"),
        pytest.param("lunch 2 of 4 at 5.00 or 2.50       10.00", "d......a", None, id="two_ways"),
    ],
)  # fmt: skip
def test_a_text_says_what_an_amount_is_made_of(
    page: str, tags: str, expected: tuple[str, str] | None
) -> None:
    row = _rows(page, tags)[0]
    found = (row.get("quantity"), row.get("price"))
    assert found == (expected or (None, None))


@pytest.mark.parametrize("sign", ["EUR", "€"])
def test_a_price_for_a_unit_is_no_quantity(sign: str) -> None:
    page = f"paint    5    {sign} 130,50 h    652,50 | wash    3    {sign} 20,50 h    61,50"
    found = _rows(page, "dq.p.a dq.p.a")
    assert [(row["quantity"], row["price"]) for row in found] == [("5", "130,50"), ("3", "20,50")]


def test_a_row_without_its_product_has_the_figures_of_the_columns() -> None:
    rows = ["a    3    4.00    0.00    12.00", "b    5    2.50    0.00    12.50"]
    rows += ["c    2    3.50    0.00     7.00", "d    9    2.00   10.00    16.20"]
    *_, last = _rows(" | ".join(rows), "dqp.a dqp.a dqp.a dqpa.")
    assert last == {"description": "d", "quantity": "9", "price": "2.00", "amount": "16.20"}


def test_columns_part_no_cells() -> None:
    rows = ["a    3    4.00    0.00    12.00", "b    5    2.50    0.00    12.50"]
    rows += ["c    2    3.50    0.00     7.00", "d    4 148.00    0.00   592.00"]  # no 4,148.00
    *_, last = _rows(" | ".join(rows), "dqp.a " * 4)
    assert last == {"description": "d", "quantity": "4", "price": "148.00", "amount": "592.00"}


@pytest.mark.parametrize(
    ("rows", "tags", "counts"),
    [
        pytest.param(
            ["lamps   12   4   9.50   456.00", "towers   6   4   38.00   912.00"],
            "d.qpa d.qpa", ["12", "6"], id="days",
        ),
        pytest.param(
            ["tents   4   3    45.00   540.00", "stage   1   3   130.00   390.00"],
            "d.qpa d.qpa", ["4", "1"], id="one_of_a_thing",
        ),
        pytest.param(["wire   500   68.20   100   341.00"], "d.pqa", ["500"], id="for_a_hundred"),
        pytest.param(["wire   100   500   68.20   341.00"], "dq.pa", ["500"], id="before_it"),
        # The number of a row makes the amount with what it has beside, too.
        pytest.param(
            ["2   figs   25   1.45   36.25", "3   nuts   0   8.00   0.00"],
            ".dqpa .dqpa", ["25", "0"], id="as_tagged",
        ),
        pytest.param(["lamps   12   5   9.50   456.00"], "d.qpa", ["5"], id="no_product"),
        pytest.param(["lamps   12   1   9.50   114.00"], "dq.pa", ["12"], id="one_day"),
    ],
)  # fmt: skip
def test_a_third_factor_is_no_quantity(rows: list[str], tags: str, counts: list[str]) -> None:
    assert [row["quantity"] for row in _rows(" | ".join(rows), tags)] == counts


def test_a_figure_outside_the_column_that_a_row_lacks_makes_no_product() -> None:
    """A tenth of the price is the tax, which makes the amount with it, by eleven."""
    rows = ["a   84.5   42.00   354.90   3,903.90", "b   61.0   75.00   457.50   5,032.50"]
    rows.append("d   145.5   11.00   160.05   1,760.55")
    assert _rows(" | ".join(rows), "dqp.a dqp.a d.p.a")[-1]["quantity"] == "145.5"


def test_a_rate_outside_its_column_makes_a_product() -> None:
    kinds = {"price": Kind.AMOUNT, "rate": Kind.PERCENT, "amount": Kind.AMOUNT}
    fields = tuple(FieldSpec(f"items.{name}", kind, many=True) for name, kind in kinds.items())
    row = "off   2   19 %   -4.40 | "
    document = document_of(row * 2 + "tax   415.00   -3.90   411.10   19   78.11")
    tags = {2: "rate", 4: "amount", 7: "rate", 9: "amount", 13: "price", 15: "amount"}
    spans = [Span(f"items.{name}", at, at + 1, (0.9,)) for at, name in tags.items()]
    rule = "items.price * items.rate = items.amount"
    checks = parse_checks(f'[[check]]\nname = "rates"\nrules = ["{rule}"]\n', fields)
    found = resolve_all(document, spans, fields, Calibration(), checks).groups["items"][-1]
    assert {name: cell and cell.text for name, cell in found.items()} == {
        "price": "411.10",
        "rate": "19",
        "amount": "78.11",
    }
