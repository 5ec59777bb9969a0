"""PDFs and images opened, each to be read page by page; what meets untrusted bytes starts here."""

from pipeline.reading.sources.opening import Source, open_source

__all__ = ["Source", "open_source"]
