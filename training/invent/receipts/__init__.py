"""Invents receipts of shops, restaurants and petrol stations in twenty-one countries."""

from training.invent.receipts.inventor import LANGUAGES, Receipts

__all__ = ["LANGUAGES", "Receipts"]
