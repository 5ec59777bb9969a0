"""Who may do what: API keys with their scopes, and whose job is whose."""

from store.access.keys import OPEN, SCOPES, TOUCH_SECONDS, Key, KeyRing, Keys, Principal
from store.access.ownership import ANY_OWNER, OwnerScope, owned

__all__ = [
    "ANY_OWNER",
    "OPEN",
    "SCOPES",
    "TOUCH_SECONDS",
    "Key",
    "KeyRing",
    "Keys",
    "OwnerScope",
    "Principal",
    "owned",
]
