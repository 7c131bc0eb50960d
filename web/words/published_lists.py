"""Sentences about lists that are published after each round: when, by whom, what changed, what they wait for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER, date_format
from base.text import isolated
from tournaments.models import PublishedList
from tournaments.queries.published_lists import ListAwaits, ShownList
from web.words.values import name_words

MOST_NAMES = 8


def when(published: PublishedList) -> str:
    return date_format(localtime(published.made_at), "j M H:i")


def published_sentence(published: PublishedList) -> str:
    """Say when a list was published and by whom, and that a later list of the same round is a corrected one."""
    about = {
        "at": when(published),
        "who": name_words(published.who),
    }
    if published.edition == 1 and published.by_itself:
        return _("Published automatically on %(at)s.") % about
    if published.edition == 1:
        return _("Published %(at)s by %(who)s.") % about
    if published.by_itself:
        return _("Corrected list of %(at)s, published automatically.") % about
    return _("Corrected list of %(at)s, published by %(who)s.") % about


def waiting_sentence(shown: ShownList) -> str:
    """Say what the list that comes next waits for; "" if none comes."""
    about = {"round": shown.awaited_round - 1}
    match shown.waits:
        case ListAwaits.RESULTS:
            return (
                _("The list after round %(round)s comes when the last result of round %(round)s is in.")
                % about
            )
        case ListAwaits.READING:
            return (
                _(
                    "The list after round %(round)s waits for the arbiters: two results were read for one game."
                )
                % about
            )
        case ListAwaits.ARBITER:
            return _("The list after round %(round)s comes when the arbiters publish it.") % about
        case None:
            return ""


def withdrawn_sentence(shown: ShownList) -> str:
    """Say that the list of this round was withdrawn; "" if it stands."""
    found = shown.withdrawn
    if found is None or found.withdrawn_at is None:
        return ""
    at = date_format(localtime(found.withdrawn_at), "j M H:i")
    return _(
        "The list after round %(round)s was withdrawn %(at)s, because results were changed or removed."
    ) % {
        "round": found.after_round,
        "at": at,
    }


def notes(shown: ShownList) -> list[str]:
    """Return what a reader must know about the list that is shown, gravest first."""
    found = []
    if shown.corrected is not None:
        found.append(_("This is an earlier edition. A later one has replaced it."))
    if shown.withdrawn is not None:
        found.append(withdrawn_sentence(shown))
    if shown.outdated:
        found.append(
            _(
                "Something has changed since this list was published. The arbiters have not published a new one yet."
            )
        )
    if shown.missed:
        found.append(
            _("No list was published after this round. The program made this one from the current results.")
        )
    return found


class RankedRow(Protocol):
    @property
    def participant_id(self) -> int: ...
    @property
    def tpn(self) -> int | None: ...
    @property
    def name(self) -> str: ...


def changes_sentences(rows: Iterable[RankedRow], former: Mapping[int, RankedRow]) -> list[str]:
    """Say whose rows a new edition changes, and who is no longer in it. former: the rows of the edition before."""
    if not former:
        return []
    rows = list(rows)
    now = {row.participant_id for row in rows}
    changed = [row for row in rows if former.get(row.participant_id) != row]
    gone = [row for key, row in former.items() if key not in now]
    found = []
    if changed:
        text = ngettext(
            "This edition changes the row of %(count)s player: %(names)s. Old values are crossed out.",
            "This edition changes the rows of %(count)s players: %(names)s. Old values are crossed out.",
            len(changed),
        )
        found.append(text % {"count": len(changed), "names": _names(changed)})
    if gone:
        text = ngettext(
            "%(count)s player is no longer in the list: %(names)s.",
            "%(count)s players are no longer in the list: %(names)s.",
            len(gone),
        )
        found.append(text % {"count": len(gone), "names": _names(gone)})
    return found


def _names(rows: list[RankedRow]) -> str:
    names = [f"{row.tpn or ''} {isolated(row.name)}".strip() for row in rows]
    return READER.listed(names, "semicolon", longest=MOST_NAMES)
