"""The job store on each database that it runs on."""

from tests.stores import database, store, url

__all__ = ["database", "store", "url"]
