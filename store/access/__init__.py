"""Who may do what: API keys with their scopes, and whose job is whose."""

from store.access.keys import OPEN, TOUCH_SECONDS, Key, KeyRing, Keys, Principal
from store.access.ownership import ANY_OWNER, OwnerScope, owned
from store.access.sessions import SESSION_SECONDS, Sessions

__all__ = [
    "ANY_OWNER",
    "OPEN",
    "SESSION_SECONDS",
    "TOUCH_SECONDS",
    "Key",
    "KeyRing",
    "Keys",
    "OwnerScope",
    "Principal",
    "Sessions",
    "owned",
]
