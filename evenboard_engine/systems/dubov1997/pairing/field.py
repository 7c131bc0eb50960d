"""The players of a round with the figures and limitations of 1997 (S1), and who can meet (S2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import BLACK_SIDE, NO_ROUNDS, WHITE_SIDE, History, HistoryRules, Past
from evenboard_engine.matching import mask_of
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.preference import Preference
from evenboard_engine.systems.colours import COLOUR_OF, other_side

NO_COLOUR = 0
BARRED_FROM_BOTH = WHITE_SIDE | BLACK_SIDE
GREATEST_DIFFERENCE = 2
SHORT_TOURNAMENT = 9
RISES_IN_A_SHORT_TOURNAMENT, RISES_IN_A_LONG_TOURNAMENT = 3, 4

HISTORY_RULES = HistoryRules(unplayed_upfloats=True, win_points_bar=True)
"""A rise counts whether the game was played or not (S1.6). A full point without playing bars from the bye (S1.8)."""


def most_rises(rounds: int) -> int:
    """Return how often a player may rise in a tournament with this number of rounds (2.5)."""
    return RISES_IN_A_SHORT_TOURNAMENT if rounds <= SHORT_TOURNAMENT else RISES_IN_A_LONG_TOURNAMENT


@dataclass(frozen=True, slots=True)
class ColourFigures:
    """What follows from the colours of a player's games; shared by all players who had the same.

    sides: oldest first. difference: games with White minus games with Black. due: the side that is due, or NO_COLOUR
    (S1.4). barred: the sides from which 2.3 and 2.4 bar (S1.5), as a sum.
    """

    sides: bytes
    difference: int
    due: int
    barred: int

    @classmethod
    def after(cls, rounds: Iterable[int]) -> ColourFigures:
        """Return what follows after these rounds; 0 is a round without a game."""
        sides = bytes(side for side in rounds if side)
        difference = 2 * sides.count(WHITE_SIDE) - len(sides)
        due = NO_COLOUR
        if difference:
            due = WHITE_SIDE if difference < 0 else BLACK_SIDE
        elif sides:
            due = other_side(sides[-1])
        barred = 0
        for side, step in ((WHITE_SIDE, 1), (BLACK_SIDE, -1)):
            if abs(difference + step) > GREATEST_DIFFERENCE or sides[-2:] == bytes((side, side)):
                barred |= side
        return cls(sides, difference, due, barred)


@dataclass(frozen=True, slots=True)
class Dubov1997Entrant:
    """A player who is present (S1).

    score: tenths. aro: never rounded; 0 without a game. met: ids of the opponents met over the board, and of those who
    must not be met. rises, rose_last: S1.6. had_point: had a point without playing (S1.8).
    """

    id: int
    tpn: int
    rating: int
    score: int
    colours: ColourFigures
    aro: Fraction
    met: Collection[int] = ()
    rises: int = 0
    rose_last: bool = False
    had_point: bool = False


class Dubov1997Field:
    """The players who are present, as columns by seat: higher score first, then smaller No.

    aro: integers in the same proportions as the exact fractions. met: seats of players who must not be met.
    due_masks: by the side that is due. barred_from_rising: S1.7, a mask. groups: score groups from the highest, as
    masks. group_of: the number of the group, by seat. by_rise: the place of each seat in the order of S6.2 and S7
    (highest R, then lowest ARO, then smallest No.).
    """

    def __init__(
        self, entrants: Iterable[Dubov1997Entrant], *, number: int, rounds: int, first: Colour | None = None
    ) -> None:
        self.round, self.rounds, self.first = number, rounds, first
        self.entrants = sorted(entrants, key=lambda player: (-player.score, player.tpn))
        players = self.entrants
        self.ids = [player.id for player in players]
        self.seat_of = {key: seat for seat, key in enumerate(self.ids)}
        self.tpn = [player.tpn for player in players]
        self.rating = [player.rating for player in players]
        self.score = [player.score for player in players]
        self.colours = [player.colours for player in players]
        self.due = [shape.due for shape in self.colours]
        self.barred = [shape.barred for shape in self.colours]
        scale = lcm(*{player.aro.denominator for player in players})
        self.aro = [player.aro.numerator * (scale // player.aro.denominator) for player in players]
        here = self.seat_of
        self.met = [[here[key] for key in player.met if key in here] for player in players]
        self.everyone = (1 << len(players)) - 1
        self._may_by_barred = allowed(self.barred)
        self._possible: list[int] = [-1] * len(players)
        self.due_masks = [
            mask_of(seat for seat, due in enumerate(self.due) if due == side) for side in range(3)
        ]
        self.barred_from_rising = self._barred_from_rising()
        self.group_of, self.groups = self._score_groups()
        self.by_rise = self._places(lambda seat: (-self.rating[seat], self.aro[seat], self.tpn[seat]))

    def _barred_from_rising(self) -> int:
        """Return the mask of the players who cannot be transferred to a higher score group (2.5)."""
        if self.round == self.rounds:
            return 0
        limit = most_rises(self.rounds)
        return mask_of(
            seat for seat, player in enumerate(self.entrants) if player.rose_last or player.rises >= limit
        )

    def _score_groups(self) -> tuple[list[int], list[int]]:
        numbers, masks = [], []
        before = None
        for seat, score in enumerate(self.score):
            if score != before:
                masks.append(0)
                before = score
            masks[-1] |= 1 << seat
            numbers.append(len(masks) - 1)
        return numbers, masks

    def _places(self, key: Callable[[int], tuple[int, int, int]]) -> list[int]:
        places = [0] * len(self.ids)
        for place, seat in enumerate(sorted(range(len(places)), key=key)):
            places[seat] = place
        return places

    def possible(self, seat: int) -> int:
        """Return the mask of the players who are possible for this one (S2)."""
        mask = self._possible[seat]
        if mask < 0:
            apart = mask_of(self.met[seat]) | 1 << seat
            mask = self._possible[seat] = self._may_by_barred[self.barred[seat]] & ~apart
        return mask

    def graph(self, seats: Sequence[int]) -> list[int]:
        """Return who is possible for whom among these players, as masks of the indices in `seats`."""
        index = {seat: i for i, seat in enumerate(seats)}
        may = allowed([self.barred[seat] for seat in seats])
        graph = []
        for i, seat in enumerate(seats):
            apart = 1 << i
            for other in self.met[seat]:
                if other in index:
                    apart |= 1 << index[other]
            graph.append(may[self.barred[seat]] & ~apart)
        return graph

    def dominating(self, mask: int) -> int:
        """Return the colour that is due to more of these players, NO_COLOUR if to equally many (S4)."""
        white = (mask & self.due_masks[WHITE_SIDE]).bit_count()
        black = (mask & self.due_masks[BLACK_SIDE]).bit_count()
        if white == black:
            return NO_COLOUR
        return WHITE_SIDE if white > black else BLACK_SIDE

    def nearest_group(self, mask: int) -> int:
        """Return those of these players who are in the highest of their score groups."""
        highest = (mask & -mask).bit_length() - 1
        return mask & self.groups[self.group_of[highest]]

    def first_is_white(self) -> bool:
        """Return whether the upper player of the first pair of round 1 has White. Raises InvalidTournament."""
        if self.first is None:
            raise InvalidTournament("initial_colour_missing")
        return self.first is Colour.WHITE


def allowed(barred: Sequence[int]) -> list[int]:
    """Return whom a player may meet as far as colours go, by the sides from which the player is barred: masks.

    barred: of all players. One of the two must be able to take White and the other one Black (2.3, 2.4).
    """
    from_side = [0, 0, 0]
    everyone = (1 << len(barred)) - 1
    for i, sides in enumerate(barred):
        for side in (WHITE_SIDE, BLACK_SIDE):
            if sides & side:
                from_side[side] |= 1 << i
    white, black = from_side[WHITE_SIDE], from_side[BLACK_SIDE]
    return [everyone & ~(white & black), everyone & ~white, everyone & ~black, 0]


# From a tournament to the players of the round (S1).


def field_of(tournament: Tournament, including: Collection[int] = ()) -> Dubov1997Field:
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
    return Dubov1997Field(
        entrants_of(tournament, past, here),
        number=tournament.round,
        rounds=tournament.rounds,
        first=tournament.initial_colour,
    )


def entrants_of(tournament: Tournament, past: Past, places: Collection[int]) -> list[Dubov1997Entrant]:
    """Return the players at these places with their figures."""
    totals, counts = past.aro_sums()
    aros: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(0)}
    known: dict[tuple[int, ...], ColourFigures] = {}
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
            shape = known[sides[place]] = ColourFigures.after(sides[place])
        sums = totals[place], counts[place]
        if sums not in aros:
            aros[sums] = Fraction(*sums)
        rises = past.upfloats.get(place, NO_ROUNDS)
        entrants.append(
            Dubov1997Entrant(
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


# The due colour of a player, as all systems tell it (article 1; S1.4).


def preference(history: History) -> Preference | None:
    """Return the due colour, which has no strength in this edition; None before the first game."""
    due = ColourFigures.after(history.sides).due
    return None if due == NO_COLOUR else Preference(COLOUR_OF[due])
