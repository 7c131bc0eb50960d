"""Say how complete a list of standings is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.queries.standings import Board, State

SHOWN_BOARDS = 8


def completeness_sentence(state: State) -> str:
    """Return whether a list after the last round is not final, and what is missing; "" if nothing is."""
    missing = missing_sentence(state)
    return _("Not final. %(missing)s") % {"missing": missing} if missing and state.ends else missing


def missing_sentence(state: State) -> str:
    """Return the boards without a result and the adjourned games, "" if there are none."""
    said = []
    if state.spread:
        games = ngettext(
            "%(played)s of %(count)s game has a result.",
            "%(played)s of %(count)s games have a result.",
            state.total,
        )
        said.append(games % {"played": state.played, "count": state.total})
    elif state.open:
        said.append(
            ngettext(
                "One result is missing: %(where)s.",
                "%(count)s results are missing: %(where)s.",
                len(state.open),
            )
            % {
                "count": len(state.open),
                "where": boards_text(state.open, here=state.after_round, most=SHOWN_BOARDS),
            }
        )
    if state.adjourned:
        said.append(
            ngettext(
                "One adjourned game counts as a draw: %(where)s.",
                "%(count)s adjourned games count as draws: %(where)s.",
                len(state.adjourned),
            )
            % {"count": len(state.adjourned), "where": boards_text(state.adjourned, most=SHOWN_BOARDS)}
        )
    return " ".join(said)


def boards_text(boards: Sequence[Board], *, here: int = 0, most: int | None = None) -> str:
    """Return the boards by round. most: how many of them are named, None for all.

    The round is not named if all boards are in the round `here`.
    """
    said = []
    for number, group in groupby(boards[:most], key=lambda found: found[0]):
        of_round = [str(board) for _round, board in group]
        about = {"round": number, "boards": ", ".join(of_round)}
        if {found[0] for found in boards} == {here}:
            words = ngettext("board %(boards)s", "boards %(boards)s", len(of_round))
        else:
            words = ngettext(
                "round %(round)s, board %(boards)s", "round %(round)s, boards %(boards)s", len(of_round)
            )
        said.append(words % about)
    more = len(boards) - most if most else 0
    shown = "; ".join(said)
    return _("%(boards)s and %(count)s more") % {"boards": shown, "count": more} if more > 0 else shown
