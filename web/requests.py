"""What a request of our pages has beyond Django's, what all middleware has, and the page to which a form leads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeGuard
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

    from tournaments.models import User
    from tournaments.models.events import OwnBoards
    from tournaments.rights import Right


class Middleware:
    """What comes before the pages. `__call__` answers a request, mostly with what `get_response` answers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response


# What a request of our pages has beyond Django's. These classes are for annotations; the server makes none of
# them.


class PageRequest(HttpRequest):
    """A request after all middleware; anybody may have sent it."""

    htmx: HtmxDetails


class PersonRequest(PageRequest):
    """A request of a person who is logged in, as a page behind a login gets it (views/staff/access.py).

    rights: what the person may do in the event or the section of the page. boards: whose results the person enters
    there, None for all. only_looks: the person may look at this
    page, and not use its forms; missing if the person may use them. open_registration: the key of the one that the
    person works on, None for none; missing on pages without registrations.
    """

    user: User
    rights: frozenset[Right]
    boards: OwnBoards
    only_looks: bool
    open_registration: int | None


def is_of_person(request: HttpRequest) -> TypeGuard[PersonRequest]:
    """Return whether the person who sent the request is logged in."""
    return request.user.is_authenticated


def is_of_public_page(request: HttpRequest) -> bool:
    """Return whether the request is for a page that is the same for all visitors."""
    match = request.resolver_match
    return match is not None and hasattr(match.func, "public_page")


# The page to which a form leads, as the browser sent it.


def own_page(address: str, otherwise: str, *, never: str = "") -> str:
    """Return the address if it is a path on this server, with or without a query; else `otherwise`.

    never: a path that must not lead to itself.
    """
    own = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if own and urlsplit(address).path != never else otherwise
