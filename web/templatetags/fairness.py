"""The cells of tables with spreads of ARO."""

from __future__ import annotations

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evenboard_engine.comparing import Spread

register = template.Library()


@register.simple_tag
def spread_text(spread: Spread | None, decimals: int = 0) -> SafeString:
    """Write a spread: the width, ± the standard deviation. A dash where nobody has an ARO, or there is no round."""
    if spread is None or not spread.players:
        return SafeString("–")
    width, deviation = floatformat(spread.width, 0), floatformat(spread.deviation, decimals)
    return format_html('<span class="width">{}</span> <span class="quiet">±{}</span>', width, deviation)
