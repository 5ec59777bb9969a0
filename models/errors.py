"""The base of every error that is shown to a user, and those of model packages and options.

    FieldwrightError             whatever has no name of its own        internal
        RequestError             the call is wrong, not the document
            UnknownModel         no package of that name or version     model_unknown
            InvalidOption        an option has no such value            option_invalid
        ModelPackageError        a package is damaged                   model_package_invalid
        DependencyMissing        something is not installed, or no GPU  dependency_missing

`code` is part of the contract and never changes; `detail` says what happened, `advice` names the
reader's next step. The HTTP status of each code stands in `app/problems.py`. The tree goes on where
its errors are raised: documents in `pipeline/errors.py`, jobs, batches and webhooks in
`store/errors.py`, keys and uploads in `app/errors.py`, datasets in `training/errors.py`.
"""

from __future__ import annotations

from typing import ClassVar


class FieldwrightError(Exception):
    """Base of all errors that are shown to a user.

    Attributes:
        code: stable, machine-readable name of the error.
        detail: one sentence on what happened.
        advice: one sentence on what to do next.
        retry_after: seconds after which it is worth trying again; None where that is not known.
    """

    code: ClassVar[str] = "internal"
    default_advice: ClassVar[str] = (
        "Try again; if it happens again, tell the operator the id of the job."
    )

    def __init__(
        self, detail: str, *, advice: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.advice = advice or self.default_advice
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.detail} {self.advice}"


class RequestError(FieldwrightError):
    """The call is wrong; the document may be fine."""


class UnknownModel(RequestError):
    """No model package of that name or version."""

    code = "model_unknown"
    default_advice = "See `fieldwright models list`, or GET /models."


class InvalidOption(RequestError):
    """An option has a value that is not allowed."""

    code = "option_invalid"
    default_advice = "See /docs for the values that are allowed."


class ModelPackageError(FieldwrightError):
    """A model package is missing a file or fails its checksum."""

    code = "model_package_invalid"
    default_advice = "Restore the package, or train the model again."


class DependencyMissing(FieldwrightError):
    """A program, a package of Python or a device that is needed is not on this machine."""

    code = "dependency_missing"
    default_advice = "Install the packages tesseract-ocr and poppler-utils."


def error_from(code: str, detail: str, advice: str | None = None) -> FieldwrightError:
    """Return the error of that `code`, such as one kept with a failed job.

    A code that no class carries gives the base class, whose code is ``internal``.
    """
    waiting = [FieldwrightError]
    while waiting:
        kind = waiting.pop()
        if kind.__dict__.get("code") == code:
            return kind(detail, advice=advice)
        waiting += kind.__subclasses__()
    return FieldwrightError(detail, advice=advice)
