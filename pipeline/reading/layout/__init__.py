"""Words with places, from any reader, to lines, blocks and the order in which people read them."""

from pipeline.reading.layout.blocks import in_blocks, with_blocks
from pipeline.reading.layout.lines import source_lines
from pipeline.reading.layout.reading_order import in_order, order_tokens
from pipeline.reading.layout.table import WordTable, joined
from pipeline.reading.layout.words import clean_word, glued, split_line

__all__ = [
    "WordTable",
    "clean_word",
    "glued",
    "in_blocks",
    "in_order",
    "joined",
    "order_tokens",
    "source_lines",
    "split_line",
    "with_blocks",
]
