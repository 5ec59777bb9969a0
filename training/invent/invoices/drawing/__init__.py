"""Draws what invoices say: their parties, positions, taxes and numbers."""

from training.invent.invoices.drawing.invoice import USUAL, draw_invoice
from training.invent.invoices.drawing.parties import LEGAL_FORMS

__all__ = ["LEGAL_FORMS", "USUAL", "draw_invoice"]
