"""Bytes to pages of words, each with its place.

`pipeline.reading.reader.read_document` is the way in. It loads numpy and libraries for images, so
it is imported where it is called; `media`, `options` and `page_ranges` are light, and enough to
judge a request.
"""
