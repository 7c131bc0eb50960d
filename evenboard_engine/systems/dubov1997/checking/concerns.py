"""What is wrong or unusual in a round that is paired by hand, by the limitations of 1997. Nothing is refused here."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.findings import Concern, Draft, Level, concerns_by
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE, last_in_a_row
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import Pair
from evenboard_engine.systems.dubov1997.articles import Rule
from evenboard_engine.systems.dubov1997.explaining.obstacles import Facts
from evenboard_engine.systems.dubov1997.pairing import coloured_pair, pair_in_round_1
from evenboard_engine.systems.dubov1997.pairing.bye import bye_order
from evenboard_engine.systems.dubov1997.pairing.field import GREATEST_DIFFERENCE, NO_COLOUR, most_rises
from evenboard_engine.systems.dubov1997.pairing.history import field_of


def concerns(tournament: Tournament, draft: Draft) -> tuple[Concern, ...]:
    """Return all concerns about the draft: board by board, the most serious of a board first, and the bye last.

    tournament: before the round, in `absent` the players who do not play in it. Raises InvalidTournament.
    """
    return concerns_by(_Judge(tournament, draft), draft)


def colours_of(tournament: Tournament, one: int, other: int) -> Pair:
    """Return two players with the colours of article 3, in round 1 with those of article 5."""
    field = field_of(tournament, including=(one, other))
    seats = field.seat_of[one], field.seat_of[other]
    return pair_in_round_1(field, *seats) if field.round == 1 else coloured_pair(field, *seats)


class _Judge:
    def __init__(self, tournament: Tournament, draft: Draft) -> None:
        self.tournament = tournament
        placed = [player for pair in draft.pairs for player in pair]
        placed += [] if draft.bye is None else [draft.bye]
        self.field = field_of(tournament, including=placed)
        self.facts = Facts(tournament, self.field)

    def pair(self, white: int, black: int) -> Iterator[Concern]:
        seats = self.field.seat_of[white], self.field.seat_of[black]
        rounds = self.facts.met.get((min(white, black), max(white, black)))
        if rounds:
            yield Concern("rematch", Level.PROCEED, (white, black), (Rule.REMATCH,), tuple(sorted(rounds)))
        if {(white, black), (black, white)} & self.tournament.forbidden:
            yield Concern("forbidden", Level.PROCEED, (white, black))
        yield from self._limits(seats[0], Colour.WHITE, WHITE_SIDE)
        yield from self._limits(seats[1], Colour.BLACK, BLACK_SIDE)
        yield from self._turned(*seats)
        yield from self._float(*seats)

    def _limits(self, seat: int, colour: Colour, side: int) -> Iterator[Concern]:
        """Yield what 2.3 and 2.4 say of a player with this colour, with 2.6 if the other colour is due."""
        shape, player = self.field.colours[seat], (self.field.ids[seat],)
        column = () if shape.due in (NO_COLOUR, side) else (Rule.COLUMN_BARRED,)
        if shape.sides[-2:] == bytes((side, side)):
            count = 1 + last_in_a_row(shape.sides, same=side)
            articles = (Rule.THREE_IN_A_ROW, *column)
            yield Concern("third_colour", Level.PROCEED, player, articles, colour=colour, count=count)
        after = shape.difference + (1 if side == WHITE_SIDE else -1)
        if abs(after) > GREATEST_DIFFERENCE:
            more = Colour.WHITE if after > 0 else Colour.BLACK
            articles = (Rule.DIFFERENCE, *column)
            yield Concern("colour_difference", Level.PROCEED, player, articles, colour=more, count=abs(after))

    def _turned(self, white: int, black: int) -> Iterator[Concern]:
        due, ids = self.field.due, self.field.ids
        if due[white] == BLACK_SIDE and due[black] == WHITE_SIDE:
            yield Concern("both_opposite", Level.ACKNOWLEDGE, (ids[white], ids[black]), (Rule.DUE_COLOUR,))
        elif self.field.round > 1 or self.field.first is not None:
            give = pair_in_round_1 if self.field.round == 1 else coloured_pair
            right = give(self.field, white, black)
            if right.white != ids[white]:
                article = Rule.FIRST_ROUND if self.field.round == 1 else Rule.COLOURS
                yield Concern("colours", Level.SHOW, (right.white, right.black), (article,))

    def _float(self, white: int, black: int) -> Iterator[Concern]:
        """Yield that scores differ, and what 2.5 says of the player with fewer points.

        Nobody can tell from a pair whether this player was transferred, or was met by one who came down.
        """
        field = self.field
        lower, higher = sorted((white, black), key=lambda seat: field.score[seat])
        points = field.score[lower], field.score[higher]
        if points[0] == points[1]:
            return
        ids = field.ids[lower], field.ids[higher]
        yield Concern("float", Level.SHOW, ids, (Rule.STANDARD,), points=points)
        if field.round == field.rounds:
            return
        player, before = field.entrants[lower], (field.round - 1,)
        if player.rose_last:
            yield Concern(
                "rise_again", Level.ACKNOWLEDGE, ids[:1], (Rule.RISING, Rule.RISING_COUNTED), before
            )
        if player.rises >= most_rises(field.rounds):
            articles = (Rule.RISING, Rule.RISING_COUNTED)
            yield Concern("rises", Level.ACKNOWLEDGE, ids[:1], articles, count=player.rises)

    def bye(self, player: int) -> Iterator[Concern]:
        """Yield concerns about the bye: 2.2, and article 4."""
        seat = self.field.seat_of[player]
        if self.field.entrants[seat].had_point:
            why = self.facts.point_without_playing(seat)
            yield Concern(why.code, Level.PROCEED, (player,), (Rule.BYE_BARRED,), (why.params["round"],))
            return
        right = len(self.field.ids) - 1 if self.field.round == 1 else next(bye_order(self.field), None)
        if len(self.field.ids) % 2 and right is not None and right != seat:
            points = self.field.score[seat], self.field.score[right]
            both = player, self.field.ids[right]
            if points[0] > points[1]:
                yield Concern("bye_score", Level.PROCEED, both, (Rule.BYE,), points=points)
            else:
                article = Rule.FIRST_ROUND if self.field.round == 1 else Rule.BYE
                yield Concern("bye_other", Level.ACKNOWLEDGE, both, (article,))
