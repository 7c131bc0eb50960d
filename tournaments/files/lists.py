"""The rows of each list for spreadsheets: as CSV, or in the format of another writer of `table_files`.

No result and no number of points may look like a date: typed in a cell, 1/2 becomes 1 February or 2 January, 1-0
becomes a month, and 4.5 becomes 4 May where decimals have a comma.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from base.reader import READER
from evenboard_engine import ByeKind, Colour, Flag, Outcome, Result, system_named
from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.words.catalogue import points_text
from evenboard_engine.words.prizes import METHODS, award_sentences, money_text
from evenboard_engine.words.tiebreaks import tie_value_text
from tournaments.models import Participant, Section
from tournaments.models.entries import BYE_LABELS
from tournaments.player_fields import PLAIN, PUBLIC_PLAIN
from tournaments.queries.aro_list import AroList, AroRow, checklist
from tournaments.queries.crosstables import (
    Crosstable,
    CrosstableCell,
    ResultsTable,
    crosstable,
    results_table,
)
from tournaments.queries.decided_points import PointsDecision
from tournaments.queries.entries import entry_list, player_list
from tournaments.queries.player_rounds import PlayerRound
from tournaments.queries.prizes import prize_list
from tournaments.queries.published_lists import PublishedStandings, PublishedStandingsRow
from tournaments.queries.rounds import all_rounds, round_board_list
from tournaments.queries.standings import StandingRow, StandingsState, StandingsTable, standings_table

from .table_files import Cell, Write, csv_file, figure

_SIGNS = {
    Outcome.WIN: "1",
    Outcome.DRAW: "½",
    Outcome.LOSS: "0",
    Outcome.FORFEIT_WIN: "+",
    Outcome.FORFEIT_LOSS: "–",
}
TEAM, FLAGS = gettext_noop("Team"), gettext_noop("For the pairing")
"""Columns that only some pairing systems ask for."""


def entries_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return all entries with everything that arbiters know. For arbiters only. The import reads the names of
    the columns again.
    """
    facts = set(system_named(section.system).player_facts)
    more = [name for name, asked in ((TEAM, {"team"}), (FLAGS, {*Flag})) if facts & asked]
    entered = entry_list(section).rows
    national = [_("National rating")] if any(row.national_rating for row in entered) else []
    head = [_("No"), _("Name"), _("Sex"), _("Title"), _("Federation"), _("FIDE ID"), _("Rating")]
    head += [_("Official rating"), *national, _("Birth date"), *(str(field.label) for field in PLAIN)]
    head += [*map(_, more), _("Half-point byes in round"), _("Note"), _("Status")]
    rows = (
        (
            row.tpn,
            row.name,
            row.sex,
            row.title,
            row.federation,
            row.fide_id,
            row.rating or None,
            row.official_rating,
            *(row.national_rating for _column in national),
            row.birth_date,
            *row.plain.values(),
            *(row.team if name == TEAM else row.pairing_flags for name in more),
            ", ".join(str(bye.round_number) for bye in row.byes if bye.kind == "H"),
            row.note,
            str(Participant.Status(row.status).label),
        )
        for row in entered
    )
    return write(head, rows)


def pairings_csv(
    section: Section, number: int, *, include_drafts: bool = False, write: Write = csv_file
) -> bytes:
    """Return a round by board, then its byes. Raises Round.DoesNotExist."""
    view = round_board_list(section, number, include_drafts=include_drafts)
    head = [
        _("Board"),
        _("White No"),
        _("White"),
        _("White title"),
        _("White rating"),
        _("White points"),
        _("Result"),
        _("Black No"),
        _("Black"),
        _("Black title"),
        _("Black rating"),
        _("Black points"),
    ]
    rows: list[Sequence[Cell]] = []
    for row in view.boards:
        white, black = row.white, row.black
        rows.append(
            (
                *(row.board, white.tpn, white.name, white.title, white.rating or None, points(white.points)),
                result_cell(row.result),
                *(black.tpn, black.name, black.title, black.rating or None, points(black.points)),
            )
        )
    for bye in view.byes:
        side = bye.side
        rows.append(
            (
                None,
                side.tpn,
                side.name,
                side.title,
                side.rating or None,
                points(side.points),
                _("bye %(kind)s") % {"kind": bye.kind.value},
            )
        )
    return write(head, rows)


