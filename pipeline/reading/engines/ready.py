"""Loads the engines as it is imported, once: the processes that read are forked later.

Whoever reads then shares its models in memory and waits for none of them.
"""

from contextlib import suppress
from typing import get_args

from pipeline.errors import DependencyMissing
from pipeline.reading.engines.lookup import engine_named
from pipeline.reading.options import EngineName

for _name in get_args(EngineName):
    # What is missing is told to whoever asks for a page that needs it.
    with suppress(DependencyMissing):
        engine_named(_name).load()
