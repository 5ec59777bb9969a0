"""What becomes of a version that a command has made, and what is said of it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.packages import Registry


def in_service(registry: Registry, model: str) -> str:
    """Give a version to the machines that share models; return whether it answers for its name.

    Of a model that nothing was promoted of, the newest version is in service. Fields that another
    version has and this one has not are named: whoever asks for them would miss them.

    Args:
        registry: the models.
        model: ``NAME@VERSION``.
    """
    from models.packages.manifest import FIELDS
    from models.packages.releases import publish
    from pipeline.errors import InvalidOption
    from pipeline.values.schema import load_fields
    from store.errors import StoreUnavailable

    if registry.mirror is not None:
        try:
            registry.mirror.sync()
            publish(registry, registry.pinned(model))
        except StoreUnavailable as fault:  # what was made here, for hours perhaps, is not lost
            return f"{fault.detail} To have it served: fieldwright models promote {model}"
    ref = registry.pinned(model)
    others = [other for other in registry.versions(ref.name) if other.version != ref.version]
    other = next((other for other in others if other.current), others[0] if others else ref)
    has = {spec.name for spec in load_fields(ref.path / FIELDS)}
    lost = ""
    with suppress(InvalidOption):  # of another that is damaged, this one is not to blame
        had = [spec.name for spec in load_fields(other.path / FIELDS)]
        lost = ", ".join(name for name in had if name not in has)
    warning = f"Warning: {ref} has no {lost}, which {other} has.\n" if lost else ""
    if not ref.current:
        return f"{warning}Put it in service: fieldwright models promote {ref}"
    another = f" For another: fieldwright models promote {other}" if others else ""
    return f"{warning}{ref} is in service.{another}"
