"""What the Swiss systems of FIDE (C.04.3, C.04.4.1) check and explain in the same way.

`rules` are the rules of a system: those named here have the same names in each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.findings import Concern, DifferenceMaker, Level, Published, RoundDifference
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE, last_in_a_row
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.rulings import bar_of, unplayed_results
from evenboard_engine.trace import PairTrace, Reason

from .colours import COLOUR_OF
from .field import RoundField

R = TypeVar("R", bound=StrEnum)
F = TypeVar("F", bound=RoundField)


class ColourGiver(Protocol):
    """Gives colours to the pairs of one field."""

    def pair(self, one: int, other: int) -> Pair:
        """Return the players at two places with their colours."""


def virtual_points(field: RoundField, places: Iterable[int]) -> Iterator[Reason]:
    """Yield which of the scores just named have virtual points in them; nothing if none has."""
    if virtual := field.virtual(places):
        yield Reason("virtual", {"players": tuple(virtual), "points": tuple(virtual.values())})


def with_virtual_points(field: RoundField, reason: Reason, players: Iterable[int]) -> Reason:
    """Add to a reason that speaks of the scores of these players the virtual points in them."""
    lent = field.virtual(map(field.past.place_of.__getitem__, players))
    if not lent:
        return reason
    return Reason(reason.code, {**reason.params, "lent": tuple(lent), "lent_points": tuple(lent.values())})


LOWEST_SCORE = ("C5", "BYE_LOWEST_SCORE")
"""The rules about the score of the bye."""


class SwissComparison(DifferenceMaker[R], Generic[R, F]):
    """Compares a published round with the pairing by the rules.

    tournament: before the round, in `absent` the players without a game or allocated bye in it. pairing: None if no
    legal pairing exists. mate: the opponent in the file, of each place.
    """

    def __init__(
        self,
        tournament: Tournament,
        published: Published,
        pairing: RoundPairing | None,
        field: F,
        colours: ColourGiver,
        rules: type[R],
        article_of: Callable[[R], str],
    ) -> None:
        super().__init__(published, article_of)
        self.tournament, self.pairing, self.field = tournament, pairing, field
        self.colours, self.rules = colours, rules
        self.mate: dict[int, int] = {}
        for pair in published.pairs:
            white, black = map(field.past.place_of.__getitem__, pair)
            self.mate[white], self.mate[black] = black, white

    def with_virtual_points(self, differences: Iterable[RoundDifference]) -> Iterator[RoundDifference]:
        """Add the virtual points in the scores that the differences name: of a bracket, or of the bye."""
        field = self.field
        for one in differences:
            named = {field.past.place_of[key] for key in (*one.found, *one.expected)}
            if one.score is not None:
                named.update(place for place in field.present if field.score[place] == one.score)
            elif one.rule.name not in LOWEST_SCORE:
                named.clear()
            yield replace(one, lent=tuple(field.virtual(sorted(named)).items()))

    def illegal_pairs(self) -> Iterator[RoundDifference]:
        """Yield the pairs that C1, the arbiter or C3 forbid."""
        for pair in self.published.pairs:
            white, black = map(self.field.past.place_of.__getitem__, pair)
            if self.field.may_meet(white, black):
                continue
            if black in self.field.past.opponents(white):
                yield self.difference("rematch", self.rules["C1"], pair)
            elif black in self.field.met[white]:
                yield self.difference("forbidden_pair", self.rules["C1"], pair)
            else:
                yield self.difference("same_absolute_preference", self.rules["C3"], pair)

    def wrong_colours(self) -> Iterator[RoundDifference]:
        place_of = self.field.past.place_of
        for white, black in self.published.pairs:
            right = self.colours.pair(place_of[white], place_of[black])
            if right.white != white and white not in self.published.colourless:
                found, expected = (white, black), (right.white, right.black)
                first = not any(self.field.past.sides(place_of[player]) for player in found)
                rule = self.rules(right.colours)
                yield self.difference("colours", rule, found, expected, by_number=first)


# Find what is wrong or unusual in a round that is paired by hand. Each board is judged by itself, from the history.
# Nothing is refused.

BASIC_RULE_DIFFERENCE, BASIC_RULE_THIRD = "C.04.1, 6", "C.04.1, 7"
FARTHEST = 2
"""The greatest colour difference that a player may have, except after the last round (Basic Rules, C.04.1, 6)."""


class SwissJudge(ABC, Generic[R, F]):
    """Judges the boards and the bye. least_to_bar: as for `bar_of`.

    float_rule: the name of the rule that allows different scores. bye_rule: of the one that asks for the lowest score.
    """

    float_rule: ClassVar[str]
    bye_rule: ClassVar[str]

    def __init__(
        self,
        tournament: Tournament,
        field: F,
        colours: ColourGiver,
        rules: type[R],
        article_of: Callable[[R], str],
        least_to_bar: int | None,
    ) -> None:
        self.tournament, self.field, self.colours = tournament, field, colours
        self.last = tournament.round == tournament.rounds
        self._rules, self._article_of, self._least_to_bar = rules, article_of, least_to_bar

    @abstractmethod
    def both_opposite(self, white: int, black: int) -> bool:
        """Return whether White is due Black and Black is due White. Players are places."""

    @abstractmethod
    def floats(self, higher: int, lower: int) -> Iterator[Concern]:
        """Yield what is unusual in a pair of players with different scores, after the concern `float`."""

    @abstractmethod
    def right_bye(self) -> int | None:
        """Return a place that the rules give the bye; None if there is none. Raises NoLegalPairing."""

    def article(self, rule: str) -> str:
        """Return the article of the rule with this name."""
        return self._article_of(self._rules[rule])

    def pair(self, white: int, black: int) -> Iterator[Concern]:
        places = self.field.past.place_of[white], self.field.past.place_of[black]
        yield from self._meeting(white, black, *places)
        yield from self._colour(white, places[0], WHITE_SIDE)
        yield from self._colour(black, places[1], BLACK_SIDE)
        yield from self._turned(white, black, *places)
        lower, higher = sorted(places, key=self.field.rank, reverse=True)
        if self.field.score[lower] != self.field.score[higher]:
            yield self._of_scores("float", Level.SHOW, self.float_rule, lower, higher)
            yield from self.floats(higher, lower)

    def bye(self, player: int) -> Iterator[Concern]:
        """Yield concerns about the bye: C2, and the lowest score."""
        field, place = self.field, self.field.past.place_of[player]
        if place in field.past.barred:
            for number, one, of, points in unplayed_results(self.tournament, {player}):
                if (code := bar_of(of, points, self._least_to_bar)) is not None:
                    yield Concern(code, Level.PROCEED, (one,), (self.article("C2"),), (number,))
        try:
            right = self.right_bye()
        except NoLegalPairing:
            return
        if right is not None and field.score[place] > field.score[right]:
            yield self._of_scores("bye_score", Level.PROCEED, self.bye_rule, place, right)

    def _of_scores(self, code: str, level: Level, rule: str, *places: int) -> Concern:
        field = self.field
        ids = tuple(field.ids[place] for place in places)
        virtual = field.virtual(places)
        return Concern(
            code,
            level,
            ids,
            (self.article(rule),),
            points=tuple(field.score[place] for place in places),
            lent=tuple(virtual.get(key, 0) for key in ids) if virtual else (),
        )

    def _meeting(self, white: int, black: int, mine: int, theirs: int) -> Iterator[Concern]:
        """Yield concerns by C1, forbidden pairs and C3."""
        both = (white, black)
        columns = enumerate(self.field.past.opponent_in, start=1)
        rounds = tuple(number for number, column in columns if column[mine] == theirs)
        if rounds:
            yield Concern("rematch", Level.PROCEED, both, (self.article("C1"),), rounds)
        if {both, both[::-1]} & self.tournament.forbidden:
            yield Concern("forbidden", Level.PROCEED, both)
        absolute = self.field.absolute[mine]
        if absolute and absolute == self.field.absolute[theirs]:
            articles = (self.article("C3"),)
            yield Concern("absolute_clash", Level.PROCEED, both, articles, colour=COLOUR_OF[absolute])

    def _colour(self, player: int, place: int, side: int) -> Iterator[Concern]:
        """Yield concerns by Basic Rules 6 and 7. Only the limit of the difference does not hold in the last round."""
        sides, colour = self.field.past.sides(place), COLOUR_OF[side]
        if sides[-2:] == bytes((side, side)):
            count = 1 + last_in_a_row(sides, same=side)
            articles = (BASIC_RULE_THIRD, self.article("ABSOLUTE"))
            yield Concern("third_colour", Level.PROCEED, (player,), articles, colour=colour, count=count)
        more = 2 * sides.count(side) - len(sides) + 1
        if more > FARTHEST and not self.last:
            articles = (BASIC_RULE_DIFFERENCE, self.article("COLOUR_DIFFERENCE"))
            yield Concern("colour_difference", Level.PROCEED, (player,), articles, colour=colour, count=more)

    def _turned(self, white: int, black: int, mine: int, theirs: int) -> Iterator[Concern]:
        if self.both_opposite(mine, theirs):
            articles = (self.article("PREFERENCE"),)
            yield Concern("both_opposite", Level.ACKNOWLEDGE, (white, black), articles)
            return
        right = self.colours.pair(mine, theirs)
        if right.white != white:
            articles = (self._article_of(self._rules(right.colours)),)
            yield Concern("colours", Level.SHOW, (right.white, right.black), articles)


# Say why a pair has its colours.


def first_game(field: RoundField, pair: Pair) -> tuple[str, Mapping[str, Any]]:
    """Return the number that decides an initial colour, and how many players above it are not counted (GHR 2.4)."""
    place = min((field.past.place_of[key] for key in (pair.white, pair.black)), key=field.rank)
    higher, number = field.ids[place], field.numbers[place]
    colour = Colour.WHITE if higher == pair.white else Colour.BLACK
    initial = colour if number % 2 else colour.opposite
    found = {"higher": higher, "number": number, "colour": colour, "initial": initial}
    if number == place + 1:
        return "colour_initial", found
    return "colour_initial_counted", {**found, "uncounted": place + 1 - number}


def alternated(field: RoundField, pair: Pair) -> tuple[str, Mapping[str, Any]]:
    """Return the rounds of the last games in which the two had different colours (GHR 3.4: only played games count)."""
    mine, theirs = (_games(field, field.past.place_of[key]) for key in (pair.white, pair.black))
    rounds = next((one[0], other[0]) for one, other in zip(mine, theirs, strict=False) if one[1] != other[1])
    return "colour_alternate", {"white_round": rounds[0], "black_round": rounds[1]}


def colour_reasons(field: RoundField, pair: PairTrace, player: int) -> tuple[Reason, ...]:
    """Return why a player has this colour, and that the player had it in the game before."""
    colour = Colour.WHITE if pair.white == player else Colour.BLACK
    games = _games(field, field.past.place_of[player])
    if not games or COLOUR_OF[games[0][1]] is not colour:
        return (pair.colours,)
    return pair.colours, Reason("colour_again", {"player": player, "colour": colour, "round": games[0][0]})


def _games(field: RoundField, place: int) -> list[tuple[int, int]]:
    """Return round and side of each game over the board, the last one first."""
    sides = enumerate(field.past.side_in, start=1)
    return [(number, column[place]) for number, column in sides if column[place]][::-1]
