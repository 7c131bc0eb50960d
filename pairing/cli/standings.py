"""The command that shows the standings of a report file: `python -m pairing --SYSTEM file.trf --standings [codes]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .console import BAD_REQUEST, Asked, Stop, in_columns, names_in, print_warnings, wrong_input_stops

if TYPE_CHECKING:
    from pairing.engine import Tournament
    from pairing.engine.tiebreaks import TieBreak
    from pairing.engine.trf import Report


def standings_text(data: bytes, codes: str, player: int | None, asked: Asked) -> str:
    """Return the standings after the last round that was paired, by these codes or those of the file.

    player: show also the rounds of the Pairing Tiebreaker of this player. Raises Stop.
    """
    from pairing.engine.checking.standings import after_last_round, declared, ranked_by
    from pairing.engine.tiebreaks import POINTS, read_list, shown
    from pairing.engine.trf import as_paired, read_report, typed_values

    with wrong_input_stops():
        report = read_report(data)
        print_warnings(report, asked)
        report = as_paired(report)
        rules = (POINTS, *read_list(codes)) if codes else declared(report)
        typed = typed_values(report)
        if unknown := [rule.text for rule in rules if not (rule.name or rule.text.upper() in typed)]:
            raise Stop(BAD_REQUEST, f"{unknown[0]} is no tie-break that the program knows")
        tournament, uncounted = after_last_round(report, unrated=asked.unrated, system=asked.system)
    among = [key for key in sorted(names_in(report)) if key not in uncounted]
    found = ranked_by(report, tournament, rules, among=among)
    rows = [["", "place", *(rule.text for rule in rules)]]
    place, names = 1, names_in(report)
    for group in found.groups:
        for key in sorted(group):
            values = zip(rules, found.values[key], strict=True)
            rows.append([names[key], str(place), *(shown(rule, value) for rule, value in values)])
        place += len(group)
    lines = [f"Standings after round {report.rounds_paired}", "", *in_columns(rows)]
    lines += _pairing_lines(report, tournament, rules, player)
    return "\n".join(lines) + "\n"


def _pairing_lines(
    report: Report, tournament: Tournament, rules: Sequence[TieBreak], player: int | None
) -> Iterator[str]:
    """Yield the quality of the pairing for each Pairing Tiebreaker of the list, and the rounds of a player."""
    from pairing.engine.tiebreaks import order_of, pairing_tiebreakers, quality, table

    names = names_in(report)
    if player is not None and player not in names:
        raise Stop(BAD_REQUEST, f"there is no player {player}")
    asked = [rule for rule in rules if rule.may_be_missing]
    if player is not None and not asked:
        raise Stop(BAD_REQUEST, "--player shows the rounds of PT, which is not in the list")
    known = table(tournament)
    for rule in asked:
        order = rule.order or order_of(tournament.system)
        uneven = quality(known, order)
        yield ""
        yield f"Quality of the pairing by {rule.text}: {'-' if uneven is None else f'{100 * float(uneven):.1f} %'}"
        if player is not None:
            mine = pairing_tiebreakers(known, order)[player]
            yield f"{names[player]}: V {mine.v}, W {mine.w}"
            for term in mine.terms:
                yield (
                    f"  round {term.round}: {names[term.opponent]}, place {term.place} of {term.size}: "
                    f"{term.round} x {term.size} / {term.place} = {term.value}"
                )
