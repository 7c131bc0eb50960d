"""What became of those who were absent, as the log and the page after it say."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.queries.log import LogRow
from tournaments.web.words import bye_words

SHOWN_NAMES = 6


def say_settled(
    byes: Sequence[tuple[int | None, str]], withdrawn: Sequence[int | None], names: Sequence[str]
) -> str:
    """Who got which bye, who was withdrawn; "" for nobody. names: of the one, then of the other."""
    groups: dict[str, list[str]] = {}
    said = [(tpn, bye_words(kind)) for tpn, kind in byes] + [(tpn, _("withdrawn")) for tpn in withdrawn]
    for (tpn, word), name in zip(said, names, strict=False):
        groups.setdefault(word, []).append(f"{tpn or ''} {name}".strip())
    return ". ".join(f"{capfirst(word)}: {_few(people)}" for word, people in groups.items())


def say_absences(row: LogRow) -> str:
    """The row of the log of `settle_absences`."""
    after = row.after if isinstance(row.after, dict) else {}
    said = say_settled(after.get("byes", ()), after.get("withdrawn", ()), row.subject.split("; "))
    return _("Round %(round)s, absent. %(what)s") % {"round": row.round_number, "what": said}


def say_all_here(row: LogRow) -> str:
    """The row of the log of `check_in_all`."""
    count = row.after.get("here", 0) if isinstance(row.after, dict) else 0
    sentence = ngettext(
        "Round %(round)s: %(count)s player, not marked before, is here",
        "Round %(round)s: all %(count)s players who were not marked are here",
        count,
    )
    return sentence % {"round": row.round_number, "count": count}


def _few(people: Sequence[str]) -> str:
    more = len(people) - SHOWN_NAMES
    shown = "; ".join(people[:SHOWN_NAMES])
    return shown if more <= 0 else _("%(names)s and %(more)s more") % {"names": shown, "more": more}
