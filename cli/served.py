"""The models that this installation serves, as its settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.packages import Registry
    from store.settings import Settings


def served(settings: Settings | None = None) -> Registry:
    """Return the registry of the packages in service; settings are read where not given."""
    from models.packages import Registry
    from store.settings import Settings

    chosen = settings or Settings.load()
    return Registry(chosen.home / "models", default=chosen.model)
