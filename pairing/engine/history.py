"""What each player brings into a round: points, opponents, colours, ARO, upfloats. One pass over games and byes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .errors import InvalidTournament
from .model import BYES, RESULTS, Bye, ByeKind, Colour, Game, Outcome, Tournament, UpfloatCount


@dataclass(frozen=True, slots=True)
class History:
    """A player's past before a round.

    score: points in tenths. games: number of games really played (GHR 3.4; byes and forfeits are none).
    opponents: ids met over the board, in the order of rounds; a meeting counts as often as it happened.
    colours: of the games played, oldest first; unplayed rounds are dropped (GHR 3.4).
    colour_difference: games with White minus games with Black (1.5.1).
    aro: average rating of the opponents met, rounded half up; 0 without a game (1.6).
    upfloats: rounds in which the player was upfloated (1.3.2), oldest first.
    bye_barred: C2 forbids the pairing-allocated bye (3.1.2).
    paired: was ever taken into account for a pairing: a game, a forfeit, an allocated bye (reading D7).
    """

    score: int
    games: int
    opponents: tuple[int, ...]
    colours: tuple[Colour, ...]
    colour_difference: int
    aro: int
    upfloats: tuple[int, ...]
    bye_barred: bool
    paired: bool


def rounded_half_up(total: int, count: int) -> int:
    """total / count to the nearest integer, .5 upwards (1.6.1). 0 when count is 0. Both are not negative."""
    return (2 * total + count) // (2 * count) if count else 0


def histories(tournament: Tournament) -> Mapping[int, History]:
    """History of every player before `tournament.round`, by id. Byes of that round or later are left out.

    Cost: linear in games and byes. Raises InvalidTournament where the input contradicts itself.
    """
    rating = {player.id: player.rating for player in tournament.players}
    by_round = _rounds(tournament, rating)
    score = dict.fromkeys(rating, 0)
    opponents: dict[int, list[int]] = {key: [] for key in rating}
    colours: dict[int, list[Colour]] = {key: [] for key in rating}
    upfloats: dict[int, list[int]] = {key: [] for key in rating}
    barred: set[int] = set()
    paired: set[int] = set()
    points = tournament.points
    for number in range(1, tournament.round):
        games, byes = by_round.get(number, ([], []))
        gained = dict.fromkeys(rating, points.zero_bye)
        for game in games:
            meaning = RESULTS[game.result]
            white, black = game.white, game.black
            gained[white] = points.of_game(meaning.white, Colour.WHITE)
            gained[black] = points.of_game(meaning.black, Colour.BLACK)
            paired.add(white)
            paired.add(black)
            if meaning.played:
                opponents[white].append(black)
                opponents[black].append(white)
                colours[white].append(Colour.WHITE)
                colours[black].append(Colour.BLACK)
            else:
                for key, outcome in ((white, meaning.white), (black, meaning.black)):
                    if outcome is Outcome.FORFEIT_WIN and gained[key] >= points.win:
                        barred.add(key)
            if (meaning.played or tournament.upfloats is UpfloatCount.PAIRED) and score[white] != score[
                black
            ]:
                upfloats[white if score[white] < score[black] else black].append(number)
        for bye in byes:
            gained[bye.player] = points.of_bye(bye.kind)
            if BYES[bye.kind].paired:
                paired.add(bye.player)
            if bye.kind is ByeKind.ALLOCATED or gained[bye.player] >= points.win:
                barred.add(bye.player)
        for key, amount in gained.items():
            score[key] += amount
    return {
        key: History(
            score=score[key],
            games=len(opponents[key]),
            opponents=tuple(opponents[key]),
            colours=tuple(colours[key]),
            colour_difference=2 * colours[key].count(Colour.WHITE) - len(colours[key]),
            aro=rounded_half_up(sum(rating[other] for other in opponents[key]), len(opponents[key])),
            upfloats=tuple(upfloats[key]),
            bye_barred=key in barred,
            paired=key in paired,
        )
        for key in rating
    }


def _rounds(tournament: Tournament, known: Mapping[int, int]) -> Mapping[int, tuple[list[Game], list[Bye]]]:
    """Games and byes of the former rounds, checked: everyone known, nobody twice in a round."""
    seen: set[tuple[int, int]] = set()

    def once(number: int, key: int) -> None:
        if key not in known:
            raise InvalidTournament("unknown_player", player=key, round=number)
        if (number, key) in seen:
            raise InvalidTournament("twice_in_a_round", player=key, round=number)
        seen.add((number, key))

    by_round: dict[int, tuple[list[Game], list[Bye]]] = defaultdict(lambda: ([], []))
    for game in tournament.games:
        if not 1 <= game.round < tournament.round:
            raise InvalidTournament("game_outside_former_rounds", round=game.round, player=game.white)
        once(game.round, game.white)
        once(game.round, game.black)
        by_round[game.round][0].append(game)
    for bye in tournament.byes:
        once(bye.round, bye.player)
        if 1 <= bye.round < tournament.round:
            by_round[bye.round][1].append(bye)
    return by_round
