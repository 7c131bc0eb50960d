"""What is wrong or unusual in a round that is paired by hand. Each board is judged by itself; nothing is refused."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.findings import Concern, Draft, Level, concerns_by
from evenboard_engine.history import forfeit_wins_of, last_in_a_row
from evenboard_engine.model import BYES, Colour, Tournament
from evenboard_engine.result import Pair
from evenboard_engine.systems.uschess.articles import EQUALISE, REMATCH, SCORES, WINTD
from evenboard_engine.systems.uschess.bye import choose_bye
from evenboard_engine.systems.uschess.colours import BLACK, WHITE, seated
from evenboard_engine.systems.uschess.reading import FULL_BYES, Reading, read, rounds_of
from evenboard_engine.systems.uschess.settings import MateRule


def concerns(tournament: Tournament, draft: Draft) -> tuple[Concern, ...]:
    """Return all concerns: board by board, the most serious of a board first, the bye last."""
    return concerns_by(_Judge(tournament), draft)


def colours_of(tournament: Tournament, one: int, other: int) -> Pair:
    """Return two players with the colours of section 5."""
    reading = read(tournament)
    mine, theirs = sorted((reading.place_of[one], reading.place_of[other]))
    colours = [entrant.colours for entrant in reading.field.entrants]
    ((white, black, rule),) = seated([(mine, theirs)], colours, reading.occasion.initial)
    return Pair(reading.ids[white], reading.ids[black], rule)


class _Judge:
    def __init__(self, tournament: Tournament) -> None:
        self.reading: Reading = read(tournament)
        self.tournament, self.field = tournament, self.reading.field
        self.settings = self.field.settings

    def pair(self, white: int, black: int) -> Iterator[Concern]:
        mine, theirs = self.reading.place_of[white], self.reading.place_of[black]
        both = (white, black)
        if self.field.met[mine].get(theirs, 0):
            yield Concern("rematch", Level.PROCEED, both, (REMATCH,), rounds_of(self.reading, mine, theirs))
        if self.field.never[mine] >> theirs & 1:
            yield Concern("forbidden", Level.PROCEED, both)
        yield from self._mates(both, mine, theirs)
        for player, place, colour in ((white, mine, WHITE), (black, theirs, BLACK)):
            state = self.field.state[place]
            if state.third and state.due != colour:
                count = 1 + last_in_a_row(self.field.entrants[place].colours, same=colour)
                which = Colour.WHITE if colour == WHITE else Colour.BLACK
                yield Concern(
                    "third_colour", Level.PROCEED, (player,), (EQUALISE,), colour=which, count=count
                )
        yield from self._turned(both, mine, theirs)
        yield from self._float(mine, theirs)

    def _mates(self, both: tuple[int, int], mine: int, theirs: int) -> Iterator[Concern]:
        for code, rule, are_mates in (
            ("teammates", self.settings.team_rule, self.field.are_teammates(mine, theirs)),
            ("clubmates", self.settings.club_rule, self.field.are_clubmates(mine, theirs)),
        ):
            if are_mates and rule is not MateRule.IGNORE:
                level = Level.PROCEED if rule is MateRule.DONT else Level.ACKNOWLEDGE
                yield Concern(code, level, both, (WINTD,))

    def _turned(self, both: tuple[int, int], mine: int, theirs: int) -> Iterator[Concern]:
        if (self.field.state[mine].due, self.field.state[theirs].due) == (BLACK, WHITE):
            yield Concern("both_opposite", Level.ACKNOWLEDGE, both, ("29E4",))
            return
        if not (self.field.state[mine].due or self.field.state[theirs].due):
            return  # the lot and the order of the boards decide
        right = colours_of(self.tournament, *both)
        if right.white != both[0]:
            yield Concern("colours", Level.SHOW, (right.white, right.black), ("29E4",))

    def _float(self, mine: int, theirs: int) -> Iterator[Concern]:
        higher, lower = sorted((mine, theirs))
        points = self.field.points[higher], self.field.points[lower]
        if points[0] == points[1]:
            return
        players = self.reading.ids[higher], self.reading.ids[lower]
        yield Concern("float", Level.SHOW, players, (SCORES,), points=points)
        levels = sorted({*self.field.points})
        between = [level for level in levels if points[1] < level < points[0]]
        if between:
            yield Concern(
                "float_far", Level.ACKNOWLEDGE, players, (SCORES, WINTD), points=points, count=len(between)
            )
        most = self.settings.max_drop
        if most is not None and points[0] - points[1] > most:
            yield Concern("float_over_limit", Level.PROCEED, players, (WINTD,), points=points)
        for place in (higher, lower):
            if self.field.keep[place]:
                yield Concern("kept", Level.ACKNOWLEDGE, (self.reading.ids[place],), (WINTD,))

    def bye(self, player: int) -> Iterator[Concern]:
        yield from self._had(player)
        right = choose_bye(self.field, self.reading.occasion) if len(self.reading.ids) % 2 else None
        if right is None or self.reading.ids[right] == player:
            return
        scores = self.field.points[self.reading.place_of[player]], self.field.points[right]
        code = "bye_score" if scores[0] > scores[1] else "bye_other"
        level = Level.PROCEED if code == "bye_score" else Level.ACKNOWLEDGE
        yield Concern(code, level, (player, self.reading.ids[right]), ("28L2",), points=scores)

    def _had(self, player: int) -> Iterator[Concern]:
        before = self.tournament.round
        for bye in self.tournament.byes:
            if bye.player != player or bye.round >= before:
                continue
            if bye.kind in FULL_BYES:
                yield Concern("bye_had", Level.PROCEED, (player,), ("28L3",), (bye.round,))
            elif BYES[bye.kind].requested and self.tournament.points.of_bye(bye.kind):
                yield Concern("bye_half", Level.ACKNOWLEDGE, (player,), ("28L4",), (bye.round,))
        for number in forfeit_wins_of(self.tournament, player):
            yield Concern("bye_forfeit_win", Level.ACKNOWLEDGE, (player,), ("28L3",), (number,))
