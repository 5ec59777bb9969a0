"""Makes the README's pictures of the pages, of a service that runs.

Usage: fieldwright serve --model receipts &
       python examples/screens.py [http://127.0.0.1:8000]

Sends `receipt.png`, and writes `try.png`, `review.png` and `review_dark.png` beside this file.
"""

from __future__ import annotations

import argparse
import shutil
from io import BytesIO
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import Page, sync_playwright

_HERE = Path(__file__).resolve().parent
_COLOURS = 40  # of a palette: each picture stays under 150 kB, the noise of a scan and all


def take(page: Page, name: str) -> None:
    """Write a picture of a page as it stands."""
    page.wait_for_function("[...document.images].every((one) => one.naturalWidth)")
    with Image.open(BytesIO(page.screenshot())) as picture:
        size = (picture.width * 3 // 4, picture.height * 3 // 4)
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.quantize(_COLOURS, dither=Image.Dither.NONE).save(_HERE / name, optimize=True)


def main() -> None:
    """Send the receipt and take the pictures."""
    parser = argparse.ArgumentParser(description="Pictures of the pages for the README")
    parser.add_argument("service", nargs="?", default="http://127.0.0.1:8000")
    service = parser.parse_args().service.rstrip("/")
    files = {"file": ("receipt.png", (_HERE / "receipt.png").read_bytes())}
    sent = httpx.post(f"{service}/v1/extract", files=files, data={"model": "receipts"}, timeout=120)
    job_id = sent.raise_for_status().json()["id"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        size = {"width": 1180, "height": 740}
        page = browser.new_page(viewport=size, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_default_timeout(120_000)
        page.goto(f"{service}/?job={job_id}&field=total.0")
        page.get_by_role("button", name="Total", pressed=True).wait_for()
        take(page, "try.png")
        page.goto(f"{service}/review?job={job_id}")
        page.get_by_role("button", name="Skip").wait_for()
        take(page, "review.png")
        page.emulate_media(color_scheme="dark")
        take(page, "review_dark.png")
        browser.close()


if __name__ == "__main__":
    main()
