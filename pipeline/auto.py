"""Extraction where the model is chosen for each document: what `extract --model auto` runs."""

from __future__ import annotations

from pathlib import Path

from models.packages import Registry
from models.packages.manifest import FIELDS
from models.precision import Precision
from pipeline.document import Document
from pipeline.errors import InvalidOption, ModelPackageError
from pipeline.extract import Extractor, Route
from pipeline.routing import Choice, Router
from pipeline.values.schema import FieldSpec, load_fields


class AutoExtractor(Route):
    """Reads documents of several kinds; a model is loaded when the first document needs it.

    Args:
        registry: the packages to choose from, those in service.
        device, precision: of the models, as `Extractor` takes them.

    Attributes:
        fields: the fields of all models that can be chosen, each name once.

    Raises:
        ModelPackageError: no model can be chosen, or one that can is damaged.
    """

    def __init__(
        self, registry: Registry, *, device: str = "cpu", precision: Precision | None = None
    ) -> None:
        self._router = Router(registry)
        self._device, self._precision = device, precision
        self._loaded: dict[Path, Extractor] = {}
        found: dict[str, FieldSpec] = {}
        for ref in self._router.candidates():
            try:
                specs = load_fields(ref.path / FIELDS)
            except InvalidOption as error:
                raise ModelPackageError(f"The model package {ref} is damaged.") from error
            found = {spec.name: spec for spec in specs} | found
        self.fields: tuple[FieldSpec, ...] = tuple(found.values())

    def choose(self, document: Document) -> tuple[Extractor, Choice]:
        """Return the model whose documents are most like this one; see `Router.choose`."""
        ref, choice = self._router.choose(document)
        if ref.path not in self._loaded:
            self._loaded[ref.path] = Extractor(
                ref.path, device=self._device, precision=self._precision
            )
        return self._loaded[ref.path], choice
