"""The models in memory: each is loaded once, and the last ones used are kept."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from models.packages import PackageRef
from pipeline.errors import ModelPackageError
from workers.model_cache import ModelCache


def test_cache_loads_once_and_keeps_the_last() -> None:
    loaded: list[str] = []

    def load(ref: PackageRef) -> str:
        loaded.append(str(ref))
        time.sleep(0.05)
        return str(ref)

    cache = ModelCache(load, room=2)
    a, b, c = (ref(name) for name in "abc")
    threads = [threading.Thread(target=cache.get, args=(a,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache.get(b)
    cache.get(a)
    cache.get(c)
    assert loaded == ["a@1", "b@1", "c@1"]
    assert cache.names == ["a@1", "c@1"]


def test_cache_names_what_is_damaged() -> None:
    def load(ref: PackageRef) -> str:
        raise OSError("no such file")

    with pytest.raises(ModelPackageError, match="a@1 is damaged"):
        ModelCache(load, room=1).get(ref("a"))


def ref(name: str) -> PackageRef:
    return PackageRef(name, "1", Path("/nowhere"), current=True, bundled=False)
