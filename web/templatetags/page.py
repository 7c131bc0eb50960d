"""The head and the foot of a page: the app and its notices, what other programs show of a link, the languages."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.context import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language

from evenboard_engine import PROGRAM
from manual.templatetags.manual import help_address
from tournaments.models.spare import guard
from tournaments.push_messages import public_key
from tournaments.queries.log import can_still_undo
from tournaments.rights import Right
from web.context import UNDO_OFFERS, Tab, event_tabs, server_tabs
from web.languages import NOTED, choices, for_any_reader
from web.requests import is_of_public_page
from web.words.script_counts import script_counts

# A public page as an app: the manifest, and the line that says how old a page is that comes without a
# network.

register = template.Library()
WORKER = "/worker.js"  # without a language: there is one worker for all pages


@register.inclusion_tag("components/app_head.html", takes_context=True)
def app_head(context: Context) -> dict[str, Any]:
    """Name the script, and the manifest if this is a page of a public event. Logged in, a person gets neither."""
    event = context.get("event")
    public = event is not None and getattr(event, "public", False)
    return {"app": _shown(context), "slug": event.slug if event is not None and public else ""}


@register.inclusion_tag("components/kept.html", takes_context=True)
def kept(context: Context) -> dict[str, Any]:
    """Draw the hidden line about the age of the page."""
    if not _shown(context):
        return {"app": False}
    worker = WORKER if settings.OFFLINE_PAGES else ""
    return {"app": True, "worker": worker, "counts": script_counts("kept")}


@register.inclusion_tag("components/install.html", takes_context=True)
def install(context: Context) -> dict[str, Any]:
    """Draw the hidden button that installs the event as an app. The script shows it where the browser offers this."""
    event = context.get("event")
    if event is None or not getattr(event, "public", False) or not _shown(context):
        return {"app": False}
    return {"app": True, "start": reverse("tournaments:event", args=[event.slug])}


@register.inclusion_tag("components/notices.html", takes_context=True)
def notices(context: Context) -> dict[str, Any]:
    """Draw the hidden buttons for notices of published rounds. The script shows them where the browser has notices.

    The button names the next round. After the last one there is none, and in an archived event none is published.
    """
    section, number = context.get("section"), context.get("awaited_round")
    if (
        not settings.OFFLINE_PAGES
        or not _shown(context)
        or not section
        or not section.event.public
        or section.event.is_archived
        or not number
    ):
        return {"app": False}
    request: HttpRequest = context["request"]
    language = request.META.get(NOTED) or get_language()
    key = public_key(settings.PUSH_KEY)
    return {"app": True, "section": section, "number": number, "key": key, "language": language}


@register.simple_tag
def program() -> str:
    """Return the name and the version of the program, for the foot of a page."""
    return PROGRAM


@register.simple_tag
def accepts_no_changes() -> bool:
    """Return whether this machine does not write, because another one has taken over or may have."""
    return bool(guard.refused)


def _shown(context: Context) -> bool:
    request: HttpRequest | None = context.get("request")
    person = getattr(request, "user", None)  # a request that was refused before has none
    return (
        request is not None
        and person is not None
        and not person.is_authenticated
        and is_of_public_page(request)
    )


# What other programs show of a link to a public page (Open Graph).


@register.inclusion_tag("components/preview.html", takes_context=True)
def preview(context: Context) -> dict[str, Any]:
    """Name the event and the section, if this is a public page of them. No player is named.

    The image needs a whole address, which is known where PUBLIC_URL is set.
    """
    request, event = context.get("request"), context.get("event")
    if request is None or event is None or not is_of_public_page(request):
        return {"event": None}
    image = static("img/preview.png")
    return {
        "event": event,
        "section": context.get("section"),
        "address": f"{settings.PUBLIC_URL}{request.path}" if settings.PUBLIC_URL else "",
        "image": f"{settings.PUBLIC_URL}{image}" if settings.PUBLIC_URL else "",
    }


# The tabs of a page that belongs to no section.


@register.simple_tag(takes_context=True)
def page_tabs(context: Context) -> list[Tab]:
    """Return the tabs of the event of this page, or of the server; none for people who are not logged in.

    One query on a page of an event, for people who do not manage it: whether it takes registrations.
    """
    request: HttpRequest | None = context.get("request")
    person, match = getattr(request, "user", None), getattr(request, "resolver_match", None)
    if person is None or not person.is_authenticated or match is None:
        return []
    event = context.get("event")
    rights = context.get("held_rights") or getattr(request, "rights", None)
    if event is None or rights is None:
        return server_tabs(person, match.url_name or "")
    manages = Right.MANAGE in rights
    here = match.view_name.removeprefix("tournaments:")
    asks = not manages and not context.get("section")
    registers = asks and (here.startswith("registrations:") or hasattr(event, "registration"))
    return event_tabs(event, rights, here, registers=registers)


# The choice of the language at the foot of a page, and the links by which search engines find the other
# languages.


@register.inclusion_tag("components/languages.html", takes_context=True)
def languages(context: Context) -> dict[str, Any]:
    """Draw a link to this page in each language, and the hidden button for large print, which its script shows.
    They are for strangers. Those who are logged in have both in their menu.
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
    """Return the request of somebody who is not logged in; None for others."""
    request: HttpRequest | None = context.get("request")
    person = getattr(request, "user", None)  # a request that was refused before has none
    if request is None or person is None or person.is_authenticated:
        return None
    return request


# What the person has just done here, and can undo.

OWN_UNDO = ("enter-results", "by-hand")
"""Pages on which the key u undoes something else."""


@register.simple_tag(takes_context=True)
def undo_offer(context: Context) -> dict[str, Any] | None:
    """Return the offer to undo for the section of this page, or the newest one in the event, None if there is none.

    At most one query: none while nothing was done in the section since.
    """
    request: HttpRequest | None = context.get("request")
    person, event, section = getattr(request, "user", None), context.get("event"), context.get("section")
    if request is None or person is None or not person.is_authenticated or event is None:
        return None
    kept: dict[str, dict[str, Any]] = request.session.get(UNDO_OFFERS, {})
    of_event = [key for key, each in kept.items() if each["event"] == event.slug]
    key = str(section.pk) if section else "".join(of_event[-1:])
    offer = kept.get(key)
    if offer is None or not context.get("is_staff_here", True):
        return None
    as_then = section is not None and section.revision == offer["steps"][-1]
    if not as_then and not can_still_undo(person, int(key), offer["steps"]):
        return None
    match = request.resolver_match
    return {**offer, "key": section is not None and match is not None and match.url_name not in OWN_UNDO}
