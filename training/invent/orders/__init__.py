"""Orders for television advertising: who advertises, and the forms of the stations."""

from training.invent.orders.inventor import Orders

__all__ = ["Orders"]
