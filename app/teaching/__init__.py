"""Teaching: what people say of the documents of a dataset, and what becomes of it."""

from app.teaching.releases import Releases
from app.teaching.teaching import Teaching

__all__ = ["Releases", "Teaching"]
