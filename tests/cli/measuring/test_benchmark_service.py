"""The benchmark of the service: what it sends, how it counts, and that its report is whole."""

from __future__ import annotations

import asyncio
import math
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from cli.measuring.load import Answer, Load, percentile, processor_seconds
from cli.measuring.requests import Measured, Overload, Pair, Plan, Round
from cli.measuring.service import report
from pipeline.reading.media import sniff
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import read_document
from tests.commands import run
from tests.receiver import receiving
from tests.servers import free_port
from tests.service import ROOT, install_model
from training.invent.plain_receipts import scan_png, text_pdf


def test_invented_pdfs_are_read_from_their_text_layer() -> None:
    document = read_document(text_pdf(7), ReadOptions(), lambda done, total: None)
    (page,) = document.pages
    assert page.text_source == "text_layer"
    assert {"INVOICE", "CASH", "CHANGE"} <= {token.text for token in page.tokens}
    assert text_pdf(7) != text_pdf(8)


def test_invented_scans_are_pictures() -> None:
    assert sniff(scan_png(1)[:4096]) == "image/png"
    assert scan_png(1) != scan_png(2)


def test_percentiles_are_values_that_were_measured() -> None:
    seconds = [float(value) for value in range(1, 101)]
    assert [percentile(seconds, share) for share in (0.5, 0.95, 0.99, 1.0)] == [50, 95, 99, 100]
    assert percentile([3.0], 0.99) == 3.0
    assert math.isnan(percentile([], 0.5))


def test_processor_time_of_ended_children_is_counted() -> None:
    before = processor_seconds(os.getpid())
    work = "import time\nwhile time.process_time() < 0.5: pass"
    subprocess.run([sys.executable, "-c", work], check=True)
    assert processor_seconds(os.getpid()) - before > 0.4
    assert processor_seconds(2**22 + 1) == 0


def test_a_service_that_knows_nothing_of_a_job_is_not_asked_without_a_pause() -> None:
    async def ends(url: str) -> Counter[str]:
        load = Load(url)
        try:
            return await load.ends([Answer(202, 0.1, "1", None)], patience=0.5)
        finally:
            await load.close()

    with receiving(lambda request: (404, {})) as service:
        assert asyncio.run(ends(service.url)) == {"lost": 1}
        assert len(service.requests) == 1


def measured(served: float, **changes: float) -> Measured:
    answers = [Answer(200, served, "1", None)] * 10
    pair = Pair([0.1] * 10, answers, 0.1, changes.get("cpu", 0.105), 0.002)
    # The machine is slow in one round, with a service and without.
    rounds = [Round(0.12, changes.get("queued", 0.125)), Round(0.22, 0.24), Round(0.12, 0.12)]
    return Measured(
        {"text": pair, "scan": pair},
        rounds,
        {"text": (answers, 2.0), "scan": (answers, 4.0)},
        [Answer(200, changes.get("beside", 0.2), "1", None)] * 10,
    )


REFUSED = [Answer(503, 0.01, None, "3"), Answer(0, 0.01, None, None)]
FLOOD = Overload(10.0, [Answer(200, 1.0, "1", None)] * 10 + REFUSED, Counter(succeeded=9, lost=1))


def test_report_says_which_marks_are_missed() -> None:
    plan = Plan(10, 2.0, 0.0, 5)
    met = "\n".join(report(measured(0.11), FLOOD, plan))
    assert "MISSED" not in met
    assert "5.00 |" in met  # ten documents in two seconds
    assert "1 of 1 refusals say when to return" in met
    assert "1 lost" in met
    assert "1 x broken" in met
    missed = "\n".join(report(measured(0.3, cpu=0.2, queued=0.2, beside=1.0), FLOOD, plan))
    assert missed.count("MISSED") == 5


def test_a_service_that_does_not_answer_is_one_line() -> None:
    done = run("benchmark", "service", "--url", f"http://127.0.0.1:{free_port()}")
    assert (done.returncode, done.stdout) == (3, "")
    assert "does not answer: [Errno 111] Connection refused. Check the address" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.long
def test_command_measures_a_service_of_its_own(tmp_path: Path) -> None:
    install_model(tmp_path)
    known = {k: v for k, v in os.environ.items() if not k.startswith("FIELDWRIGHT_")}
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "benchmark", "service",
         "--requests", "1", "--duration", "1", "--batch", "1"],
        cwd=ROOT,
        env={**known, "FIELDWRIGHT_HOME": str(tmp_path), "FIELDWRIGHT_MODEL": "tiny"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"\| PDF, one page, text layer +\| +\d+ \|", done.stdout)
    assert re.search(r"\| scan, one page +\| +\d+ \|", done.stdout)
    assert re.search(r"times in-process: \d+\.\d\d \(at most 1.2", done.stdout)
    assert re.search(r"idle service: \d+\.\d ms/s", done.stdout)
    assert "0 lost" in done.stdout
