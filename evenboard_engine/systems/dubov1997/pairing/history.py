"""From a tournament to the players of the round (S1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import NO_ROUNDS, Past
from evenboard_engine.model import Tournament

from .field import HISTORY_RULES, Colours, Entrant, Field


def field_of(tournament: Tournament, including: Collection[int] = ()) -> Field:
    """Return the players of the round. including: ids of players who belong to it although they are absent.

    The rules of 1997 have no acceleration: virtual points do not count. Raises InvalidTournament.
    """
    if tournament.accelerations:
        tournament = replace(tournament, accelerations=())
    past = Past(tournament, HISTORY_RULES)
    _check(tournament, past)
    away = {past.place_of[key] for key in tournament.absent}
    away.update(past.place_of[bye.player] for bye in tournament.byes if bye.round == tournament.round)
    away -= {past.place_of[key] for key in including}
    here = [place for place in range(len(past.players)) if place not in away]
    return Field(
        entrants_of(tournament, past, here),
        number=tournament.round,
        rounds=tournament.rounds,
        first=tournament.initial_colour,
    )


def entrants_of(tournament: Tournament, past: Past, places: Collection[int]) -> list[Entrant]:
    """Return the players at these places with their figures."""
    totals, counts = past.aro_sums()
    aros: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(0)}
    known: dict[tuple[int, ...], Colours] = {}
    sides = list(zip(*past.side_in, strict=True)) if past.side_in else [NO_ROUNDS] * len(past.players)
    ids = [player.id for player in past.players]
    apart: dict[int, list[int]] = {}
    for one, other in tournament.forbidden:
        apart.setdefault(one, []).append(other)
        apart.setdefault(other, []).append(one)
    entrants = []
    for place in places:
        player = past.players[place]
        shape = known.get(sides[place])
        if shape is None:
            shape = known[sides[place]] = Colours.after(sides[place])
        sums = totals[place], counts[place]
        if sums not in aros:
            aros[sums] = Fraction(*sums)
        rises = past.upfloats.get(place, NO_ROUNDS)
        entrants.append(
            Entrant(
                id=player.id,
                tpn=player.tpn,
                rating=player.rating,
                score=past.pairing_score[place],
                colours=shape,
                aro=aros[sums],
                met=[ids[other] for other in past.opponents(place)] + apart.get(player.id, []),
                rises=len(rises),
                rose_last=tournament.round - 1 in rises,
                had_point=place in past.barred,
            )
        )
    return entrants


def _check(tournament: Tournament, past: Past) -> None:
    if tournament.rounds < 1 or not 1 <= tournament.round <= tournament.rounds:
        raise InvalidTournament(
            "round_outside_the_tournament", round=tournament.round, rounds=tournament.rounds
        )
    if len({player.tpn for player in tournament.players}) != len(tournament.players):
        raise InvalidTournament("pairing_number_twice")
    for key in tournament.absent.union(*tournament.forbidden):
        if key not in past.place_of:
            raise InvalidTournament("unknown_player", player=key, round=tournament.round)
