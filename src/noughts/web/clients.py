"""Who a client is: the address a connection comes from or, behind a trusted proxy, the one that the proxy names."""

import ipaddress
import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from noughts.errors import NoughtsError, shown

__all__ = ["Proxies", "client_key"]

MOST_FORWARDED = 2_000
"""Bytes of X-Forwarded-For that are read, from its end: what trusted proxies add is there."""

WITH_PORT = re.compile(r"\[([0-9a-f:.]{2,45})\](?::\d{1,5})?|([0-9.]{7,15}):\d{1,5}", re.IGNORECASE)


def client_key(address: str) -> str:
    """Return what all connections of one client have in common: an IPv4 address, or the first 64 bits of an IPv6 one.

    Whoever has one IPv6 address usually has all that begin like it.

    >>> client_key("192.0.2.7"), client_key("::ffff:192.0.2.7"), client_key("2001:db8::1:2%eth0"), client_key("junk")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64', 'junk')
    """
    try:
        found = _address(address)
    except ValueError:
        return address
    return str(found) if found.version == 4 or found.is_loopback else str(IPv6Network((int(found), 64), strict=False))


class Proxies:
    """The proxies that are trusted to say whom they forward a request for."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._networks = tuple(map(_network, given))

    def __contains__(self, address: str) -> bool:
        """Say whether an address is that of a trusted proxy."""
        try:
            found = _address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def client(self, peer: str, forwarded: Iterable[bytes]) -> str:
        """Return the address of the client, given that of the connection and all X-Forwarded-For headers in order.

        Every proxy appends the address that it was asked from. So the client is the last one that is not a trusted
        proxy; what stands before it may be invented. What is no address ends the search at the proxy that passed it on.

        >>> proxies = Proxies(["10.0.0.0/8"])
        >>> proxies.client("10.0.0.1", [b"1.1.1.1, 192.0.2.7, 10.0.0.2"]), proxies.client("192.0.2.9", [b"1.1.1.1"])
        ('192.0.2.7', '192.0.2.9')
        >>> proxies.client("10.0.0.1", [b"192.0.2.7, junk"]), proxies.client("10.0.0.1", [b"192.0.2.7:4711"])
        ('10.0.0.1', '192.0.2.7')
        """
        client = peer
        if client not in self:
            return client
        entries = b",".join(forwarded)[-MOST_FORWARDED:].decode("latin-1").split(",")
        for entry in reversed(entries):
            written = entry.strip()
            with_port = WITH_PORT.fullmatch(written)
            try:
                client = str(_address((with_port[1] or with_port[2]) if with_port else written))
            except ValueError:
                break
            if client not in self:
                break
        return client


def _address(text: str) -> IPv4Address | IPv6Address:
    """Return an address, without its zone; one of IPv4 that is written as one of IPv6 is what it is.

    Raises ValueError for what is no address.
    """
    found = ipaddress.ip_address(text)
    if isinstance(found, IPv4Address):
        return found
    return found.ipv4_mapped or IPv6Address(int(found))


def _network(given: str) -> IPv4Network | IPv6Network:
    try:
        return ipaddress.ip_network(given.strip().strip("[]"))
    except ValueError:
        example = "written like 10.0.0.7, or 10.0.0.0/8 for a network"
        raise NoughtsError(f"{shown(given)} is no address of a proxy; one is {example}") from None
