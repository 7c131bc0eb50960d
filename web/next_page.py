"""The page to which a form leads, as the browser sent it."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.utils.http import url_has_allowed_host_and_scheme


def own_page(address: str, otherwise: str, *, never: str = "") -> str:
    """Return the address if it is a path on this server, with or without a query; else `otherwise`.

    never: a path that must not lead to itself.
    """
    own = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if own and urlsplit(address).path != never else otherwise
