"""Files of jobs: the documents as they were sent, and what one stage leaves for the next."""

from store.blobs.blobs import FILE, PASSWORD, LocalBlobs, no_room

__all__ = ["FILE", "PASSWORD", "LocalBlobs", "no_room"]
