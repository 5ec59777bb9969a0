"""Every error a document or a request can raise, each with a stable code and advice.

    FieldwrightError
    ├── DocumentError              the document cannot be read as delivered
    │   ├── UnsupportedMedia       not a PDF, PNG, JPEG or TIFF          unsupported_media_type
    │   ├── FileTooLarge           more bytes than the limit             file_too_large
    │   ├── EncryptedPdf           needs a password                      pdf_encrypted
    │   ├── WrongPassword          the password given does not open it   pdf_password_wrong
    │   ├── PdfPortfolio           a cover around embedded files         pdf_portfolio
    │   ├── CorruptDocument        cannot be parsed or repaired          document_corrupt
    │   ├── EmptyDocument          no bytes, or no pages                 document_empty
    │   ├── TooManyPages           more pages than the limit             too_many_pages
    │   ├── PageTooLarge           a page beyond the pixel budget        page_too_large
    │   ├── ReadingTimeout         beyond the time limit                 processing_timeout
    │   ├── MemoryExceeded         beyond the memory limit               resource_limit
    │   ├── ReaderCrashed          it ends the process that reads it     reader_crashed
    │   ├── ArchiveUnsafe          a ZIP that may not be unpacked        archive_unsafe
    │   └── ArchiveCorrupt         a ZIP that cannot be unpacked         archive_corrupt
    ├── RequestError               the call is wrong, the document may be fine
    │   ├── BadPageRange           cannot be parsed, or names no page    page_range_invalid
    │   ├── UnknownModel           no package of that name               model_unknown
    │   ├── BatchTooLarge          more documents than the limit         batch_too_large
    │   ├── IdempotencyKeyReused   the key came with another request     idempotency_key_reused
    │   ├── WebhookTargetRefused   a webhook that may not go there       webhook_target_refused
    │   ├── TooManyWebhooks        more webhooks than the limit          too_many_webhooks
    │   └── InvalidOption          any other option                      option_invalid
    ├── AccessError                the caller may not do this, or not now
    │   ├── KeyMissing             no key came with the request          key_missing
    │   ├── KeyInvalid             the key is not valid (any more)       key_invalid
    │   ├── ForeignPage            a page of another site asks           foreign_page
    │   ├── ScopeMissing           the key is not for such requests      scope_missing
    │   ├── RateLimited            too many requests with this key       rate_limited
    │   ├── TooManyUploads         too many documents arrive at once     too_many_uploads
    │   └── TooManyJobs            too many jobs of this key wait        too_many_jobs
    ├── DatasetError               a dataset folder cannot be used       dataset_invalid
    ├── ModelPackageError          a package is missing or damaged       model_package_invalid
    └── DependencyMissing          a system program is not installed     dependency_missing

`code` is part of the contract and never changes; `detail` says what happened to this document;
`advice` names the reader's next step. The HTTP status of each code stands in `app/main.py`.
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
    default_advice: ClassVar[str] = "Try again; if it happens again, report the job id."

    def __init__(
        self, detail: str, *, advice: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.advice = advice or self.default_advice
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.detail} {self.advice}"


class DocumentError(FieldwrightError):
    """The document cannot be read as delivered."""


class UnsupportedMedia(DocumentError):
    """The content is not a document of a kind that can be read."""

    code = "unsupported_media_type"
    default_advice = "Send a PDF, PNG, JPEG or TIFF file; the content decides, not the name."


class FileTooLarge(DocumentError):
    """More bytes than the limit."""

    code = "file_too_large"
    default_advice = "Split the document or lower the resolution of the scan."


class EncryptedPdf(DocumentError):
    """The PDF opens only with a password and none was given."""

    code = "pdf_encrypted"
    default_advice = "Send the password in the form field `password`, or remove the protection."


class WrongPassword(DocumentError):
    """The PDF does not open with the password that was given."""

    code = "pdf_password_wrong"
    default_advice = "Check the password and send the document again."


class PdfPortfolio(DocumentError):
    """The PDF is a cover page around other files, which are the content."""

    code = "pdf_portfolio"
    default_advice = "Save the files in it with a PDF viewer and send each by itself."


class CorruptDocument(DocumentError):
    """The content has the signature of its type but cannot be parsed."""

    code = "document_corrupt"
    default_advice = "Open it in a viewer, save it again and send the new file."


class EmptyDocument(DocumentError):
    """No bytes, or a document without pages."""

    code = "document_empty"
    default_advice = "Check the file: it holds no page."


class TooManyPages(DocumentError):
    """More pages than the limit."""

    code = "too_many_pages"
    default_advice = "Choose pages with the option `pages` (such as 1-10), or split the document."


class PageTooLarge(DocumentError):
    """A page would need more pixels than the budget."""

    code = "page_too_large"
    default_advice = "Lower the resolution of the scan, or the size of the page."


class ReadingTimeout(DocumentError):
    """The document took longer than the time limit."""

    code = "processing_timeout"
    default_advice = "Choose fewer pages with the option `pages`, or split the document."


class MemoryExceeded(DocumentError):
    """Reading needed more memory, or larger files, than is allowed."""

    code = "resource_limit"
    default_advice = "Lower the resolution of the scan, or print the document to a new PDF."


class ReaderCrashed(DocumentError):
    """The process that read the document, or a page of it, came to an unforeseen end."""

    code = "reader_crashed"
    default_advice = "Open it in a viewer, print it to a new PDF and send that."


class ArchiveUnsafe(DocumentError):
    """A ZIP archive that is made to do harm, or looks like it."""

    code = "archive_unsafe"
    default_advice = "Pack the documents anew, plainly and without a password, or send them singly."


class ArchiveCorrupt(DocumentError):
    """A ZIP archive that cannot be opened."""

    code = "archive_corrupt"
    default_advice = "Check that it arrived whole, pack the documents anew and send the new file."


class RequestError(FieldwrightError):
    """The call is wrong; the document may be fine."""


class BadPageRange(RequestError):
    """A page range that cannot be parsed or that names no page of the document."""

    code = "page_range_invalid"
    default_advice = "Write pages such as 1-3,5 or -2 (the second from the end)."


class UnknownModel(RequestError):
    """No model package of that name or version."""

    code = "model_unknown"
    default_advice = "See `fieldwright models list`, or GET /models."


class BatchTooLarge(RequestError):
    """More documents, or more bytes, than one batch may have."""

    code = "batch_too_large"
    default_advice = "Send the documents in several batches; see /limits."


class IdempotencyKeyReused(RequestError):
    """An Idempotency-Key came again with another document, model or options."""

    code = "idempotency_key_reused"
    default_advice = "Send a new Idempotency-Key with every request that is not a repetition."


class WebhookTargetRefused(RequestError):
    """A webhook that leads to where this service may not send anything."""

    code = "webhook_target_refused"
    default_advice = "Choose a public https address."


class TooManyWebhooks(RequestError):
    """More webhooks of one owner than the limit."""

    code = "too_many_webhooks"
    default_advice = "Delete a webhook that is not needed any more."


class InvalidOption(RequestError):
    """An option has a value that is not allowed."""

    code = "option_invalid"
    default_advice = "See /docs for the values that are allowed."


class AccessError(FieldwrightError):
    """The caller may not do this, or not at the moment."""


class KeyMissing(AccessError):
    """The service wants a key and none came with the request."""

    code = "key_missing"
    default_advice = "Send the header `Authorization: Bearer KEY`, or `X-API-Key: KEY`."


class ForeignPage(AccessError):
    """A web page of another site asks a service that wants no keys of its own machine."""

    code = "foreign_page"
    default_advice = (
        "Ask for http://127.0.0.1 or http://localhost; where a proxy stands in front, "
        "make a key with `fieldwright keys create NAME`."
    )


class KeyInvalid(AccessError):
    """The key is unknown, wrong, expired or revoked; which of them is not told."""

    code = "key_invalid"
    default_advice = "Check the key, or ask the operator of the service for a new one."


class ScopeMissing(AccessError):
    """The key is valid, but not for requests of this kind."""

    code = "scope_missing"
    default_advice = "Use a key that has the scope, or ask the operator of the service for one."


class RateLimited(AccessError):
    """More requests with this key than it may send a minute."""

    code = "rate_limited"
    default_advice = "Wait as long as the header Retry-After says, then go on more slowly."


class TooManyUploads(AccessError):
    """More documents arrive at the same time than the service takes in."""

    code = "too_many_uploads"
    default_advice = "Send the document again after the seconds of the header Retry-After."


class TooManyJobs(AccessError):
    """More jobs of this key wait than it may have in the queue."""

    code = "too_many_jobs"
    default_advice = "Wait until some of your jobs have ended, then send the document again."


class DatasetError(FieldwrightError):
    """A dataset folder cannot be used."""

    code = "dataset_invalid"
    default_advice = "Run `fieldwright dataset check` on the folder."


class ModelPackageError(FieldwrightError):
    """A model package is missing a file or fails its checksum."""

    code = "model_package_invalid"
    default_advice = "Restore the package, or train the model again."


class DependencyMissing(FieldwrightError):
    """A system program that the reader needs is not installed."""

    code = "dependency_missing"
    default_advice = "Install the packages tesseract-ocr and poppler-utils."


class ServiceError(FieldwrightError):
    """The queue or its store; the document may be fine."""


class JobUnknown(ServiceError):
    """No job of that id, or it was deleted."""

    code = "job_unknown"
    default_advice = "Check the id; a deleted job cannot be read again."


class BatchUnknown(ServiceError):
    """No batch of that id, or it was deleted."""

    code = "batch_unknown"
    default_advice = "Check the id; a deleted batch cannot be read again."


class WebhookUnknown(ServiceError):
    """No webhook of that id, or it was deleted."""

    code = "webhook_unknown"
    default_advice = "See GET /webhooks; a deleted webhook cannot be read again."


class DeliveryUnknown(ServiceError):
    """No delivery of that id, or its job was deleted."""

    code = "delivery_unknown"
    default_advice = "See GET /webhooks/{id}/deliveries; those of deleted jobs are gone."


class WebhookDisabled(ServiceError):
    """The webhook was switched off, so nothing is sent to it."""

    code = "webhook_disabled"
    default_advice = "Switch it on again with PATCH /webhooks/{id} and `active: true`."


class JobNotFinished(ServiceError):
    """The result is not there yet."""

    code = "job_not_finished"
    default_advice = "Wait with GET /jobs/{id}?wait=20, then ask for the result again."


class JobExpired(ServiceError):
    """The job ended so long ago that its document and its answer were removed."""

    code = "job_expired"
    default_advice = "Send the document again if the answer is still wanted."


class IdempotencyInFlight(ServiceError):
    """The first request with this Idempotency-Key is still being accepted."""

    code = "idempotency_in_flight"
    default_advice = "Send the same request again after the seconds of the header Retry-After."


class Overloaded(ServiceError):
    """The queue is longer than the service can work off in the time it allows."""

    code = "overloaded"
    default_advice = "Send the document again after the seconds of the header Retry-After."


class JobCancelled(ServiceError):
    """The job was cancelled before it was finished."""

    code = "job_cancelled"
    default_advice = "Send the document again if the answer is still wanted."


class WorkerCrashed(ServiceError):
    """Each attempt at the document stopped the worker process."""

    code = "worker_crashed"
    default_advice = "Report the job id; the document is set aside and not tried again."


class StoreUnavailable(ServiceError):
    """The job store is locked or does not answer."""

    code = "store_unavailable"
    default_advice = "Try again in a few seconds."


class StorageFull(ServiceError):
    """There is no room to store the document."""

    code = "storage_full"
    default_advice = "Free space on the disk of the service, then send the document again."


class NotReady(ServiceError):
    """No worker process can process documents at the moment."""

    code = "not_ready"
    default_advice = "Try again in a few seconds; documents are accepted meanwhile, and wait."


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
