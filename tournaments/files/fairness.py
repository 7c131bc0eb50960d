"""How fair the pairings of a section were: as CSV, as the values of JSON, and as comment lines of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from evenboard_engine.comparing import Spread
from evenboard_engine.rounding import half_up
from evenboard_engine.tiebreaks import ordered_code
from evenboard_engine.trf import GroupSpread, RoundSpreads, measure_lines
from tournaments.queries.fairness import Fairness, OtherPairings, RoundSpread, fairness_of, other_pairings_of
from tournaments.queries.field import SectionField

from .lists import points
from .table_files import Cell, Write, csv_file

OtherFairness = Sequence[tuple[str, Mapping[int, tuple[Spread, ...]]]]
"""The name of each other pairing, and by round its spreads; () if it has no round."""


def fairness_csv(found: Fairness, others: OtherFairness = (), *, write: Write = csv_file) -> bytes:
    """Return the spreads by round and score group in whole Elo, then the measures of all rounds together.

    Decimals would become dates in some spreadsheets, so measures are in percent.
    """
    head = [_("Round"), _("Score group"), _("Players")]
    for name in (_("Before"), _("After"), *(name for name, _rounds in others)):
        head += [
            _("%(pairing)s: width") % {"pairing": name},
            _("%(pairing)s: standard deviation") % {"pairing": name},
        ]
    return write(head, [*_rows(found, others), *_measures(found)])


def _rows(found: Fairness, others: OtherFairness) -> Iterator[Sequence[Cell]]:
    for one in found.rounds:
        columns = [one.before, one.after, *(rounds.get(one.number, ()) for _other, rounds in others)]
        for at, spread in enumerate(one.after):
            row: list[Cell] = [one.number, _("all") if spread.score is None else points(spread.score)]
            row.append(spread.players)
            for column in columns:
                known = column[at] if column and column[at].players else None
                row += [int(half_up(known.width)), int(half_up(known.deviation))] if known else [None, None]
            yield row


def _measures(found: Fairness) -> Iterator[Sequence[Cell]]:
    if found.measures is None:
        return
    yield (_("After round %(number)s") % {"number": found.measured_after},)
    yield _("Agreement of points and performance"), _percent(found.measures.agreement.value)
    for order, value in found.measures.qualities:
        text = _("Unevenness of the pairing by %(order)s")
        yield text % {"order": ordered_code(order)}, _percent(value)


def _percent(value: Fraction | None) -> str:
    return "" if value is None else f"{half_up(100 * float(value), 1)} %"


def fairness_values(found: Fairness, others: OtherFairness = ()) -> dict[str, Any]:
    """Return the same as values of JSON. Points are in tenths, spreads in Elo, measures between -1 and 2.

    A spread is null where nobody has an ARO, or the pairing has no round.
    """
    measured = found.measures
    return {
        "measured_after": found.measured_after,
        "agreement": _number(measured.agreement.value) if measured else None,
        "pairs": measured.agreement.pairs if measured else 0,
        "quality": {ordered_code(order): _number(value) for order, value in measured.qualities}
        if measured
        else {},
        "rounds": [
            {
                "number": one.number,
                "groups": [
                    {
                        "points": spread.score,
                        "players": spread.players,
                        "before": _spread(one.before[at]),
                        "after": _spread(spread),
                        **({"others": _others(others, one.number, at)} if others else {}),
                    }
                    for at, spread in enumerate(one.after)
                ],
            }
            for one in found.rounds
        ],
    }


def _others(others: OtherFairness, number: int, at: int) -> dict[str, dict[str, float] | None]:
    columns = ((name, rounds.get(number, ())) for name, rounds in others)
    return {name: _spread(column[at]) if column else None for name, column in columns}


def _spread(spread: Spread) -> dict[str, float] | None:
    if not spread.players:
        return None
    return {"width": float(half_up(spread.width, 1)), "deviation": float(half_up(spread.deviation, 1))}


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(half_up(float(value), 4))


def fairness_lines(field: SectionField) -> tuple[str, ...]:
    """Return the comment lines, after the last round to which all results are known. Two queries, or none without one.

    Rounds are beside other pairings as far as these are worked out: pairing them again may take minutes.
    """
    found = fairness_of(field)
    if found.measures is None:
        return ()
    rounds = [one for one in found.rounds if one.number <= found.measured_after]
    whole = {one.number: one.whole for one in rounds if one.has_both}
    spreads = {number: (before.deviation, after.deviation) for number, (before, after) in whole.items()}
    qualities = {ordered_code(order): value for order, value in found.measures.qualities}
    others = other_pairings_of(field)
    by_group = [_groups(one, others) for one in rounds if one.number in others.numbers]
    return measure_lines(spreads, found.measures.agreement.value, qualities, by_group)


def _groups(one: RoundSpread, others: OtherPairings) -> RoundSpreads:
    variants = others.variants if one.number in others.complete else ()
    columns = [one.before, one.after, *(others.rounds_of(each)[one.number].spreads for each in variants)]
    groups = tuple(
        GroupSpread(spread.score, tuple(_deviation(column, at) for column in columns))
        for at, spread in enumerate(one.after)
    )
    return RoundSpreads(one.number, groups, tuple(each.system for each in variants))


def _deviation(column: Sequence[Spread], at: int) -> float | None:
    return column[at].deviation if column and column[at].players else None
