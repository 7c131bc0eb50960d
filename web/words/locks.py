"""From when on a setting stands, as a form says it below the field."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.declarations.sections import MayDeviate, StandsSince, lock_of
from tournaments.models import Section
from web.words.systems import article_in


def lock_note(name: str, section: Section) -> str:
    """Return the sentence about a setting of a section; "" for one that never stands."""
    lock = lock_of(name, section)
    if lock is None:
        return ""
    if lock.departure is MayDeviate.NEVER:
        sentence = _("It cannot change once round 1 is paired%(article)s.")
    elif lock.departure is MayDeviate.OUTSIDE and section.in_fide_mode:
        sentence = _("In FIDE mode it cannot change once round 1 is paired%(article)s.")
    elif lock.since is StandsSince.PAIRED:
        sentence = _("Once round 1 is paired, a change needs a reason%(article)s.")
    else:
        sentence = _("Once round 1 is published, a change needs a reason%(article)s.")
    return sentence % {"article": article_in(section.system, lock.article) if lock.article else ""}
