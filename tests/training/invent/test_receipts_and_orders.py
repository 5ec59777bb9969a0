"""Invented receipts and orders: their values can be found, and a seed always gives the same."""

from __future__ import annotations

import html
import json
import random
import re
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.errors import InvalidOption
from pipeline.values.schema import load_fields
from tests.commands import run
from training.data import build_corpus, load_dataset
from training.invent import Inventor, write_dataset
from training.invent.made_up import made_up
from training.invent.orders import Orders
from training.invent.receipts import Receipts
from training.invent.receipts.content import draw_receipt
from training.invent.receipts.countries import SCALES, TILLS
from training.invent.receipts.names import COMPANY, draw_names
from training.invent.receipts.paper import Paper
from training.invent.receipts.sold import KINDS, unit
from training.invent.receipts.words import ROLES, WORDS
from training.invent.receipts.words.eastern import EASTERN
from training.invent.receipts.words.western import WESTERN
from training.scoring import oracle, score, texts_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("invent", "fields"),
    [
        pytest.param(Orders(seed=1, issuers=24), "orders.toml", id="orders"),
        pytest.param(Receipts(seed=1), "receipts.toml", id="receipts"),
    ],
)
def test_all_values_are_found_on_the_pages(invent: Inventor, fields: str, tmp_path: Path) -> None:
    """Orders: two dozen forms with dates in five ways, ranges, captions all round."""
    write_dataset(tmp_path / "invented", 24, invent)
    dataset = load_dataset(tmp_path / "invented")
    specs = load_fields(EXAMPLES / fields)
    corpus = build_corpus(dataset, specs, "own", cache=tmp_path / "readings")
    assert not corpus.unread
    ids = [row.id for row in dataset.rows]
    styles = corpus.styles(ids)
    found = score(texts_of(oracle(corpus, ids, styles), styles), corpus.labels(ids), specs)
    assert found.total("normalised").f1 == 1


@pytest.mark.parametrize("language", WORDS)
def test_what_a_receipt_lists_adds_up(language: str) -> None:
    for seed in range(60):
        receipt = draw_receipt(random.Random(seed), (language,))
        listed = sum((line.amount for line in receipt.sold), Decimal(0))
        taxed = sum((net + tax for _, net, tax in receipt.taxes), Decimal(0))
        before = receipt.total - receipt.tip - receipt.rounding
        assert taxed == before
        assert receipt.added or taxed == listed + receipt.discount
        assert receipt.paid is None or receipt.paid >= receipt.total
        assert not receipt.rounding or receipt.total % Decimal("0.05") == 0
        assert not receipt.cash_back or receipt.paid is None
        amounts = (*(line.amount for line in receipt.sold), receipt.total, receipt.cash_back)
        assert all(amount % unit(receipt.country) == 0 for amount in amounts)
        assert receipt.since <= receipt.moment


@pytest.mark.parametrize(
    ("languages", "kinds"),
    [
        *(pytest.param(tuple(WORDS), (kind,), id=kind) for kind in KINDS),
        *(pytest.param((language,), tuple(KINDS), id=language) for language in EASTERN),
    ],
)
def test_every_receipt_prints_its_company_date_and_total_as_labelled(
    languages: tuple[str, ...], kinds: tuple[str, ...]
) -> None:
    """In fixed columns long names are broken, so that letters alone are compared."""
    for number in range(40):
        rng = random.Random(number)
        paper = Paper(draw_receipt(rng, languages, kinds), rng)
        shown = html.unescape(re.sub(r"<style>.*</style>|<[^>]+>", "", paper.html(400)))
        assert "{" not in shown
        for text in (paper.company, paper.date, paper.total, *paper.address):
            assert "".join(text.split()) in "".join(shown.split())


