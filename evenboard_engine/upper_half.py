"""Pair the upper half of each score group with its lower half: a plain round with which systems are compared.

It is nobody's regulation. The round is legal by C1 to C3 of the Dubov System: nobody meets an earlier opponent or a
forbidden player, the bye goes to a player who may have it, and two players with an absolute preference for one colour
do not meet. Nothing else is looked at: no weaker colour preferences, no floats of earlier rounds, no AROs. Players are
ranked by pairing score, then by pairing number. With an odd number, the bye goes to the lowest ranked player without
whom the rest can be paired. The pairs are those with the least sums, in this order:

1. of the squares of the differences of scores;
2. of the squares of the distances from the natural opponent. In a score group of n players that is n // 2 places away
   (the first of the upper half meets the first of the lower half). Across score groups it is one place away, so the
   last of a group floats to the first of the next one.

The colours are those of the Dubov System (C.04.4.1, 5.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .errors import InvalidTournament, NoLegalPairing
from .history import BLACK_SIDE, WHITE_SIDE, History
from .matching.cheapest import cheapest_perfect_matching
from .model import Colour, Player, Tournament
from .result import Pair, RoundPairing, board_order
from .systems.dubov.pairing.colours import DubovColourRule, colour_of_the_higher
from .systems.dubov.pairing.field import Shape
from .systems.registry import histories

CODE = "upper_half"
"""Names it beside the systems of the registry, to which it does not belong."""


@dataclass(frozen=True, slots=True)
class UpperHalfPlayer:
    """A player who is paired. score: the pairing score in tenths."""

    player: Player
    score: int
    history: History
    shape: Shape


def pair_upper_half(tournament: Tournament) -> RoundPairing:
    """Return the round. Raises NoLegalPairing, and InvalidTournament if the input contradicts itself.

    Cost: about 2 ms for 60 players, and it grows with their square.
    """
    ranked = ranking_of(tournament)
    for bye in reversed(ranked) if len(ranked) % 2 else (None,):
        if bye is not None and bye.history.bye_barred:
            continue
        field = [one for one in ranked if one is not bye]
        partners = cheapest_perfect_matching(costs_of(tournament, field))
        if partners is not None:
            pairs = [
                seated(tournament, field[i], field[partner])
                for i, partner in enumerate(partners)
                if i < partner
            ]
            return RoundPairing(
                tournament.round, _by_board(ranked, pairs), None if bye is None else bye.player.id
            )
    raise NoLegalPairing("no_pairing", players=tuple(sorted(one.player.id for one in ranked)))


def ranking_of(tournament: Tournament) -> list[UpperHalfPlayer]:
    """Return the players to be paired, highest first."""
    past = histories(tournament)
    away = tournament.absent | {bye.player for bye in tournament.byes if bye.round == tournament.round}
    found = [
        UpperHalfPlayer(player, past[player.id].pairing_score, past[player.id], _shape(past[player.id]))
        for player in tournament.players
        if player.id not in away
    ]
    return sorted(found, key=lambda one: (-one.score, one.player.tpn))


def costs_of(tournament: Tournament, field: Sequence[UpperHalfPlayer]) -> list[dict[int, int]]:
    """Return the cost of each legal pair, by places in the ranking. A missing pair is illegal."""
    size = Counter(one.score for one in field)
    more_than_all_distances = len(field) ** 3 + 1
    costs: list[dict[int, int]] = [{} for _ in field]
    for i, one in enumerate(field):
        barred = set(one.history.opponents)
        barred.update(sum(pair) - one.player.id for pair in tournament.forbidden if one.player.id in pair)
        for j in range(i + 1, len(field)):
            other = field[j]
            same_due = one.shape.absolute and one.shape.absolute == other.shape.absolute
            if other.player.id in barred or same_due:
                continue
            apart = one.score - other.score
            natural = 1 if apart else size[one.score] // 2
            cost = apart**2 * more_than_all_distances + (j - i - natural) ** 2
            costs[i][j] = costs[j][i] = cost
    return costs


def seated(tournament: Tournament, higher: UpperHalfPlayer, lower: UpperHalfPlayer) -> Pair:
    """Return two players with their colours. Raises InvalidTournament if the initial-colour is missing."""
    if higher.shape.sides or lower.shape.sides:
        colour, rule = colour_of_the_higher(higher.shape, lower.shape)
    elif tournament.initial_colour is None:
        raise InvalidTournament("initial_colour_missing")
    else:
        odd, first = higher.player.tpn % 2, tournament.initial_colour
        colour, rule = first if odd else first.opposite, DubovColourRule.INITIAL
    white, black = (higher, lower) if colour is Colour.WHITE else (lower, higher)
    return Pair(white.player.id, black.player.id, rule)


def _shape(history: History) -> Shape:
    return Shape.after([WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE for colour in history.colours])


def _by_board(ranked: Sequence[UpperHalfPlayer], pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    in_order = sorted(ranked, key=lambda one: one.player.tpn)
    place_of: Mapping[int, int] = {one.player.id: place for place, one in enumerate(in_order)}
    return board_order(pairs, place_of, [one.score for one in in_order])
