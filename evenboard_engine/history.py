"""Compute each player's history before a round: points, opponents, colours, ARO, upfloats, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple

from .errors import InvalidTournament
from .model import BYES, RESULTS, Bye, ByeKind, Colour, Game, Outcome, PointSystem, Result, Tournament
from .rulings import barred_by_points, points_by_round, ruled_results

NO_ROUNDS: tuple[int, ...] = ()
WHITE_SIDE, BLACK_SIDE = 1, 2
NO_FLOAT, FLOATED_DOWN, FLOATED_UP = 0, 1, 2


@dataclass(frozen=True, slots=True)
class History:
    """A player's history before a round.

    score: points in tenths. pairing_score: with the virtual points of the round to be paired.
    games: number of games actually played (GHR 3.4), without byes and forfeits.
    opponents: ids of the players met over the board, in the order of rounds; an opponent met twice is in it twice.
    colours: of the games played, oldest first; unplayed rounds are left out (GHR 3.4).
    colour_difference: games with White minus games with Black (1.5.1).
    aro: average rating of the opponents met, rounded half up; 0 without a game (1.6).
    upfloats: rounds in which the player was upfloated (1.3.2), by the pairing scores of that round, oldest first.
    bye_barred: C2 forbids the pairing-allocated bye (3.1.2).
    paired: the player has been taken into account for a pairing: a game, a forfeit or an allocated bye (reading D7).
    floats: of the last two rounds, the last one first; () unless the rules ask for them.
    """

    score: int
    pairing_score: int
    games: int
    opponents: tuple[int, ...]
    colours: tuple[Colour, ...]
    colour_difference: int
    aro: int
    upfloats: tuple[int, ...]
    bye_barred: bool
    paired: bool
    floats: tuple[int, ...] = ()

    @property
    def sides(self) -> bytes:
        return bytes(WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE for colour in self.colours)


class HistoryRules(NamedTuple):
    """What a pairing system counts of unplayed rounds.

    unplayed_upfloats: a forfeited game between players with different scores is an upfloat too (reading D1).
    win_points_bar: C2 bars from the pairing-allocated bye after every round that scored the points of a win without
    playing; else after an allocated bye or a forfeit win, whatever it was worth.
    full_bye_bars: a full-point bye bars too, whatever it was worth.
    floats: the system asks for the floats of the last two rounds, in both directions (C.04.3, 1.4).
    """

    unplayed_upfloats: bool = False
    win_points_bar: bool = True
    full_bye_bars: bool = False
    floats: bool = False


def rounded_half_up(total: int, count: int) -> int:
    """Return total / count rounded to an integer, halves up (1.6.1); 0 if count is 0, which is never negative."""
    return (2 * total + count) // (2 * count) if count else 0


def histories(tournament: Tournament, rules: HistoryRules) -> dict[int, History]:
    """Return the history of every player before `tournament.round`, by id. Byes of that round or later are left out.

    Cost: linear in games and byes. Raises InvalidTournament if the input contradicts itself.
    """
    return dict(Histories(tournament, rules))


class Histories(Mapping[int, History]):
    """The same, where the history of a player is made when somebody asks for it: a list shows few of many players."""

    def __init__(self, tournament: Tournament, rules: HistoryRules) -> None:
        self._past = Past(tournament, rules)
        self._ids = [player.id for player in self._past.players]
        self._known: dict[int, History] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def __getitem__(self, key: int) -> History:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._history(self._past.place_of[key])
        return found

    def _history(self, place: int) -> History:
        past, ids = self._past, self._ids
        sides, others = past.sides(place), past.opponents(place)
        return History(
            score=past.score[place],
            pairing_score=past.pairing_score[place],
            games=len(sides),
            opponents=tuple([ids[other] for other in others]),
            colours=tuple(Colour.WHITE if side == WHITE_SIDE else Colour.BLACK for side in sides),
            colour_difference=2 * sides.count(WHITE_SIDE) - len(sides),
            aro=rounded_half_up(sum(past.players[other].rating for other in others), len(sides)),
            upfloats=tuple(past.upfloats.get(place, NO_ROUNDS)),
            bye_barred=place in past.barred,
            paired=past.was_paired(place),
            floats=tuple(column[place] for column in past.float_in),
        )


def without_games_of(tournament: Tournament, players: Set[int]) -> Tournament:
    """Return the tournament without the games of some players, by id.

    Those of `PairingSystem.uncounted` do not count for the standings.
    """
    if not players:
        return tournament
    games = tuple(game for game in tournament.games if players.isdisjoint((game.white, game.black)))
    still_open = tuple(game for game in tournament.open_games if players.isdisjoint((game.white, game.black)))
    return replace(tournament, games=games, open_games=still_open)


class Past:
    """The histories of all players as columns, with one entry for each player in initial ranking order.

    players: in that order; a player's `place` is the index. place_of: the place of each id.
    score: points in tenths. pairing_score: with the virtual points of the round to be paired; the same list as `score`
    if there are none.
    upfloats: rounds by place, only for players who were upfloated. barred: places of the players whom C2 bars.
    opponent_in, side_in: one column for each earlier round, with the places of the opponents met over the board (-1 for
    none) and the sides (0 for no game). unplayed_pairings: places of players who were paired without playing.
    float_in: one column for each of the last two rounds, the last one first, if the rules ask for floats; else empty.
    Raises InvalidTournament if the input contradicts itself.
    """

    __slots__ = (
        "barred",
        "float_in",
        "opponent_in",
        "pairing_score",
        "place_of",
        "players",
        "score",
        "side_in",
        "unplayed_pairings",
        "upfloats",
    )

    def __init__(self, tournament: Tournament, rules: HistoryRules) -> None:
        self.players = sorted(tournament.players, key=attrgetter("tpn"))
        self.place_of = {player.id: place for place, player in enumerate(self.players)}
        count = len(self.players)
        if len(self.place_of) != count:
            raise InvalidTournament("player_twice")
        self.score = [0] * count
        self.upfloats: dict[int, list[int]] = {}
        self.barred: set[int] = set()
        self.unplayed_pairings: set[int] = set()
        self.opponent_in: list[list[int]] = []
        self.side_in: list[bytearray] = []
        self.float_in = [bytearray(count) for _ in range(min(2, tournament.round - 1) if rules.floats else 0)]
        games, byes = self._sort(tournament)
        meanings = _meanings(tournament.points, rules)
        virtual = _virtual_points(tournament, self.place_of)
        ruled = self._ruled(tournament) if tournament.rulings else {}
        if 0 in ruled:
            _lend(self.score, ruled[0], 1)
        for number in range(1, tournament.round):
            _lend(self.score, virtual[number], 1)
            if tournament.round - number <= len(self.float_in):
                floats = self.float_in[tournament.round - number - 1]
                self._note_floats(floats, games[number], byes[number], tournament.points)
            self._play(number, games[number], meanings, rules.unplayed_upfloats)
            _lend(self.score, virtual[number], -1)
            self._rest(byes[number], tournament.points, rules)
            if tournament.points.zero_bye:
                for place in self._idle(games[number], byes[number]):
                    self.score[place] += tournament.points.zero_bye
            if number in ruled:
                _lend(self.score, ruled[number], 1)
        if ruled and self.float_in:
            self._note_decided_floats(tournament)
        if ruled and rules.win_points_bar:
            for key, barred in barred_by_points(tournament).items():
                (self.barred.add if barred else self.barred.discard)(self.place_of[key])
        self.pairing_score = self.score
        if virtual[tournament.round]:
            self.pairing_score = self.score.copy()
            _lend(self.pairing_score, virtual[tournament.round], 1)

    def opponents(self, place: int) -> list[int]:
        """Return the places of the opponents met over the board, in the order of rounds."""
        return [column[place] for column in self.opponent_in if column[place] >= 0]

    def sides(self, place: int) -> bytes:
        """Return the sides of the games played, oldest first."""
        return bytes(column[place] for column in self.side_in if column[place])

    def aros(self) -> list[int]:
        """Return the ARO of every player, rounded (1.6), by place."""
        return list(map(rounded_half_up, *self.aro_sums()))

    def aro_sums(self) -> tuple[list[int], list[int]]:
        """Return by place the ratings of the opponents met, added up, and their number."""
        rating = [player.rating for player in self.players]
        rating.append(0)  # place -1 means no opponent, which adds 0
        totals = [0] * len(self.players)
        counts = [0] * len(self.players)
        for opponents, sides in zip(self.opponent_in, self.side_in, strict=True):
            totals = [total + rating[other] for total, other in zip(totals, opponents, strict=True)]
            counts = [count + 1 if side else count for count, side in zip(counts, sides, strict=True)]
        return totals, counts

    def was_paired(self, place: int) -> bool:
        """Return whether the player has been taken into account for a pairing."""
        return place in self.unplayed_pairings or any(column[place] for column in self.side_in)

    def numbers(self, away: Iterable[int]) -> Sequence[int]:
        """Return the pairing numbers, by place, that decide an initial colour. away: places not paired in this round.

        Players who were never taken into account for a pairing are skipped (GHR 2.4, reading D7).
        """
        skipped = {place for place in away if not self.was_paired(place)}
        count = len(self.players)
        if not skipped:
            return range(1, count + 1)
        numbers, number = [], 0
        for place in range(count):
            number += place not in skipped
            numbers.append(number)
        return numbers

    def _sort(self, tournament: Tournament) -> tuple[list[list[Game]], list[list[Bye]]]:
        """Return the games and byes of earlier rounds by round; raise if a player is unknown or twice in a round."""
        games: list[list[Game]] = [[] for _ in range(tournament.round)]
        byes: list[list[Bye]] = [[] for _ in range(tournament.round)]
        for game in tournament.games:
            if not 1 <= game.round < tournament.round:
                raise InvalidTournament("game_outside_former_rounds", round=game.round, player=game.white)
            games[game.round].append(game)
        later: list[Bye] = []
        for bye in tournament.byes:
            (byes[bye.round] if 1 <= bye.round < tournament.round else later).append(bye)
        for number in range(1, tournament.round):
            _check_once(number, _placed(games[number], byes[number]), self.place_of)
        for number in {bye.round for bye in later}:
            _check_once(number, [bye.player for bye in later if bye.round == number], self.place_of)
        return games, byes

    def _ruled(self, tournament: Tournament) -> dict[int, dict[int, int]]:
        """Return by round and place what decisions of the arbiter add to a score, or take from it."""
        for ruling in tournament.rulings:
            if ruling.player not in self.place_of:
                raise InvalidTournament("unknown_player", player=ruling.player, round=ruling.round)
        found: dict[int, dict[int, int]] = {}
        for (number, key), points in points_by_round(tournament).items():
            found.setdefault(number, {})[self.place_of[key]] = points
        return found

    def _play(
        self,
        number: int,
        games: Iterable[Game],
        meanings: Mapping[Result, tuple[int, int, bool, bool, bool]],
        count_forfeits: bool,
    ) -> None:
        place_of, score, upfloats = self.place_of, self.score, self.upfloats
        opponent, side = [-1] * len(score), bytearray(len(score))
        self.opponent_in.append(opponent)
        self.side_in.append(side)
        for game in games:
            white, black = place_of[game.white], place_of[game.black]
            for_white, for_black, played, bar_white, bar_black = meanings[game.result]
            of_white, of_black = score[white], score[black]
            if played:
                opponent[white], opponent[black] = black, white
                side[white], side[black] = WHITE_SIDE, BLACK_SIDE
            else:
                self.unplayed_pairings.update((white, black))
                self.barred.update(place for place, bar in ((white, bar_white), (black, bar_black)) if bar)
            if of_white != of_black and (played or count_forfeits):
                lower = white if of_white < of_black else black
                if lower in upfloats:
                    upfloats[lower].append(number)
                else:
                    upfloats[lower] = [number]
            score[white] = of_white + for_white
            score[black] = of_black + for_black

    def _idle(self, games: Iterable[Game], byes: Iterable[Bye]) -> Iterator[int]:
        """Yield the places of players without a game or a bye in a round."""
        here = set(_placed(games, byes))
        return (place for place, player in enumerate(self.players) if player.id not in here)

    def _note_floats(
        self, floats: bytearray, games: Sequence[Game], byes: Sequence[Bye], points: PointSystem
    ) -> None:
        """Note the floats of a round before it changes the scores (C.04.3, 1.4.2 to 1.4.4).

        A round without a game is a downfloat if it scored more than a loss; an allocated bye always is.
        """
        place_of, score, loss = self.place_of, self.score, _points_of_a_loss(points)
        for game in games:
            white, black = place_of[game.white], place_of[game.black]
            meaning = RESULTS[game.result]
            if not meaning.played:
                floats[white] = _float_of(points.of_game(meaning.white, Colour.WHITE) > loss)
                floats[black] = _float_of(points.of_game(meaning.black, Colour.BLACK) > loss)
            elif score[white] != score[black]:
                higher, lower = (white, black) if score[white] > score[black] else (black, white)
                floats[higher], floats[lower] = FLOATED_DOWN, FLOATED_UP
        for bye in byes:
            floats[place_of[bye.player]] = _float_of(
                bye.kind is ByeKind.ALLOCATED or points.of_bye(bye.kind) > loss
            )
        if points.zero_bye > loss:
            for place in self._idle(games, byes):
                floats[place] = FLOATED_DOWN

    def _note_decided_floats(self, tournament: Tournament) -> None:
        """Note again the floats of rounds without a game whose points the arbiter has decided."""
        loss = _points_of_a_loss(tournament.points)
        for (number, key), ruled in ruled_results(tournament).items():
            if ruled.unplayed and tournament.round - number <= len(self.float_in):
                floats = self.float_in[tournament.round - number - 1]
                floats[self.place_of[key]] = _float_of(ruled.of is ByeKind.ALLOCATED or ruled.points > loss)

    def _rest(self, byes: Iterable[Bye], points: PointSystem, rules: HistoryRules) -> None:
        for bye in byes:
            place = self.place_of[bye.player]
            gained = points.of_bye(bye.kind)
            self.score[place] += gained
            if BYES[bye.kind].paired:
                self.unplayed_pairings.add(place)
            bars = {ByeKind.ALLOCATED, ByeKind.FULL} if rules.full_bye_bars else {ByeKind.ALLOCATED}
            if bye.kind in bars or (rules.win_points_bar and gained >= points.win):
                self.barred.add(place)


def _float_of(down: bool) -> int:
    return FLOATED_DOWN if down else NO_FLOAT


def _points_of_a_loss(points: PointSystem) -> int:
    return max(points.white_loss, points.black_loss)


def _virtual_points(tournament: Tournament, place_of: Mapping[int, int]) -> list[dict[int, int]]:
    """Return the virtual points by place, for each round up to the one to be paired (index 0 is empty)."""
    rounds: list[dict[int, int]] = [{} for _ in range(tournament.round + 1)]
    for given in tournament.accelerations:
        for key in given.players:
            if key not in place_of:
                raise InvalidTournament("unknown_player", player=key, round=given.first_round)
        places = [place_of[key] for key in given.players]
        for number in range(max(1, given.first_round), min(given.last_round, tournament.round) + 1):
            lent = rounds[number]
            for place in places:
                lent[place] = lent.get(place, 0) + given.points
    return rounds


def _lend(score: list[int], virtual: Mapping[int, int], sign: int) -> None:
    """Add the virtual points of a round to the scores (sign 1), or subtract them (sign -1)."""
    for place, points in virtual.items():
        score[place] += sign * points


def _meanings(points: PointSystem, rules: HistoryRules) -> dict[Result, tuple[int, int, bool, bool, bool]]:
    """Return for each result: points of White and Black, whether it was played, whether C2 then bars White and Black.

    Without `win_points_bar` every forfeit win bars from the bye; else only one with the points of a win.
    """
    least = points.win if rules.win_points_bar else 0
    table = {}
    for result, meaning in RESULTS.items():
        white = points.of_game(meaning.white, Colour.WHITE)
        black = points.of_game(meaning.black, Colour.BLACK)
        table[result] = (
            white,
            black,
            meaning.played,
            meaning.white is Outcome.FORFEIT_WIN and white >= least,
            meaning.black is Outcome.FORFEIT_WIN and black >= least,
        )
    return table


def _placed(games: Iterable[Game], byes: Iterable[Bye]) -> list[int]:
    ids = list(map(attrgetter("white"), games))
    ids += map(attrgetter("black"), games)
    ids += map(attrgetter("player"), byes)
    return ids


def _check_once(number: int, ids: list[int], known: Mapping[int, int]) -> None:
    """Raise InvalidTournament for an unknown player, or one who is twice in the round."""
    distinct = set(ids)
    if len(distinct) == len(ids) and distinct <= known.keys():
        return
    seen: set[int] = set()
    for key in ids:
        if key not in known:
            raise InvalidTournament("unknown_player", player=key, round=number)
        if key in seen:
            raise InvalidTournament("twice_in_a_round", player=key, round=number)
        seen.add(key)


def forfeit_wins_of(tournament: Tournament, player: int) -> tuple[int, ...]:
    """Return the rounds in which a player won by forfeit, in the order of the games."""
    found = []
    for game in tournament.games:
        meaning = RESULTS[game.result]
        mine = meaning.white if game.white == player else meaning.black if game.black == player else None
        if mine is Outcome.FORFEIT_WIN:
            found.append(game.round)
    return tuple(found)


def last_in_a_row(had: Sequence[object], *, same: object) -> int:
    """Return how many of the last ones of a sequence, such as the colours of a player, are this one."""
    return next((count for count, one in enumerate(reversed(had)) if one != same), len(had))
