"""Invoices written by hand, each in a layout of its own, without knowledge of the generator's.

`python -m benchmarks.drawn PART OUT` lays them out as PDFs beside their labels, in the form of a
dataset, for `python -m benchmarks.invoices OUT`. Companies and people are invented. Rules were
looked for on the part `seen`; the part `apart` is for scoring alone.
"""
