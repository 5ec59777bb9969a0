"""Errors at the door of the API: keys, rates, uploads.

    AccessError                  (`store/errors.py`)
        KeyMissing               no key came with the request           key_missing
        KeyInvalid               the key is not valid (any more)        key_invalid
        ForeignPage              a page of another site asks            foreign_page
        ScopeMissing             the key is not for such requests       scope_missing
        RateLimited              too many requests with this key        rate_limited
    RequestError                 (`models/errors.py`)
        UrlRefused               its address may not be fetched         url_refused
        DocumentNotFetched       its address gives no document          document_not_fetched

What stands in brackets is the file of a base class; all tell `code`, `detail` and `advice`.
"""

from __future__ import annotations

from pipeline.errors import RequestError
from store.errors import AccessError


class KeyMissing(AccessError):
    """The service wants a key and none came with the request."""

    code = "key_missing"
    default_advice = "Send the header `Authorization: Bearer KEY`, or `X-API-Key: KEY`."


class KeyInvalid(AccessError):
    """The key is unknown, wrong, expired or revoked; which of them is not told."""

    code = "key_invalid"
    default_advice = "Check the key, or ask the operator of the service for a new one."


class ForeignPage(AccessError):
    """A web page of another site asks a service that wants no keys of its own machine."""

    code = "foreign_page"
    default_advice = (
        "Ask for http://127.0.0.1 or http://localhost; where a proxy stands in front, "
        "make a key with `fieldwright keys create NAME`."
    )


class ScopeMissing(AccessError):
    """The key is valid, but not for requests of this kind."""

    code = "scope_missing"
    default_advice = "Use a key that has the scope, or ask the operator of the service for one."


class RateLimited(AccessError):
    """More requests with this key than it may send a minute."""

    code = "rate_limited"
    default_advice = "Wait as long as the header Retry-After says, then go on more slowly."


class UrlRefused(RequestError):
    """A document's address that leads to where this service may not ask."""

    code = "url_refused"
    default_advice = "Send the document itself, as a form or as `base64`."


class DocumentNotFetched(RequestError):
    """A document's address that answers with something else than the document."""

    code = "document_not_fetched"
    default_advice = "Open the address yourself; or send the document as a form."
