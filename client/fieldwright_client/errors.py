"""What a service refuses, or does not answer at all."""

from __future__ import annotations


class ServiceError(Exception):
    """The service refused a request, or could not read a document.

    Attributes:
        code: stable name of the error, such as ``pdf_encrypted``; docs/api.md of the service lists
            them.
        detail: one sentence on what happened.
        advice: one sentence on what to do next.
        status: of HTTP; None where a job failed, or a row of a batch.
    """

    def __init__(self, code: str, detail: str, advice: str, status: int | None = None) -> None:
        # Without a word to Exception its `args` stay what is given here, and it can be pickled.
        self.code = code
        self.detail = detail
        self.advice = advice
        self.status = status

    def __str__(self) -> str:
        return f"{self.detail} {self.advice}".strip()


class NotAnswering(ServiceError):
    """Nothing answers at the address, or something else than a fieldwright service does."""

    def __init__(self, detail: str, advice: str, status: int | None = None) -> None:
        super().__init__("not_answering", detail, advice, status)


class SignatureInvalid(ValueError):
    """What came is not what the service sent, or came too late."""
