"""The route of one document in three calls: read, tag, resolve. Bytes in, Extraction out."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from pathlib import Path

from models.labels import Span
from models.package import load_package
from pipeline.calibration import Calibration
from pipeline.document import Document
from pipeline.errors import InvalidOption, ModelPackageError
from pipeline.ocr.options import ReadOptions
from pipeline.ocr.reader import read_document
from pipeline.postprocess.resolve import resolve
from pipeline.postprocess.schema import FieldSpec, parse_fields
from pipeline.result import DocumentInfo, Extraction, ModelChoice, ModelInfo, PageInfo
from pipeline.routing import Choice
from pipeline.tagging import example_of

_UNSURE = 0.5  # below this confidence, a choice of model comes with a warning


class Extractor:
    """One loaded model package; loading takes about a second, each call milliseconds.

    Args:
        package: folder of the package; its checksums are verified.
        device: ``cpu`` or ``cuda``.

    Attributes:
        name, version, sha256: identity of the package.
        fields: the fields it answers with.

    Raises:
        ModelPackageError: the package is damaged or of another program version.
    """

    def __init__(self, package: Path, *, device: str = "cpu") -> None:
        try:
            loaded = load_package(package, device=device)
            self._calibration = Calibration.from_json(loaded.calibration)
            self.fields: tuple[FieldSpec, ...] = parse_fields(loaded.fields_toml)
            names = tuple(spec.name for spec in self.fields)
            if names != loaded.tagger.labels.fields:
                raise ValueError(
                    f"fields.toml has {names}, the tagger {loaded.tagger.labels.fields}"
                )
        except (OSError, ValueError, InvalidOption) as error:
            raise ModelPackageError(
                f"The model package {package.name} cannot be used: {error}."
            ) from error
        self._tagger, self._pieces = loaded.tagger, loaded.pieces
        self.name = loaded.manifest.name
        self.version = loaded.manifest.version
        self.sha256 = loaded.manifest.sha256

    def read(
        self,
        data: bytes,
        options: ReadOptions | None = None,
        on_page: Callable[[int, int], None] | None = None,
    ) -> Document:
        """Return the words of a document; needs no model. See `read_document` for errors."""
        return read_document(data, options or ReadOptions(), on_page)

    def tag(self, document: Document) -> list[Span]:
        """Return the labelled spans over the document's words, left to right."""
        return self._tagger.tag(example_of(document), self._pieces)

    def resolve(
        self,
        document: Document,
        spans: list[Span],
        *,
        job_id: str,
        timings: dict[str, float],
        choice: Choice | None = None,
    ) -> Extraction:
        """Return the answer: every field's value, its place and its confidence.

        Args:
            document: as read.
            spans: as tagged.
            job_id: goes into the answer as its id.
            timings: seconds by stage so far; resolving adds its own.
            choice: where this model was chosen for the document.
        """
        started = time.perf_counter()
        fields = resolve(document, spans, self.fields, self._calibration)
        words = sum(len(page.tokens) for page in document.pages)
        warnings = list(document.warnings)
        if choice is not None and choice.confidence < _UNSURE:
            warnings.append(
                f"The document is not plainly of a kind that a model here reads; {self.name} was "
                "nearest. Name a model where another fits better."
            )
        return Extraction(
            id=job_id,
            document=DocumentInfo(
                sha256=document.sha256,
                media_type=document.media_type,
                page_count=document.page_count,
                word_count=words,
                pages=[
                    PageInfo.model_validate(
                        {name: getattr(page, name) for name in PageInfo.model_fields}
                    )
                    for page in document.pages
                ],
            ),
            model=ModelInfo(
                name=self.name,
                version=self.version,
                sha256=self.sha256,
                choice=None
                if choice is None
                else ModelChoice(confidence=choice.confidence, others=choice.others),
            ),
            fields=fields,
            warnings=warnings,
            timings={**timings, "resolve": time.perf_counter() - started},
        )

    def extract(
        self,
        data: bytes,
        options: ReadOptions | None = None,
        *,
        job_id: str | None = None,
        on_page: Callable[[int, int], None] | None = None,
    ) -> Extraction:
        """Return the fields of a document, all three calls in this process.

        Args:
            data: the bytes of a PDF, PNG, JPEG or TIFF.
            options: pages, password, language and limits.
            job_id: id of the answer; a new one by default.
            on_page: called with (done, total) after each page.

        Raises:
            DocumentError: the document cannot be read; see `pipeline.errors`.
            BadPageRange: the pages asked for are not there.
        """
        started = time.perf_counter()
        document = self.read(data, options, on_page)
        read = time.perf_counter()
        spans = self.tag(document)
        timings = {"read": read - started, "tag": time.perf_counter() - read}
        return self.resolve(document, spans, job_id=job_id or str(uuid.uuid4()), timings=timings)
