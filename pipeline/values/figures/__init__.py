"""Amounts, currencies and numbers, and the letters that are read for their digits."""
