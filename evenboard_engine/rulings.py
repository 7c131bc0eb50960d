"""Points by decision of the arbiter (record 299): what they change in the score of a player.

Whoever adds up the points of results asks here for what comes on top of the point system (decision 83).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from .model import RESULTS, ByeKind, Colour, Outcome, Ruling, Tournament

_PLAYED = frozenset((Outcome.WIN, Outcome.DRAW, Outcome.LOSS))


class Ruled(NamedTuple):
    """A result or a bye whose points were decided. usual: its points by the point system. All in tenths."""

    of: Outcome | ByeKind
    points: int
    usual: int

    @property
    def unplayed(self) -> bool:
        return self.of not in _PLAYED


class PointsByDecision:
    """What was decided for one player. added: bonuses and penalties by round, 0 before round 1."""

    def __init__(self, rulings: Iterable[Ruling]) -> None:
        self.added: dict[int, int] = {}
        self._of: dict[Outcome | ByeKind, dict[int, int]] = {}
        for one in rulings:
            if one.of is None:
                self.added[one.round] = self.added.get(one.round, 0) + one.points
            else:
                self._of.setdefault(one.of, {})[one.round] = one.points

    def points_of(self, of: Outcome | ByeKind, number: int) -> int | None:
        """Return the points of a result or a bye of a round, in tenths; None if they were not decided.

        A decision on one round goes before one on all rounds; of two equal ones the later counts.
        """
        rounds = self._of.get(of)
        return rounds.get(number, rounds.get(0)) if rounds else None


def decided(rulings: Iterable[Ruling]) -> dict[int, PointsByDecision]:
    found: dict[int, list[Ruling]] = {}
    for one in rulings:
        found.setdefault(one.player, []).append(one)
    return {player: PointsByDecision(ones) for player, ones in found.items()}


def ruled_results(tournament: Tournament) -> dict[tuple[int, int], Ruled]:
    """Return the results and byes before `tournament.round` whose points were decided, by round and player.

    An earlier round without a game or a bye is a zero-point bye. Cost: linear, and nothing without such decisions.
    """
    players = decided(one for one in tournament.rulings if one.of is not None)
    if not players:
        return {}
    found = {}
    for number, player, of, usual in _with_empty_rounds(tournament, players.keys()):
        points = players[player].points_of(of, number)
        if points is not None:
            found[number, player] = Ruled(of, points, usual)
    return found


def added_points(tournament: Tournament) -> dict[int, dict[int, int]]:
    """Return bonuses and penalties in tenths by player and round (0 before round 1), before `tournament.round`."""
    found: dict[int, dict[int, int]] = {}
    for ruling in tournament.rulings:
        if ruling.of is None and ruling.round < tournament.round:
            rounds = found.setdefault(ruling.player, {})
            rounds[ruling.round] = rounds.get(ruling.round, 0) + ruling.points
    return found


def points_by_round(tournament: Tournament) -> dict[tuple[int, int], int]:
    """Return what comes on top of the points of the point system, in tenths, by round (0 before round 1) and player."""
    found = {key: ruled.points - ruled.usual for key, ruled in ruled_results(tournament).items()}
    for player, rounds in added_points(tournament).items():
        for number, points in rounds.items():
            found[number, player] = found.get((number, player), 0) + points
    return found


def unplayed_results(
    tournament: Tournament, players: Set[int] | None = None
) -> Iterator[tuple[int, int, Outcome | ByeKind, int]]:
    """Yield round, player, forfeit or bye, and points, of what players scored without playing in earlier rounds.

    players: only these. A round without a game or a bye is left out, except if its points were decided.
    """
    ruled = ruled_results(tournament)
    known = {player.id for player in tournament.players} if players is None else players
    for number, player, of, usual in _results(tournament, known):
        if of not in _PLAYED:
            one = ruled.pop((number, player), None)
            yield number, player, of, usual if one is None else one.points
    for (number, player), one in ruled.items():
        if player in known and one.unplayed:
            yield number, player, one.of, one.points


def bar_of(of: Outcome | ByeKind, points: int, win: int | None) -> str | None:
    """Return the code of the reason if a round without playing bars from the allocated bye (C2), else None.

    win: the points of a win. None: only allocated byes and forfeit wins bar, as in 2018. `history.Past` has the same
    rule.
    """
    if of is ByeKind.ALLOCATED:
        return "bye_had"
    if of is Outcome.FORFEIT_WIN and (win is None or points >= win):
        return "bye_forfeit_win"
    return "bye_points_unplayed" if win is not None and points >= win else None


def barred_by_points(tournament: Tournament) -> dict[int, bool]:
    """Return whether C2 bars from the allocated bye, for each player with a decision on points without playing."""
    players = {player for (_number, player), one in ruled_results(tournament).items() if one.unplayed}
    barred = dict.fromkeys(players, False)
    for _number, player, of, points in unplayed_results(tournament, players) if players else ():
        if bar_of(of, points, tournament.points.win) is not None:
            barred[player] = True
    return barred


def _results(tournament: Tournament, players: Set[int]) -> Iterator[tuple[int, int, Outcome | ByeKind, int]]:
    """Yield round, player, result or bye, and points by the point system, of these players in earlier rounds."""
    points = tournament.points
    for game in tournament.games:
        meaning = RESULTS[game.result]
        if game.white in players:
            yield game.round, game.white, meaning.white, points.of_game(meaning.white, Colour.WHITE)
        if game.black in players:
            yield game.round, game.black, meaning.black, points.of_game(meaning.black, Colour.BLACK)
    for bye in tournament.byes:
        if bye.player in players and bye.round < tournament.round:
            yield bye.round, bye.player, bye.kind, points.of_bye(bye.kind)


def _with_empty_rounds(
    tournament: Tournament, players: Set[int]
) -> Iterator[tuple[int, int, Outcome | ByeKind, int]]:
    """Yield the results of these players, then their earlier rounds without a game or a bye as zero-point byes."""
    seen = {(game.round, player) for game in tournament.open_games for player in (game.white, game.black)}
    for one in _results(tournament, players):
        seen.add(one[:2])
        yield one
    for player in players:
        for number in range(1, tournament.round):
            if (number, player) not in seen:
                yield number, player, ByeKind.ZERO, tournament.points.zero_bye
