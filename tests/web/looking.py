"""What tests ask of any page: no violation of accessibility, no scrolling sideways; pictures."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from re import Pattern
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.patience import until
from tests.service import Service

_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
ZOOMED = {"width": 640, "height": 400}  # the desk at 200 %


def check_accessible(page: Page) -> None:
    """Check a page as it stands, at a desk and on a phone, light and dark."""
    expect(page.get_by_role("main")).to_be_visible()  # its scripts draw it when they are loaded
    for size in (DESK, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], f"{wide} pixels at a width of {size['width']}"
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found: list[dict[str, Any]] = Axe().run(page, options=_RULES).response["violations"]
            told = [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
            assert not told, (told, size, scheme)
    page.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]
    page.set_viewport_size(DESK)  # type: ignore[arg-type]


def intercept(page: Page, url: str | Pattern[str], act: Callable[[Route], Any]) -> None:
    """Route what an open page asks for: a key pressed right after `page.route` may be quicker.

    The browser says that it intercepts before the page's own process has been told.
    """
    page.route(url, act)
    page.route("**/intercepted", lambda route: route.fulfill())
    until(lambda: page.evaluate("fetch('/intercepted').then(({ ok }) => ok)"), "the interception")


def clear_queue(service: Service) -> None:
    """Remove what a test left in the queue of reviews: the next one would be shown it."""
    while left := service.client.get("/reviews").json()["reviews"]:
        for review in left:
            service.client.delete(f"/jobs/{review['job_id']}")


def picture(page: Page, name: str) -> None:
    """Keep a picture of the page for `examples/screens.py`, where PICTURES names a folder."""
    if folder := os.environ.get("PICTURES"):
        page.wait_for_function(
            "() => [...document.images].every((one) => one.naturalWidth || one.loading === 'lazy')"
        )
        page.screenshot(path=Path(folder) / f"{name}.png")
