"""Which version of a model is in service, and which runs beside it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from app.deps import BODY, ReleasesDep, RepeatsDep, problems
from app.edge.access import PrincipalDep
from app.teaching.releases import Releases
from app.teaching.schemas import (
    NewShadow,
    ShadowView,
    VersionAsked,
    VersionList,
    VersionView,
)
from models.packages import PackageRef
from store.access import OwnerScope
from store.shadows import Shadow

router = APIRouter(tags=["models"])

ModelName = Annotated[
    str,
    Path(max_length=64, pattern=r"^[^\x00]*$", description="Of the model, without a version"),
]
_OF_ONE = {
    "s404": "There is no such model or version",
    "s409": "The model is somebody else's, or the first request with this Idempotency-Key is "
    "still being carried out",
    "s422": "A parameter is not allowed, or an Idempotency-Key came with another request",
    "s503": "The model is damaged",
}


@router.get(
    "/models/{name}/versions",
    summary="List the versions of a model",
    responses=problems(
        s404="There is no such model", s422="Not allowed", s503="The model is damaged"
    ),
)
def list_versions(name: ModelName, releases: ReleasesDep, principal: PrincipalDep) -> VersionList:
    """Return the versions of a model, the newest first, and which one is in service."""
    scope = principal.owner_scope
    return _versions(name, releases.versions(name, scope), releases, scope)


@router.post(
    "/models/{name}/promote",
    summary="Put a version in service",
    responses=problems(**BODY, **_OF_ONE),
)
def promote_model(
    name: ModelName, wanted: VersionAsked, releases: ReleasesDep, principal: PrincipalDep
) -> VersionList:
    """Have a version answer for the name of its model from now on."""
    scope = principal.owner_scope
    return _versions(name, releases.promote(name, wanted.version, scope), releases, scope)


@router.post(
    "/models/{name}/rollback",
    summary="Put the version before back in service",
    responses=problems(**_OF_ONE),
)
def roll_back_model(
    name: ModelName, releases: ReleasesDep, principal: PrincipalDep, repeats: RepeatsDep
) -> VersionList:
    """Undo the last promotion.

    With the header `Idempotency-Key` the request may be repeated for 24 hours: one is undone.
    """
    scope, once = principal.owner_scope, repeats.once("rolled back")
    return _versions(name, releases.roll_back(name, scope, once=once), releases, scope)


@router.post(
    "/models/{name}/shadow",
    status_code=201,
    summary="Run a version beside the one in service",
    responses=problems(**BODY, **_OF_ONE),
)
def start_shadow(
    name: ModelName,
    wanted: NewShadow,
    releases: ReleasesDep,
    principal: PrincipalDep,
    repeats: RepeatsDep,
) -> ShadowView:
    """Have a version read the live documents too that the one in service answers from now on.

    Only what differs is kept; it comes behind all other work. One that runs already is replaced.
    With the header `Idempotency-Key` the request may be repeated for 24 hours: one run begins.
    """
    scope, once = principal.owner_scope, repeats.once("shadows", wanted)
    shadow = releases.shadow(name, wanted.version, wanted.share, scope, once=once)
    return _view(shadow, releases, scope)


@router.get(
    "/models/{name}/shadow",
    summary="See where a version answers differently",
    responses=problems(s404="None runs, or ran"),
)
def get_shadow(name: ModelName, releases: ReleasesDep, principal: PrincipalDep) -> ShadowView:
    """Return how often the answers were the same, field by field, and where they differ."""
    scope = principal.owner_scope
    return _view(releases.shadows.get(name, scope), releases, scope)


@router.delete(
    "/models/{name}/shadow",
    status_code=204,
    summary="End a shadow run",
    responses=problems(s404="None runs, or ran"),
)
def stop_shadow(name: ModelName, releases: ReleasesDep, principal: PrincipalDep) -> None:
    """End it; what was found can be seen until the next one begins."""
    releases.shadows.stop(name, principal.owner_scope)


def _view(shadow: Shadow, releases: Releases, scope: OwnerScope) -> ShadowView:
    return ShadowView.of(shadow, releases.shadows.differences(shadow, scope))


def _versions(
    name: str, found: list[PackageRef], releases: Releases, scope: OwnerScope
) -> VersionList:
    made = {
        (one.name, one.version): one.id
        for one in releases.trainings.all(scope, most=1000)
        if one.state == "succeeded"
    }
    return VersionList(
        versions=[
            VersionView.showing(ref, training=made.get((ref.name, ref.version))) for ref in found
        ],
        earlier=releases.earlier(name),
    )
