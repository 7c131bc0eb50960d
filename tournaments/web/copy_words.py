"""Words for the occasion of a copy."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.actions.backups import StoredCopy


def say_occasion(copy: StoredCopy) -> str:
    if copy.occasion == "restore":
        return _("before going back")
    if copy.occasion == "asked":
        return _("by hand")
    return _("round %(round)s published") % {"round": copy.round_number}
