"""The page at /docs, with every script and style from this machine: closed networks see it too."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

_ASSETS = "/docs/assets"


def add_docs(app: FastAPI) -> None:
    """Serve Swagger UI at /docs; its files come with the package fastapi-offline."""

    @app.get("/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return get_swagger_ui_html(
            openapi_url="/openapi.json",
            title=app.title,
            swagger_js_url=f"{_ASSETS}/swagger-ui-bundle.js",
            swagger_css_url=f"{_ASSETS}/swagger-ui.css",
            swagger_favicon_url="data:,",
        )

    files = StaticFiles(packages=[("fastapi_offline", "static")])
    app.mount(_ASSETS, files, name="docs-assets")
