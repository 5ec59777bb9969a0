"""Models: which can be asked for, and what their answers look like."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from app.deps import ShownCatalogueDep, problems
from app.schemas.common import ModelList

router = APIRouter(tags=["models"])


@router.get("/models", summary="List the models", responses=problems())
def list_models(catalogue: ShownCatalogueDep) -> ModelList:
    """Return every model package in reach, those in service marked.

    What was trained on a dataset of another key is here once it has been put in service.
    """
    return ModelList(models=catalogue.models())


@router.get(
    "/models/{name}/schema",
    summary="JSON Schema of a model's answers",
    responses=problems(s404="There is no such model"),
)
def get_schema(
    name: Annotated[
        str,
        Path(
            description="NAME or NAME@VERSION; `einvoice` for answers to e-invoices in XML, which "
            "no model reads",
            examples=["receipts"],
        ),
    ],
    catalogue: ShownCatalogueDep,
) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the answers of a model, with its own fields."""
    return catalogue.schema(name)
