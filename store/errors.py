"""Errors of the store and the queue: jobs, batches, webhooks.

    ServiceError                 (`pipeline/errors.py`)
        JobUnknown               no such job, or deleted                job_unknown
        JobNotFinished           its result is not there yet            job_not_finished
        JobExpired               its files were removed                 job_expired
        DocumentMissing          its file is gone from the store        document_missing
        JobCancelled             cancelled before it was finished       job_cancelled
        PageUnknown              the document has no such page          page_unknown
        PageNotDrawn             no worker drew the page in time        page_not_drawn
        ReviewClaimed            somebody else reviews the document     review_claimed
        WorkerCrashed            each attempt ended the worker          worker_crashed
        IdempotencyInFlight      the first such request is under way    idempotency_in_flight
        Overloaded               the queue is too long                  overloaded
        StoreUnavailable         the database does not answer           store_unavailable
        NotReady                 no worker can take documents           not_ready
        BatchUnknown             no such batch, or deleted              batch_unknown
        WebhookUnknown           no such webhook, or deleted            webhook_unknown
        DeliveryUnknown          no such delivery, or deleted           delivery_unknown
        WebhookDisabled          the webhook was switched off           webhook_disabled
        SecretKeyMissing         no key decrypts a stored secret        secret_key_missing
        DatasetUnknown           no such dataset, or deleted            dataset_unknown
        ExampleUnknown           no such document in the dataset        dataset_document_unknown
        TrainingUnknown          no such training, or deleted           training_unknown
        FieldsChanged            others changed the dataset's fields    fields_changed
        TrainingRunning          the dataset is being trained on        training_running
        TrainingNotFinished      it has made no model (yet)             training_not_finished
        TrainingCrashed          each attempt ended the trainer         training_crashed
        ShadowUnknown            the model has no shadow                shadow_unknown
    RequestError                 (`models/errors.py`)
        BatchTooLarge            more documents than the limit          batch_too_large
        IdempotencyKeyReused     the key came with another request      idempotency_key_reused
        WebhookTargetRefused     a webhook that may not go there        webhook_target_refused
        TooManyWebhooks          more webhooks than the limit           too_many_webhooks
        TooManyDatasets          more datasets than the limit           too_many_datasets
        DatasetFull              more documents than the limit          dataset_full
        TooFewLabels             too few labelled documents to train    too_few_labels
        ModelNameTaken           a model of others has that name        model_name_taken
    DocumentError                (`pipeline/errors.py`)
        ArchiveUnsafe            a ZIP that may not be unpacked         archive_unsafe
        ArchiveCorrupt           a ZIP that cannot be unpacked          archive_corrupt
    FieldwrightError
        AccessError              the caller may not do this, or not now
            TooManyJobs          too many jobs of this key wait         too_many_jobs

What stands in brackets is the file of a base class; all tell `code`, `detail` and `advice`.
"""

from __future__ import annotations

from typing import Any

from pipeline.errors import (
    DocumentError,
    FieldwrightError,
    RequestError,
    ServiceError,
    error_from,
)


class JobUnknown(ServiceError):
    """No job of that id, or it was deleted."""

    code = "job_unknown"
    default_advice = "Check the id; a deleted job cannot be read again."


def no_job() -> JobUnknown:
    """Return the error of a job that does not exist, or that the caller may not see."""
    return JobUnknown("There is no job of that id.")


class JobNotFinished(ServiceError):
    """The result is not there yet."""

    code = "job_not_finished"
    default_advice = "Wait with GET /jobs/{id}?wait=20, then ask for the result again."


class JobExpired(ServiceError):
    """The job ended so long ago that its document and its answer were removed."""

    code = "job_expired"
    default_advice = "Send the document again if the answer is still wanted."


class JobCancelled(ServiceError):
    """The job was cancelled before it was finished."""

    code = "job_cancelled"
    default_advice = "Send the document again if the answer is still wanted."


class DocumentMissing(ServiceError):
    """The file of an accepted document is gone from where files are kept."""

    code = "document_missing"
    default_advice = (
        "Send the document again, and tell the operator the id of the job: a file is lost."
    )


class PageUnknown(ServiceError):
    """A picture of a page that the document does not have."""

    code = "page_unknown"
    default_advice = "See `document.page_count` in the answer; pages are counted from 1."


class PageNotDrawn(ServiceError):
    """No worker has drawn the page in the time that the request waited."""

    code = "page_not_drawn"
    default_advice = "Ask again after the seconds of the header Retry-After."


class ReviewClaimed(ServiceError):
    """Somebody else has the review of the document in hand."""

    code = "review_claimed"
    default_advice = "Take the next document; a claim ends ten minutes after its last decision."


class WorkerCrashed(ServiceError):
    """Each attempt at the document stopped the worker process."""

    code = "worker_crashed"
    default_advice = (
        "Tell the operator the id of the job: the log says more. The document is not tried again "
        "by itself; one of a batch is with POST /batches/{id}/retry."
    )


