"""What a new rating list says otherwise about a registration, in sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _

from registrations.queries.list_news import Effect
from registrations.web.forms.money import amount
from web.words.refusals.registrations import limits_text


def effect_words(effect: Effect, currency: str) -> list[str]:
    """Return what a new rating list says otherwise about a registration, and what would follow, in sentences."""
    found = []
    if not effect.is_rated:
        found.append(_("The rating list no longer rates this player."))
    elif effect.rating != effect.former_rating:
        words = {"list": effect.label, "rating": effect.rating}
        found.append(_("Rating in the list %(list)s: %(rating)s.") % words)
    if effect.title != effect.former_title:
        found.append(_("Title in the list: %(title)s.") % {"title": effect.title})
    if effect.missed:
        reasons = limits_text(effect.missed)
        found.append(_("With it, the limits of the section are not met: %(reasons)s.") % {"reasons": reasons})
    if effect.met:
        reasons = limits_text(effect.met)
        found.append(
            _("With the data of the list, this no longer applies: %(reasons)s.") % {"reasons": reasons}
        )
    if effect.fee != effect.former_fee:
        words = {"fee": amount(effect.fee), "former": amount(effect.former_fee), "currency": currency}
        found.append(_("The fee would be %(fee)s %(currency)s instead of %(former)s.") % words)
    return found
