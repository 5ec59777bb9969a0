"""The pages for people: files of `web/`, served as they lie there, under a strict policy.

No script or style stands in a page, and nothing is asked of any other host.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

_ROOT = Path(__file__).resolve().parents[2]
_FOLDER = _ROOT / "web"
_PAGES = {address: _FOLDER / "index.html" for address in ("/", "/review", "/teach")}
_EXAMPLES = ("receipt.png", "invoice.pdf", "order.pdf")  # invented, all of them
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Kept by the browser, and asked for again each time: a new version is there at once.
_HEADERS = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}


class _Files(StaticFiles):
    """Static files with the headers of the pages."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file; its absence is the API's own problem."""
        response = await super().get_response(path, scope)
        response.headers.update(_HEADERS)
        return response


def add_pages(app: FastAPI) -> None:
    """Serve the pages at their addresses, and what they are made of under /web."""
    examples = {f"/web/examples/{name}": _ROOT / "examples" / name for name in _EXAMPLES}
    for address, file in {**_PAGES, **examples}.items():
        app.get(address, include_in_schema=False)(_file(file))
    app.mount("/web", _Files(directory=_FOLDER), name="web")


def _file(path: Path) -> Callable[[], FileResponse]:
    return lambda: FileResponse(path, headers=_HEADERS)
