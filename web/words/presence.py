"""Who is here, who was absent, and what was done about it: words of pages and of the log."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER, date_format
from base.text import isolated
from evenboard_engine import ByeKind
from evenboard_engine.words.catalogue import FULL_STOP
from tournaments.actions.presence import Overtaken

SHOWN_NAMES = 6
WITHDRAWN = "withdrawn"
SETTLED = {
    ByeKind.ALLOCATED.value: gettext_lazy("Pairing-allocated bye: %(players)s"),
    ByeKind.FULL.value: gettext_lazy("Full-point bye: %(players)s"),
    ByeKind.HALF.value: gettext_lazy("Half-point bye: %(players)s"),
    ByeKind.ZERO.value: gettext_lazy("Zero-point bye: %(players)s"),
    WITHDRAWN: gettext_lazy("Withdrawn: %(players)s"),
}


def settled_sentences(
    byes: Sequence[tuple[int | None, str]], withdrawn: Sequence[int | None], names: Sequence[str]
) -> str:
    """Say who got which bye and who was withdrawn; "" for nobody. names: those with byes, then those withdrawn.

    If there are too few names, the last players are counted without a name.
    """
    groups: dict[str, list[str]] = {}
    settled = [*byes, *((tpn, WITHDRAWN) for tpn in withdrawn)]
    for (tpn, kind), name in zip(settled, chain(names, repeat("")), strict=False):
        groups.setdefault(kind, []).append(f"{tpn or ''} {name}".strip() if name else "")
    *earlier, last = (
        (SETTLED[kind] % {"players": _few(people)} for kind, people in groups.items()) if groups else ("",)
    )
    return " ".join([*(READER.text_of(FULL_STOP, {"sentence": each}) for each in earlier), last])


def overtaken_sentence(later: Overtaken) -> str:
    """Return the message for a person whose mark came after a later one."""
    about = {
        "name": isolated(later.name),
        "by": later.by or _("somebody"),
        "at": date_format(localtime(later.at), "H:i"),
    }
    if later.here:
        return _("%(name)s is still here: %(by)s marked “here” at %(at)s, after your tap.") % about
    return _("%(name)s is still not here: %(by)s marked “not here” at %(at)s, after your tap.") % about


def _few(people: Sequence[str]) -> str:
    named = list(filter(None, people))
    if not named:
        return ngettext("%(count)s player", "%(count)s players", len(people)) % {"count": len(people)}
    return READER.listed([*named, *people[len(named) :]], "semicolon", longest=min(SHOWN_NAMES, len(named)))
