"""Seatings that the engine makes for a round that is being paired by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evenboard_engine import (
    NoLegalPairing,
    Pair,
    RelaxationKind,
    RoundPairing,
    Tournament,
    offer,
    pair_round,
    propose_relaxations,
    system_of,
)
from evenboard_engine.history import Past
from evenboard_engine.result import board_order
from tournaments.seating import Seating, Table


def engines_seating(value: Tournament, seating: Seating) -> Seating:
    """Seat everybody who is present by the rules, or as the system offers. Raises NoLegalPairing."""
    pairing = _paired_or_offered(value)
    return _seated(value, pairing.pairs, pairing.bye, seating)


def proposed_seating(value: Tournament, seating: Seating) -> Seating:
    """Seat everybody by the rules, or as the system offers, or so that the fewest rules are broken. Players who still
    cannot be paired stay unpaired.
    """
    try:
        return engines_seating(value, seating)
    except NoLegalPairing as error:
        stuck = error.params["players"]
    pairs: list[Pair] = []
    bye = None
    for relaxation in propose_relaxations(value):
        if relaxation.kind is RelaxationKind.SECOND_BYE:
            bye = relaxation.players[0]
        elif relaxation.players[0] not in {key for pair in pairs for key in (pair.white, pair.black)}:
            pairs.append(system_of(value).colours(value, *relaxation.players))
    placed = {key for pair in pairs for key in (pair.white, pair.black)} | (
        {bye} if bye is not None else set()
    )
    if not placed and isinstance(stuck, tuple):
        placed = set(stuck)
    try:
        rest = _paired_or_offered(replace(value, absent=value.absent | placed))
    except NoLegalPairing:
        return _seated(value, pairs, bye, seating)
    return _seated(value, [*pairs, *rest.pairs], rest.bye if bye is None else bye, seating)


def _paired_or_offered(value: Tournament) -> RoundPairing:
    """Pair by the rules, or as the system offers. Raises NoLegalPairing."""
    try:
        return pair_round(value)
    except NoLegalPairing:
        offered = offer(value)
        if offered is None:
            raise
        return offered.pairing


def in_order(value: Tournament, seating: Seating) -> Seating:
    """The same tables, numbered in the order of GHR 3.6. Boards of fixed rounds keep their places in the table."""
    if system_of(value).fixed_rounds:
        return seating
    by_players = {table.players: table for table in seating.tables}
    tables = tuple(
        replace(by_players[players], board=board)
        for board, players in enumerate(_by_board(value, by_players), start=1)
    )
    return replace(seating, tables=tables)


def _seated(value: Tournament, pairs: Sequence[Pair], bye: int | None, seating: Seating) -> Seating:
    """These pairs, and everybody else unpaired; requested byes stay."""
    players = [(pair.white, pair.black) for pair in pairs]
    if not system_of(value).fixed_rounds:
        players = _by_board(value, players)
    tables = tuple(Table(None, board, white, black) for board, (white, black) in enumerate(players, start=1))
    here = {player.id for player in value.players} - value.absent
    placed = {key for pair in players for key in pair} | ({bye} - {None})
    return Seating(tables, bye, seating.rests, frozenset(here - placed))


def _by_board(value: Tournament, players: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    past = Past(value, system_of(value).history_rules(value))
    # The order of the boards does not depend on the rule that gave the colours.
    pairs = [Pair(white, black, "") for white, black in players]
    return [(pair.white, pair.black) for pair in board_order(pairs, past.place_of, past.pairing_score)]
