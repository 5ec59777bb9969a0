"""The text layer of a PDF page: its characters, words and lines, and whether it can be trusted."""

from pipeline.reading.text_layer.combs import Comb
from pipeline.reading.text_layer.raster import raster_of

__all__ = ["Comb", "raster_of"]
