"""Alerts and panels ask for metrics, labels and values of labels that a real service has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.builders import make_receipt, receipt_pdf
from tests.service import serving

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "monitoring"
ALERTS = [
    rule
    for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
]
PANELS = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
ADAPTER = yaml.safe_load((FOLDER / "prometheus-adapter.yaml").read_text())["rules"]["external"]
OF_PROMETHEUS = {"job", "instance", "pod"}  # labels that the scrape adds


def expressions() -> dict[str, str]:
    """Return every expression by the name of what asks it."""
    return {
        **{rule["alert"]: rule["expr"] for rule in ALERTS},
        **{panel["title"]: target["expr"] for panel in PANELS for target in panel["targets"]},
        **{rule["name"]["as"]: _filled(rule["metricsQuery"]) for rule in ADAPTER},
    }


def _filled(query: str) -> str:
    return query.replace("<<.LabelMatchers>>", 'stage="read", priority="batch"')


def parts(node: Any) -> Iterator[Any]:
    """Yield an expression and all that it is made of."""
    yield node
    for name in ("lhs", "rhs", "expr", "param", "vector_selector"):
        inner = getattr(node, name, None)
        if inner is not None and not isinstance(inner, str | float):
            yield from parts(inner)
    for argument in getattr(node, "args", None) or ():
        yield from parts(argument)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, set[str]]]:
    """Return names of the metrics of a service that was used, their labels, and the values."""
    found: dict[str, dict[str, set[str]]] = {}
    with serving(tmp_path_factory.mktemp("home")) as service:
        service.ended(service.submit(receipt_pdf(make_receipt(71))))
        service.post(b"%PDF-1.4 broken")
        text = service.client.get("/metrics").text
    for family in text_string_to_metric_families(text):
        # A metric without a sample yet is there all the same.
        found.setdefault(family.name, {})
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for name, value in sample.labels.items():
                labels.setdefault(name, set()).add(value)
    return found


@pytest.mark.slow
def test_every_metric_and_label_is_exported(samples: dict[str, dict[str, set[str]]]) -> None:
    known = {**samples, "up": {}}
    known["fieldwright_webhook_deliveries"] = {"state": set()}  # there is no webhook
    checked = 0
    for asks, text in expressions().items():
        nodes = list(parts(promql_parser.parse(text)))
        selectors = [node for node in nodes if isinstance(node, promql_parser.VectorSelector)]
        assert selectors, asks
        labels: set[str] = set()
        for selector in selectors:
            assert selector.name in known, f"{asks}: {selector.name} is not exported"
            labels |= known[selector.name].keys()
            for matcher in selector.matchers.matchers:
                own = known[selector.name].keys() | OF_PROMETHEUS
                assert matcher.name in own, f"{asks}: {selector.name} has no label {matcher.name}"
                if matcher.name in ("stage", "priority", "ready"):
                    assert matcher.value in known[selector.name][matcher.name], asks
            checked += 1
        for wanted in re.findall(r"\bby \(([^)]*)\)", text):
            assert {name.strip() for name in wanted.split(",")} <= labels | OF_PROMETHEUS, asks
    assert checked >= len(ALERTS) + len(PANELS)


def test_counters_of_the_store_are_not_added_up() -> None:
    """Every API process exports the same numbers of the store: a sum would count them twice."""
    own = ("fieldwright_http_", "process_", "up")
    for asks, text in expressions().items():
        for node in parts(promql_parser.parse(text)):
            if isinstance(node, promql_parser.AggregateExpr) and str(node.op) == "sum":
                inner = next(
                    part
                    for part in parts(node.expr)
                    if isinstance(part, promql_parser.AggregateExpr | promql_parser.VectorSelector)
                )
                is_own = isinstance(inner, promql_parser.VectorSelector)
                assert not is_own or str(inner.name).startswith(own), asks


@pytest.mark.slow
def test_the_first_of_its_kind_is_noticed(samples: dict[str, dict[str, set[str]]]) -> None:
    """A counter rises from 0 to it: one that begins with it would begin without a rise."""
    codes = re.findall(r'increase\((\w+)\{code="(\w+)"', " ".join(expressions().values()))
    assert codes
    for counter, code in codes:
        assert code in samples[counter]["code"]


def test_a_process_that_starts_alarms_nobody() -> None:
    """It begins series of its own, with the totals of the store: they are not new."""
    for asks, text in expressions().items():
        for node in parts(promql_parser.parse(text)):
            assert getattr(node, "offset", None) is None, asks


def test_a_scrape_outlasts_a_store_that_hangs() -> None:
    (job,) = yaml.safe_load((FOLDER / "scrape.yaml").read_text())["scrape_configs"]
    timeout, interval = (int(job[f"scrape_{name}"].removesuffix("s")) for name in
                         ("timeout", "interval"))  # fmt: skip
    assert 10 < timeout < interval


def test_every_alert_is_explained() -> None:
    told = (FOLDER.parents[1] / "docs" / "deploy.md").read_text()
    for rule in ALERTS:
        assert f"`{rule['alert']}`" in told, rule["alert"]


def test_alerts_say_what_to_do() -> None:
    assert len({rule["alert"] for rule in ALERTS}) == len(ALERTS) >= 10
    for rule in ALERTS:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "action"}


def test_panels_have_places_of_their_own() -> None:
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    taken: set[tuple[int, int]] = set()
    for panel in PANELS:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken
        assert at["x"] + at["w"] <= 24
        taken |= cells
        assert panel["datasource"]["uid"] == "${source}"
        assert panel["description"]
