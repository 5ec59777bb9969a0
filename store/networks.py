"""Which networks and ports this service may send requests to: public ones, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# The registries of special-purpose addresses of IANA, and what wraps an IPv4 address in IPv6: the
# wrapped one would be reached. Written out, as Python's own judgement changes with its version.
_CLOSED_4 = [
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",
        "100.64.0.0/10",  # behind a carrier's translation
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local; the metadata services of clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
]
_OPEN_6 = ip_network("2000::/3")  # all that is global; so not ::1, fc00::/7, fe80::/10, 64:ff9b::
_CLOSED_6 = [
    ip_network(text)
    for text in (
        "2001::/23",  # protocols, among them Teredo, which wraps IPv4
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which wraps IPv4
        "3fff::/20",  # documentation
    )
]


@dataclass(frozen=True, slots=True)
class Policy:
    """What the operator allows.

    Attributes:
        http: plain http, too; otherwise https alone.
        ports: ranges of ports, both ends included.
        allow: networks that are allowed although they are not public.
    """

    http: bool = False
    ports: tuple[tuple[int, int], ...] = ((443, 443),)
    allow: tuple[Network, ...] = ()

    @classmethod
    def of(cls, *, http: bool, ports: str, allow: str) -> Policy:
        """Return the policy that settings spell.

        Args:
            http: allow plain http.
            ports: such as ``443,8000-8999``.
            allow: networks or addresses, such as ``10.1.0.0/16,192.168.4.7``.

        Raises:
            ValueError: one of them cannot be read.
        """
        ranges = []
        for part in _parts(ports):
            first, _, last = part.partition("-")
            low, high = int(first), int(last or first)
            if not 1 <= low <= high <= 65535:
                raise ValueError(f"{part!r} is no range of ports")
            ranges.append((low, high))
        return cls(http, tuple(ranges), tuple(ip_network(part) for part in _parts(allow)))

    def admits_port(self, port: int) -> bool:
        """Return whether requests may go to a port."""
        return any(low <= port <= high for low, high in self.ports)

    def admits(self, text: str) -> bool:
        """Return whether requests may go to an address, written as text."""
        try:
            address: Address = ip_address(text)
        except ValueError:
            return False
        if isinstance(address, IPv6Address):
            if address.scope_id is not None:
                return False
            address = address.ipv4_mapped or address
        if any(address in network for network in self.allow):
            return True
        if isinstance(address, IPv4Address):
            return not any(address in network for network in _CLOSED_4)
        return address in _OPEN_6 and not any(address in network for network in _CLOSED_6)


def _parts(text: str) -> Iterable[str]:
    return filter(None, (part.strip() for part in text.split(",")))