def standings_csv(section: Section, after_round: int | None = None, *, write: Write = csv_file) -> bytes:
    """Return the standings after a round, by default the latest. Raises Round.DoesNotExist.

    The last line says whether they are final, or what is missing.
    """
    table = standings_table(section, after_round)
    head = [_("Place"), _("No"), _("Name"), _("Title"), _("Federation"), _("Rating"), _("Points")]
    head += [*(rule.text for _at, rule in table.columns), _("Games"), _("Withdrawn")]
    rows: list[Sequence[Cell]] = [
        (
            row.place,
            row.tpn,
            row.name,
            row.title,
            row.federation,
            row.rating or None,
            points(row.points),
            *_tie_breaks(row, table.columns),
            row.games,
            _("withdrawn") if row.withdrawn else "",
        )
        for row in table.rows
    ]
    return write(head, [*rows, *last_lines(table)])


def prizes_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return who wins which prize, and how each sum is made. For arbiters only.

    The last lines say whether the standings are final, or what is missing.
    """
    listed = prize_list(section)
    head = [
        _("Category"),
        _("Place"),
        _("No"),
        _("Name"),
        _("Title"),
        _("Federation"),
        _("Points"),
        _("Method"),
        _("Amount"),
        _("Currency"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            found.category.name,
            winner.award.same[0],
            *(winner.row.tpn, winner.row.name, winner.row.title, winner.row.federation),
            points(winner.row.points),
            _(METHODS[found.category.method]),
            money_cell(winner.award.amount),
            listed.plan.currency,
            " ".join(
                award_sentences(
                    winner.award,
                    found.category.method,
                    found.category.prizes,
                    found.elsewhere(winner.award),
                    READER,
                )
            ),
        )
        for found in listed.categories
        for winner in found.winners
    ]
    provisional = [] if listed.state.final else [(_("Provisional: the section is not finished"),)]
    return write([*head, _("How the sum is made")], [*rows, *provisional, *last_line(listed.state)])


def money_cell(hundredths: int) -> Cell:
    """Write an amount so that no spreadsheet takes it for a date: 300, or 33 50/100."""
    whole, cents = divmod(hundredths, 100)
    return figure(f"{whole} {cents:02}/100") if cents else whole


def players_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the players as everybody may see them. Expelled players are left out, as on the page."""
    head = [
        _("No"),
        _("Name"),
        _("Title"),
        _("Federation"),
        _("Rating"),
        *(str(field.label) for field in PUBLIC_PLAIN),
        _("From round"),
        _("Withdrawn"),
    ]
    rows = (
        (
            row.tpn,
            row.name,
            row.title,
            row.federation,
            row.rating or None,
            *row.plain.values(),
            row.first_round,
            _("withdrawn") if row.status == Participant.Status.WITHDRAWN else "",
        )
        for row in player_list(section)
        if row.status != Participant.Status.EXPELLED
    )
    return write(head, rows)


def crosstable_csv(section: Section, after_round: int | None = None, *, write: Write = csv_file) -> bytes:
    """Return the crosstable after a round, by default the latest. Raises Round.DoesNotExist.

    A cell of a round has the opponent's place, the colour and the result: 5w1, 12b½. 5+ and 5– are forfeits,
    "bye ½" is a bye, and a dash alone is a round without a game. An open game has no result: 5w. The last line says
    whether the table is final, or what is missing.
    """
    if section.fixed_rounds:
        return _results_table_csv(section, after_round, write)
    table = crosstable(section, after_round)
    head = [_("Place"), _("No"), _("Name"), _("Title"), _("Federation"), _("Rating")]
    head += [_("Round %(number)s") % {"number": number} for number in table.rounds]
    rows: list[Sequence[Cell]] = [
        (
            *(row.standing.place, row.standing.tpn, row.standing.name, row.standing.title),
            *(row.standing.federation, row.standing.rating),
            *(_round(cell) for cell in row.cells),
            points(row.standing.points),
            *_tie_breaks(row.standing, table.columns),
        )
        for row in table.rows
    ]
    head += [_("Points"), *(rule.text for _at, rule in table.columns)]
    return write(head, [*rows, *last_lines(table)])


