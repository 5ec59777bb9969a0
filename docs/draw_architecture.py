"""Draws docs/architecture.svg again: the folders with their imports, and a document's route.

    .venv/bin/python docs/draw_architecture.py

What stands in the picture is measured: folders are the packages of `pyproject.toml`, an arrow is an
import that exists. A test compares the file with what is drawn.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"

# Rows of the house, the top one first: what stands in a row imports from rows below.
FLOORS = (
    ("cli",),
    ("app", "workers"),
    ("training",),
    ("store", "fieldwright_client"),
    ("pipeline",),
    ("models",),
)


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop on a document's route.

    Attributes:
        title: what happens.
        place: the file and the function or class, written ``FILE:NAME``.
        process: where it runs.
    """

    title: str
    place: str
    process: str


ROUTE = (
    Stop("size and type checked", "app/routes/extract.py:extract", "API"),
    Stop("bytes and job row kept", "store/jobs/jobs.py:Jobs", "API"),
    Stop("claimed under a lease", "store/jobs/claims.py:Claims", "worker"),
    Stop("read: words and boxes", "pipeline/reading/reader.py:read_document", "confined child"),
    Stop("tag: labelled spans", "models/tagger.py:Tagger", "worker"),
    Stop("resolve: typed values", "pipeline/answers/resolve.py:resolve_all", "worker"),
    Stop("answer saved once", "store/jobs/leases.py:Leases", "worker"),
    Stop("waiting request answered", "store/jobs/waiting.py:Watcher", "API"),
)

_WIDTH, _MARGIN, _ROOM, _LINE, _GAP = 1200, 20, 150, 17, 62  # pixels
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1c2733; }
  .name { font-weight: 600; font-size: 15px; }
  .small { font-size: 11.5px; fill: #4a5a6a; }
  rect { fill: #f4f7fa; stroke: #8496a8; rx: 6; }
  .stop { fill: #fdf6e8; stroke: #c09a4a; }
  path { fill: none; stroke: #5b7ea4; stroke-width: 1.4; marker-end: url(#tip); }
  .route { stroke: #c09a4a; }
"""


_TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" '
    'style="fill:#5b7ea4;stroke:none;marker-end:none"/></marker></defs>'
)


def packages() -> dict[str, list[str]]:
    """Return the top-level packages of pyproject.toml, each with the packages inside it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    inside: dict[str, list[str]] = {}
    for name in project["tool"]["setuptools"]["packages"]:
        top, _, rest = name.partition(".")
        inside.setdefault(top, [])
        if rest:
            inside[top].append(rest)
    return {top: sorted(names) for top, names in inside.items()}


def imports(tops: list[str]) -> set[tuple[str, str]]:
    """Return which top-level package imports which."""
    graph = grimp.build_graph(*tops, cache_dir=None)
    return {
        (module.partition(".")[0], found.partition(".")[0])
        for module in graph.modules
        for found in graph.find_modules_directly_imported_by(module)
        if module.partition(".")[0] != found.partition(".")[0]
    }


def drawn() -> str:
    """Return the picture as SVG."""
    inside = packages()
    body = [*_route(y=34)]
    found = imports(list(inside))
    boxes, rooms, height = _rooms(inside, found, y=194)
    body += [_arrow(boxes[top], boxes[low]) for top, low in sorted(_reduced(found))]
    body += rooms
    size = f'width="{_WIDTH}" height="{height}"'
    label = 'role="img" aria-label="The folders, and the route of one document"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" {size} '
            f"{label}>",
            f"<style>{_STYLE}</style>",
            _TIP,
            f'<rect x="0" y="0" {size} style="fill:#ffffff;stroke:none"/>',
            *body,
            "</svg>\n",
        ]
    )


def _route(y: int) -> list[str]:
    lines = [f'<text x="{_MARGIN}" y="{y - 10}" class="name">The route of one document</text>']
    step = (_WIDTH - 2 * _MARGIN) / len(ROUTE)
    for number, stop in enumerate(ROUTE):
        x = _MARGIN + number * step
        folder, _, name = stop.place.rpartition("/")
        lines.append(
            f'<rect class="stop" x="{x:.0f}" y="{y}" width="{step - 16:.0f}" height="108"/>'
        )
        if number:
            lines.append(f'<path class="route" d="M{x - 16:.0f} {y + 54} H{x - 1:.0f}"/>')
        words = stop.title.split(" ")
        half = (len(words) + 1) // 2
        texts = [
            (" ".join(words[:half]), ""),
            (" ".join(words[half:]), ""),
            (f"{folder}/", "small"),
            (name.partition(":")[0], "small"),
            (name.partition(":")[2], "small"),
            (f"in the {stop.process}", "small"),
        ]
        for row, (text, kind) in enumerate(texts):
            shown = escape(text)
            lines.append(
                f'<text x="{x + 7:.0f}" y="{y + 17 + row * _LINE}" class="{kind}">{shown}</text>'
            )
    return lines


_Box = tuple[float, float, float, float]


def _rooms(
    inside: dict[str, list[str]], found: set[tuple[str, str]], y: int
) -> tuple[dict[str, _Box], list[str], int]:
    """Return each package's box (x, y, width, height), what draws them, and where they end."""
    boxes: dict[str, _Box] = {}
    title = "The folders: arrows are imports; what other arrows imply is left out"
    lines = [f'<text x="{_MARGIN}" y="{y - 14}" class="name">{title}</text>']
    for floor in FLOORS:
        tall = max(-(-len(inside[top]) // 2) for top in floor) * _LINE + 34
        width = 360 if len(floor) > 1 else 480
        step = (_WIDTH - 2 * _MARGIN) / len(floor)
        for place, top in enumerate(floor):
            x = _MARGIN + place * step + (step - width) / 2
            boxes[top] = (x, y, width, tall)
            lines.append(f'<rect x="{x:.0f}" y="{y}" width="{width}" height="{tall}"/>')
            lines.append(f'<text x="{x + 10:.0f}" y="{y + 20}" class="name">{top}/</text>')
            below = ", ".join(sorted(low for other, low in found if other == top))
            note = f"imports {below}" if below else "imports none of the others"
            lines.append(
                f'<text x="{x + width - 10:.0f}" y="{y + 20}" class="small" text-anchor="end">'
                f"{note}</text>"
            )
            for number, name in enumerate(inside[top]):
                left = x + 12 + (number % 2) * (width / 2)
                low = y + 40 + (number // 2) * _LINE
                shown = name.replace(".", "/")
                lines.append(f'<text x="{left:.0f}" y="{low}" class="small">{shown}/</text>')
        y += tall + _GAP
    return boxes, lines, y - _GAP + _MARGIN


def _reduced(found: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Leave out the imports that others imply: a to c, where a imports b and b imports c."""
    return {
        (top, low)
        for top, low in found
        if not any((top, other) in found and (other, low) in found for other, _ in found)
    }


def _arrow(start: _Box, end: _Box) -> str:
    """Return an arrow from the foot of one box to the head of another."""
    x0, y0 = start[0] + start[2] / 2, start[1] + start[3]
    x1, y1 = end[0] + end[2] / 2, end[1]
    x1 += max(-end[2] / 3, min(end[2] / 3, x0 - x1))  # it lands on the side that it comes from
    bend = max((y0 + y1) / 2, y1 - _GAP / 2)
    return f'<path d="M{x0:.0f} {y0} C{x0:.0f} {bend:.0f} {x1:.0f} {bend:.0f} {x1:.0f} {y1}"/>'


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