def test_a_brand_is_the_company_where_a_person_owns_it_and_an_operator_otherwise() -> None:
    """Labels are bare of what stands beside them; every wording of an owner is a person's."""
    country = next(country for country in TILLS if country.code == "DE")
    seen = set()
    for seed in range(400):
        names = draw_names(random.Random(seed), made_up(country.faker), country, "sale")
        assert sum(COMPANY in line for line in names.lines) == 1
        beside = " ".join(names.lines).replace(COMPANY, " ")
        owned = re.search(r"Inh|Famil|Fam\.|Betreiber|Pächter|Wirt", beside)
        is_legal = re.search(r"GmbH|AG|KG|OHG|e\.K\.|UG", names.company)
        if owned:
            seen.add("operated" if is_legal else "owned")
            assert is_legal or not re.search(r"Inh|Betreiber|Pächter|Wirt:", names.company)
    assert seen == {"operated", "owned"}


def test_amounts_are_written_as_the_tills_of_a_country_write_them() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        hungarian = draw_receipt(rng, ("hu",), ("sale",))
        assert re.fullmatch(r"\D*\d{1,3}(?:\D?\d{3})*\D*", Paper(hungarian, rng).total)
        fuel = draw_receipt(rng, ("de",), ("fuel",)).sold[0]
        assert fuel.price.as_tuple().exponent == -3
    rng = random.Random(4)
    turkish = [Paper(draw_receipt(rng, ("tr",)), rng) for _ in range(20)]
    starred = [paper for paper in turkish if f"*{paper.total}" in paper.html(400)]
    assert 0 < len(starred) < len(turkish)


def test_a_stay_is_paid_to_a_balance_of_nothing_and_its_total_is_what_was_charged() -> None:
    balances = 0
    for seed in range(30):
        rng = random.Random(seed)
        receipt = draw_receipt(rng, ("de",), ("folio",))
        assert receipt.total == receipt.subtotal + receipt.discount + receipt.rounding
        shown = html.unescape(Paper(receipt, rng).html(400))
        balances += bool(re.search(r"(?<!\d)0[.,]00(?!\d)", shown))
    assert balances >= 15


def test_the_command_writes_the_same_documents_for_the_same_seed(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        for kind in ("orders", "receipts"):
            out = tmp_path / kind / name
            run("invent", kind, out, "--count", 3, "--seed", seed, "--processes", 1, code=0)
    for kind in ("orders", "receipts"):
        labels = [(tmp_path / kind / name / "labels.jsonl").read_text() for name in "abc"]
        assert labels[0] == labels[1] != labels[2]
        for document in (json.loads(line)["document"] for line in labels[0].splitlines()):
            same = [(tmp_path / kind / name / document).read_bytes() for name in "ab"]
            assert same[0] == same[1]


def test_the_command_names_the_languages_that_there_are(tmp_path: Path) -> None:
    done = run("invent", "invoices", tmp_path / "out", "--languages", "de,klingon", code=2)
    assert "'klingon'. Choose among de, en," in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("language", WORDS)
def test_every_language_has_as_many_wordings_as_the_first_eight(language: str) -> None:
    assert set(WORDS[language]) == set(ROLES)
    for role, wordings in WORDS[language].items():
        assert len(wordings) >= min(len(words[role]) for words in WESTERN.values()), role
        assert len(set(wordings)) == len(wordings), role


def test_forints_have_no_decimals_and_prices_are_on_their_scale() -> None:
    totals = [draw_receipt(random.Random(seed), ("hu",)).total for seed in range(60)]
    assert all(total == total.to_integral_value() for total in totals)
    assert sorted(totals)[30] > SCALES["HUF"]


def test_receipts_of_a_language_that_there_is_not_are_refused() -> None:
    with pytest.raises(InvalidOption, match="'klingon'"):
        Receipts(languages=("de", "klingon"))


def test_receipts_of_malaysia_alone_stay_those_of_their_seed() -> None:
    made = Receipts(seed=1, languages=("ms",))(1)
    assert made.labels["fields"]["company"] == ["KLINIK SERI LAKARAN SDN. BHD."]
    assert made.labels["fields"]["date"] == ["2017-01-21"]
