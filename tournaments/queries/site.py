"""The logins of the installation with their rights, for site owners."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.db.models import Q

from tournaments.models import SiteLog, User

PAGE_SIZE = 50
SEARCH_LENGTH = 80
LATEST = 30


def logins_page(page: int | str, search: str) -> Page[User]:
    """Return the logins whose user name or full name has all words of the search, by user name. Two queries."""
    logins = User.objects.filter(is_active=True).order_by("username")
    for word in search[:SEARCH_LENGTH].replace("\x00", " ").split():
        named = Q(username__icontains=word) | Q(first_name__icontains=word) | Q(last_name__icontains=word)
        logins = logins.filter(named)
    return Paginator(logins, PAGE_SIZE).get_page(page)


def site_log() -> list[SiteLog]:
    """Return the latest changes of rights and settings, newest first. One query."""
    return list(SiteLog.objects.order_by("-pk")[:LATEST])
