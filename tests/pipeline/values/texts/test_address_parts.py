"""Addresses of many countries to their parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.address_parts import parse_address


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("Hauptstraße 12a|10115 Berlin", "12a / Hauptstraße / 10115 / Berlin / - / -"),
        (
            "Musterfirma GmbH, Lange Str. 5, D-80331 München",
            "5 / Lange Str. / 80331 / München / - / DE",
        ),
        ("350 Fifth Avenue|New York, NY 10118", "350 / Fifth Avenue / 10118 / New York / NY / US"),
        (
            "1600 Pennsylvania Ave NW, Washington, DC 20500, USA",
            "1600 / Pennsylvania Ave NW / 20500 / Washington / DC / US",
        ),
        (
            "10 Downing Street, London SW1A 2AA, United Kingdom",
            "10 / Downing Street / SW1A 2AA / London / - / GB",
        ),
        (
            "12, rue de la Paix|75002 Paris|France",
            "12 / rue de la Paix / 75002 / Paris / - / FR",
        ),
        (
            "Calle Mayor 5, 28013 Madrid, España",
            "5 / Calle Mayor / 28013 / Madrid / - / ES",
        ),
        ("Via Roma 12, 00184 Roma RM, Italia", "12 / Via Roma / 00184 / Roma / RM / IT"),
        (
            "Keizersgracht 123, 1015 CJ Amsterdam",
            "123 / Keizersgracht / 1015 CJ / Amsterdam / - / NL",
        ),
        (
            "1 Martin Place, Sydney NSW 2000, Australia",
            "1 / Martin Place / 2000 / Sydney / NSW / AU",
        ),
        (
            "111 Wellington St, Ottawa ON K1A 0A9, Canada",
            "111 / Wellington St / K1A 0A9 / Ottawa / ON / CA",
        ),
        (
            "Av. Paulista 1000, São Paulo - SP, 01310-100, Brasil",
            "1000 / Av. Paulista / 01310-100 / São Paulo / SP / BR",
        ),
        ("ul. Długa 5, 00-238 Warszawa", "5 / ul. Długa / 00-238 / Warszawa / - / PL"),
        (
            "NO. 343, JALAN SS 22/19, DAMANSARA JAYA, 47400 PETALING JAYA, SELANGOR, MALAYSIA",
            "343 / JALAN SS 22/19 / 47400 / PETALING JAYA / SELANGOR / MY",
        ),
        ("10 Anson Road, Singapore 079903", "10 / Anson Road / 079903 / Singapore / - / SG"),
        (
            "Plot 5, MG Road, Bengaluru 560001, Karnataka, India",
            "5 / MG Road / 560001 / Bengaluru / Karnataka / IN",
        ),
        ("Maartenbaan 38, 5537, Waremme", "38 / Maartenbaan / 5537 / Waremme / - / -"),
        ("Georgesring 199 . 9778 . Focant", "199 / Georgesring / 9778 / Focant / - / -"),
        (
            "12 High Street|Sydney|2000|Australia",
            "12 / High Street / 2000 / Sydney / - / AU",
        ),
        ("somewhere", "- / - / - / - / - / -"),
    ],
)
def test_parts(address: str, parts: str) -> None:
    found = parse_address(address.split("|"))
    shown = [found.house_number, found.street, found.postcode, found.city, found.region]
    assert " / ".join(part or "-" for part in (*shown, found.country)) == parts


def test_the_pages_country_tells_how_a_postcode_is_read() -> None:
    spec = FieldSpec("address", Kind.ADDRESS)
    found = normalise("5 Rue Haute\nMaison\n1234 Ville", spec, DocumentContext(country="BE"))
    assert found.value["lines"] == ["5 Rue Haute", "Maison", "1234 Ville"]
    assert found.value["formatted"] == "5 Rue Haute Maison 1234 Ville"
    assert (found.value["postcode"], found.value["country"]) == ("1234", "BE")


@given(st.lists(st.text(max_size=40), max_size=6), st.sampled_from([None, "DE", "US", "MY", "XX"]))
def test_any_lines_are_taken_apart(lines: list[str], country: str | None) -> None:
    found = parse_address(lines, country)
    assert found.country is None or len(found.country) == 2


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["1, ", "a, ", "12345 ", "No 1-", "jalan 1 ", "1/1-", "D.E ", "A1"]
)
def test_adversarial_lines_return(piece: str) -> None:
    assert parse_address([(piece * 60_000)[:60_000]], "MY") is not None
