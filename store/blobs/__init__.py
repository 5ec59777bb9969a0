"""Files of jobs: documents as they were sent, their words, and what one stage leaves for others."""

from store.blobs.blobs import FILE, KEPT, PASSWORD, WORDS, LocalBlobs, no_room

__all__ = ["FILE", "KEPT", "PASSWORD", "WORDS", "LocalBlobs", "no_room"]
