"""Find what is wrong or unusual in a round that is paired by hand. Each board is judged by itself, from the history.

Nothing is refused here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.findings import Concern, Draft, Level, concerns_by
from evenboard_engine.history import WHITE_SIDE, Past, last_in_a_row
from evenboard_engine.model import RESULTS, Colour, Tournament
from evenboard_engine.result import Pair
from evenboard_engine.rulings import bar_of, unplayed_results
from evenboard_engine.systems.dubov.articles import Rule, article, cited
from evenboard_engine.systems.dubov.options import edition_of, history_rules, least_to_bar
from evenboard_engine.systems.dubov.pairing.bye import allocate_bye
from evenboard_engine.systems.dubov.pairing.colours import Colours
from evenboard_engine.systems.dubov.pairing.field import Field, Lower
from evenboard_engine.systems.dubov.pairing.preferences import maximum_upfloats

BASIC_RULE_DIFFERENCE, BASIC_RULE_THIRD = "C.04.1, 6", "C.04.1, 7"
FARTHEST = 2
"""The greatest colour difference that a player may have, except after the last round (Basic Rules, C.04.1, 6)."""


def concerns(tournament: Tournament, draft: Draft) -> tuple[Concern, ...]:
    """Return all concerns about the draft: board by board, the most serious of a board first, and the bye last.

    tournament: before the round, in `absent` the players who do not play in it. Raises InvalidTournament.
    Cost: linear, plus the cost of choosing the bye.
    """
    return concerns_by(_Judge(tournament), draft)


def colours_of(tournament: Tournament, one: int, other: int) -> Pair:
    """Return the two players with the colours of article 5.2."""
    field = Field(tournament)
    place_of = field.past.place_of
    return Colours(field, tournament.initial_colour).pair(place_of[one], place_of[other])


class _Judge:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.field = Field(tournament)
        self.past = self.field.past
        self.colours = Colours(self.field, tournament.initial_colour)
        self.last = tournament.round == tournament.rounds
        self.downfloated = _downfloated_last(tournament)

    def pair(self, white: int, black: int) -> Iterator[Concern]:
        yield from self._meeting(white, black)
        yield from self._colour(white, Colour.WHITE)
        yield from self._colour(black, Colour.BLACK)
        yield from self._turned(white, black)
        yield from self._float(white, black)

    def bye(self, player: int) -> Iterator[Concern]:
        """Yield concerns about the bye: C2, and the lowest score (2.1.3)."""
        barred = tuple(self._bars(player))
        yield from barred
        lowest = self._who_gets_the_bye()
        if lowest is None or lowest == player:
            return
        scores = tuple(self.field.score[self.past.place_of[key]] for key in (player, lowest))
        if scores[0] > scores[1]:
            yield Concern(
                "bye_score",
                Level.PROCEED,
                (player, lowest),
                (self._article(Rule.BYE_LOWEST_SCORE),),
                points=scores,
            )

    def _article(self, rule: Rule) -> str:
        return cited(rule, edition_of(self.tournament.options))

    # --- a pair

    def _meeting(self, white: int, black: int) -> Iterator[Concern]:
        """Yield concerns by C1, forbidden pairs and C3."""
        mine, theirs = self.past.place_of[white], self.past.place_of[black]
        both = (white, black)
        rounds = tuple(
            number for number, column in enumerate(self.past.opponent_in, start=1) if column[mine] == theirs
        )
        if rounds:
            yield Concern("rematch", Level.PROCEED, both, (self._article(Rule.C1),), rounds)
        if both in self.tournament.forbidden or (black, white) in self.tournament.forbidden:
            yield Concern("forbidden", Level.PROCEED, both)
        if self.field.absolute[mine] and self.field.absolute[mine] == self.field.absolute[theirs]:
            colour = self.field.shape[mine].due.colour
            yield Concern("absolute_clash", Level.PROCEED, both, (self._article(Rule.C3),), colour=colour)

    def _colour(self, player: int, colour: Colour) -> Iterator[Concern]:
        """Yield concerns by Basic Rules 6 and 7. Only the limit of the difference does not hold in the last round."""
        sides = self.past.sides(self.past.place_of[player])
        mine = [(side == WHITE_SIDE) is (colour is Colour.WHITE) for side in sides]
        if mine[-2:] == [True, True]:
            articles = (BASIC_RULE_THIRD, self._article(Rule.ABSOLUTE))
            count = 1 + last_in_a_row(mine, same=True)
            yield Concern("third_colour", Level.PROCEED, (player,), articles, colour=colour, count=count)
        difference = 2 * mine.count(True) - len(mine) + 1
        if difference > FARTHEST and not self.last:
            articles = (BASIC_RULE_DIFFERENCE, self._article(Rule.COLOUR_DIFFERENCE))
            yield Concern(
                "colour_difference", Level.PROCEED, (player,), articles, colour=colour, count=difference
            )

    def _turned(self, white: int, black: int) -> Iterator[Concern]:
        mine, theirs = self.past.place_of[white], self.past.place_of[black]
        if self.field.wants_white[theirs] and not self.field.wants_white[mine]:
            articles = (self._article(Rule.PREFERENCE),)
            yield Concern("both_opposite", Level.ACKNOWLEDGE, (white, black), articles)
            return
        right = self.colours.pair(mine, theirs)
        if right.white != white:
            articles = (article(Rule(right.colours), edition_of(self.tournament.options)),)
            yield Concern("colours", Level.SHOW, (right.white, right.black), articles)

    def _float(self, white: int, black: int) -> Iterator[Concern]:
        """Yield concerns about floats: the player with fewer points floats up (1.3.2).

        C8 and C10 do not count in the last round.
        """
        score, place_of = self.field.score, self.past.place_of
        lower, higher = sorted((white, black), key=lambda key: score[place_of[key]])
        place = place_of[lower]
        points = score[place], score[place_of[higher]]
        if points[0] == points[1]:
            return
        bracket = (self._article(Rule.BRACKET),)
        yield Concern("float", Level.SHOW, (lower, higher), bracket, points=points)
        before = self.tournament.round - 1
        upfloats = self.past.upfloats.get(place, ())
        if before in upfloats and not self.last:
            yield Concern("upfloat_again", Level.ACKNOWLEDGE, (lower,), (self._article(Rule.C10),), (before,))
        if len(upfloats) >= maximum_upfloats(self.tournament.rounds) and not self.last:
            articles = (self._article(Rule.C8), self._article(Rule.MAXIMUM_UPFLOATER))
            yield Concern(
                "maximum_upfloater",
                Level.ACKNOWLEDGE,
                (lower,),
                articles,
                tuple(upfloats),
                count=len(upfloats),
            )
        if higher in self.downfloated:
            yield Concern("downfloat_again", Level.ACKNOWLEDGE, (higher,), (), (before,))

    # --- the bye

    def _bars(self, player: int) -> Iterator[Concern]:
        if self.past.place_of[player] not in self.past.barred:
            return
        c2 = (self._article(Rule.C2),)
        win = least_to_bar(self.tournament)
        for number, one, of, points in unplayed_results(self.tournament, {player}):
            if (code := bar_of(of, points, win)) is not None:
                yield Concern(code, Level.PROCEED, (one,), c2, (number,))

    def _who_gets_the_bye(self) -> int | None:
        """Return the player for the bye by article 2.1; None if the number is even or nobody may have the bye."""
        entrants = [self.field.entrant(place) for place in self.field.present]
        if len(entrants) % 2 == 0:
            return None
        try:
            place = allocate_bye(self.field, Lower.of(entrants))
        except NoLegalPairing:
            return None
        return None if place is None else self.field.ids[place]


def _downfloated_last(tournament: Tournament) -> frozenset[int]:
    """Return the players who met a player with fewer points over the board in the round before this one."""
    before = tournament.round - 1
    if before < 1:
        return frozenset()
    former = Past(
        replace(
            tournament,
            round=before,
            games=tuple(game for game in tournament.games if game.round < before),
            byes=tuple(bye for bye in tournament.byes if bye.round < before),
        ),
        history_rules(tournament),
    )
    score = {key: former.pairing_score[place] for key, place in former.place_of.items()}
    down = set()
    for game in tournament.games:
        if game.round == before and RESULTS[game.result].played and score[game.white] != score[game.black]:
            down.add(game.white if score[game.white] > score[game.black] else game.black)
    return frozenset(down)
