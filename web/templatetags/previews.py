"""What other programs show of a link to a public page (Open Graph)."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template.context import Context
from django.templatetags.static import static

from web.requests import is_of_public_page

register = template.Library()


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
