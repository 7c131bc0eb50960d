"""The start position of a round of Chess960."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evenboard_engine.chess960 import first_rank

register = template.Library()
_SIGNS = str.maketrans("KQRBN", "♔♕♖♗♘")


@register.simple_tag
def start_position(number: int) -> SafeString:
    """Return the number of the position, and the pieces of White's first rank from a to h."""
    rank = first_rank(number)
    pieces = format_html('<span aria-hidden="true">{}</span> ({})', rank.translate(_SIGNS), rank)
    text = _("Start position %(number)s: %(pieces)s.") % {"number": number, "pieces": pieces}
    return format_html('<b class="position">{}</b>', SafeString(text))
