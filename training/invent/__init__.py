"""Invented documents with their labels: what is on them, how they look, what befell them."""

from training.invent.dataset import Invented, Inventor, write_dataset
from training.invent.delivery import Delivery

__all__ = ["Delivery", "Invented", "Inventor", "write_dataset"]
