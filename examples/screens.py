"""Makes the README's pictures of the pages, of those that the tests took of them.

Usage: mkdir shots
       PICTURES=shots python -m pytest -m long tests/web/test_page_stories.py
       PICTURES=shots python -m pytest -m long tests/web/test_teach_page.py
       python examples/screens.py shots

The tests work with the pages as people do, on a real service, and keep a picture of each step.
Written are small copies of them in true colours, in `pictures/` beside this file.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image

_TARGET = Path(__file__).resolve().parent / "pictures"
_WIDTH = 960  # pixels; the windows of the tests are 1280 wide
_QUALITY = 82


def main() -> None:
    """Write the small copies."""
    parser = argparse.ArgumentParser(description="Pictures of the pages for the README")
    parser.add_argument("shots", type=Path, help="folder of the tests' pictures")
    shots = sorted(parser.parse_args().shots.glob("*.png"))
    if not shots:
        raise SystemExit("There is no picture: name the folder that PICTURES named for the tests.")
    _TARGET.mkdir(exist_ok=True)
    for shot in shots:
        with Image.open(shot) as picture:
            size = (_WIDTH, round(picture.height * _WIDTH / picture.width))
            small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
            small.save(_TARGET / f"{shot.stem}.webp", quality=_QUALITY, method=6)


if __name__ == "__main__":
    main()