def _results_table_csv(section: Section, after_round: int | None, write: Write) -> bytes:
    """Return the results of everybody against each number, in the order of rounds: "1 ½". × is the player's own column.

    A player whose games do not count for the standings has no points and no place.
    """
    table = results_table(section, after_round)
    head = [_("No"), _("Name"), _("Title"), _("Federation"), _("Rating")]
    head += [*map(str, table.numbers), _("Points"), _("Place")]
    rows: list[Sequence[Cell]] = [
        (
            *(row.tpn, row.name, row.title, row.federation, row.rating),
            *("×" if cell is None else " ".join(map(_sign, cell)) for cell in row.cells),
            points(row.points) if row.counted else None,
            row.place,
        )
        for row in table.rows
    ]
    return write(head, [*rows, *last_lines(table)])


def all_rounds_csv(section: Section, *, include_drafts: bool = False, write: Write = csv_file) -> bytes:
    """Return all games of all rounds that the pairing numbers fix. Raises Round.DoesNotExist for other sections."""
    head = [_("Round"), _("Board"), _("White No"), _("White"), _("Result"), _("Black No"), _("Black")]
    rows: list[Sequence[Cell]] = []
    for played in all_rounds(section, include_drafts=include_drafts).rounds:
        for game in played.games:
            white, black = game.white, game.black
            result = result_cell(game.result)
            rows.append((played.number, game.board, white.tpn, white.name, result, black.tpn, black.name))
        if played.free is not None:
            rows.append((played.number, None, played.free.tpn, played.free.name, _("free"), None, None))
    return write(head, rows)


def _tie_breaks(row: StandingRow, columns: Iterable[tuple[int, TieBreak]]) -> Iterator[Cell]:
    """Yield the values of the tie-breaks as the page shows them: 12, 12½, 8¾, averages as 14.600."""
    for at, rule in columns:
        yield figure(tie_value_text(rule, row.values[at]))


def last_lines(
    table: StandingsTable | Crosstable | ResultsTable | PublishedStandings,
) -> list[Sequence[Cell]]:
    """Return the lines for the end of a table of points: decisions of the arbiter, and how complete it is."""
    return [*((_decision(found),) for found in table.decisions), *last_line(table.state)]


def _decision(found: PointsDecision) -> str:
    """Return why results do not add up to the points: "Decision of the arbiter: 7 Kim, -½ after round 2"."""
    sign = "" if found.of_result else "+" if found.points > 0 else "-"
    if found.of_result:
        text = _("Decision of the arbiter: %(player)s, the result of round %(round)s counts %(points)s")
    elif found.round:
        text = _("Decision of the arbiter: %(player)s, %(points)s after round %(round)s")
    else:
        text = _("Decision of the arbiter: %(player)s, %(points)s before round 1")
    points = f"{sign}{points_text(abs(found.points))}"
    return text % {"player": f"{found.tpn or ''} {found.name}", "points": points, "round": found.round}


def last_line(state: StandingsState) -> list[Sequence[Cell]]:
    """Return the line for the end of the file, with one cell: "Final standings", or what is missing. Empty if
    neither.
    """
    if state.final:
        return [(_("Final standings"),)]
    if not state.provisional:
        return []
    return [(", ".join([_("Not final") if state.ends else _("Provisional"), *_missing(state)]),)]


def _missing(state: StandingsState) -> list[str]:
    notes = []
    if count := len(state.open):
        text = ngettext(
            "%(count)s result missing: %(boards)s", "%(count)s results missing: %(boards)s", count
        )
        notes.append(text % {"count": count, "boards": _boards(state.open)})
    if count := len(state.adjourned):
        text = ngettext(
            "%(count)s adjourned game counted as a draw: %(boards)s",
            "%(count)s adjourned games counted as draws: %(boards)s",
            count,
        )
        notes.append(text % {"count": count, "boards": _boards(state.adjourned)})
    return notes


