"""The last stop of a document's route: spans in, answer out. Needs a package's rules, no torch."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from models.geometry import Box
from models.labels import Span
from models.packages import manifest
from pipeline.affine import turned_box
from pipeline.answers.arithmetic.checks import checked, parse_checks
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.doubts import changed, doubted
from pipeline.answers.e_invoices.embedded import embedded_values, with_embedded
from pipeline.answers.rendering import has_value
from pipeline.answers.resolve import Groups, Resolved, resolve_all
from pipeline.answers.several import Part, parts_of, told_apart
from pipeline.answers.side_by_side import pages_of_two
from pipeline.answers.titles import Title, is_self_billed, parse_titles
from pipeline.document import Document
from pipeline.errors import InvalidOption, ModelPackageError, NoFittingModel
from pipeline.profile import FITS, FITS_BY_TITLE, Profile, load_profile
from pipeline.result import (
    Answer,
    CheckResult,
    DocumentInfo,
    Extraction,
    FieldValue,
    ModelChoice,
    ModelInfo,
    PageInfo,
    Word,
)
from pipeline.routing import Choice
from pipeline.upright import upright
from pipeline.values.schema import FieldSpec, Kind, parse_fields

_OF_PARTIES = (Kind.NAME, Kind.ADDRESS, Kind.TAX_ID)
_UNSURE = 0.5  # below this confidence, a choice of model comes with a warning
_AS_ONE = "With `warn` for `on_no_fit`, they are answered as one."


class Answerer:
    """What a model package knows besides its tagger: its fields and its calibration.

    Args:
        identity: of the package.
        fields_toml: content of its fields.toml.
        calibration: content of its calibration.json.
        profile: of its documents, where it has one.

    Attributes:
        name, version, sha256: identity of the package.
        fields: the fields it answers with.
        styles: how its labels write a field, by field (`pipeline.values.texts.surface`).

    Raises:
        ValueError, InvalidOption: the contents are damaged.
    """

    def __init__(
        self,
        identity: manifest.Manifest,
        fields_toml: str,
        calibration: Mapping[str, Any],
        profile: Profile | None = None,
    ) -> None:
        self._calibration = Calibration.from_json(dict(calibration))
        self.styles = self._calibration.styles
        self.fields: tuple[FieldSpec, ...] = parse_fields(fields_toml)
        self._checks = parse_checks(fields_toml, self.fields)
        self._titles = parse_titles(fields_toml, self.fields)
        self._profile = profile
        self.name, self.version, self.sha256 = identity.name, identity.version, identity.sha256

    @classmethod
    def load(cls, package: Path) -> Self:
        """Return what answers for a package; its checksums are verified.

        Raises:
            ModelPackageError: the package is damaged.
        """
        try:
            manifest.verify(package)
            return cls(
                manifest.load_manifest(package),
                (package / manifest.FIELDS).read_text(encoding="utf-8"),
                json.loads((package / manifest.CALIBRATION).read_text(encoding="utf-8")),
                load_profile(package),
            )
        except (OSError, ValueError, InvalidOption) as error:
            raise unusable(package, error) from error

    def resolve(
        self,
        document: Document,
        spans: list[Span],
        *,
        job_id: str,
        timings: dict[str, float],
        choice: Choice | None = None,
        with_words: bool = False,
        refuse: bool = False,
    ) -> Extraction:
        """Return the answer: every field's value, its place and its confidence.

        Args:
            document: as read.
            spans: as tagged.
            job_id: goes into the answer as its id.
            timings: seconds by stage so far; resolving adds its own.
            choice: where this model was chosen for the document.
            with_words: the answer holds the words too.
            refuse: there is to be no answer for a document that does not fit.

        Raises:
            NoFittingModel: such a document, where that is asked for.
        """
        started = time.perf_counter()
        delivered, document = document, upright(document)
        fit = self._profile.fit(document) if self._profile else None
        resolved, title, doubtful = self._resolved(document, spans, fit)
        fields, groups, checks, warnings = self._with_embedded(document, resolved)
        fields, groups = doubted(
            fields, groups, lambda name, value: name in doubtful and value.source == "page"
        )
        others = self._pages_of_others(resolved)
        giving: set[str] = set()

        def of_other(_: str, value: FieldValue) -> bool:
            if value.source != "page" or value.page not in others:
                return False
            giving.add(others[value.page])
            return True

        fields, groups = doubted(fields, groups, of_other)
        for called in dict.fromkeys(others.values()):
            if called in giving:  # an annex that gives no value is none to warn of
                page = next(page for page in others if others[page] == called)
                warnings.append(
                    f"Page {page} begins another document, which calls itself {called!r}: values "
                    "on its pages need a look. Send one document at a time, or name the pages of "
                    "one."
                )
        lacking = self._lacking(fields)
        parts = self._parts(document, resolved)
        unlike = None if parts else self._why_unlike(fit, lacking, resolved, title)
        if refuse and parts:
            raise NoFittingModel(told_apart(parts), advice=_AS_ONE)
        if refuse and unlike:
            raise NoFittingModel(self._refusal(unlike, fit, choice))
        if parts or unlike:
            # What stands in the XML of a page that the model does not know is as sure as ever.
            fields, groups = doubted(fields, groups, lambda name, value: value.source != "embedded")
        if parts:
            warnings.append(told_apart(parts, numbered=True))
        elif unlike:
            warnings.append(
                f"{unlike}: look at every value, or name a model that reads such documents."
            )
        elif lacking is not None:
            warnings.append(f"{lacking}.")
        elif choice is not None and choice.confidence < _UNSURE:
            warnings.append(
                f"The document is not plainly of a kind that a model here reads; {self.name} was "
                "nearest. Name a model where another fits better."
            )
        turns = {page.number: -page.rotation for page in delivered.pages if page.rotation}
        if turns:
            fields, groups = changed(fields, groups, lambda _, value: _placed(value, turns))
        answer = Extraction(
            id=job_id,
            document=_info_of(delivered),
            model=self._info(fit, choice),
            fields=fields,
            groups=groups,
            checks=checks,
            words=_words(delivered) if with_words else None,
            embedded=embedded_values(document.embedded) if document.embedded else None,
            title=title.text if title is not None else None,
            warnings=warnings,
            timings={**timings, "resolve": time.perf_counter() - started},
        )
        return answer.with_need(doubted=bool(parts) or unlike is not None or lacking is not None)

    def _resolved(
        self, document: Document, spans: list[Span], fit: float | None
    ) -> tuple[Resolved, Title | None, set[str]]:
        """Return what spans come to, the title, and the fields to look at because of what it says.

        A credit note names the invoice that it is about: the number of that is given only where
        its own is not found. Who makes out an invoice that bills itself is the customer: the model
        may take the parties for each other.
        """
        expected = self._profile.expected if self._profile else ()

        def resolved_of(spans: list[Span]) -> Resolved:
            return resolve_all(
                document, spans, self.fields, self._calibration, self._checks, fit, expected
            )

        resolved = resolved_of(spans)
        title, titles, evidence = self._title(resolved), self._titles, resolved.evidence
        if titles is None:
            return resolved, title, set()
        names = {titles.number, *(spec.name for spec in self.fields if spec.kind is Kind.DATE)}
        numbers = resolved.offers.get(titles.number or "", [])
        is_credit_note = titles.of_credit_note(title, numbers, evidence)
        others = {
            name
            for name, offers in resolved.offers.items()
            if is_credit_note and name in names and offers
            if titles.is_of_another(offers[0].value.best.start, evidence)
        }
        if titles.number in others:
            own = [
                span
                for span in spans
                if span.field != titles.number or not titles.is_of_another(span.start, evidence)
            ]
            found = resolved_of(own)
            resolved = found if has_value(found.fields[titles.number]) else resolved
        if is_self_billed(evidence):
            others |= {spec.name for spec in self.fields if spec.kind in _OF_PARTIES}
        return resolved, title, others

    def _with_embedded(
        self, document: Document, resolved: Resolved
    ) -> tuple[dict[str, Answer], Groups, list[CheckResult], list[str]]:
        """Return fields, rows, checks and warnings, with what the document's XML says, if any.

        Values that a failed check is about are marked for review.
        """
        fields, groups, checks = resolved.fields, resolved.groups, resolved.checks
        warnings = list(document.warnings)
        if document.embedded is not None:
            merged = with_embedded(document, document.embedded, self.fields, fields, groups)
            fields, groups = merged.fields, merged.groups
            warnings += merged.warnings
            checks = checked(self._checks, fields, groups)
        broken = {name for check in checks if not check.ok for name in check.fields}
        fields, groups = doubted(fields, groups, lambda name, value: name in broken)
        return fields, groups, checks, warnings

    def _info(self, fit: float | None, choice: Choice | None) -> ModelInfo:
        return ModelInfo(
            name=self.name,
            version=self.version,
            sha256=self.sha256,
            fit=fit,
            choice=None
            if choice is None
            else ModelChoice(confidence=choice.confidence, others=choice.others),
        )

    def _why_unlike(
        self,
        fit: float | None,
        lacking: str | None,
        resolved: Resolved,
        title: Title | None,
    ) -> str | None:
        """Return why a document is none that the model is for; None of one that may be."""
        if pages := pages_of_two(resolved.evidence, self.fields, resolved.offers):
            listed = " and ".join(map(str, pages))
            return f"Two documents seem to lie side by side on page {listed}; send one at a time"
        if title is not None and title.own and (fit is None or fit >= FITS_BY_TITLE):
            return None
        if fit is not None and fit < FITS:
            return f"The document is not like those that {self.name} was trained on"
        if title is not None and not title.own:
            return f"The document calls itself {title.text!r}, which {self.name} does not read"
        return lacking

    def _lacking(self, fields: Mapping[str, Answer]) -> str | None:
        """Return what a document lacks that all of the model have; None of one that has it."""
        expected = self._profile.expected if self._profile else ()
        if lacking := [name for name in expected if not has_value(fields.get(name))]:
            missed = ", ".join(lacking)
            return f"Documents of {self.name} have {missed}, and none was found in this one"
        return None

    def _refusal(self, unlike: str, fit: float | None, choice: Choice | None) -> str:
        """Return why there is no answer, with the likenesses where the words alone decided."""
        if fit is None or fit >= FITS:
            return f"{unlike}."
        if choice is None:
            return f"{unlike}: it fits by {fit:.2f}."
        likenesses = {self.name: choice.confidence} | choice.others
        listed = ", ".join(f"{name} {likeness:.2f}" for name, likeness in likenesses.items())
        return f"The document is not like those of any model here. Likenesses: {listed}."

    def _parts(self, document: Document, resolved: Resolved) -> list[Part]:
        """Return the documents that a file holds one behind another; none of a single one."""
        if len(document.pages) < 2:
            return []
        single = [spec for spec in self.fields if not spec.group and not spec.many]
        identifiers = [spec.name for spec in single if spec.kind is Kind.IDENTIFIER]
        number = self._titles.number if self._titles else None
        if number not in identifiers:
            number = identifiers[0] if len(identifiers) == 1 else None
        return parts_of(
            [page.number for page in document.pages],
            resolved.evidence,
            single,
            self._profile.expected if self._profile else (),
            number,
            self._titles.titled_pages(resolved.evidence) if self._titles else (),
        )

    def _pages_of_others(self, resolved: Resolved) -> dict[int, str]:
        if self._titles is None:
            return {}
        offers = resolved.offers.get(self._titles.number or "", [])
        return self._titles.pages_of_others(offers, resolved.evidence)

    def _title(self, resolved: Resolved) -> Title | None:
        if self._titles is None:
            return None
        number = resolved.offers.get(self._titles.number or "")
        return self._titles.title(resolved.evidence, number[0].value.best.start if number else None)


def _info_of(document: Document) -> DocumentInfo:
    return DocumentInfo(
        sha256=document.sha256,
        media_type=document.media_type,
        page_count=document.page_count,
        word_count=sum(len(page.tokens) for page in document.pages),
        pages=[
            PageInfo.model_validate({name: getattr(page, name) for name in PageInfo.model_fields})
            for page in document.pages
        ],
    )


def _words(document: Document) -> list[Word]:
    return [
        Word(
            text=token.text,
            page=page.number,
            box=token.box.as_list(),
            confidence=token.confidence,
        )
        for page, token in document.words()
    ]


def unusable(package: Path, error: Exception) -> ModelPackageError:
    """Return the error of a package that cannot be used."""
    return ModelPackageError(f"The model package {package.name} cannot be used: {error}.")


def _placed(value: FieldValue, turns: Mapping[int, int]) -> FieldValue:
    """Return a value with its places turned back to the pages as delivered.

    Args:
        value: of a document that stands upright.
        turns: degrees clockwise from there to the page as delivered, by number, where not 0.
    """

    def box(page: int, sides: list[float]) -> list[float]:
        return turned_box(Box(*sides), turns.get(page, 0)).as_list() if sides else []

    candidates = [
        one.model_copy(update={"box": box(one.page, one.box)}) for one in value.candidates
    ]
    return value.model_copy(update={"box": box(value.page, value.box), "candidates": candidates})
