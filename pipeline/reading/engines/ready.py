"""Loads the engines when it is imported; the processes that read are forked afterwards.

They share the models in memory, and do not wait for them.
"""

from contextlib import suppress
from typing import get_args

from pipeline.errors import DependencyMissing
from pipeline.reading.engines.lookup import engine_named
from pipeline.reading.options import EngineName

for _name in get_args(EngineName):
    # A missing engine is reported with the first page that needs it.
    with suppress(DependencyMissing):
        engine_named(_name).load()
