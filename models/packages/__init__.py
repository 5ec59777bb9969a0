"""Model packages: what lies in one, which versions there are, and which is in service.

What is named here needs no torch. Loading and saving do: see `models.packages.package`.
"""

from models.packages.registry import AUTO, BUNDLED, PackageRef, Registry
from models.packages.releases import earlier, promote, publish, remove, rollback, withhold

__all__ = [
    "AUTO",
    "BUNDLED",
    "PackageRef",
    "Registry",
    "earlier",
    "promote",
    "publish",
    "remove",
    "rollback",
    "withhold",
]
