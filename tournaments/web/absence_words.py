"""Who is here, who was absent, and what was done about it: sentences of the log and of pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.actions.presence import Overtaken
from tournaments.queries.log import LogRow
from tournaments.web.words import bye_words

SHOWN_NAMES = 6
HERE_WITH_BYE = gettext_lazy("Round %(round)s: %(subject)s is here, but has a %(bye)s in this round.")
LATE_HERE = gettext_lazy(
    "Round %(round)s: %(subject)s is still not here. A phone without a connection marked “here” at %(at)s, but %(by)s"
    " marked “not here” later."
)
LATE_AWAY = gettext_lazy(
    "Round %(round)s: %(subject)s is still here. A phone without a connection marked “not here” at %(at)s, but %(by)s"
    " marked “here” later."
)
NOW_HERE = gettext_lazy(
    "Round %(round)s: %(subject)s is here. A phone without a connection marked “here” at %(at)s, after %(by)s had"
    " marked “not here”."
)
NOW_AWAY = gettext_lazy(
    "Round %(round)s: %(subject)s is not here. A phone without a connection marked “not here” at %(at)s, after %(by)s"
    " had marked “here”."
)


def say_settled(
    byes: Sequence[tuple[int | None, str]], withdrawn: Sequence[int | None], names: Sequence[str]
) -> str:
    """Say who got which bye and who was withdrawn; "" for nobody. names: those with byes, then those withdrawn.

    If there are too few names, the last players are counted without a name.
    """
    groups: dict[str, list[str]] = {}
    said = [(tpn, bye_words(kind)) for tpn, kind in byes] + [(tpn, _("withdrawn")) for tpn in withdrawn]
    for (tpn, word), name in zip_longest(said, names[: len(said)], fillvalue=""):
        groups.setdefault(word, []).append(f"{tpn or ''} {name}".strip() if name else "")
    return ". ".join(f"{capfirst(word)}: {_few(people)}" for word, people in groups.items())


def say_absences(row: LogRow) -> str:
    """Say a row of the log of `settle_absences`."""
    after = row.after if isinstance(row.after, dict) else {}
    byes, withdrawn, names = after.get("byes", ()), after.get("withdrawn", ()), row.subject.split("; ")
    if len(names) < len(byes) + len(withdrawn):  # the log cuts a long subject, perhaps inside the last name
        names.pop()
    said = say_settled(byes, withdrawn, names)
    return _("Round %(round)s, absences decided. %(what)s") % {"round": row.round_number, "what": said}


def say_all_here(row: LogRow) -> str:
    """Say a row of the log of `check_in_all`."""
    count = int(row.after.get("here", 0)) if isinstance(row.after, dict) else 0
    if count == 2:
        return _("Round %(round)s: both players who were not marked are here") % {"round": row.round_number}
    sentence = ngettext(
        "Round %(round)s: the one player who was not marked is here",
        "Round %(round)s: all %(count)s players who were not marked are here",
        count,
    )
    return sentence % {"round": row.round_number, "count": count}


def say_overtaken(later: Overtaken) -> str:
    """Return the message for a person whose mark came after a later one."""
    about = {
        "name": later.name,
        "by": later.by or _("somebody"),
        "at": date_format(localtime(later.at), "H:i"),
    }
    if later.here:
        return _("%(name)s is still here: %(by)s marked “here” at %(at)s, after your tap.") % about
    return _("%(name)s is still not here: %(by)s marked “not here” at %(at)s, after your tap.") % about


def say_late(row: LogRow) -> str:
    """The row of the log of a mark that a phone made without a connection and sent later."""
    after = row.after if isinstance(row.after, dict) else {}
    made = after.get("made") or after.get("at")
    about = {
        "round": row.round_number,
        "subject": row.subject,
        "at": date_format(localtime(datetime.fromisoformat(made)), "H:i") if made else "",
        "by": after.get("by") or after.get("instead_of") or _("somebody"),
    }
    if after.get("bye"):
        return HERE_WITH_BYE % {**about, "bye": bye_words(after["bye"])}
    match after.get("late"), after.get("here"):
        case True, _here:
            return LATE_HERE % about
        case False, _here:
            return LATE_AWAY % about
        case _late, True:
            return NOW_HERE % about
        case _:
            return NOW_AWAY % about


def _few(people: Sequence[str]) -> str:
    shown = [person for person in people[:SHOWN_NAMES] if person]
    more = len(people) - len(shown)
    if not shown:
        return ngettext("%(count)s player", "%(count)s players", more) % {"count": more}
    names = "; ".join(shown)
    return names if not more else _("%(names)s and %(more)s more") % {"names": names, "more": more}
