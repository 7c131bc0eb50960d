"""The choice of the language at the foot of a page, and the links by which search engines find the other languages."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.context import Context

from manual.templatetags.manual import help_address
from web.languages import choices, for_any_reader
from web.requests import is_of_public_page

register = template.Library()


@register.inclusion_tag("components/languages.html", takes_context=True)
def languages(context: Context) -> dict[str, Any]:
    """Draw a link to this page in each language, and the hidden button for large print, which its script shows.
    They are for strangers, and for all on public pages.
    """
    request = _asked_by_visitor(context)
    return {"choices": choices(request) if request else [], "visitor": request is not None}


@register.inclusion_tag("components/kept_link.html", takes_context=True)
def kept_link(context: Context) -> dict[str, Any]:
    """Draw links to the manual and to the page that says what is kept about people, on the same pages."""
    event = context.get("event")
    shown = _asked_by_visitor(context) is not None
    return {
        "shown": shown,
        "slug": getattr(event, "slug", ""),
        "help": help_address(context) if shown else "",
    }


@register.inclusion_tag("components/alternates.html", takes_context=True)
def alternates(context: Context) -> dict[str, Any]:
    """Name this page in each language, if it is a public page."""
    request: HttpRequest | None = context.get("request")
    found = choices(request) if request is not None and is_of_public_page(request) else []
    if not found:
        return {"choices": []}
    return {"choices": found, "site": settings.PUBLIC_URL, "plain": for_any_reader(found[0].url)}


def _asked_by_visitor(context: Context) -> HttpRequest | None:
    """Return the request for a public page, or one of a stranger; None for others."""
    request: HttpRequest | None = context.get("request")
    person = getattr(request, "user", None)  # a request that was refused before has none
    if request is None or person is None or (person.is_authenticated and not is_of_public_page(request)):
        return None
    return request
