"""Bytes to pages of words, each with its place.

`pipeline.reading.reader.read_document` is the way in. It loads numpy and libraries for images, so
it is imported where it is called; what is handed out here is light, and enough to judge a request.
"""

from pipeline.reading.media import sniff
from pipeline.reading.options import ReadOptions
from pipeline.reading.page_ranges import parse_pages, select_pages

__all__ = ["ReadOptions", "parse_pages", "select_pages", "sniff"]
