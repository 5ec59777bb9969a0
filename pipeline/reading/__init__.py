"""Bytes to pages, words and boxes."""
