"""Invoices and credit notes: what they say, how they look, and the proof that labels are true."""

from training.invent.invoices.inventor import Invoices

__all__ = ["Invoices"]
