"""Invoices drawn by hand: pages with blanks, each as one company might have it, filled anew."""

from training.invent.invoices.designs.design import PAGES, Design, read_design, read_designs
from training.invent.invoices.designs.page import Page

__all__ = ["PAGES", "Design", "Page", "read_design", "read_designs"]
