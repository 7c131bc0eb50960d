"""Statistics, changes of ratings and title norms as tables for spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from evenboard_engine.regulations.norms import ARTICLES, Code
from tournaments.models import Section
from tournaments.queries.certificates import certificates
from tournaments.queries.statistics import RoundCount, norms, rating_changes, statistics

from .lists import last_line, points
from .table_files import Cell, Write, csv_file, figure

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

_CONDITIONS: dict[Code, StrPromise] = {
    Code.GAMES: gettext_lazy("Games"),
    Code.SCORE: gettext_lazy("Score"),
    Code.FEDERATIONS: gettext_lazy("Foreign federations"),
    Code.OWN: gettext_lazy("Own federation"),
    Code.ONE: gettext_lazy("Largest federation"),
    Code.TITLED: gettext_lazy("Titled opponents"),
    Code.TITLES: gettext_lazy("Title of the norm or higher"),
    Code.AVERAGE: gettext_lazy("Average rating"),
    Code.PERFORMANCE: gettext_lazy("Performance"),
}


def condition_label(code: Code) -> str:
    """Return the name of a condition with its article."""
    return _("%(condition)s (%(article)s)") % {"condition": _CONDITIONS[code], "article": ARTICLES[code]}


def statistics_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the results of each round, and of all rounds in the last row."""
    found = statistics(section)
    head = [
        _("Round"),
        _("Games"),
        pgettext("statistics", "White wins"),
        _("Draws"),
        pgettext("statistics", "Black wins"),
        _("Other"),
        _("White scored (%)"),
        _("Forfeits"),
        _("Byes"),
        pgettext("statistics", "Open"),
    ]
    rows = [_round(one, one.number) for one in found.rounds]
    return write(head, [*rows, _round(found.total, _("all")), *last_line(found.state)])


def _round(one: RoundCount, name: Cell) -> Sequence[Cell]:
    results = (one.played, one.white, one.draws, one.black, one.other, one.white_share)
    return (name, *results, one.forfeits, one.all_byes, one.open)


def differences_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the results by the difference of the ratings, for the higher rated player."""
    found = statistics(section)
    head = [
        _("Difference from"),
        _("Difference to"),
        _("Games"),
        _("Wins"),
        _("Draws"),
        _("Losses"),
        _("Scored (%)"),
        _("Expected (%)"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            each.least,
            each.most,
            each.games,
            each.wins,
            each.draws,
            each.losses,
            each.scored_share,
            each.expected_share,
        )
        for each in found.classes
    ]
    return write(head, [*rows, *last_line(found.state)])


def federations_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the federations and then the titles, with the number of players and their average rating."""
    found = statistics(section)
    head = [_("Kind"), _("Code"), _("Players"), _("Average rating")]
    groups = [(_("federation"), each) for each in found.federations] + [
        (_("title"), each) for each in found.titles
    ]
    rows = [
        (kind, each.code or pgettext("federation or title", "none"), each.players, each.average or None)
        for kind, each in groups
    ]
    return write(head, rows)


def rating_changes_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the estimated changes: of rated players, then the first ratings of the others. For arbiters only: K says
    how old a player is.
    """
    found = rating_changes(section)
    head = [
        _("No"),
        _("Name"),
        _("Title"),
        _("Federation"),
        _("Rating"),
        _("Games"),
        _("Opponents"),
        _("Points"),
        _("Expected"),
        _("K"),
        _("K from the list"),
        pgettext("rating", "Change"),
        _("New rating"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            *(row.side.tpn, row.side.name, row.side.title, row.side.federation, row.rating, row.games),
            *(row.opponents or None, points(row.scored // 10), _hundredths(row.expected), row.k),
            *(_("yes") if row.listed else _("no"), _hundredths(row.change), row.new),
        )
        for row in found.rated
    ]
    rows += [
        (
            *(row.side.tpn, row.side.name, row.side.title, row.side.federation, None, row.first.games),
            *(row.first.average or None, points(row.first.scored // 10), None, None, "", None),
            row.first.rating or None,
        )
        for row in found.first
    ]
    return write(
        head, [*rows, (_("An estimate: FIDE computes the ratings from all tournaments of a month"),)]
    )


def norms_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return every norm that is open to a player, with the value and the bound of each condition."""
    head = [
        _("No"),
        _("Name"),
        _("Title"),
        _("Federation"),
        _("Norm"),
        pgettext("condition", "Met"),
        _("Points"),
        _("Games"),
    ]
    for code in Code:
        head += [condition_label(code), _("bound"), pgettext("condition", "met")]
    rows: list[Sequence[Cell]] = []
    for row in norms(section).rows:
        side, check = row.side, row.check
        cells: list[Cell] = [side.tpn, side.name, side.title, side.federation, check.norm.title]
        cells += [_("yes") if check.met else _("no"), points(5 * row.half_wins), row.games]
        for condition in check.conditions:
            cells += [condition.value, condition.bound, _("yes") if condition.met else _("no")]
        rows.append(cells)
    return write(head, [*rows, (_("A help and not a decision: not all conditions of B.01 are checked"),)])


def certificates_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the games of all certificates of title norms (IT1), a row each, beside what the form says of the norm."""
    head = [
        *(_("Norm"), _("Name"), _("FIDE ID"), _("Federation"), _("Born"), _("Round"), _("Opponent")),
        *(_("FIDE ID of the opponent"), _("Federation of the opponent"), _("Title of the opponent")),
        *(_("Rating"), _("Counted rating"), _("Points"), _("Average rating"), _("Points required")),
        _("Points achieved"),
    ]
    rows: list[Sequence[Cell]] = []
    for one in certificates(section).rows:
        player = one.entry.player
        for game in one.games:
            other = game.opponent.player
            cells: list[Cell] = [one.norm.title, player.report_name, player.fide_id, player.federation]
            cells += [player.birth_date, game.round, other.report_name, other.fide_id, other.federation]
            cells += [other.title, game.rating or None, game.counted, points(game.points)]
            rows.append([*cells, one.average, points(one.points_required), points(one.points)])
    return write(head, rows)


def _hundredths(value: int) -> Cell:
    """Write hundredths as a number with two decimals."""
    sign, (whole, part) = "-" if value < 0 else "", divmod(abs(value), 100)
    return figure(f"{sign}{whole}.{part:02}")
