"""Prints invented invoices: an invoice and a layout to HTML, with a note of what is labelled."""

from training.invent.invoices.printing.pen import SCHEME, Printed
from training.invent.invoices.printing.sheet import Sheet

__all__ = ["SCHEME", "Printed", "Sheet"]
