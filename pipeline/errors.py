"""Errors of documents and of reading them; the errors of `models/errors.py` are handed on.

    FieldwrightError
        DocumentError            it cannot be read as delivered
            UnsupportedMedia     neither a PDF nor a known picture      unsupported_media_type
            FileTooLarge         more bytes than the limit              file_too_large
            EncryptedPdf         needs a password                       pdf_encrypted
            WrongPassword        the password given does not open it    pdf_password_wrong
            PdfPortfolio         a cover around embedded files          pdf_portfolio
            CorruptDocument      cannot be parsed or repaired           document_corrupt
            EmptyDocument        no bytes, or no pages                  document_empty
            TooManyPages         more pages than the limit              too_many_pages
            PageTooLarge         a page beyond the pixel budget         page_too_large
            ReadingTimeout       beyond the time limit                  processing_timeout
            MemoryExceeded       beyond the memory limit                resource_limit
            ReaderCrashed        ends the process that reads it         reader_crashed
            NoFittingModel       of a kind that no model here reads     no_fitting_model
            InvoiceIncomplete    its answer is too little for a CII     invoice_incomplete
        RequestError
            BadPageRange         names no page, or cannot be parsed     page_range_invalid
        ServiceError             the service, or its disk, is at fault
            StorageFull          no room for a document                 storage_full

The last two stand here and not in `store/errors.py`, which has the other errors of the service:
reading needs room for its files too, and the pipeline does not know the store. `ReaderLost` is no
part of the tree: it asks for another attempt, and no user is shown it.
"""

from __future__ import annotations

from models.errors import (
    DependencyMissing,
    FieldwrightError,
    InvalidOption,
    ModelPackageError,
    RequestError,
    UnknownModel,
    error_from,
)

__all__ = [
    "BadPageRange",
    "CorruptDocument",
    "DependencyMissing",
    "DocumentError",
    "EmptyDocument",
    "EncryptedPdf",
    "FieldwrightError",
    "FileTooLarge",
    "InvalidOption",
    "InvoiceIncomplete",
    "MemoryExceeded",
    "ModelPackageError",
    "NoFittingModel",
    "PageTooLarge",
    "PdfPortfolio",
    "ReaderCrashed",
    "ReaderLost",
    "ReadingTimeout",
    "RequestError",
    "ServiceError",
    "StorageFull",
    "TooManyPages",
    "UnknownModel",
    "UnsupportedMedia",
    "WrongPassword",
    "error_from",
]


class DocumentError(FieldwrightError):
    """The document cannot be read as delivered."""


class UnsupportedMedia(DocumentError):
    """The content is not a document of a kind that can be read."""

    code = "unsupported_media_type"
    default_advice = (
        "Send a PDF, a picture (PNG, JPEG, TIFF, WebP, HEIC, BMP, GIF) or an e-invoice in XML; "
        "the content decides."
    )


class FileTooLarge(DocumentError):
    """More bytes than the limit."""

    code = "file_too_large"
    default_advice = "Split the document or lower the resolution of the scan."


class EncryptedPdf(DocumentError):
    """The PDF opens only with a password and none was given."""

    code = "pdf_encrypted"
    default_advice = "Send it again with the option `password`, or remove the protection."


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
    default_advice = (
        "Choose fewer pages with the option `pages`, or lower the resolution of the scan."
    )


class MemoryExceeded(DocumentError):
    """Reading needed more memory, or larger files, than is allowed."""

    code = "resource_limit"
    default_advice = "Lower the resolution of the scan, or print the document to a new PDF."


class ReaderCrashed(DocumentError):
    """The process that read the document, or a page of it, ended unexpectedly."""

    code = "reader_crashed"
    default_advice = "Open it in a viewer, print it to a new PDF and send that."


class NoFittingModel(DocumentError):
    """It is like the documents of no model, and its sender wants no answer then."""

    code = "no_fitting_model"
    default_advice = (
        "Name a model that reads such documents, or teach one; on_no_fit=warn answers anyway."
    )


class InvoiceIncomplete(DocumentError):
    """Its answer says too little for the e-invoice that was asked for."""

    code = "invoice_incomplete"
    default_advice = (
        "Correct the answer in a review, or read the document with a model of invoices."
    )


class ReaderLost(Exception):
    """The process that read was killed from outside, as the kernel's memory killer does.

    It says nothing about the document, which is worth another attempt; so no user is shown it. Its
    text is a clause without a full stop.
    """


class BadPageRange(RequestError):
    """A page range that cannot be parsed or that names no page of the document."""

    code = "page_range_invalid"
    default_advice = "Write pages such as 1-3,5 or -2 (the second from the end)."


class ServiceError(FieldwrightError):
    """The queue or its store; the document may be fine."""


class StorageFull(ServiceError):
    """There is no room to store the document."""

    code = "storage_full"
    default_advice = "Free space on the disk of the service, then send the document again."
