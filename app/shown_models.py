"""The models that a key may see and use: those in service serve all, the others their owner."""

from __future__ import annotations

from models.packages import PackageRef, Registry
from store.access import ANY_OWNER, OwnerScope
from store.trainings import Trainings


class ShownModels(Registry):
    """The packages of an installation without those that are another key's until it promotes them.

    That is a version which was trained on a dataset of this service and never put in service.
    Versions that the operator trained or brought along are nobody's, and shown to all.

    Args:
        registry: all packages.
        trainings: know whose the models are.
        scope: of the caller; administrators see all.
    """

    def __init__(self, registry: Registry, trainings: Trainings, scope: OwnerScope) -> None:
        super().__init__(registry.home, default=registry.default, bundled=registry.bundled)
        self.mirror = registry.mirror
        self._trainings = trainings
        self._scope = scope

    def versions(self, name: str) -> list[PackageRef]:
        """Return the packages of one name that are shown, as `Registry.versions`."""
        found = super().versions(name)
        if self._scope is ANY_OWNER or not found:  # none: what is no name leads to no file
            return found
        promoted = self.history(name)
        withheld = {
            ref.version
            for ref in found
            if not (ref.current or ref.bundled or ref.version in promoted)
            and str(ref) != self.default
        }
        owners = self._trainings.owners(name, withheld) if withheld else set()
        if not owners or self._scope in owners:
            return found
        return [ref for ref in found if ref.version not in withheld]
