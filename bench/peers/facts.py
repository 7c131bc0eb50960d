"""Facts about the players of one round by articles 1, 3 and 4, computed from the history by the tests' oracle."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine import Tournament
from evenboard_engine.matching import cheapest_perfect_matching
from evenboard_engine.tests.brute_force import middle_out
from evenboard_engine.tests.brute_history import ABSOLUTE, Entrant, is_to_be_paired, read_history


class Facts:
    """players: by id. present: ids of the players to be paired."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.players = read_history(tournament)
        self.present = {p.id for p in tournament.players if is_to_be_paired(tournament, p)}

    def legal(self, one: Entrant, other: Entrant) -> bool:
        """Return whether C1 and C3 allow the pair."""
        (mine, strength), (theirs, their_strength) = one.preference, other.preference
        both_absolute = strength == their_strength == ABSOLUTE
        return other.id not in one.opponents and not (both_absolute and mine == theirs)

    def misses(self, pairs: Sequence[tuple[int, int]]) -> int:
        """Return the number of pairs in which a player misses the due colour (C7)."""
        return sum(self.players[a].preference[0] == self.players[b].preference[0] for a, b in pairs)

    def least_misses(self, bracket: Sequence[int], pairs: Sequence[tuple[int, int]]) -> int:
        """Return the C7 value of the best pairing of a bracket. pairs: a legal pairing of it."""
        whites = sum(self.players[player].preference[0] == "W" for player in bracket)
        least, found = abs(2 * whites - len(bracket)) // 2, self.misses(pairs)
        if least == found:
            return int(least)
        players = [self.players[player] for player in bracket]
        costs = [
            {
                j: int(one.preference[0] == other.preference[0])
                for j, other in enumerate(players)
                if one is not other and self.legal(one, other)
            }
            for one in players
        ]
        mate = cheapest_perfect_matching(costs)
        assert mate is not None
        return sum(costs[i][j] for i, j in enumerate(mate)) // 2

    def initial(self, bracket: Sequence[int]) -> tuple[list[Entrant], list[Entrant]]:
        """Return G1 and G2 before any shift (2.2.3)."""
        ranked = sorted((self.players[player] for player in bracket), key=lambda player: player.tpn)
        if not any(player.colours for player in ranked):
            return ranked[: len(ranked) // 2], ranked[len(ranked) // 2 :]
        whites = [player for player in ranked if player.preference[0] == "W"]
        return whites, [player for player in ranked if player.preference[0] == "B"]

    def sequence(self, group: Sequence[Entrant], *, unplayed: bool) -> dict[int, int]:
        """Return the sequence number of each possible shifter (4.3.2 and 4.3.3)."""
        by_aro = bool(group) and group[0].preference[0] == "W" and not unplayed
        ordered = sorted(group, key=lambda player: (player.aro if by_aro else 0, player.tpn))
        return {player.id: number for number, player in enumerate(middle_out(ordered), start=1)}
