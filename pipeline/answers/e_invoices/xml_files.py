"""The answer to an e-invoice that is an XML file: read from it alone, by no model."""

from __future__ import annotations

import time
from collections.abc import Mapping

from pipeline.answers.arithmetic.checks import checked
from pipeline.answers.e_invoices.embedded import Groups, embedded_values, with_embedded
from pipeline.answers.e_invoices.fields import CHECKS, FIELDS, NAME, SHA256, VERSION
from pipeline.document import Document
from pipeline.result import Answer, DocumentInfo, Extraction, ModelInfo, PageInfo


def answer_e_invoice(
    document: Document, *, job_id: str, timings: Mapping[str, float], with_words: bool = False
) -> Extraction:
    """Return the answer: every value is the XML's, of confidence 1 and without a place.

    Args:
        document: an e-invoice by itself, see `Document.is_e_invoice`.
        job_id: goes into the answer as its id.
        timings: seconds by stage so far; this adds its own.
        with_words: the answer holds the words too, of which there are none.

    Raises:
        ValueError: it is another document.
    """
    invoice = document.embedded
    if invoice is None or not document.is_e_invoice:
        raise ValueError("no e-invoice by itself")
    started = time.perf_counter()
    nothing: dict[str, Answer] = {spec.name: None for spec in FIELDS if not spec.group}
    no_rows: Groups = {spec.group: [] for spec in FIELDS if spec.group}
    said = with_embedded(document, invoice, FIELDS, nothing, no_rows)
    checks = checked(CHECKS, said.fields, said.groups)
    warnings = [
        f"The e-invoice does not add up: {check.name}; {check.found} instead of {check.expected}."
        for check in checks
        if not check.ok
    ]
    answer = Extraction(
        id=job_id,
        document=DocumentInfo(
            sha256=document.sha256,
            media_type=document.media_type,
            page_count=document.page_count,
            word_count=0,
            pages=[
                PageInfo.model_validate(
                    {name: getattr(one, name) for name in PageInfo.model_fields}
                )
                for one in document.pages
            ],
        ),
        model=ModelInfo(name=NAME, version=VERSION, sha256=SHA256),
        fields=said.fields,
        groups=said.groups,
        checks=checks,
        words=[] if with_words else None,
        embedded=embedded_values(invoice),
        warnings=[*document.warnings, *warnings],
        timings={**timings, "resolve": time.perf_counter() - started},
    )
    return answer.with_need()
