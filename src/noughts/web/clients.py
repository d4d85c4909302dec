"""Client addresses: where a connection comes from or, behind a trusted proxy, the address that the proxy reports."""

import ipaddress
import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from noughts.errors import NoughtsError, shown

__all__ = ["Proxies", "client_key"]

MAX_FORWARDED = 2_000
"""Bytes of X-Forwarded-For that are read, counted from its end: trusted proxies append their entries there."""

WITH_PORT = re.compile(r"\[([0-9a-f:.]{2,45})\](?::\d{1,5})?|([0-9.]{7,15}):\d{1,5}", re.IGNORECASE)


def client_key(address: str) -> str:
    """Return the key that all connections of one client share: an IPv4 address, or the first 64 bits of an IPv6 one.

    A client with one IPv6 address usually controls every address with the same first 64 bits.

    >>> client_key("192.0.2.7"), client_key("::ffff:192.0.2.7"), client_key("2001:db8::1:2%eth0"), client_key("junk")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64', 'junk')
    """
    try:
        found = _address(address)
    except ValueError:
        return address
    return str(found) if found.version == 4 or found.is_loopback else str(IPv6Network((int(found), 64), strict=False))


class Proxies:
    """The proxies whose X-Forwarded-For header is trusted."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._networks = tuple(map(_network, given))

    def __contains__(self, address: str) -> bool:
        """Return whether an address belongs to a trusted proxy."""
        try:
            found = _address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def client(self, peer: str, forwarded: Iterable[bytes]) -> str:
        """Return the client's address, given the connection's address and all X-Forwarded-For headers in order.

        Every proxy appends the address from which it received the request. The client is therefore the last address
        that is not a trusted proxy; anything before it may be forged. At an entry that is not an address, the result
        is the proxy that passed it on.

        >>> proxies = Proxies(["10.0.0.0/8"])
        >>> proxies.client("10.0.0.1", [b"1.1.1.1, 192.0.2.7, 10.0.0.2"]), proxies.client("192.0.2.9", [b"1.1.1.1"])
        ('192.0.2.7', '192.0.2.9')
        >>> proxies.client("10.0.0.1", [b"192.0.2.7, junk"]), proxies.client("10.0.0.1", [b"192.0.2.7:4711"])
        ('10.0.0.1', '192.0.2.7')
        """
        client = peer
        if client not in self:
            return client
        entries = b",".join(forwarded)[-MAX_FORWARDED:].decode("latin-1").split(",")
        for entry in reversed(entries):
            text = entry.strip()
            with_port = WITH_PORT.fullmatch(text)
            try:
                client = str(_address((with_port[1] or with_port[2]) if with_port else text))
            except ValueError:
                break
            if client not in self:
                break
        return client


def _address(text: str) -> IPv4Address | IPv6Address:
    """Return an address without its zone; an IPv4 address mapped into IPv6 is returned as IPv4.

    Raises ValueError if the text is not an address.
    """
    found = ipaddress.ip_address(text)
    if isinstance(found, IPv4Address):
        return found
    return found.ipv4_mapped or IPv6Address(int(found))


def _network(given: str) -> IPv4Network | IPv6Network:
    try:
        return ipaddress.ip_network(given.strip().strip("[]"))
    except ValueError:
        raise NoughtsError(
            f"{shown(given)} is not the address of a proxy; write one like 10.0.0.7, or 10.0.0.0/8 for a network"
        ) from None
