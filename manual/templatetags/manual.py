"""The link Help: from a page to the place of the manual that explains it."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template.context import Context
from django.urls import reverse

from manual.book import book
from manual.places import PLACES

register = template.Library()


@register.simple_tag(takes_context=True)
def help_address(context: Context) -> str:
    """Return the place of the manual for the page of this request; its contents for a page without a name."""
    request: HttpRequest | None = context.get("request")
    match = request.resolver_match if request is not None else None
    anchor = PLACES.get(match.url_name or "") if match else None
    if anchor is None:
        return reverse("manual")
    return f"{reverse('manual-chapter', args=[book().chapter_of[anchor]])}#{anchor}"
