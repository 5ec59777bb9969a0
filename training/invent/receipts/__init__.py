"""Invents receipts of shops, restaurants and petrol stations in twenty-four countries."""

from training.invent.receipts.inventor import LANGUAGES, Receipts

__all__ = ["LANGUAGES", "Receipts"]
