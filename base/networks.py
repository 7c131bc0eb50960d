"""Whose requests are counted: networks, not addresses.

A home, a phone or a rented server has a whole /64 of IPv6, with more addresses than anybody can count. A limit for one
of them limits nobody. So everything that counts by address asks here.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone


@lru_cache(maxsize=10_000)
def network(address: str) -> str:
    """Return whose address it is: an IPv4 address, the /64 of an IPv6 address, or "" if it is none of them."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{int(found) >> 64:x}"


def address_of(request: HttpRequest) -> str:
    """Return the address from which a request came, for people to read. Never count by it."""
    return str(request.META.get("REMOTE_ADDR", ""))[:60]


def network_of(request: HttpRequest) -> str:
    """Return the network from which a request came, for limits."""
    return network_in(request.META)


def network_in(environ: Mapping[str, Any]) -> str:
    """Return the network in the environment of a request."""
    return network(str(environ.get("REMOTE_ADDR", "")))


def counted(what: str, seconds: int) -> int:
    """Count one more request of a kind in this minute, hour or day. Return how many there were in it.

    Each is counted, also if several processes count at once.
    """
    key = _key(what, seconds)
    while True:
        cache.add(key, 0, timeout=seconds)
        with suppress(ValueError):  # it ran out between the two lines
            return cache.incr(key)


def counted_before(what: str, seconds: int) -> int:
    """Return how many requests of a kind were counted in this minute, hour or day."""
    return int(cache.get(_key(what, seconds), 0))


def seconds_left(seconds: int) -> float:
    """Return when the next minute, hour or day of counting begins."""
    return seconds - timezone.now().timestamp() % seconds


def _key(what: str, seconds: int) -> str:
    return f"counted:{what}:{int(timezone.now().timestamp() // seconds)}"
