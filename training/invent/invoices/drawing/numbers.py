"""Numbers of documents and of customers, in the many forms that they have."""

from __future__ import annotations

import datetime as dt
import random


def draw_account(rng: random.Random, name: str) -> str:
    """Return the number that a customer has with a vendor, or a code made from its name."""
    if rng.random() < 0.15:
        letters = "".join(filter(str.isalpha, name))[: rng.choice((3, 3, 4, 5))].upper()
        return f"{letters}{rng.choice(('', '', '-'))}{rng.randrange(1, 99):0{rng.choice((2, 3))}d}"
    if rng.random() < 0.25:  # as meters and contracts are numbered
        parts = [str(rng.randrange(10, 10_000)) for _ in range(rng.choice((2, 3, 3, 4)))]
        return rng.choice((" ", " ", "-", ".")).join(parts)
    form = rng.choice(("{}", "{}", "K{}", "C-{}", "D{}", "10{}", "CUST-{}", "0000{}", "{}/01"))
    return form.format(rng.randrange(100, 99_999))


def draw_number(rng: random.Random, date: dt.date) -> str:
    """Return the number of a document, in one of many forms."""
    serial, year = rng.randrange(1, 10 ** rng.randrange(2, 7)), date.year
    forms = (
        f"{serial}",
        f"{serial:06d}",
        f"{year}-{serial:04d}",
        f"{year}/{serial}",
        f"R{serial:05d}",
        f"RE-{year}-{serial:04d}",
        f"INV-{serial:05d}",
        f"{year % 100}{serial:05d}",
        f"F{year}-{serial:03d}",
        f"{serial}/{date.month:02d}/{year}",
        f"FV/{serial}/{year}",
        f"{year}{date.month:02d}{serial:03d}",
        f"SI{serial:07d}",
        f"{rng.choice('ABCDEFX')}{serial:04d}-{rng.randrange(1, 9)}",
        f"{serial:04d}.{year % 100}",
        f"FA {year} {serial:04d}",
        f"{rng.randrange(10**9, 10**10)}",
        f"FT A/{serial}",
        f"{rng.randrange(1, 100)}",
        f"#{serial}",
        f"#INV{serial:05d}",
        f"{rng.choice('ABDEKRS')}{year}{date.month:02d}{date.day:02d}{serial:05d}",
        f"RE-{year}{date.month:02d}{date.day:02d}/{serial}",
        f"{rng.choice('RGEFK')}{year % 100}-{serial}",
        f"{rng.randrange(10**8, 10**10)}/{rng.randrange(100):02d}/{rng.choice('AMNX')}/00",
        f"{rng.randrange(10**6, 10**8)}{rng.choice('ABDHK')}",
        f"{rng.randrange(100, 999)} {rng.randrange(100, 999)} {rng.randrange(100, 999)}",
        f"{rng.choice(('TX', 'DOC', 'BL', 'VR', 'SR', 'AR'))}-{serial}",
        f"{rng.randrange(10**12, 10**15)}",
    )
    return rng.choice(forms)
