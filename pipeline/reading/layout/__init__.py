"""Words with places, from any reader, to lines, blocks and the order in which people read them."""

from pipeline.reading.layout.blocks import with_blocks
from pipeline.reading.layout.lines import Place, source_lines
from pipeline.reading.layout.reading_order import order_tokens
from pipeline.reading.layout.words import clean_word, glued, split_line

__all__ = [
    "Place",
    "clean_word",
    "glued",
    "order_tokens",
    "source_lines",
    "split_line",
    "with_blocks",
]
