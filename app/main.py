"""Builds the API: routes under / and /v1, and what every request passes before them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from anyio import to_thread
from fastapi import Depends, FastAPI
from starlette.datastructures import State
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.catalogue import Catalogue
from app.deps import problems, refuse_password_in_address
from app.edge.access import Access, describe
from app.edge.bodies import Bodies
from app.edge.keyring import Doorkeeper
from app.edge.middleware import Edge
from app.edge.rates import Rates
from app.edge.turns import Turns, turn
from app.intake import Submissions
from app.known_names import refuse_unknown_query
from app.metrics import Metrics
from app.problems import add_problems
from app.readiness import Inspector
from app.routes import (
    batches,
    datasets,
    events,
    extract,
    health,
    jobs,
    models,
    pictures,
    releases,
    reviews,
    session,
    trainings,
    webhooks,
)
from app.routes.docs import add_docs
from app.routes.web import add_pages
from app.schemas.common import ANSWER, JobEvent, JobView, Problem
from app.settings import ApiSettings
from app.teaching import Releases, Teaching
from models.packages import Registry
from store.access import Keys
from store.batches import Batches
from store.blobs import open_packages
from store.jobs import Jobs
from store.webhooks import Webhooks

_PREFIXES = ("", "/v1")
_ROUTES = (
    *(extract, batches, jobs, events, pictures, reviews, datasets, trainings),
    *(models, releases, health, webhooks, session),
)
_STRICT: dict[str, Any] = {
    "dependencies": [
        Depends(refuse_password_in_address),
        Depends(refuse_unknown_query),
        Depends(turn, scope="function"),
    ],
    "responses": problems(s422="A parameter is not allowed"),
}
# Balancers and scrapers may add parameters of their own to what they ask, and go by its status.
_LENIENT = health
_ABOUT = """Send a business document, get its fields: typed values with their place and confidence.

All paths are also served under `/v1`. Every error is `application/problem+json` with a stable
`code` and, in `advice`, the next step."""


class Service(Protocol):
    """Something that runs beside the API, in threads of its own."""

    def start(self) -> None:
        """Begin; called when the store is up to date."""

    def stop(self) -> None:
        """End, and return when that is done; called before the store is closed."""


def build(
    settings: ApiSettings | None = None,
    queue: Jobs | None = None,
    services: Sequence[Service] = (),
) -> FastAPI:
    """Return the application.

    Args:
        settings: of the installation; read from the environment where None.
        queue: the jobs of the installation, closed with the application; where None, one that
            announces to nobody.
        services: started and stopped with the application.
    """
    settings = settings or ApiSettings.load()
    queue, rates = queue or Jobs(settings), Rates(settings.broker_url)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await to_thread.run_sync(queue.prepare)
        await to_thread.run_sync(app.state.webhooks.encrypt_clear)
        running = [*services, *([] if registry.mirror is None else [registry.mirror])]
        for service in running:
            service.start()
        yield
        for service in running:
            await to_thread.run_sync(service.stop)
        rates.close()
        queue.close()

    app = _Api(
        title="fieldwright",
        version="1",
        description=_ABOUT,
        servers=[{"url": prefix or "/"} for prefix in _PREFIXES],
        webhooks=webhooks.MESSAGES,
        generate_unique_id_function=lambda route: route.name,
        lifespan=lifespan,
        openapi_url=None if settings.docs == "off" else "/openapi.json",
        # A client that follows no redirection would take it for an answer, and one that does may
        # send the document again in the clear: to the scheme that a proxy in front has hidden.
        redirect_slashes=False,
        docs_url=None,  # FastAPI's own pages load their scripts from the internet
        redoc_url=None,
    )
    registry = Registry(
        settings.home / "models", default=settings.model, source=open_packages(settings.blob_url)
    )
    _set_state(app.state, settings, queue, registry, rates)
    _add_routes(app, settings)
    _add_edge(app, settings)
    add_problems(app)
    return app


def _set_state(
    state: State, settings: ApiSettings, queue: Jobs, registry: Registry, rates: Rates
) -> None:
    """Make what the routes are given, see `app.deps`."""
    state.jobs, state.settings, state.rates = queue, settings, rates
    state.turns = Turns()
    state.batches = Batches(queue)
    state.webhooks = Webhooks(
        queue.database,
        settings.secret_cipher,
        policy=settings.webhook_policy,
        most=settings.max_webhooks,
    )
    state.submissions = Submissions(queue, registry)
    state.catalogue = Catalogue(registry)
    state.teaching = Teaching(queue, state.submissions, registry, settings)
    state.releases = Releases(queue, state.teaching, registry)
    state.inspector = Inspector(queue, registry)
    state.metrics = Metrics(queue)
    state.doorkeeper = Doorkeeper(Keys(queue.database), settings.access)


def _add_routes(app: FastAPI, settings: ApiSettings) -> None:
    for prefix in _PREFIXES:
        for module in _ROUTES:
            checks = {} if module is _LENIENT else _STRICT
            described = not prefix  # once; that there are others, `servers` says
            app.include_router(module.router, prefix=prefix, include_in_schema=described, **checks)
    add_pages(app)
    if settings.docs != "off":
        add_docs(app)


def _add_edge(app: FastAPI, settings: ApiSettings) -> None:
    """Add what a request passes before its route, from the inside out."""
    state = app.state
    app.add_middleware(Bodies, settings=settings)
    app.add_middleware(Access, settings=settings, doorkeeper=state.doorkeeper, rates=state.rates)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=settings.trusted_proxies)
    app.add_middleware(Edge, observe=state.metrics.observe, traces=state.jobs.traces)


class _Api(FastAPI):
    """FastAPI whose OpenAPI document knows problems, and examples that hold null.

    The framework drops every null from the document, and with it the fields that were not found.
    """

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document, made once."""
        if self.openapi_schema is None:
            document = super().openapi()
            describe(document, self.state.settings)
            schemas = document["components"]["schemas"]
            schemas["Problem"] = Problem.model_json_schema()
            schemas["Extraction"]["examples"] = [ANSWER]
            schemas["JobEvent"] = JobEvent.model_json_schema(
                ref_template="#/components/schemas/{model}"
            )
            schemas["JobEvent"].pop("$defs")  # they are components of the document
            schemas["JobView"]["examples"] = JobView.model_json_schema()["examples"]
        return super().openapi()
