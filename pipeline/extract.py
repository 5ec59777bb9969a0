"""The route of one document: read, tag, resolve. Bytes in, Extraction out, in one process."""

from __future__ import annotations

import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path

from models.labels import Span
from models.packages import manifest
from models.packages.contents import read_contents
from models.packages.serving import load_word_tagger
from models.precision import Precision
from pipeline.answers.answerer import Answerer, unusable
from pipeline.answers.e_invoices.xml_files import answer_e_invoice
from pipeline.document import Document
from pipeline.errors import InvalidOption
from pipeline.profile import load_profile
from pipeline.reading.options import ReadOptions
from pipeline.result import Extraction
from pipeline.routing import Choice
from pipeline.tagging import example_of


class Route(ABC):
    """The one way through the pipeline; what differs is which model a document gets."""

    @abstractmethod
    def choose(self, document: Document) -> tuple[Extractor, Choice | None]:
        """Return the model for a document, and how sure the choice is where there was one.

        Raises:
            ModelPackageError: no model can be chosen, or the one chosen is damaged.
        """

    def read(
        self,
        data: bytes,
        options: ReadOptions | None = None,
        on_page: Callable[[int, int], None] | None = None,
    ) -> Document:
        """Return the words of a document; needs no model. See `read_document` for errors."""
        # Imported late: a process that only tags does without the readers.
        from pipeline.reading.reader import read_document

        return read_document(data, options or ReadOptions(), on_page)

    def extract(
        self,
        data: bytes,
        options: ReadOptions | None = None,
        *,
        job_id: str | None = None,
        on_page: Callable[[int, int], None] | None = None,
        refuse: bool = False,
    ) -> Extraction:
        """Return the fields of a document.

        While it is tagged, a process is started that will read the next one, see `read_ahead`.

        Args:
            data: the bytes of a PDF, a picture or an e-invoice's XML, which needs no model.
            options: pages, password, language and limits.
            job_id: id of the answer; a new one by default.
            on_page: called with (done, total) after each page.
            refuse: there is to be no answer for a document that does not fit the model.

        Raises:
            DocumentError: the document cannot be read, or does not fit; see `pipeline.errors`.
            BadPageRange: the pages asked for are not there.
            ModelPackageError: as `choose`.
        """
        from pipeline.reading.reader import read_ahead

        started = time.perf_counter()
        document = self.read(data, options, on_page)
        read_s = time.perf_counter() - started
        read_ahead()
        return self.answer(document, read_s, job_id=job_id, refuse=refuse)

    def answer(
        self, document: Document, read_s: float, *, job_id: str | None = None, refuse: bool = False
    ) -> Extraction:
        """Return the fields of a document that has been read.

        Args:
            document: as `read` returns it.
            read_s: seconds that its reading took, for the answer's timings.
            job_id: id of the answer; a new one by default.
            refuse: there is to be no answer for a document that does not fit the model.

        Raises:
            DocumentError: the document does not fit.
            ModelPackageError: as `choose`.
        """
        started = time.perf_counter()
        if document.is_e_invoice:
            return answer_e_invoice(
                document, job_id=job_id or str(uuid.uuid4()), timings={"read": read_s}
            )
        model, choice = self.choose(document)
        spans = model.tag(document)
        timings = {"read": read_s, "tag": time.perf_counter() - started}
        return model.resolve(
            document,
            spans,
            job_id=job_id or str(uuid.uuid4()),
            timings=timings,
            choice=choice,
            refuse=refuse,
        )


class Extractor(Answerer, Route):
    """One loaded model package; loading takes about a second, each call milliseconds.

    Args:
        package: folder of the package; its checksums are verified.
        device: ``cpu`` or ``cuda``.
        precision: of the matrix products; by default ``auto`` on a GPU and float32 on a CPU, where
            answers are the same on every machine and the same as those that were scored.

    Attributes:
        name, version, sha256: identity of the package.
        fields: the fields it answers with.

    Raises:
        ModelPackageError: the package is damaged or of another program version.
        DependencyMissing: PyTorch finds no such device.
    """

    def __init__(
        self, package: Path, *, device: str = "cpu", precision: Precision | None = None
    ) -> None:
        usual: Precision = "auto" if device.startswith("cuda") else "float32"
        try:
            with manifest.verifying(package):
                contents = read_contents(package)
                self._tagger = load_word_tagger(
                    package, contents, device=device, precision=precision or usual
                )
                profile = load_profile(package)
            super().__init__(contents.manifest, contents.fields_toml, contents.calibration, profile)
            names = tuple(spec.name for spec in self.fields)
            if names != contents.labels.fields:
                raise ValueError(f"fields.toml has {names}, the tagger {contents.labels.fields}")
        except (OSError, ValueError, InvalidOption) as error:
            raise unusable(package, error) from error

    def choose(self, document: Document) -> tuple[Extractor, None]:
        """Return this model, whatever the document is."""
        return self, None

    def tag(self, document: Document) -> list[Span]:
        """Return the labelled spans over the document's words, left to right."""
        return self.tag_many([document])[0]

    def tag_many(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the labelled spans of each document, as `tag` would, in passes they share."""
        examples = [example_of(document) for document in documents]
        found = self._tagger.probabilities_of(examples)
        doubtful = self._calibration.doubtful
        return [self._tagger.labels.spans(probabilities, doubtful) for probabilities in found]
