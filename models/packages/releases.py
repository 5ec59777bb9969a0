"""Which version of a model is in service: promote, roll back, withhold, remove. No torch.

A version is put in service by replacing the file `current` of its model, in one rename; the
packages themselves never change. See `models.packages.registry` for the layout on disk.
"""

from __future__ import annotations

import shutil
import uuid

from models.errors import InvalidOption, ModelPackageError
from models.packages.manifest import verify
from models.packages.pointer import POINTER, read_pointer, write_pointer
from models.packages.registry import PackageRef, Registry

_KEPT = 20  # promotions remembered for rollback


def promote(registry: Registry, model: str) -> PackageRef:
    """Put ``NAME@VERSION`` in service under its name and return it.

    Its files are checked first: a damaged package never takes the place of a sound one. Where
    several machines share their models, all of them find it from then on.

    Raises:
        UnknownModel, InvalidOption: as `Registry.pinned`.
        ModelPackageError: a file is missing or altered.
        FieldwrightError: the place that the machines share does not answer; nothing was changed.
    """
    ref = registry.pinned(model)
    try:
        verify(ref.path)
    except (OSError, ValueError) as error:
        raise ModelPackageError(f"The model package {ref} is damaged: {error}.") from error
    history = registry.history(ref.name) or _served_before(registry, ref)
    publish(registry, ref)
    _write(registry, ref.name, [ref.version, *(v for v in history if v != ref.version)])
    return registry.resolve(str(ref))


def _served_before(registry: Registry, ref: PackageRef) -> list[str]:
    """Return what a rollback goes back to from the first promotion: what was served so far.

    A version that is served already, as the newest, hides the one that was before it came.
    """
    others = [other for other in registry.versions(ref.name) if other.version != ref.version]
    if ref.current:
        return [min(others, key=lambda other: other.bundled).version] if others else []
    return [other.version for other in others if other.current]


def earlier(registry: Registry, name: str) -> str | None:
    """Return the version that a rollback would put in service, None where there is none."""
    return next(iter(_promoted(registry, name)[1:]), None)


def rollback(registry: Registry, name: str) -> PackageRef:
    """Put back the version that was in service before the last promotion, and return it.

    Raises:
        UnknownModel: no such name.
        InvalidOption: nothing was promoted before.
    """
    registry.resolve(name)
    history = _promoted(registry, name)
    if len(history) < 2:
        raise InvalidOption(
            f"There is no earlier version of {name} to go back to.",
            advice=f"Choose one with `fieldwright models promote {name}@VERSION`.",
        )
    publish(registry, registry.resolve(f"{name}@{history[1]}"))
    _write(registry, name, history[1:])
    return registry.resolve(name)


def _promoted(registry: Registry, name: str) -> list[str]:
    """Return the versions that were promoted and are still there, the last one first."""
    known = {ref.version for ref in registry.versions(name)}
    return [version for version in registry.history(name) if version in known]


def publish(registry: Registry, ref: PackageRef) -> None:
    """Give a sound package to the other machines, where there are any to share it with.

    Raises:
        InvalidOption: they have another one of that version.
        FieldwrightError: the place that they share does not answer.
    """
    if registry.mirror is not None and not ref.bundled:
        registry.mirror.publish(ref.name, ref.version, ref.path)


def withhold(registry: Registry, name: str) -> None:
    """Have the versions that are added to a model from now on be in service only once promoted.

    What is in service stays so; where nothing is, nothing will be.
    """
    if read_pointer(registry.home / name) is None:
        own = [ref for ref in registry.versions(name) if not ref.bundled]
        _write(registry, name, [ref.version for ref in own if ref.current])


def remove(registry: Registry, model: str) -> PackageRef:
    """Delete ``NAME@VERSION`` from the disk and return what it was.

    A worker that has loaded it keeps using it.

    Raises:
        UnknownModel: no such package.
        InvalidOption: it is bundled, or in service while others could be.
    """
    ref = registry.pinned(model)
    if ref.bundled:
        raise InvalidOption(
            f"{ref} comes with the product and cannot be removed.",
            advice="Name another: `fieldwright models list` marks those that are bundled.",
        )
    others = [other for other in registry.versions(ref.name) if other.version != ref.version]
    if ref.current and others:
        raise InvalidOption(
            f"{ref} is in service.", advice=f"Promote another first, such as {others[0]}."
        )
    if registry.mirror is not None:
        registry.mirror.withdraw(ref.name, ref.version, last=not others)
    # Renamed in one step, so that nobody sees a half-deleted package.
    removed = ref.path.with_name(f".removed-{uuid.uuid4().hex}")
    ref.path.rename(removed)
    shutil.rmtree(removed)
    if not others:
        (ref.path.parent / POINTER).unlink(missing_ok=True)
    return ref


def _write(registry: Registry, name: str, versions: list[str]) -> None:
    """Replace the file `current` of a model, the version in service first."""
    text = "\n".join(versions[:_KEPT]) + "\n"
    if registry.mirror is not None:
        registry.mirror.point(name, text)  # first: what this machine serves, the others find
    write_pointer(registry.home / name, text)
