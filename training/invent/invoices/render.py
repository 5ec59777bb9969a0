"""HTML to PDF, with the place of every labelled value on its page."""

from __future__ import annotations

from typing import Any

from training.invent.delivery import Place
from training.invent.invoices.printing import SCHEME


def render(html: str) -> tuple[bytes, list[Place], int]:
    """Return a PDF with a text layer, the places of its labelled values, and its number of pages.

    The links that carry the places through the layout are not in the PDF.
    """
    document = _weasyprint().HTML(string=html).render()
    places = []
    for number, page in enumerate(document.pages, 1):
        for link in page.links:
            target, (x0, top, x1, bottom) = link[1], link[2]
            if target.startswith(SCHEME):
                box = (x0 / page.width, top / page.height, x1 / page.width, bottom / page.height)
                places.append(Place(int(target.removeprefix(SCHEME)), number, box))
        page.links.clear()
    return document.write_pdf(), places, len(document.pages)


def _weasyprint() -> Any:
    """Import WeasyPrint, which takes seconds and needs Pango."""
    from pipeline.errors import DependencyMissing

    try:
        import weasyprint
    except (ImportError, OSError) as error:
        raise DependencyMissing(
            "WeasyPrint or Pango is not installed.",
            advice="Run: pip install fieldwright[invent]; apt-get install libpango-1.0-0 "
            "libpangoft2-1.0-0 libharfbuzz-subset0",
        ) from error
    return weasyprint
