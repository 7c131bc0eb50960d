"""From when on a setting stands, as a form says it below the field."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.declarations.sections import Lock, MayDeviate, StandsSince, lock_of
from tournaments.models import Section
from web.words.systems import article_in


def lock_notes(names: Iterable[str], section: Section) -> list[str]:
    """Return the sentences about settings, each once, with the articles of all settings about which it is."""
    locks = [lock for name in names if (lock := lock_of(name, section)) is not None]
    found: dict[str, dict[str, None]] = {}
    fixed = [lock for lock in locks if lock.departure is not MayDeviate.REASON]
    # What never changes does not change in FIDE mode either, so one sentence is about both.
    spoken = next(
        (lock for lock in fixed if lock.departure is MayDeviate.OUTSIDE and section.in_fide_mode), None
    )
    for lock in locks:
        sentence = _sentence(spoken if spoken and lock in fixed else lock, section)
        articles = found.setdefault(sentence, {})
        if lock.article and (article := article_in(section.system, lock.article)):
            articles[article] = None
    return [
        sentence % {"article": "".join(articles).replace(") (", "; ")} for sentence, articles in found.items()
    ]


def _sentence(lock: Lock, section: Section) -> str:
    if lock.departure is MayDeviate.NEVER:
        sentence = _("Fixed settings cannot change once round 1 is paired%(article)s.")
    elif lock.departure is MayDeviate.OUTSIDE and section.in_fide_mode:
        sentence = _("In FIDE mode, fixed settings cannot change once round 1 is paired%(article)s.")
    elif lock.since is StandsSince.PAIRED:
        sentence = _("Once round 1 is paired, a change needs a reason%(article)s.")
    else:
        sentence = _("Once round 1 is published, a change needs a reason%(article)s.")
    return sentence
