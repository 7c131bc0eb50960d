"""A public page as an app: the manifest, and the line that says how old a page is that comes without a network."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.context import Context
from django.urls import reverse
from django.utils.translation import get_language

from tournaments.push_messages import public_key
from web.languages import NOTED
from web.requests import is_of_public_page
from web.words.script_counts import script_counts

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

    The button names the next round. After the last one there is none.
    """
    section, number = context.get("section"), context.get("awaited_round")
    if (
        not settings.OFFLINE_PAGES
        or not _shown(context)
        or not section
        or not section.event.public
        or not number
    ):
        return {"app": False}
    request: HttpRequest = context["request"]
    language = request.META.get(NOTED) or get_language()
    key = public_key(settings.PUSH_KEY)
    return {"app": True, "section": section, "number": number, "key": key, "language": language}


def _shown(context: Context) -> bool:
    request: HttpRequest | None = context.get("request")
    person = getattr(request, "user", None)  # a request that was refused before has none
    return (
        request is not None
        and person is not None
        and not person.is_authenticated
        and is_of_public_page(request)
    )
