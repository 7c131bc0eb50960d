"""Write values: hundredths of a point, spreads of ARO, decided points, the start position of a game of Chess960."""

from __future__ import annotations

from decimal import Decimal

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evenboard_engine.chess960 import first_rank
from evenboard_engine.comparing import Spread
from web.words.values import decision_sentence

# Write values that the rules count in hundredths of a point.

register = template.Library()


@register.filter
def hundredths(value: int, decimals: int = 2) -> str:
    """Write hundredths as a number of the reader's language: 185 as 1.85."""
    return str(floatformat(Decimal(value) / 100, decimals))


@register.filter
def signed(value: int) -> str:
    """Write hundredths with a sign and one decimal: +13.0, −2.5, 0.0."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{hundredths(abs(value), 1)}"


# The cells of tables with spreads of ARO.


@register.simple_tag
def spread_text(spread: Spread | None, decimals: int = 0) -> SafeString:
    """Write a spread: the width, ± the standard deviation. A dash where nobody has an ARO, or there is no round."""
    if spread is None or not spread.players:
        return SafeString("–")
    width, deviation = floatformat(spread.width, 0), floatformat(spread.deviation, decimals)
    return format_html('<span class="width">{}</span> <span class="quiet">±{}</span>', width, deviation)


# Points by decision of the arbiter.

register.filter("decision_sentence", decision_sentence)


# The start position of a round of Chess960.

_SIGNS = str.maketrans("KQRBN", "♔♕♖♗♘")


@register.simple_tag
def start_position(number: int) -> SafeString:
    """Return the number of the position, and the pieces of White's first rank from a to h."""
    rank = first_rank(number)
    pieces = format_html('<span aria-hidden="true">{}</span> ({})', rank.translate(_SIGNS), rank)
    text = _("Start position %(number)s: %(pieces)s.") % {"number": number, "pieces": pieces}
    return format_html('<b class="position">{}</b>', SafeString(text))
