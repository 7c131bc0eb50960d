"""Find the article in which two answers to one round differ, and prove from the rule text which answer departs from it.

The facts about each player come from the tests' oracle (`evenboard_engine/tests/brute_history.py`), not from the
engine. Both answers are complete rounds, so each proves that its choice was possible. Of two possible choices the text
prefers one; the answer with the other choice departs. Only the first bracket in which the answers differ is judged:
later differences follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenboard_engine import Bye, ByeKind, Result, RoundPairing, Tournament, pair_round
from evenboard_engine.matching import cheapest_perfect_matching
from evenboard_engine.systems.dubov.pairing import BracketRecord
from evenboard_engine.systems.dubov.pairing.colours import DubovColourRule
from evenboard_engine.tests.brute_force import colours, middle_out
from evenboard_engine.tests.brute_history import ABSOLUTE, Entrant, is_to_be_paired, read_history

from .peer import PeerAnswer

# Facts about the players of one round by articles 1, 3 and 4, computed from the history by the tests' oracle.


class OracleFacts:
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


# The verdict on two answers.


Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PeerDeparture:
    """article: the first in which the answers differ (C.04.4.1, edition 2025). ours: our answer departs from the text.

    sentence: with what the article prefers and what was chosen instead.
    """

    article: str
    sentence: str
    ours: bool = False


def departures(
    tournament: Tournament, ours: RoundPairing | None, theirs: PeerAnswer
) -> tuple[PeerDeparture, ...]:
    """Return where the peer's answer differs from ours; empty if they agree (the order of boards does not count).

    ours: None if our engine says that no legal round exists. If the byes differ, the rest is compared with our answer
    for the peer's bye.
    """
    if ours is None and theirs.error:
        return ()
    if theirs.error:
        return (PeerDeparture("1.8.3", f"no answer, though a legal round exists: {theirs.error}"),)
    verdict = _Verdict(tournament)
    illegal = verdict.illegal(theirs)
    if illegal:
        return (illegal,)
    if ours is None:
        return (
            PeerDeparture("1.8.3", "a legal round, although our engine says that there is none", ours=True),
        )
    found: list[PeerDeparture] = []
    rebuilt = ours.bye != theirs.bye
    if rebuilt:
        assert ours.bye is not None
        assert theirs.bye is not None
        found.append(verdict.of_byes(ours.bye, theirs.bye))
        away = Bye(tournament.round, theirs.bye, ByeKind.ZERO)
        ours = pair_round(replace(tournament, byes=(*tournament.byes, away)))
    met = {player: other for pair in theirs.pairs for player, other in (pair, pair[::-1])}
    for record in ours.brackets:
        departure = verdict.of_brackets(record, met)
        if departure:
            return (*found, departure)
    found += verdict.of_colours(ours, theirs, rebuilt=rebuilt)
    return tuple(found)


class _Verdict:
    """Compares two answers to one round, article by article."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.facts = OracleFacts(tournament)
        self.players, self.present = self.facts.players, self.facts.present

    def illegal(self, theirs: PeerAnswer) -> PeerDeparture | None:
        """Return the first rule that the peer's round breaks without regard to ours, or None."""
        named = [player for pair in theirs.pairs for player in pair]
        named += [] if theirs.bye is None else [theirs.bye]
        if len(named) != len(set(named)) or set(named) != self.present:
            return PeerDeparture("1.8.1", "somebody is paired twice or not at all")
        for white, black in theirs.pairs:
            one, other = self.players[white], self.players[black]
            if not self.facts.legal(one, other):
                article = "3.1.1 (C1)" if black in one.opponents else "3.1.3 (C3)"
                return PeerDeparture(article, f"{white} and {black} may not meet")
        if theirs.bye is not None and self.players[theirs.bye].barred:
            return self._barred(theirs.bye)
        return None

    def _barred(self, bye: int) -> PeerDeparture:
        """Return the departure from C2. A full-point bye counts only by reading D3."""
        allocated = any(b.player == bye and b.kind is ByeKind.ALLOCATED for b in self.tournament.byes)
        won = any(
            (game.white, game.result) == (bye, Result.WHITE_WINS_BY_FORFEIT)
            or (game.black, game.result) == (bye, Result.BLACK_WINS_BY_FORFEIT)
            for game in self.tournament.games
        )
        what = "an allocated bye" if allocated else "a win by forfeit" if won else "a full-point bye"
        reading = "" if allocated or won else ", reading D3"
        return PeerDeparture(f"3.1.2 (C2{reading})", f"{bye} has the bye after {what}")

    def of_byes(self, ours: int, theirs: int) -> PeerDeparture:
        """Compare two byes by 2.1. Both answers are complete rounds, so 2.1.2 does not decide."""
        mine, other = self.players[ours], self.players[theirs]
        for article, key, words in (
            ("2.1.3", lambda player: player.score, "the lowest score"),
            ("2.1.4", lambda player: -len(player.colours), "the most games played"),
            ("2.1.5", lambda player: -player.tpn, "the largest pairing number"),
        ):
            if key(mine) != key(other):
                return PeerDeparture(
                    article,
                    f"{words}: the bye is for {ours}, not {theirs} ({_described(mine)}; {_described(other)})",
                    ours=key(mine) > key(other),
                )
        raise AssertionError("two players with one pairing number")

    def of_brackets(self, record: BracketRecord, met: Mapping[int, int]) -> PeerDeparture | None:
        """Return the first article in which the peer's pairs of these residents differ; None if they are the same."""
        residents = set(record.residents)
        chosen = sorted({met[player] for player in residents} - residents)
        mine = dict(zip(record.s1, record.t2, strict=True))
        if set(chosen) != set(record.upfloaters):
            pairs = _pairs(met, residents)
            return self._of_upfloaters(record, chosen, list(mine.items()), pairs)
        if all(met[one] == other for one, other in mine.items()):
            return None
        return self._of_subgroups(record, met, mine)

    def _of_upfloaters(
        self,
        record: BracketRecord,
        chosen: Sequence[int],
        mine: Sequence[tuple[int, int]],
        theirs: Sequence[tuple[int, int]],
    ) -> PeerDeparture:
        """Compare two sets of upfloaters by C5 to C10, then by 4.2."""
        my_values = self._qualities(record, record.upfloaters, mine)
        their_values = self._qualities(record, chosen, theirs)
        for (article, value), (_, other) in zip(my_values, their_values, strict=True):
            if value != other:
                return PeerDeparture(
                    article,
                    f"upfloaters into {record.score / 10} points: {_list(record.upfloaters)} has {_show(value)}, "
                    f"{_list(chosen)} has {_show(other)}",
                    ours=value > other,
                )
        raise AssertionError("two sets of upfloaters with one order")

    def _qualities(
        self, record: BracketRecord, upfloaters: Sequence[int], pairs: Sequence[tuple[int, int]]
    ) -> list[tuple[str, tuple[int, ...]]]:
        """Return the value of a set by each criterion; smaller is better. pairs: a legal pairing of the bracket."""
        floaters = [self.players[player] for player in upfloaters]
        tournament = self.tournament
        values: list[tuple[str, tuple[int, ...]]] = [
            ("3.3.1 (C5)", (len(floaters),)),
            ("3.3.2 (C6)", tuple(-score for score in sorted(player.score for player in floaters))),
            ("3.3.3 (C7)", (self.facts.least_misses([*record.residents, *upfloaters], pairs),)),
        ]
        if tournament.round < tournament.rounds:
            maximum = [
                player.upfloats for player in floaters if player.upfloats >= 2 + tournament.rounds // 5
            ]
            values += [
                ("3.3.4 (C8)", (len(maximum),)),
                ("3.3.5 (C9)", (sum(maximum),)),
                ("3.3.6 (C10)", (sum(player.upfloated_last for player in floaters),)),
            ]
        order = sorted((-player.score, player.tpn) for player in floaters)
        return [*values, ("4.2", tuple(tpn for _, tpn in order))]

    def _of_subgroups(
        self, record: BracketRecord, met: Mapping[int, int], mine: Mapping[int, int]
    ) -> PeerDeparture:
        """Compare two pairings of the same bracket by 2.2.3 to 2.2.6."""
        bracket = [*record.residents, *record.upfloaters]
        pairs = _pairs(met, set(bracket))
        at = f"bracket of {record.score / 10} points"
        g1, g2 = self.facts.initial(bracket)
        smaller, larger = (g1, g2) if len(g1) <= len(g2) else (g2, g1)
        if not record.unplayed and self.facts.misses(pairs) != self.facts.misses(list(mine.items())):
            values = self.facts.misses(list(mine.items())), self.facts.misses(pairs)
            return PeerDeparture("3.3.3 (C7)", f"{at}: {values[0]} or {values[1]} pairs against a preference",
                             ours=values[0] > values[1])  # fmt: skip
        steps = (
            ("2.2.4.1", smaller, record.shifted_first, "first"),
            ("2.2.4.2", larger, record.shifted_second, "second"),
        )
        for article, group, shifted, which in steps:
            numbers = self.facts.sequence(group, unplayed=record.unplayed)
            inside = [pair for pair in pairs if pair[0] in numbers and pair[1] in numbers]
            if len(inside) != len(shifted):
                reading = " (reading D6)" if record.unplayed else ""
                found = f"{at}: {len(inside)} pairs inside a subgroup, not {len(shifted)}"
                return PeerDeparture(f"2.2.3{reading}", found, ours=len(inside) < len(shifted))
            if all((one in shifted) != (other in shifted) for one, other in inside):
                continue
            best = tuple(sorted(min(numbers[one], numbers[other]) for one, other in inside))
            own = tuple(sorted(numbers[player] for player in shifted))
            reading = ", reading D5" if which == "second" and record.shifted_first else ""
            return PeerDeparture(
                f"{article} (4.3{reading})",
                f"{at}: the {which} shift by sequence numbers is {_list(own)}, not {_list(best)}",
                ours=own > best,
            )
        tpn = {player: self.players[player].tpn for player in bracket}
        for one in record.s1:
            if mine[one] != met[one]:
                return PeerDeparture(
                    "2.2.6 (4.4)",
                    f"{at}: {one} meets {mine[one]} in the first transposition that is legal, not {met[one]}",
                    ours=tpn[mine[one]] > tpn[met[one]],
                )
        raise AssertionError("the same pairs")

    def of_colours(self, ours: RoundPairing, theirs: PeerAnswer, *, rebuilt: bool) -> list[PeerDeparture]:
        """Compare the colours (5.2) of the pairs in both answers. rebuilt: ours is paired with the peer's bye."""
        found = []
        for pair in ours.pairs:
            mine = pair.white, pair.black
            other = mine if mine in theirs.pairs else mine[::-1]
            right = colours(self.tournament, self.players[pair.white], self.players[pair.black])
            if other == right and (mine == right or rebuilt):
                continue
            article = pair.colours
            if pair.colours is DubovColourRule.INITIAL and any(self._renumbered(player) for player in mine):
                article += " (reading D7)"
            sentence = f"{right[0]} has White against {right[1]}"
            found.append(PeerDeparture(article, sentence, ours=mine != right and not rebuilt))
        return found

    def _renumbered(self, player: int) -> bool:
        """Return whether pairing numbers before this player's belong to players who never took part."""
        return bool(self.players[player].number != self.players[player].tpn)


def _pairs(met: Mapping[int, int], players: set[int]) -> list[tuple[int, int]]:
    """Return the pairs of these players, each pair once."""
    return [
        (one, other) for one, other in met.items() if one in players and (one < other or other not in players)
    ]


def _described(player: Entrant) -> str:
    return f"{player.id}: {player.score / 10} points, {len(player.colours)} games, number {player.tpn}"


def _list(ids: Sequence[int]) -> str:
    return "{" + ", ".join(map(str, ids)) + "}"


def _show(value: tuple[int, ...]) -> str:
    return ", ".join(str(abs(part)) for part in value)
