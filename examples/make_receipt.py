"""Makes the receipt that the README shows: an invented shop, printed, worn and scanned a bit askew.

Usage: python examples/make_receipt.py examples/receipt.png [--seed 7]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

_WIDTH, _MARGIN, _LINE = 760, 60, 38
_SKEW = 0.7  # degrees, as paper lies on a scanner
_SHADES = 24  # few enough that the noise does not bloat the file

# Each line: text at the left, in the middle, at the right; and the size of its letters.
_LINES: tuple[tuple[str, str, str, int], ...] = (
    ("", "KEDAI KERTAS SERINDIT SDN BHD", "", 32),
    ("", "(1098765-K)", "", 22),
    ("", "NO 14, JALAN PENSIL 3/2,", "", 24),
    ("", "TAMAN DAKWAT BIRU,", "", 24),
    ("", "43300 SERI KEMBANGAN, SELANGOR", "", 24),
    ("", "TEL: 03-5550 1234", "", 24),
    ("", "", "", 24),
    ("", "TAX INVOICE", "", 28),
    ("INVOICE NO : SK-004217", "", "", 24),
    ("DATE : 16/03/2018", "", "14:27", 24),
    ("CASHIER : AIN", "", "COUNTER 2", 24),
    ("-" * 74, "", "", 24),
    ("ITEM", "QTY", "AMOUNT (RM)", 24),
    ("-" * 74, "", "", 24),
    ("EXERCISE BOOK A5", "4", "9.60", 24),
    ("GEL PEN BLUE 0.7", "3", "11.70", 24),
    ("CORRECTION TAPE", "1", "5.90", 24),
    ("PAPER A4 500 SHEETS", "2", "27.80", 24),
    ("-" * 74, "", "", 24),
    ("SUBTOTAL", "", "55.00", 24),
    ("GST 6%", "", "3.30", 24),
    ("ROUNDING", "", "0.00", 24),
    ("TOTAL RM", "", "58.30", 32),
    ("CASH", "", "60.00", 24),
    ("CHANGE", "", "1.70", 24),
    ("", "", "", 24),
    ("", "GOODS SOLD ARE NOT RETURNABLE", "", 22),
    ("", "THANK YOU, PLEASE COME AGAIN", "", 22),
)


def draw_receipt() -> Image.Image:
    """Return the receipt as printed: grey, straight and clean."""
    height = 2 * _MARGIN + _LINE * len(_LINES)
    image = Image.new("L", (_WIDTH, height), 248)
    draw = ImageDraw.Draw(image)
    for number, (left, middle, right, size) in enumerate(_LINES):
        font = ImageFont.load_default(size)
        base = _MARGIN + _LINE * number + 28
        if left.startswith("-"):
            draw.line((_MARGIN, base - 8, _WIDTH - _MARGIN, base - 8), 70, 2)
            continue
        draw.text((_MARGIN, base), left, 45, font, anchor="ls")
        draw.text((_WIDTH / 2, base), middle, 45, font, anchor="ms")
        draw.text((_WIDTH - _MARGIN, base), right, 45, font, anchor="rs")
    return image


def scan(image: Image.Image, seed: int) -> Image.Image:
    """Return the picture as a cheap scanner gives it: askew, soft, uneven light, faded print, dust.

    Args:
        image: grey picture of the paper.
        seed: the same seed gives the same scan.
    """
    chance = np.random.default_rng(seed)
    turned = image.rotate(_SKEW, Image.Resampling.BICUBIC, fillcolor=248)
    values = np.asarray(turned.filter(ImageFilter.GaussianBlur(0.7)), dtype=np.float64)
    height, width = values.shape
    down, across = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    light = 1 - 0.07 * across - 0.04 * down
    # The print head fades in bands along the paper.
    fading = 0.88 + 0.12 * np.cos(9 * across[0] + chance.uniform(0, 6))
    values = light * (248 - (248 - values) * fading)
    values += chance.normal(0, 4, values.shape)
    dust = chance.random(values.shape) < 0.0004
    values[dust] -= chance.uniform(40, 120, int(dust.sum()))
    step = 255 / (_SHADES - 1)
    return Image.fromarray((np.round(values.clip(0, 255) / step) * step).astype(np.uint8))


def main() -> None:
    """Write the receipt to the path given."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path, help="where the picture is written, such as receipt.png")
    parser.add_argument("--seed", type=int, default=7, help="of the dust and the noise")
    arguments = parser.parse_args()
    scan(draw_receipt(), arguments.seed).save(arguments.path, optimize=True)


if __name__ == "__main__":
    main()
