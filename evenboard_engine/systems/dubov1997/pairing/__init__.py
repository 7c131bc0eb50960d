"""The Dubov System of 1997: one round, in the order of its steps (manual/chapters/68-dubov-1997.md).

Players are seats of the `Field`, sets of players are masks of seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as made_by

from evenboard_engine.boards import board_order
from evenboard_engine.matching import bits, mask_of
from evenboard_engine.result import Pair

from .bye import bye_order
from .colours import ColourRule, white_of
from .field import Field
from .first_round import first_round
from .floaters import pair_floaters
from .left_over import left_over
from .rows import Work, pair_rest
from .transfers import NO_SEARCH, Search, islands_of, opponent_for_island, riser_for


@dataclass(frozen=True, slots=True)
class Group:
    """What happened in one score group, in the order of its steps.

    residents: free players of the group when its turn came, a mask. floaters: who came down, in the order in which
    they were served, each with the opponent or None. islands: the same of players without a possible opponent in the
    group. odd: the rest of the group was odd, so `riser` was looked for. rest: the group as it then was. left: who
    goes down because it could not be wholly paired. works: how the others were paired.
    before: all free players when the turn of the group came, a mask.
    """

    score: int
    before: int
    residents: int
    floaters: tuple[tuple[int, int | None], ...]
    islands: tuple[tuple[int, Search], ...]
    odd: bool
    riser: Search
    rest: tuple[int, ...]
    left: tuple[int, ...]
    works: tuple[Work, ...]

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs in the order in which they were made."""
        made = [(floater, opponent) for floater, opponent in self.floaters if opponent is not None]
        made += [(island, search.chosen) for island, search in self.islands if search.chosen is not None]
        for work in self.works:
            made += work.pairs
        return made

    def goes_down(self) -> list[int]:
        """Return who goes down to the next group."""
        down = [floater for floater, opponent in self.floaters if opponent is None]
        down += [island for island, search in self.islands if search.chosen is None]
        return [*down, *self.left]


@dataclass(slots=True)
class Sheet:
    """A round as far as it is paired. made: pairs in the order in which they were made.

    where: "" if the round is finished; else where the procedure cannot finish, "bye", "round_1" or "last_group".
    unpaired: who has no opponent then, by seats.
    """

    field: Field
    bye: int | None = None
    groups: list[Group] = made_by(default_factory=list)
    made: list[tuple[int, int]] = made_by(default_factory=list)
    where: str = ""
    unpaired: tuple[int, ...] = ()


def pair(players: Field) -> Sheet:
    """Pair a round as far as the procedure can."""
    sheet = Sheet(players)
    count = len(players.ids)
    if players.round == 1:
        sheet.bye, pairs = first_round(players)
        if pairs is None:
            sheet.where, sheet.unpaired = "round_1", tuple(seat for seat in range(count) if seat != sheet.bye)
        else:
            sheet.made = pairs
        return sheet
    if count % 2:
        sheet.bye = next(bye_order(players), None)
        if sheet.bye is None:
            sheet.where, sheet.unpaired = "bye", tuple(range(count))
            return sheet
    free = players.everyone & ~mask_of([] if sheet.bye is None else [sheet.bye])
    down: list[int] = []
    for mask in players.groups:
        group = pair_group(players, mask, free, down)
        sheet.groups.append(group)
        made, down = group.pairs(), group.goes_down()
        sheet.made += made
        free &= ~mask & ~mask_of(seat for pair in made for seat in pair)
    if down:
        sheet.where, sheet.unpaired = "last_group", tuple(sorted(down))
    return sheet


def pair_group(players: Field, mask: int, free: int, down: Iterable[int]) -> Group:
    """Pair one score group. mask: all its players. free: all players who are free. down: who came down to it."""
    residents = free & mask
    below = free & ~((1 << mask.bit_length()) - 1)
    floaters = pair_floaters(players, down, residents)
    here = residents & ~mask_of(opponent for _, opponent in floaters if opponent is not None)
    islands = []
    for island in islands_of(players, here):
        search = opponent_for_island(players, island, below)
        islands.append((island, search))
        here &= ~(1 << island)
        if search.chosen is not None:
            below &= ~(1 << search.chosen)
    odd = here.bit_count() % 2 == 1
    riser = riser_for(players, list(bits(here)), below) if odd else NO_SEARCH
    if riser.chosen is not None:
        here |= 1 << riser.chosen
        below &= ~(1 << riser.chosen)
    rest = tuple(bits(here))
    left = left_over(players, rest, below)
    return Group(
        score=players.score[(mask & -mask).bit_length() - 1],
        before=free,
        residents=residents,
        floaters=tuple(floaters),
        islands=tuple(islands),
        odd=odd,
        riser=riser,
        rest=rest,
        left=tuple(left),
        works=tuple(pair_rest(players, bits(here & ~mask_of(left)))),
    )


def coloured(players: Field, pairs: Iterable[tuple[int, int]]) -> tuple[Pair, ...]:
    """Return the pairs with colours by article 3, in the order of the boards (S11)."""
    return in_board_order(players, [coloured_pair(players, *pair) for pair in pairs])


def coloured_pair(players: Field, one: int, other: int) -> Pair:
    """Return two players with colours by article 3."""
    white, rule = white_of(players, one, other)
    black = other if white == one else one
    return Pair(players.ids[white], players.ids[black], rule)


def coloured_in_round_1(players: Field, pairs: Iterable[tuple[int, int]]) -> tuple[Pair, ...]:
    """Return the pairs of round 1 with their colours (S5)."""
    return in_board_order(players, [pair_in_round_1(players, *pair) for pair in pairs])


def pair_in_round_1(players: Field, one: int, other: int) -> Pair:
    """Return two players with the colours of round 1.

    Upper players of odd pairs have the colour given, of even ones the other one. That of pair 1 has seat 0, and so on.
    """
    upper, lower = min(one, other), max(one, other)
    white, black = (upper, lower) if players.first_is_white() is (upper % 2 == 0) else (lower, upper)
    return Pair(players.ids[white], players.ids[black], ColourRule.FIRST_ROUND)


def in_board_order(players: Field, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    tpn = dict(zip(players.ids, players.tpn, strict=True))
    return board_order(pairs, tpn, dict(zip(players.tpn, players.score, strict=True)))
