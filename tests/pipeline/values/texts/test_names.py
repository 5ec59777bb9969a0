"""Names: two writings of one are equal, two names are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.texts.names import (
    clean_name,
    core_key,
    is_in_full,
    name_key,
    without_possessive,
    word_key,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Nutmeg, Inc.", "NUTMEG INCORPORATED", id="legal_form_in_full"),
        pytest.param("Nutmeg Co., Limited", "Nutmeg Company Ltd.", id="two_forms"),
        pytest.param("Heron & Pike", "Heron and Pike", id="and"),
        pytest.param("W&L Works, L.L.C.", "W and L Works LLC", id="and_without_spaces"),
        pytest.param("/s/ Ann B. Ode", "Ann B. Ode", id="signature"),
        pytest.param("And", "AND", id="only_a_word_that_joins"),
    ],
)
def test_two_writings_of_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert name_key(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Nutmeg Inc.", "Nutmeg Ltd.", id="other_form"),
        pytest.param("Nutmeg Inc.", "Nutmeg", id="no_form"),
        pytest.param("Limited Brands Inc.", "Ltd Brands Inc.", id="form_within_the_name"),
        pytest.param("Brand", "Br", id="and_within_a_word"),
    ],
)
def test_two_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("text", "core"),
    [
        pytest.param("Imaginary Shows Pte Ltd.", "IMAGINARYSHOWS", id="two_forms"),
        pytest.param("Imaginary Shows", "IMAGINARYSHOWS", id="none"),
        pytest.param("Inc.", "INC", id="nothing_else"),
    ],
)
def test_core_of_a_name(text: str, core: str) -> None:
    assert core_key(text) == core


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Nutmeg Inc.’s", "Nutmeg Inc.", id="after_a_stop"),
        pytest.param("Pike's", "Pike", id="plain"),
        pytest.param("Pikes'", "Pikes", id="plural"),
        pytest.param("Pike", "Pike", id="none"),
        pytest.param("O'Pike", "O'Pike", id="within"),
    ],
)
def test_genitives(text: str, expected: str) -> None:
    assert without_possessive(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Sold to:\nNutmeg Ltd", "Nutmeg Ltd", id="caption_with_a_colon"),
        pytest.param("CLIENTE\nNutmeg S.L.", "Nutmeg S.L.", id="caption_in_its_line"),
        pytest.param("Client n Care Ltd", "Client n Care Ltd", id="caption_word_in_the_name"),
        pytest.param("Company\nof Pikes", "Company of Pikes", id="word_that_begins_names"),
        pytest.param("Kupující: Ořech s.r.o.", "Ořech s.r.o.", id="caption_with_accents"),
        pytest.param("Messrs. Heron & Pike", "Heron & Pike", id="salutation"),
        pytest.param("z. Hd. Ann Ode", "Ann Ode", id="attention"),
        pytest.param("Attn: Ann Ode, Purchasing", "Ann Ode", id="position"),
        pytest.param("Herrn\nBo Pike\nAhornweg 12", "Bo Pike", id="street_in_its_line"),
        pytest.param("Pike KG, Ahornweg 12, 10115 Berlin", "Pike KG", id="street_behind_a_comma"),
        pytest.param("Pike\n12 Oak Works Ltd", "Pike 12 Oak Works Ltd", id="no_street"),
        pytest.param("1 Oak Street Holdings LLC", "1 Oak Street Holdings LLC", id="street_as_name"),
        pytest.param("Pike SARL - SIRET 732 829 320 00074", "Pike SARL", id="register"),
        pytest.param("Pike Ltd (Company No. 01234567)", "Pike Ltd", id="register_in_brackets"),
        pytest.param("Friends of Pike (12345)", "Friends of Pike (12345)", id="few_digits"),
        pytest.param("Pike Ltd Tel. 020 7946 0018", "Pike Ltd", id="phone"),
        pytest.param("Tel. 020 7946 0018", "Tel. 020 7946 0018", id="nothing_but_a_phone"),
        pytest.param("Pike Ltd <ann@pike.example>", "Pike Ltd", id="email"),
        pytest.param("Pike Ltd, hereinafter the Seller", "Pike Ltd", id="hereinafter"),
        pytest.param("Pike Ltd, incorporated in Malta", "Pike Ltd", id="where_it_is_registered"),
        pytest.param("Pike Ltd\nInvoice No. 77", "Pike Ltd", id="number_of_the_document"),
        pytest.param("RECEIPT\nPike Ltd", "Pike Ltd", id="title_above"),
        pytest.param("Pike (Pty) Ltd", "Pike (Pty) Ltd", id="brackets_of_the_name"),
        pytest.param("Pike Ltd trading as Oak", "Pike Ltd trading as Oak", id="trading_as"),
        pytest.param("[Pike Ltd]", "Pike Ltd", id="brackets_around"),
        pytest.param("• Pike Ltd", "Pike Ltd", id="bullet"),
        pytest.param("„Pike“ GmbH", "„Pike“ GmbH", id="quotes_within"),
        pytest.param("Welcome to Pike's Diner!", "Pike's Diner", id="greeting"),
        pytest.param("FAO Ann Ode\nPike Oak Ltd", "Pike Oak Ltd", id="attention_above"),
        pytest.param("Ao cuidado de Ana Sá\nPike e Filhos", "Pike e Filhos", id="cuidado_above"),
        pytest.param("Attn: Ann\nOde", "Ann Ode", id="attention_of_two_lines"),
        pytest.param("T.a.v. Jan\nde Vries", "Jan de Vries", id="last_name_of_two_words"),
        pytest.param("Att. Pike Ltd\nOak House", "Pike Ltd Oak House", id="for_a_company"),
        pytest.param("Oak Ltd, a division of Pike plc", "Oak Ltd", id="company_of_whom_else"),
        pytest.param("C.A. Pike Ltd", "C.A. Pike Ltd", id="initials"),
        pytest.param("Attention Homes Ltd", "Attention Homes Ltd", id="attention_in_the_name"),
        pytest.param("par Pike SARL", "Pike SARL", id="by_whom"),
        pytest.param("Uitgevoerd door Pike B.V.", "Pike B.V.", id="done_by_whom"),
        pytest.param("Nom Pike SARL", "Pike SARL", id="named"),
        pytest.param("Nom de Pike SARL", "Nom de Pike SARL", id="name_that_begins_so"),
        pytest.param("OAK, insegna di Pike S.r.l.", "Pike S.r.l.", id="brand_of_whom"),
        pytest.param("Ein Unternehmen der Pike AG", "Pike AG", id="company_of_whom"),
    ],
)
def test_what_stands_around_a_name_goes(text: str, expected: str) -> None:
    assert clean_name(text) == expected
    assert name_key(text) == name_key(expected)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "a ",
        "a, ",
        "a\n",
        "(",
        "1-",
        "1 ",
        "no. ",
        "tel ",
        "(A1",
        "bill to: ",
        "a@",
        ", a b",
        "GST 1",
    ],
)
def test_adversarial_names_return(piece: str) -> None:
    assert len(clean_name((piece * 2_000)[:2_000])) <= 2_000


@given(st.text(max_size=30))
def test_names_clean_once_and_for_all(text: str) -> None:
    assert name_key(text) == name_key(clean_name(text))
    assert clean_name(clean_name(text)).strip() == clean_name(clean_name(text))


@given(st.lists(st.sampled_from(["ACME", "&", "and", "Inc.", "LIMITED,", "Bolt's", "-"])))
def test_words_of_two_writings_join_to_one_key(words: list[str]) -> None:
    one = "".join(map(word_key, words))
    other = "".join(map(word_key, (word.swapcase() for word in words)))
    assert one == other
    assert one.isalnum() or not one


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Plank Messtechnik e.U.", True),
        ("Transportes del Huizache SA de CV", True),
        ("Nutmeg Ltd.,", True),
        ("Nutmeg EU", False),
        ("Ltd", False),
        ("Nutmeg Works", False),
    ],
)
def test_a_name_in_full_ends_with_its_legal_form(name: str, expected: bool) -> None:
    assert is_in_full(name) is expected
