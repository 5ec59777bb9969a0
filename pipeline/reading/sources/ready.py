"""Loads what opens documents when it is imported; the processes that read are forked afterwards.

That includes what Pillow and numpy would load when they first need it, in each process anew.
"""

import numpy.ma  # noqa: F401
from PIL import Image, JpegImagePlugin, PngImagePlugin, PpmImagePlugin, TiffImagePlugin  # noqa: F401

import pipeline.reading.sources  # noqa: F401

Image.preinit()
