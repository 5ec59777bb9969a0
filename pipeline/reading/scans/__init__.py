"""Pictures of pages: turned upright, straightened, made ready for recognition, and read."""

from pipeline.reading.scans.scan import read_scan

__all__ = ["read_scan"]
