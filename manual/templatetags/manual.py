"""The links Help: from a page, a question or a refusal to the place of the manual that explains it."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

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
    return address_of(anchor)


@register.simple_tag
def help_link(anchor: str) -> SafeString:
    """Write a link to a place of the manual, which opens in a tab of its own: what is typed in this page stays."""
    return format_html(
        '<a class="small" href="{}" target="manual">{}<span class="sr"> {}</span></a>',
        address_of(anchor),
        _("Help"),
        _("(opens another tab)"),
    )


def address_of(anchor: str) -> str:
    """Return the address of a place of the manual."""
    return f"{reverse('manual-chapter', args=[book().chapter_of[anchor]])}#{anchor}"
