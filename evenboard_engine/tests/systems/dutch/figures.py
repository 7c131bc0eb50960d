"""Article 1 for the literal search: the figures of each player, written from C.04.3 (edition of 1 February 2026).

`without` names rules that are left out or turned into their opposite, to prove that the tests depend on them.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenboard_engine.model import Bye, ByeKind, Game, Tournament
from evenboard_engine.tests.brute_history import (
    bonus,
    decided_points,
    is_played,
    is_to_be_paired,
    pairing_numbers,
    virtual_points,
)

NONE, MILD, STRONG, ABSOLUTE = range(4)
DOWN, UP, LEVEL = "down", "up", ""
OPPOSITE = {"W": "B", "B": "W"}
Readings = frozenset[str]


@dataclass(frozen=True, slots=True)
class Figures:
    """A player before the round.

    score: the pairing score, in tenths. points: without virtual points. colours: "W" and "B" of the games, oldest
    first. floats: of the last round and of the one before it. number: the one that counts for 5.2.5.
    """

    id: int
    tpn: int
    score: int
    points: int
    colours: str
    met: frozenset[int]
    floats: tuple[str, str]
    barred: bool
    unplayed: int
    topscorer: bool
    number: int

    @property
    def difference(self) -> int:
        return self.colours.count("W") - self.colours.count("B")

    @property
    def preference(self) -> tuple[str, int]:
        """Return the due colour and its strength (1.7); "" and NONE without a game."""
        due = "B" if self.difference > 0 else "W"
        last_two = self.colours[-2:]
        if abs(self.difference) > 1:
            return due, ABSOLUTE
        if last_two in ("WW", "BB"):
            return OPPOSITE[last_two[0]], ABSOLUTE
        if self.difference:
            return due, STRONG
        return (OPPOSITE[self.colours[-1]], MILD) if self.colours else ("", NONE)


def figures_of(tournament: Tournament, without: Readings = frozenset()) -> list[Figures]:
    """Return the figures of the players to be paired, in the order of article 1.2."""
    entries: dict[tuple[int, int], Game | Bye] = {}
    for game in tournament.games:
        entries[game.white, game.round] = entries[game.black, game.round] = game
    for bye in tournament.byes:
        entries[bye.player, bye.round] = bye
    points: dict[tuple[int, int], int] = {}
    for player in tournament.players:
        total = bonus(tournament, player.id, 0)
        for number in range(1, tournament.round + 1):
            points[player.id, number] = total
            total += decided_points(tournament, entries.get((player.id, number)), player.id, number)
            total += bonus(tournament, player.id, number)
    scores = {
        (player, number): total + virtual_points(tournament, player, number)
        for (player, number), total in points.items()
    }
    numbers = pairing_numbers(tournament)
    found = []
    for player in tournament.players:
        if not is_to_be_paired(tournament, player):
            continue
        mine = {number: entries.get((player.id, number)) for number in range(1, tournament.round)}
        games = {number: game for number, game in mine.items() if isinstance(game, Game) and is_played(game)}
        met = {game.white + game.black - player.id for game in games.values()}
        if "C1_forfeit" in without:
            met |= {one.white + one.black - player.id for one in mine.values() if isinstance(one, Game)}
        score = scores[player.id, tournament.round]
        float_scores = points if "float_real" in without else scores
        found.append(
            Figures(
                id=player.id,
                tpn=player.tpn,
                score=score,
                points=points[player.id, tournament.round],
                colours="".join("W" if game.white == player.id else "B" for game in games.values()),
                met=frozenset(met),
                floats=(
                    _float(tournament, mine, player.id, tournament.round - 1, float_scores, without),
                    _float(tournament, mine, player.id, tournament.round - 2, float_scores, without),
                ),
                barred=any(_bars(tournament, one, player.id, at, without) for at, one in mine.items()),
                unplayed=tournament.round - 1 - len(games),
                topscorer=_is_topscorer(tournament, score, without),
                number=player.tpn if "tpn_fixed" in without else numbers[player.id],
            )
        )
    return sorted(found, key=lambda one: (-one.score, one.tpn))


def _float(
    tournament: Tournament,
    entries: dict[int, Game | Bye | None],
    player: int,
    number: int,
    scores: dict[tuple[int, int], int],
    without: Readings,
) -> str:
    """Return the float of a tournament round (1.4)."""
    if number < 1:
        return LEVEL
    entry = entries[number]
    if isinstance(entry, Game) and is_played(entry):
        own, other = scores[player, number], scores[entry.white + entry.black - player, number]
        return DOWN if own > other else UP if own < other else LEVEL
    allocated = isinstance(entry, Bye) and entry.kind is ByeKind.ALLOCATED
    if (allocated and "pab_float_by_points" not in without) or "absence_float" in without:
        return DOWN
    loss = max(tournament.points.white_loss, tournament.points.black_loss)
    return DOWN if decided_points(tournament, entry, player, number) > loss else LEVEL


def _bars(
    tournament: Tournament, entry: Game | Bye | None, player: int, number: int, without: Readings
) -> bool:
    """Return whether a round bars its player from the bye (C2)."""
    if isinstance(entry, Bye) and entry.kind is ByeKind.ALLOCATED:
        return "C2" not in without
    if is_played(entry) or without & {"C2", "C2_pab_only"}:
        return False
    if isinstance(entry, Bye) and "C2_no_fpb" in without:
        return False
    win = min(tournament.points.white_win, tournament.points.black_win)
    return decided_points(tournament, entry, player, number) >= win


def _is_topscorer(tournament: Tournament, score: int, without: Readings) -> bool:
    """Return whether the score is above half of what could be made before the last round (1.8)."""
    if "no_top" in without or (tournament.round < tournament.rounds and "top_all_rounds" not in without):
        return False
    rounds = tournament.rounds if "top_all_rounds_score" in without else tournament.round - 1
    half = rounds * max(tournament.points.white_win, tournament.points.black_win)
    return 2 * score > half or ("top_half" in without and 2 * score == half)
