"""fields.toml: read back as written, and every fault named with its field."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import InvalidOption
from pipeline.values.figures.currencies import CODES
from pipeline.values.schema import (
    FieldSpec,
    Kind,
    dump_fields,
    is_field_name,
    load_fields,
    parse_fields,
)

names = st.from_regex(r"[a-z][a-z0-9_]{0,63}", fullmatch=True)
hints = {
    Kind.DATE: {"day_first": st.booleans()},
    Kind.AMOUNT: {"currency": st.sampled_from(sorted(CODES))},
    Kind.ADDRESS: {"country": st.sampled_from(["DE", "MY", "US"])},
}
specs = st.sampled_from(Kind).flatmap(
    lambda kind: st.builds(
        FieldSpec,
        names,
        st.just(kind),
        st.booleans(),
        **{name: st.none() | values for name, values in hints.get(kind, {}).items()},
    )
)


@given(st.lists(specs, min_size=1, max_size=6, unique_by=lambda spec: spec.name))
def test_fields_are_read_as_they_were_written(fields: list[FieldSpec]) -> None:
    assert parse_fields(dump_fields(fields)) == tuple(fields)


def test_captions_of_other_numbers_are_read_as_they_were_written() -> None:
    order = FieldSpec("order", Kind.IDENTIFIER, other_captions=("Our order", "Unser Auftrag"))
    assert parse_fields(dump_fields([order])) == (order,)


@given(st.lists(st.text()).map(tuple))
def test_columns_of_groups_are_read_as_they_were_written(captions: tuple[str, ...]) -> None:
    fields = (
        FieldSpec("total", Kind.AMOUNT, unsigned=True),
        FieldSpec("vendor", Kind.NAME, company=True),
        FieldSpec("party", Kind.NAME, many=True, at_least=2),
        FieldSpec("items.amount", Kind.AMOUNT, many=True, currency="EUR", captions=captions),
        FieldSpec("items.text", many=True),
        FieldSpec("taxes.amount", Kind.AMOUNT, many=True),
    )
    assert parse_fields(dump_fields(fields)) == fields
    assert [(spec.group, spec.column) for spec in fields[:4]] == [
        ("", "total"),
        ("", "vendor"),
        ("", "party"),
        ("items", "amount"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[[group]]\nname = "items"', id="no_columns"),
        pytest.param("[[group]]\n[group.fields.amount]", id="no_name"),
        pytest.param('[[group]]\nname = "a b"\n[group.fields.amount]', id="name"),
        pytest.param('[[group]]\nname = "i"\nx = 1\n[group.fields.amount]', id="key"),
        pytest.param('[[group]]\nname = "i"\n[group.fields.amount]\nmany = true', id="many"),
        pytest.param('[[group]]\nname = "i"\n[group.fields.a]\n' * 2, id="twice"),
        pytest.param("group = 3", id="no_table"),
    ],
)
def test_groups_that_are_not_usable_are_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="group"):
        parse_fields(text)


def test_end_of_a_range_names_its_beginning() -> None:
    fields = (FieldSpec("start", Kind.DATE), FieldSpec("end", Kind.DATE, range_start="start"))
    assert parse_fields(dump_fields(fields)) == fields


def test_what_is_left_out_has_its_default() -> None:
    assert parse_fields("[fields.note]\n") == (FieldSpec("note", Kind.TEXT),)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("[fields", "not valid TOML", id="not_toml"),
        pytest.param("", "declares no fields", id="empty"),
        pytest.param("fields = 3", "declares no fields", id="fields_a_number"),
        pytest.param("[fields]", "declares no fields", id="no_field"),
        pytest.param("[fields.Total]", "'Total' is not usable", id="capital"),
        pytest.param('[fields."a b"]', "'a b' is not usable", id="space"),
        pytest.param('[fields.a]\nkind = "money"', "unknown kind 'money'", id="kind"),
        pytest.param("[fields.a]\nkind = 3", "kind = 3", id="kind_a_number"),
        pytest.param('[fields.a]\nmany = "yes"', "many = 'yes'", id="many_a_text"),
        pytest.param('[fields.a]\ncolour = "red"', "colour = 'red'", id="unknown_key"),
        pytest.param(
            '[fields.a]\nkind = "date"\nrange_start = "b"', "range_start = 'b'", id="range_of_none"
        ),
        pytest.param(
            '[fields.a]\n[fields.b]\nkind = "date"\nrange_start = "a"',
            "[fields.b] has range_start = 'a'",
            id="range_that_no_date_begins",
        ),
        pytest.param(
            '[fields.a]\nkind = "date"\n[fields.b]\nrange_start = "a"',
            "[fields.b] has range_start = 'a'",
            id="range_that_no_date_ends",
        ),
        pytest.param("[fields]\na = 1", "[fields.a]", id="field_a_number"),
        pytest.param('[fields.a]\ncurrency = "RM"', "currency = 'RM'", id="currency"),
        pytest.param('[fields.a]\ncountry = "Germany"', "country = 'Germany'", id="country"),
        pytest.param(
            '[fields.a]\nkind = "phone"\ncountry = "XX"', "country = 'XX'", id="no_country"
        ),
        pytest.param(
            '[fields.a]\nkind = "text"\ncurrency = "EUR"',
            "currency = 'EUR' and the kind text",
            id="currency_of_a_text",
        ),
        pytest.param(
            '[fields.a]\nkind = "amount"\nday_first = true',
            "day_first = True and the kind amount",
            id="order_of_an_amount",
        ),
        pytest.param("x = " + "[" * 5000, "nests its values too deep", id="nested"),
        pytest.param('[fields.a]\nunsigned = "yes"', "unsigned = 'yes'", id="unsigned_a_text"),
        pytest.param(
            '[fields.a]\nkind = "date"\nunsigned = true',
            "[fields.a] has unsigned = True and the kind date",
            id="unsigned_date",
        ),
        pytest.param(
            '[fields.a]\nkind = "address"\ncompany = true',
            "[fields.a] has company = True and the kind address",
            id="company_address",
        ),
        pytest.param(
            '[fields.a]\nkind = "amount"\nother_captions = ["Our order"]',
            "[fields.a] has other_captions = ['Our order'] and the kind amount",
            id="other_captions_of_an_amount",
        ),
        pytest.param(
            '[fields.a]\nkind = "name"\nat_least = 2',
            "[fields.a] has at_least = 2",
            id="at_least_of_one",
        ),
        pytest.param(
            "[fields.a]\nmany = true\nat_least = true",
            "[fields.a] has at_least = True",
            id="at_least_no_number",
        ),
        pytest.param(
            '[fields.a]\nkind = "percent"\ncaptions = ["A"]',
            "[fields.a] has captions and the kind percent",
            id="captions",
        ),
        pytest.param(
            '[[group]]\nname = "i"\n[group.fields.a]\ncaptions = [3]',
            "captions = [3]",
            id="caption",
        ),
    ],
)
def test_faults_are_named(text: str, fault: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        parse_fields(text, source="my.toml")
    assert fault in caught.value.detail
    assert caught.value.detail.startswith("my.toml")


def test_a_switch_that_is_off_may_stand_beside_any_kind() -> None:
    (spec,) = parse_fields('[fields.a]\nkind = "date"\nunsigned = false\ncompany = false')
    assert spec == FieldSpec("a", Kind.DATE)


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "fields.toml"
    path.write_text("[fields.total]\n", encoding="utf-8-sig")
    assert load_fields(path) == (FieldSpec("total"),)


@pytest.mark.parametrize("content", [None, b"\xff", b""])
def test_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "fields.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidOption, match=r"fields.toml"):
        load_fields(path)


@pytest.mark.parametrize(
    ("name", "usable"),
    [("total", True), ("a1_b", True), ("", False), ("1a", False), ("A", False), ("a\n", False)],
)
def test_names(name: str, usable: bool) -> None:
    assert is_field_name(name) == usable
