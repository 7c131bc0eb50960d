"""The command that shows the standings of a report file: `evenboard-engine --SYSTEM file.trf --standings [codes]`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import compress
from textwrap import wrap
from typing import TYPE_CHECKING

from .console import (
    BAD_REQUEST,
    CommandOptions,
    CommandStop,
    in_columns,
    names_in,
    print_warnings,
    with_articles,
    wrong_input_stops,
)
from .explain import WIDTH

if TYPE_CHECKING:
    from evenboard_engine import Tournament
    from evenboard_engine.tiebreaks import TieBreak
    from evenboard_engine.tiebreaks.parts.sums import Sums
    from evenboard_engine.words.sums import SumRow, SumTable


def standings_text(data: bytes, codes: str, player: int | None, asked: CommandOptions) -> str:
    """Return the standings after the last round that was paired, by these codes or those of the file.

    player: show also the values of this player as sums, and what separates the neighbours. Raises CommandStop.
    """
    from evenboard_engine.checking.standings import after_last_round, declared, ranked_by, sums_of
    from evenboard_engine.tiebreaks import POINTS, read_list, shown
    from evenboard_engine.trf import as_paired, read_report, typed_values

    with wrong_input_stops():
        report = read_report(data)
        asked = asked.of(report)
        print_warnings(report, asked)
        report = as_paired(report)
        rules = (POINTS, *read_list(codes)) if codes else declared(report)
        typed = typed_values(report)
        if unknown := [rule.text for rule in rules if not (rule.name or rule.text.upper() in typed)]:
            raise CommandStop(BAD_REQUEST, f"{unknown[0]} is no tie-break that the program knows")
        tournament, uncounted = after_last_round(report, unrated=asked.unrated, system=asked.system)
    among = [key for key in sorted(names_in(report)) if key not in uncounted]
    found = ranked_by(report, tournament, rules, among=among)
    rows = [["", "place", *(rule.text for rule in rules)]]
    place, names = 1, names_in(report)
    for group in found.groups:
        for key in sorted(group):
            values = enumerate(zip(rules, found.values[key], strict=True))
            cells = ("-" if key not in found.separated.get(at, {key}) else shown(*of) for at, of in values)
            rows.append([names[key], str(place), *cells])
        place += len(group)
    lines = [_title(tournament), "", *in_columns(rows)]
    lines += _quality_lines(tournament, rules)
    if player is not None:
        if player not in among:
            raise CommandStop(BAD_REQUEST, f"there is no player {player}")
        ranked = [key for group in found.groups for key in sorted(group)]
        lines += _player_lines(sums_of(report, tournament, rules, among=among), ranked, player, names)
    return "\n".join(lines) + "\n"


def _title(tournament: Tournament) -> str:
    last, missing = tournament.round - 1, len(tournament.open_games)
    if not missing:
        return f"Standings after round {last}"
    if any(game.round < last for game in tournament.open_games):
        played = len(tournament.games)
        return f"Provisional standings: {played} of {played + missing} games have a result"
    return f"Provisional standings, round {last}: {missing} result{'' if missing == 1 else 's'} missing"


def _quality_lines(tournament: Tournament, rules: Sequence[TieBreak]) -> Iterator[str]:
    """Yield how uneven the pairing was (the quality of the pairing), for each Pairing Tiebreaker of the list."""
    from evenboard_engine.rounding import half_up
    from evenboard_engine.tiebreaks import order_of, quality, table

    for rule in rules:
        if not rule.may_be_missing:
            continue
        uneven = quality(table(tournament), rule.order or order_of(tournament.system))
        yield ""
        shown = "-" if uneven is None else f"{half_up(100 * float(uneven), 1)} %"
        yield f"Unevenness of the pairing by {rule.text}: {shown}"


def _player_lines(sums: Sums, ranked: Sequence[int], player: int, names: Mapping[int, str]) -> Iterator[str]:
    """Yield what separates a player from the neighbours, and each value of the player as a sum."""
    from evenboard_engine.tiebreaks.parts.sums import averaged
    from evenboard_engine.words.sums import SumsWords

    words = SumsWords(names.__getitem__)
    yield from ("", names[player])
    at = ranked.index(player)
    if at:
        yield words.separation(sums.separation(ranked[at - 1], player), player)
    if at + 1 < len(ranked):
        yield words.separation(sums.separation(player, ranked[at + 1]), player)
    for found in sums.of(player):
        inside = averaged(found.tie_break)
        table = words.table(found, partial(sums.of_opponent, inside) if inside else None)
        yield from ("", *_value_lines(table, names))


def _value_lines(table: SumTable, names: Mapping[int, str]) -> Iterator[str]:
    """Yield a value: its rounds in columns, with what is to say about each, and the sentences below them."""
    yield f"{table.name}: {table.value}"
    if table.rows:
        used = [bool(head) for head in (table.scored_head, table.worth_head, table.counts_head)]
        heads = ["", table.scored_head, table.worth_head, table.counts_head]
        cells = [
            [f"  {row.part.round} {_against(row, names)}", row.scored, row.worth, row.counts]
            for row in table.rows
        ]
        head, *lines = in_columns([list(compress(row, [True, *used])) for row in [heads, *cells]])
        yield head
        for row, line in zip(table.rows, lines, strict=True):
            yield line
            for note in row.notes:
                yield from wrap(with_articles(note), WIDTH, initial_indent="    ", subsequent_indent="    ")
    for sentence in table.lines:
        yield from wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _against(row: SumRow, names: Mapping[int, str]) -> str:
    if row.part.opponent is None:
        return row.played
    name = names[row.part.opponent]
    return f"{name} ({row.played})" if row.played else name
