"""The parts of tie-breaks that place players among each other: direct encounter (C.07, 6) and Pairing Tiebreaker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from evenboard_engine.tiebreaks.cards import OPEN, PLAYED, Card, Table
from evenboard_engine.tiebreaks.direct import Division, division
from evenboard_engine.tiebreaks.pairing_tiebreaker import ROUNDS_LEFT_OUT, PairingTiebreaker

from .model import Encounter, Meetings, Part, Role, Weights, Why
from .rounds import left_out, part_of, tenths


def parts_of_encounter(
    card: Card, tied: tuple[int, ...], known: Table, *, forfeits: bool
) -> tuple[tuple[Part, ...], tuple[Encounter, ...]]:
    """Return the games against the players tied with one, and the tables that place the player among them."""
    parts = []
    for number, turn in enumerate(card.turns, start=1):
        if turn.opponent is None:
            why = Why.FREE if known.fixed else Why.NOT_PLAYED
        elif turn.opponent not in tied:
            why = Why.NOT_TIED
        elif turn.kind is PLAYED or (turn.kind is not OPEN and (forfeits or known.fixed)):
            parts.append(part_of(number, turn, Role.OPPONENT, tenths(turn.points)))
            continue
        else:
            why = Why.NOT_PLAYED
        parts.append(left_out(number, turn, why))
    return tuple(parts), tuple(_encounters(card.player, tied, known, forfeits))


def _encounters(player: int, tied: tuple[int, ...], known: Table, forfeits: bool) -> Iterator[Encounter]:
    while len(tied) > 1:
        found = division(tied, known, forfeits=forfeits)
        yield _encounter(found)
        if len(found.groups) == 1:
            return
        tied = next(group for group in found.groups if player in group)


def _encounter(found: Division) -> Encounter:
    rows = tuple(
        Meetings(
            one,
            {other: tenths(points) for other, points in row.items()},
            tenths(found.least[one]),
            tenths(found.most[one]),
        )
        for one, row in found.points.items()
    )
    return Encounter(rows, found.all_met, tuple(found.groups))


def parts_of_placed(
    card: Card, of_all: Mapping[int, PairingTiebreaker], order: str
) -> tuple[tuple[Part, ...], Weights | None]:
    """Return the terms of the Pairing Tiebreaker of a player."""
    mine = of_all[card.player]
    terms = {term.round: term for term in mine.terms}
    early = ROUNDS_LEFT_OUT[order] if order else 0
    parts = []
    for number, turn in enumerate(card.turns, start=1):
        if number in terms:
            term = terms[number]
            part = part_of(number, turn, Role.OPPONENT, term.value)
            parts.append(replace(part, place=(term.place, term.size)))
        else:
            why = Why.EARLY if number <= early else Why.NOT_PLAYED
            parts.append(left_out(number, turn, why))
    return tuple(parts), Weights(Fraction(mine.v), mine.w) if terms else None


def place_in(encounters: Iterable[Encounter], player: int) -> int:
    """Return the place that the tables of a direct encounter give a player, from 1."""
    place = 1
    for encounter in encounters:
        for group in encounter.groups:
            if player in group:
                break
            place += len(group)
    return place
