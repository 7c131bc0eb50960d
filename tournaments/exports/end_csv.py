"""Statistics, changes of ratings and title norms as tables for spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.regulations.norms import ARTICLES, Code
from tournaments.models import Section
from tournaments.queries.norms import norms
from tournaments.queries.rating_changes import rating_changes
from tournaments.queries.statistics import RoundCount, statistics

from .lists_csv import last_line, points
from .table_files import Cell, Write, csv_file, figure

_PER_CENT = "White scored (%)"


def statistics_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the results of each round, and of all rounds in the last row."""
    found = statistics(section)
    head = [
        "Round",
        "Games",
        "White wins",
        "Draws",
        "Black wins",
        "Other",
        _PER_CENT,
        "Forfeits",
        "Byes",
        "Open",
    ]
    rows = [_round(one, one.number) for one in found.rounds]
    return write(head, [*rows, _round(found.total, "all"), *last_line(found.state)])


def _round(one: RoundCount, name: Cell) -> Sequence[Cell]:
    results = (one.played, one.white, one.draws, one.black, one.other, one.white_share)
    return (name, *results, one.forfeits, one.all_byes, one.open)


def differences_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the results by the difference of the ratings, for the higher rated player."""
    found = statistics(section)
    head = ["Difference from", "to", "Games", "Wins", "Draws", "Losses", "Scored (%)", "Expected (%)"]
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
    head = ["Kind", "Code", "Players", "Average rating"]
    groups = [("federation", each) for each in found.federations] + [("title", each) for each in found.titles]
    rows = [(kind, each.code or "none", each.players, each.average or None) for kind, each in groups]
    return write(head, rows)


def rating_changes_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the estimated changes: of rated players, then the first ratings of the others. For arbiters only: K says
    how old a player is.
    """
    found = rating_changes(section)
    head = (
        "No,Name,Title,Federation,Rating,Games,Opponents,Points,Expected,K,K from the list,Change,New rating"
    )
    rows: list[Sequence[Cell]] = [
        (
            *(row.side.tpn, row.side.name, row.side.title, row.side.federation, row.rating, row.games),
            *(row.opponents or None, points(row.scored // 10), _hundredths(row.expected), row.k),
            *("yes" if row.listed else "no", _hundredths(row.change), row.new),
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
        head.split(","), [*rows, ("An estimate: FIDE computes the ratings from all tournaments of a month",)]
    )


def norms_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return every norm that is open to a player, with the value and the bound of each condition."""
    head = ["No", "Name", "Title", "Federation", "Norm", "Met", "Points", "Games"]
    for code in Code:
        head += [f"{code.value} ({ARTICLES[code]})", "bound", "met"]
    rows: list[Sequence[Cell]] = []
    for row in norms(section).rows:
        side, check = row.side, row.check
        cells: list[Cell] = [side.tpn, side.name, side.title, side.federation, check.norm.title]
        cells += ["yes" if check.met else "no", points(5 * row.half_wins), row.games]
        for condition in check.conditions:
            cells += [condition.value, condition.bound, "yes" if condition.met else "no"]
        rows.append(cells)
    return write(head, [*rows, ("A help and not a decision: not all conditions of B.01 are checked",)])


def _hundredths(value: int) -> Cell:
    """Write hundredths as a number with two decimals."""
    sign, (whole, part) = "-" if value < 0 else "", divmod(abs(value), 100)
    return figure(f"{sign}{whole}.{part:02}")
