"""What commands say of a version that they have made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.packages import Registry


def in_service(registry: Registry, model: str) -> str:
    """Return whether a version answers for its name from now on, and how to have it otherwise.

    Of a model that nothing was promoted of, the newest version is in service.

    Args:
        registry: the models.
        model: ``NAME@VERSION``.
    """
    ref = registry.pinned(model)
    if not ref.current:
        return f"Put it in service: fieldwright models promote {ref}"
    others = [other for other in registry.versions(ref.name) if other.version != ref.version]
    if not others:
        return f"{ref} is in service."
    return f"{ref} is in service. For another: fieldwright models promote {others[0]}"
