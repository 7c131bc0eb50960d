"""Say by what a section ranks its players, and how complete a list of standings is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.words.catalogue import MORE
from evenboard_engine.words.tiebreaks import TIE_BREAKS, tie_break_name
from tournaments.models import Section
from tournaments.queries.standings import OpenBoard, StandingsState, StandingsTable

# Say how complete a list of standings is.

SHOWN_BOARDS = 8


def standings_heading(table: StandingsTable) -> str:
    """Return the heading of standings in the hall: of which round they are, and how much is missing."""
    state = table.state
    if state.final:
        return _("Final standings")
    missing = _counts(state)
    heading = _kind(table)
    return _("%(heading)s: %(missing)s") % {"heading": heading, "missing": missing} if missing else heading


def _kind(table: StandingsTable) -> str:
    state, number = table.state, {"number": table.after_round}
    if state.spread:
        return _("Provisional standings")
    if state.running:
        if state.ends:
            return _("Standings, round %(number)s, not final") % number
        return _("Provisional standings, round %(number)s") % number
    if state.ends:
        return _("Standings after round %(number)s, not final") % number
    if state.provisional:
        return _("Provisional standings after round %(number)s") % number
    return _("Standings after round %(number)s") % number


def _counts(state: StandingsState) -> str:
    """Return how many results are missing and how many games adjourned, "" for none."""
    found = []
    if state.spread:
        found.append(_("%(played)s of %(count)s games") % {"played": state.played, "count": state.total})
    elif count := len(state.open):
        found.append(
            ngettext("%(count)s result missing", "%(count)s results missing", count) % {"count": count}
        )
    if count := len(state.adjourned):
        found.append(
            ngettext("%(count)s game adjourned", "%(count)s games adjourned", count) % {"count": count}
        )
    return READER.listed(found, "comma")


def completeness_sentence(state: StandingsState) -> str:
    """Return that a list is provisional, or not final after the last round, and what is missing; "" if nothing is."""
    missing = missing_sentence(state)
    if not missing:
        return ""
    return (_("Not final. %(missing)s") if state.ends else _("Provisional. %(missing)s")) % {
        "missing": missing
    }


def missing_sentence(state: StandingsState) -> str:
    """Return the boards without a result and the adjourned games, "" if there are none."""
    notes = []
    if state.spread:
        games = ngettext(
            "%(played)s of %(count)s game has a result.",
            "%(played)s of %(count)s games have a result.",
            state.total,
        )
        notes.append(games % {"played": state.played, "count": state.total})
    elif state.open:
        notes.append(
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
        notes.append(
            ngettext(
                "One adjourned game counts as a draw: %(where)s.",
                "%(count)s adjourned games count as draws: %(where)s.",
                len(state.adjourned),
            )
            % {"count": len(state.adjourned), "where": boards_text(state.adjourned, most=SHOWN_BOARDS)}
        )
    return " ".join(notes)


def boards_text(boards: Sequence[OpenBoard], *, here: int = 0, most: int | None = None) -> str:
    """Return the boards by round. most: how many of them are named, None for all.

    The round is not named if all boards are in the round `here`.
    """
    notes = []
    for number, group in groupby(boards[:most], key=lambda found: found[0]):
        of_round = [str(board) for _round, board in group]
        about = {"round": number, "boards": READER.listed(of_round, "comma")}
        if {found[0] for found in boards} == {here}:
            words = ngettext("board %(boards)s", "boards %(boards)s", len(of_round))
        else:
            words = ngettext(
                "round %(round)s, board %(boards)s", "round %(round)s, boards %(boards)s", len(of_round)
            )
        notes.append(words % about)
    more = len(boards) - most if most else 0
    shown = READER.listed(notes, "semicolon")
    return READER.text_of(MORE, {"items": shown, "more": more}) if more > 0 else shown


# Say by what a section ranks its players.


def order_words(section: Section) -> str:
    """Return what decides the places, in order: points, ARO and pairing number."""
    rules = section.tie_break_list
    return READER.listed([_(TIE_BREAKS["PTS"].inside), *(_inside(rule, section) for rule in rules)])


def _inside(rule: TieBreak, section: Section) -> str:
    if rule.name == "ARO" and "aro" in section.lists and not section.rounds_aro:
        return _("ARO rounded to a whole number")  # the ARO list of this system has fractions
    return tie_break_name(rule, READER, inside=True)
