"""Why a cell is refused, for rules that the forms of players have too: these sentences are in every public language."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

TYPED = {
    "cell_too_long": ngettext_lazy(
        "%(column)s is longer than %(limit)s character. Shorten it.",
        "%(column)s is longer than %(limit)s characters. Shorten it.",
        "limit",
    ),
    "not_a_name": _("%(column)s “%(value)s” is not a name. Correct it."),
    "federation": _(
        "%(column)s “%(value)s” is not a FIDE code. Use the code of FIDE, such as NED, or leave it empty."
    ),
    "federation_hint": _("%(column)s “%(value)s” is not a FIDE code. Use %(hint)s."),
    "federation_guess": _("%(column)s “%(value)s” is not a FIDE code. Is it %(hint)s?"),
}
