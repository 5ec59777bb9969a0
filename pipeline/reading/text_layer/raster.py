"""A PDF page as grey pixels, drawn by PDFium."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pypdfium2 import raw

Grey = npt.NDArray[np.uint8]


def raster_of(page: Any, dpi: float) -> Grey:
    """Return a `pypdfium2.PdfPage` as grey pixels, (height, width), as a viewer shows it."""
    # Drawn into grey pixels: asked for grey, PDFium turns pictures grey in full before it scales.
    bitmap = page.render(scale=dpi / 72, force_bitmap_format=raw.FPDFBitmap_Gray)
    try:
        pixels: Grey = bitmap.to_numpy().copy()
    finally:
        bitmap.close()
    return pixels if pixels.ndim == 2 else pixels[..., 0]