def _boards(boards: Sequence[tuple[int, int]]) -> str:
    """Return the boards by round: "round 2, boards 2, 5; round 5, board 1"."""
    rounds = []
    for number, group in groupby(boards, key=lambda found: found[0]):
        of_round = [str(board) for _, board in group]
        text = ngettext(
            "round %(round)s, board %(boards)s", "round %(round)s, boards %(boards)s", len(of_round)
        )
        rounds.append(text % {"round": number, "boards": ", ".join(of_round)})
    return "; ".join(rounds)


def _round(cell: CrosstableCell) -> str:
    turn = cell.turn
    if turn.bye:
        return _("bye %(points)s") % {"points": points(turn.gained or 0)}
    if turn.opponent is None or turn.colour is None:
        return "–"
    place = cell.place or ("" if turn.open else "?")  # an expelled opponent has no place
    colour = turn.colour.value if turn.played or turn.open else ""
    return f"{place}{colour}{_sign(turn)}"


def _sign(turn: PlayerRound) -> str:
    """Write what the player scored; nothing while the game is open."""
    return _("adj.") if turn.adjourned else _SIGNS[turn.outcome] if turn.outcome else ""


def aro_csv(
    listed: AroList,
    *,
    ordered: Callable[[Iterable[AroRow]], Iterable[AroRow]] = tuple,
    about: Sequence[str] = (),
    write: Write = csv_file,
) -> bytes:
    """Return the ARO list. ordered: the order of its rows, by default by score group and ARO.

    A player without a game has no ARO. The last lines name decisions of the arbiter, missing results and adjourned
    games, which count as draws, and say what is known `about` the list.
    """
    names = (
        "points number name title federation rating games opponents sum aro colours due strength upfloats bye"
    )
    return _facts_csv(listed, names.split(), ordered(listed.rows), about, write)


def checklist_csv(section: Section, before_round: int | None = None, *, write: Write = csv_file) -> bytes:
    """Return the checklist before a round, see `checklist`. For arbiters only.

    A column that the pairing system has nothing for is left out: the due colour, its strength, floats, the bye. The
    last rows are the players who are not paired in the round, with the reason.
    """
    listed = checklist(section, before_round)
    shown = {"due": listed.shows_due, "strength": listed.shows_strength, "floats": listed.shows_floats}
    shown |= {"bye": not section.fixed_rounds, "pairing": listed.accelerated}
    shown |= {"unpaired": bool(listed.unpaired)}
    names = "points pairing number name title federation rating colours due strength floats bye met unpaired"
    return _facts_csv(
        listed, [name for name in names.split() if shown.get(name, True)], listed.rows, (), write
    )


def _facts_csv(
    listed: AroList, names: Sequence[str], rows: Iterable[AroRow], about: Sequence[str], write: Write
) -> bytes:
    """Return some facts about each player before a round. names: of the columns."""
    strengths = {1: _("mild"), 2: _("strong"), 3: _("absolute")}
    colours = {Colour.WHITE: _("White"), Colour.BLACK: _("Black")}
    columns: dict[str, tuple[str, Callable[[AroRow], Cell]]] = {
        "points": (_("Points"), lambda row: points(row.points)),
        "pairing": (_("Pairing score"), lambda row: points(row.pairing_score)),
        "number": (_("No"), lambda row: row.tpn),
        "name": (_("Name"), lambda row: row.name),
        "title": (_("Title"), lambda row: row.title),
        "federation": (_("Federation"), lambda row: row.federation),
        "rating": (_("Rating"), lambda row: row.rating or None),
        "games": (_("Games"), lambda row: row.games),
        "opponents": (
            _("Opponents"),
            lambda row: ", ".join(f"{met.tpn or '?'} ({met.rating})" for met in row.met),
        ),
        "met": (_("Opponents"), lambda row: ", ".join(row.opponents)),
        "sum": (_("Sum"), lambda row: row.total if row.games else None),
        "aro": (_("ARO"), lambda row: row.aro if row.games else None),
        "colours": (_("Colours"), lambda row: "".join(_COLOUR_LETTERS[colour] for colour in row.colours)),
        "due": (_("Due"), lambda row: colours[row.due.colour] if row.due else None),
        "strength": (_("Strength"), lambda row: strengths.get(row.due.strength) if row.due else None),
        "upfloats": (_("Upfloats"), lambda row: ", ".join(map(str, row.upfloats))),
        "floats": (
            _("Floats, later one last"),
            lambda row: "".join(_FLOAT_LETTERS[found] for found in row.floats),
        ),
        "bye": (
            _("Bye"),
            lambda row: None if row.unpaired else _("yes") if row.may_get_bye else _("no"),
        ),
        "unpaired": (_("Not paired in this round"), lambda row: _unpaired(row) if row.unpaired else None),
    }
    chosen = [columns[name] for name in names]
    lines = [tuple(value(row) for _head, value in chosen) for row in rows]
    missing = ", ".join(_missing(listed.state))
    last = [text for text in (*map(_decision, listed.decisions), missing, *about) if text]
    return write([head for head, _value in chosen], [*lines, *((text,) for text in last)])


