"""The players of a round as the pairing sees them, and what may legally meet (C1, C3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pairing.engine.errors import InvalidTournament
from pairing.engine.history import histories
from pairing.engine.matching import Matching
from pairing.engine.model import Colour, Tournament

from .preferences import Preference, maximum_upfloats, preference


@dataclass(frozen=True, slots=True, eq=False)
class Entrant:
    """A player who is to be paired in this round.

    rank: place in the initial ranking, by which everything is sorted (the pairing number as given).
    number: the pairing number that counts for 5.2.1, without those never taken into account (reading D7).
    met: ranks of those whom C1 or a forbidden pair keeps away. colours: of the games played, oldest first.
    upfloats: how often upfloated. upfloated_last: in the round before this one. maximum: a maximum upfloater (1.7).
    """

    id: int
    rank: int
    number: int
    score: int
    aro: int
    games: int
    due: Preference
    colours: tuple[Colour, ...]
    met: frozenset[int]
    upfloats: int
    upfloated_last: bool
    maximum: bool
    bye_barred: bool

    @property
    def wants_white(self) -> bool:
        return self.due.colour is Colour.WHITE


def entrants(tournament: Tournament) -> list[Entrant]:
    """The players to be paired, in initial ranking order. Raises InvalidTournament where the input is wrong."""
    _check(tournament)
    past = histories(tournament)
    away = set(tournament.absent)
    away.update(bye.player for bye in tournament.byes if bye.round == tournament.round)
    rank = {player.id: player.tpn for player in tournament.players}
    kept_apart: dict[int, set[int]] = {}
    for first, second in tournament.forbidden:
        kept_apart.setdefault(first, set()).add(rank[second])
        kept_apart.setdefault(second, set()).add(rank[first])
    limit = maximum_upfloats(tournament.rounds)
    field = []
    number = 0
    for player in sorted(tournament.players, key=lambda player: player.tpn):
        history = past[player.id]
        number += history.paired or player.id not in away
        if player.id in away:
            continue
        met = {rank[opponent] for opponent in history.opponents}
        field.append(
            Entrant(
                id=player.id,
                rank=player.tpn,
                number=number,
                score=history.score,
                aro=history.aro,
                games=history.games,
                due=preference(history),
                colours=history.colours,
                met=frozenset(met | kept_apart.get(player.id, set())),
                upfloats=len(history.upfloats),
                upfloated_last=tournament.round - 1 in history.upfloats,
                maximum=len(history.upfloats) >= limit,
                bye_barred=history.bye_barred,
            )
        )
    return field


def _check(tournament: Tournament) -> None:
    if tournament.rounds < 1 or not 1 <= tournament.round <= tournament.rounds:
        raise InvalidTournament(
            "round_outside_the_tournament", round=tournament.round, rounds=tournament.rounds
        )
    ids = {player.id for player in tournament.players}
    if len(ids) != len(tournament.players):
        raise InvalidTournament("player_twice")
    if len({player.tpn for player in tournament.players}) != len(ids):
        raise InvalidTournament("pairing_number_twice")
    for player in tournament.players:
        if player.rating < 1:
            raise InvalidTournament("rating_missing", player=player.id)
    for key in tournament.absent | {key for pair in tournament.forbidden for key in pair}:
        if key not in ids:
            raise InvalidTournament("unknown_player", player=key, round=tournament.round)


def may_meet(one: Entrant, other: Entrant) -> bool:
    """C1 (3.1.1, with forbidden pairs) and C3 (3.1.3)."""
    return other.rank not in one.met and not (
        one.due.absolute and other.due.absolute and one.due.colour is other.due.colour
    )


def legal_graph(players: Sequence[Entrant]) -> list[int]:
    """Who may meet whom, as bit masks by place in `players`."""
    place = {player.rank: i for i, player in enumerate(players)}
    everyone = (1 << len(players)) - 1
    due_absolutely = dict.fromkeys(Colour, 0)
    for i, player in enumerate(players):
        if player.due.absolute:
            due_absolutely[player.due.colour] |= 1 << i
    graph = []
    for i, player in enumerate(players):
        mask = everyone ^ 1 << i
        if player.due.absolute:
            mask &= ~due_absolutely[player.due.colour]
        for rank in player.met:
            if rank in place:
                mask &= ~(1 << place[rank])
        graph.append(mask)
    return graph


def surely_pairable(players: Collection[Entrant], *, without: int = 0) -> bool:
    """Dirac's condition: everyone may meet at least half of the players, so a legal pairing of all of them exists.

    without: holds even after any that many of them are taken away. False says nothing.
    Source: G. A. Dirac, Some theorems on abstract graphs (1952): a Hamiltonian cycle, and with it a perfect matching
    of an even number.
    """
    count = len(players) - without
    if count % 2:
        return False
    if count <= 0:
        return True
    ranks = {player.rank for player in players}
    same = {colour: sum(p.due.absolute and p.due.colour is colour for p in players) for colour in Colour}
    most = max(
        len(player.met & ranks) + (same[player.due.colour] - 1 if player.due.absolute else 0)
        for player in players
    )
    return 2 * (count - 1 - most) >= count


def pairable(players: Sequence[Entrant]) -> bool:
    """Whether all of them can be paired with each other legally: what C4 asks of those who remain (3.2.1)."""
    if len(players) % 2:
        return False
    return surely_pairable(players) or Matching(legal_graph(players)).maximise() == 0
