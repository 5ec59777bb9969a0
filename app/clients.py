"""Who a connection counts as: proxies that are believed, and addresses that are one client."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address

_IPV6_PREFIX = 64  # bits; whoever has one IPv6 address has all of such a network


class Proxies:
    """The proxies in front whose word on the client's address is believed.

    Args:
        listed: addresses and networks, by comma; ``*`` for any, empty for none.

    Raises:
        ValueError: one of them is neither.
    """

    def __init__(self, listed: str) -> None:
        names = [name.strip() for name in listed.split(",") if name.strip()]
        self.any = names == ["*"]
        self._networks = [] if self.any else [ipaddress.ip_network(name) for name in names]

    def __contains__(self, host: str) -> bool:
        """Say whether an address is that of such a proxy."""
        address = address_of(host)
        if address is None:
            return self.any
        return self.any or any(address in network for network in self._networks)


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a text holds, mapped ones as IPv4; None where it holds none."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@lru_cache(maxsize=4096)
def client_of(host: str) -> str:
    """Return the client that an address counts as: IPv4 by itself, IPv6 by its /64."""
    address = address_of(host)
    if isinstance(address, IPv6Address):
        return str(ipaddress.ip_network((address, _IPV6_PREFIX), strict=False))
    return str(address or "")
