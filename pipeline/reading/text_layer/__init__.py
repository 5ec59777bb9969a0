"""The text layer of a PDF page: its characters, words and lines, and whether it can be trusted."""
