"""Extraction where the model is chosen for each document: what `extract --model auto` runs."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

from models.packages import Registry
from models.packages.manifest import FIELDS
from models.precision import Precision
from pipeline.errors import InvalidOption, ModelPackageError
from pipeline.extract import Extractor
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import read_document
from pipeline.result import Extraction
from pipeline.routing import Router
from pipeline.values.schema import FieldSpec, load_fields


class AutoExtractor:
    """Reads documents of several kinds; models are loaded when the first document wants them.

    Args:
        registry: the packages to choose from, those in service.
        device, precision: of the models, as `Extractor` takes them.

    Attributes:
        fields: the fields of all models that can be chosen, each name once.
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

    def extract(
        self, data: bytes, options: ReadOptions | None = None, *, job_id: str | None = None
    ) -> Extraction:
        """Return the fields of a document by the model that fits it; see `Extractor.extract`.

        Raises:
            ModelPackageError: no model can be chosen, or the one chosen is damaged.
        """
        started = time.perf_counter()
        document = read_document(data, options or ReadOptions())
        read = time.perf_counter()
        ref, choice = self._router.choose(document)
        if ref.path not in self._loaded:
            self._loaded[ref.path] = Extractor(
                ref.path, device=self._device, precision=self._precision
            )
        extractor = self._loaded[ref.path]
        spans = extractor.tag(document)
        timings = {"read": read - started, "tag": time.perf_counter() - read}
        return extractor.resolve(
            document, spans, job_id=job_id or str(uuid.uuid4()), timings=timings, choice=choice
        )
