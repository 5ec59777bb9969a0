"""Lines of a receipt as a till prints them: in fixed columns, or in a proportional font."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the paper.

    Attributes:
        left: its text; of a rule, the sign that it is made of.
        right: what stands at the right edge, mostly an amount.
        manner: where its text stands; a rule is drawn across the paper.
        scale: of the letters.
    """

    left: str
    right: str = ""
    manner: Literal["left", "centre", "rule"] = "left"
    scale: float = 1.0


def in_columns(lines: list[Line], columns: int) -> str:
    """Return lines in a fixed font, text that is too long in several."""
    found = []
    for line in lines:
        room = int(columns / line.scale)
        if line.manner == "rule":
            found.append(line.left * columns)
            continue
        space = room - len(line.right) - 1 if line.right else room
        parts = textwrap.wrap(line.left, max(space, 8), drop_whitespace=True) or [""]
        indent = " " * (len(line.left) - len(line.left.lstrip()))
        if line.manner == "centre":
            shown = [part.center(room).rstrip() for part in parts]
        else:
            shown = [indent + part for part in parts]
            if shown[-1] and line.right and len(shown[-1]) + len(line.right) >= room:
                # No room beside it: off the paper's edge, a value would be cut.
                below = textwrap.wrap(line.right, room, break_on_hyphens=False)
                shown += [part.rjust(room) for part in below]
            else:
                shown[-1] += line.right.rjust(room - len(shown[-1]))
        text = html.escape("\n".join(shown))
        if line.scale != 1:
            text = f'<span style="font-size:{line.scale}em">{text}</span>'
        found.append(text)
    return "<pre>" + "\n".join(found) + "</pre>"


def in_blocks(lines: list[Line]) -> str:
    """Return lines in a proportional font, broken where the paper ends."""
    found = []
    for line in lines:
        if line.manner == "rule":
            found.append("<hr>" if line.left != " " else "<p></p>")
            continue
        style = f' style="font-size:{line.scale * 0.94:.2f}em"' if line.scale != 1 else ""
        right = f"<b>{html.escape(line.right)}</b>" if line.right else ""
        place = " c" if line.manner == "centre" else ""
        found.append(
            f'<div class="l{place}"{style}><span>{html.escape(line.left)}</span>{right}</div>'
        )
    return "".join(found)
