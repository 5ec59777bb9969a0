"""The models that this installation serves, as its settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.packages import Registry
    from store.settings import Settings


def served(settings: Settings | None = None) -> Registry:
    """Return the registry of the packages in service; settings are read where not given."""
    from models.packages import Registry
    from store.blobs import open_packages
    from store.settings import Settings

    chosen = settings or Settings.load()
    source = open_packages(chosen.blob_url)
    return Registry(chosen.home / "models", default=chosen.model, source=source)


def in_step(settings: Settings | None = None) -> Registry:
    """Return the same, after a look at what the machines share; raises StoreUnavailable."""
    registry = served(settings)
    if registry.mirror is not None:
        registry.mirror.sync()
    return registry
