"""A real browser for the tests of the pages: Debian's Chromium, driven by Playwright.

Its headless shell is the same engine without the browser's own windows, whose drawing takes more
than that of most pages.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.patience import PATIENCE

_QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
_SHIFT = "layout-shift"
_LOST = "Failed to load resource"  # what a test has the service refuse
# What moves before anybody has touched the page; later, who waits for the service decides when.
_STILL = """
let touched = Infinity;
for (const kind of ['keydown', 'pointerdown']) {
  addEventListener(kind, () => {
    touched = Math.min(touched, performance.now());
  }, { capture: true });
}
new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  if (!one.hadRecentInput && one.startTime < touched) console.debug(`layout-shift ${one.value}`);
})).observe({ type: 'layout-shift', buffered: true });
"""
MOST_SHIFT = 0.05  # of all loads of a test together; what is good ends at .1 for each


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of a file: while it runs, no other test of its process could run asyncio."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        pytest.skip("Chromium is not installed: no chromium in the PATH")
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*_QUIET])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window without a past.

    Whatever its scripts, or the policy, complain of fails the test, and so does what moves on the
    page by itself.
    """
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        reduced_motion="reduce",
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(_STILL)
    page = context.new_page()
    faults: list[str] = []
    shifts: list[float] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda line: (
            faults.append(line.text) if line.type == "error" and _LOST not in line.text else None
        ),
    )
    page.on(
        "console",
        lambda line: shifts.append(float(line.text.split()[1])) if _SHIFT in line.text else None,
    )
    yield page
    context.close()
    assert faults == []
    assert sum(shifts) < MOST_SHIFT, shifts
