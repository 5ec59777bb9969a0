"""Invents receipts of shops, restaurants, car parks and hotels in thirty-three countries."""

from training.invent.receipts.inventor import LANGUAGES, Receipts

__all__ = ["LANGUAGES", "Receipts"]