class IdempotencyInFlight(ServiceError):
    """The first request with this Idempotency-Key is still being accepted."""

    code = "idempotency_in_flight"
    default_advice = "Send the same request again after the seconds of the header Retry-After."


class Overloaded(ServiceError):
    """The queue is longer than the service can work off in the time it allows."""

    code = "overloaded"
    default_advice = "Send the document again after the seconds of the header Retry-After."


class StoreUnavailable(ServiceError):
    """The job store is locked or does not answer."""

    code = "store_unavailable"
    default_advice = "Try again in a few seconds."


class NotReady(ServiceError):
    """No worker process can process documents at the moment."""

    code = "not_ready"
    default_advice = "Try again in a few seconds; documents that were accepted wait."


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


class SecretKeyMissing(ServiceError):
    """There is no key to encrypt a secret with, or not the one that it was encrypted with."""

    code = "secret_key_missing"
    default_advice = (
        "Give the service every key in use in FIELDWRIGHT_SECRET_KEYS; where one is lost, "
        "POST /webhooks/{id}/rotate makes a new secret."
    )


class DatasetUnknown(ServiceError):
    """No dataset of that id, or it was deleted."""

    code = "dataset_unknown"
    default_advice = "See GET /datasets; a deleted dataset cannot be read again."


class ExampleUnknown(ServiceError):
    """No such document in the dataset, or it was taken out."""

    code = "dataset_document_unknown"
    default_advice = "See GET /datasets/{id}/documents."


class FieldsChanged(ServiceError):
    """The dataset has other fields by now than whoever sets them has seen."""

    code = "fields_changed"
    default_advice = "Look at the fields as they are now, and change those."


class TrainingUnknown(ServiceError):
    """No training of that id, or it was deleted."""

    code = "training_unknown"
    default_advice = "See GET /trainings; a deleted training cannot be read again."


class TrainingRunning(ServiceError):
    """A training of the dataset waits or runs."""

    code = "training_running"
    default_advice = "Wait for its end, or cancel it with POST /trainings/{id}/cancel."


class TrainingNotFinished(ServiceError):
    """The training has made no model, or not yet."""

    code = "training_not_finished"
    default_advice = "Wait until GET /trainings/{id} says `succeeded`."


class TrainingCrashed(ServiceError):
    """Each attempt at the training stopped the process that trains."""

    code = "training_crashed"
    default_advice = (
        "Look into the log of the service, mostly it is memory; then resume the training, "
        "which goes on from its last epoch."
    )


class ShadowUnknown(ServiceError):
    """No version runs, or ran, beside the model in service."""

    code = "shadow_unknown"
    default_advice = "Start one with POST /models/{name}/shadow."


class BatchTooLarge(RequestError):
    """More documents, or more bytes, than one batch may have."""

    code = "batch_too_large"
    default_advice = "Send the documents in several batches; see /limits."


class IdempotencyKeyReused(RequestError):
    """An Idempotency-Key came again with another document, model, options or body."""

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


class TooManyDatasets(RequestError):
    """More datasets of one owner than the limit."""

    code = "too_many_datasets"
    default_advice = "Delete a dataset that is not needed any more; models trained on it stay."


class DatasetFull(RequestError):
    """More documents, or more bytes, than one dataset may have."""

    code = "dataset_full"
    default_advice = "Remove documents that add nothing, or begin another dataset."


class TooFewLabels(RequestError):
    """Too few documents of the dataset are labelled to train on them."""

    code = "too_few_labels"
    default_advice = "Label more documents."


class ModelNameTaken(RequestError):
    """The model's name belongs to another owner's model, or to one that came with the product."""

    code = "model_name_taken"
    default_advice = "Choose another `model_name`; an administrator's key may take this one."


class ArchiveUnsafe(DocumentError):
    """A ZIP archive that is made to do harm, or looks like it."""

    code = "archive_unsafe"
    default_advice = "Pack the documents anew, plainly and without a password, or send them singly."


class ArchiveCorrupt(DocumentError):
    """A ZIP archive that cannot be opened."""

    code = "archive_corrupt"
    default_advice = "Check that it arrived whole, pack the documents anew and send the new file."


class AccessError(FieldwrightError):
    """The caller may not do this, or not at the moment."""


class TooManyJobs(AccessError):
    """More jobs of this key wait than it may have in the queue."""

    code = "too_many_jobs"
    default_advice = "Wait until some of your jobs have ended, then send the document again."


def check_answered(job: Any) -> None:
    """Return where a job, or a row with its columns, has an answer that is still kept.

    Raises:
        JobNotFinished: it is queued or running.
        JobCancelled: it was cancelled.
        JobExpired: it ended so long ago that its answer was removed.
        FieldwrightError: it failed; the error is the job's own.
    """
    if job.state in ("queued", "running"):
        raise JobNotFinished(f"The job is {job.state}.", retry_after=1.0)
    if job.state == "cancelled":
        raise JobCancelled("The job was cancelled.")
    if job.state == "failed":
        raise error_from(job.error_code or "", job.error_detail or "", job.error_advice)
    if job.expired_at is not None:
        raise JobExpired("The job ended long ago; its answer was removed.")
