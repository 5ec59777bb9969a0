"""Writes the table of all settings in docs/deploy.md again, from the classes that hold them."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from app.settings import ApiSettings
from store.settings import Settings

PAGE = Path(__file__).resolve().parent / "deploy.md"
_INSIDE = ("env", "fault", "bell", "end_bell")  # for tests, and between processes of the service
_BEGIN, _END = "<!-- settings -->\n", "<!-- end of settings -->\n"


def settings_table() -> str:
    """Return the table: variable, default, meaning; those of the API alone come last."""
    meanings = {**_meanings(Settings), **_meanings(ApiSettings)}
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    for name, field in ApiSettings.model_fields.items():
        if name in _INSIDE:
            continue
        default = field.default
        whole = isinstance(default, float) and default.is_integer()
        shown = str(int(default) if whole else default)
        shown = f"`{str(default).lower() if isinstance(default, bool) else shown}`"
        meaning = meanings[name].replace("``", "`").replace("|", "\\|")
        shown = "" if shown == "``" else shown
        lines.append(f"| `FIELDWRIGHT_{name.upper()}` | {shown} | {meaning} |")
    return "\n".join(lines) + "\n"


def refreshed(page: str) -> str:
    """Return the page with the table as it is now."""
    before, _, rest = page.partition(_BEGIN)
    return f"{before}{_BEGIN}{settings_table()}{_END}{rest.partition(_END)[2]}"


def _meanings(kind: type[Settings]) -> dict[str, str]:
    """Return what the docstring of a class says of each attribute, on one line."""
    text = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2]
    entries = re.findall(r"^ {4}(\w+): (.*?)(?=^ {4}\w|\Z)", text, re.MULTILINE | re.DOTALL)
    return {name: " ".join(meaning.split()) for name, meaning in entries}


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text("utf-8")), encoding="utf-8")