def _unpaired(row: AroRow) -> str:
    """Say why a player is not paired in the round."""
    if row.bye:
        return str(BYE_LABELS[ByeKind(row.bye)])
    return _("withdrawn") if row.withdrawn else _("not paired")


_COLOUR_LETTERS = {Colour.WHITE: "W", Colour.BLACK: "B", None: "."}
_FLOAT_LETTERS = {"up": "U", "down": "D", "": "."}


def points(tenths: int) -> str:
    """Write tenths of a point so that people and spreadsheets of every language read them: "4½", "3", "3 3/10"."""
    whole, rest = divmod(abs(tenths), 10)
    return figure(points_text(tenths) if rest in (0, 5) else f"{'−' if tenths < 0 else ''}{whole} {rest}/10")


def result_cell(result: Result | None) -> str:
    """Write the code of the result with ½, and with a dash in place of the hyphen: 1–0, ½, 0–1, +:–. Blank
    while the game is open.
    """
    return result.value.replace("1/2", "½").replace("-", "–") if result else ""


# Published standings as CSV, in the form of the other lists.


def published_csv(
    table: PublishedStandings,
    heads: Sequence[str],
    rows: Iterable[tuple[PublishedStandingsRow, Sequence[str]]],
    *,
    about: Sequence[str],
    write: Write = csv_file,
) -> bytes:
    """Return standings as they were published: each row with its games, under these heads.

    The last lines name decisions of the arbiter and adjourned games, which count as draws, and say what is known
    `about` the list.
    """
    head = [_("Place"), _("No"), _("Name"), _("Title"), _("Federation"), _("Rating")]
    head += [*heads, _("Points"), *table.tie_breaks]
    lines: list[Sequence[Cell]] = [
        (
            *(row.place, row.tpn, row.name, row.title, row.federation, row.rating or None),
            *games,
            points(row.points),
            *map(figure, row.values),
        )
        for row, games in rows
    ]
    return write(head, [*lines, *last_lines(table), *((sentence,) for sentence in about)])


# What each winner of prizes takes in all, as a table.


def receipts_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the sum of each winner, the prizes that it is made of, and the total. For arbiters only."""
    listed = prize_list(section)
    head = [_("Place"), _("No"), _("Name"), _("Title"), _("Federation"), _("Prizes"), _("Sum"), _("Currency")]
    rows: list[Sequence[Cell]] = [
        (
            *(
                receipt.row.place,
                receipt.row.tpn,
                receipt.row.name,
                receipt.row.title,
                receipt.row.federation,
            ),
            "; ".join(
                _("%(prize)s, place %(place)s: %(sum)s")
                % {"prize": name, "place": place, "sum": money_text(amount)}
                for name, place, amount in receipt.prizes
            ),
            money_cell(receipt.total),
            listed.plan.currency,
        )
        for receipt in listed.receipts
    ]
    total: Sequence[Cell] = (
        _("Total"),
        None,
        None,
        None,
        None,
        None,
        money_cell(listed.paid),
        listed.plan.currency,
    )
    provisional = [] if listed.state.final else [(_("Provisional: the section is not finished"),)]
    totals = [total] if rows else []
    return write(head, [*rows, *totals, *provisional, *last_line(listed.state)])
