"""The models in a worker's memory: loaded when first needed, the most recently used are kept."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from models.packages import PackageRef
from pipeline.errors import ModelPackageError

log = logging.getLogger(__name__)

T = TypeVar("T")


class ModelCache(Generic[T]):
    """Models of one process, shared by its threads; one loads while the others wait.

    Args:
        load: loads what is kept of a package; raises ModelPackageError, or OSError.
        room: how many are kept.
    """

    def __init__(self, load: Callable[[PackageRef], T], *, room: int) -> None:
        self._load = load
        self._room = room
        self._lock = threading.Lock()
        self._models: OrderedDict[str, T] = OrderedDict()  # the last one used stands last

    @property
    def names(self) -> list[str]:
        """The packages in memory, as ``NAME@VERSION``."""
        return list(self._models.copy())

    def get(self, ref: PackageRef) -> T:
        """Return the model of a package, from memory where it is there.

        Raises:
            ModelPackageError: the package is damaged.
        """
        key = str(ref)
        with self._lock:
            if key not in self._models:
                began = time.monotonic()
                try:
                    model = self._load(ref)
                except (OSError, ModelPackageError) as error:
                    log.exception("model damaged", extra={"model": key, "reason": str(error)[:500]})
                    raise ModelPackageError(
                        f"The model package {key} is damaged or incomplete."
                    ) from error
                while len(self._models) >= self._room:
                    self._models.popitem(last=False)
                self._models[key] = model
                seconds = round(time.monotonic() - began, 2)
                log.info("model loaded", extra={"model": key, "seconds": seconds})
            self._models.move_to_end(key)
            return self._models[key]
