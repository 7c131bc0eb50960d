"""The Dubov System of 1997: one round, in the order of its steps (manual/chapters/68-dubov-1997.md).

Players are seats of the `Dubov1997Field`, sets of players are masks of seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as made_by
from enum import StrEnum

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.matching import Matching, bits, mask_of
from evenboard_engine.result import Pair, board_order
from evenboard_engine.systems.colours import other_side

from .field import NO_COLOUR, Dubov1997Field
from .rows import RowsWork, first_rows, pair_rest, served

# Who gets the bye (article 4; S4).


def bye_key(field: Dubov1997Field, seat: int, dominating: int) -> tuple[int, bool, int, int]:
    """Return the sort key within a score group: lowest R, the dominating colour, higher ARO, larger No."""
    return (
        field.rating[seat],
        bool(dominating) and field.due[seat] != dominating,
        -field.aro[seat],
        -field.tpn[seat],
    )


def bye_order(field: Dubov1997Field) -> Iterator[int]:
    """Yield those who may have the bye (2.2), the first in the order of the bye first.

    The lowest score group comes first; the next ones are for a group in which nobody may have the bye.
    """
    for group in reversed(field.groups):
        dominating = field.dominating(group)
        may = [seat for seat in bits(group) if not field.entrants[seat].had_point]
        yield from sorted(may, key=lambda seat: bye_key(field, seat, dominating))


# Who has White (article 3; S3).


class Dubov1997ColourRule(StrEnum):
    """The rule of S3 that decided, or the first round (S5)."""

    LIMIT = "2.3"
    DUE = "3.1"
    EQUALISE = "3.2"
    ALTERNATE = "3.3"
    HIGHER_ARO = "3.4"
    LOWER_RATING = "3.5"
    NUMBER = "3.6"
    FIRST_ROUND = "5"


def white_of(field: Dubov1997Field, one: int, other: int) -> tuple[int, Dubov1997ColourRule]:
    """Return the seat of the player who has White, and the rule. If each way bars one of the two, 2.3 and 2.4 are
    left out; only a pair made by hand can be such a pair.
    """
    mine, theirs = field.colours[one], field.colours[other]
    can = not (mine.barred & WHITE_SIDE or theirs.barred & BLACK_SIDE)
    can_turned = not (mine.barred & BLACK_SIDE or theirs.barred & WHITE_SIDE)
    due = _by_due_colours(mine.due, theirs.due)
    if can != can_turned and (due is None or due != can):
        return (one if can else other), Dubov1997ColourRule.LIMIT
    if due is not None:
        return (one if due else other), Dubov1997ColourRule.DUE
    if mine.difference != theirs.difference:
        return (one if mine.difference < theirs.difference else other), Dubov1997ColourRule.EQUALISE
    for my_side, their_side in zip(reversed(mine.sides), reversed(theirs.sides), strict=False):
        if my_side != their_side:
            return (one if my_side == BLACK_SIDE else other), Dubov1997ColourRule.ALTERNATE
    if field.aro[one] != field.aro[other]:
        return (one if field.aro[one] > field.aro[other] else other), Dubov1997ColourRule.HIGHER_ARO
    if field.rating[one] != field.rating[other]:
        return (one if field.rating[one] < field.rating[other] else other), Dubov1997ColourRule.LOWER_RATING
    return (one if field.tpn[one] < field.tpn[other] else other), Dubov1997ColourRule.NUMBER


def _by_due_colours(mine: int, theirs: int) -> bool | None:
    """Return whether the first has White by the due colours; None if they are the same."""
    if mine == theirs:
        return None
    return (mine or other_side(theirs)) == WHITE_SIDE


# The round, group by group. Its steps follow below.


@dataclass(frozen=True, slots=True)
class ScoreGroupSteps:
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
    works: tuple[RowsWork, ...]

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
class Dubov1997Round:
    """A round as far as it is paired. made: pairs in the order in which they were made.

    where: "" if the round is finished; else where the procedure cannot finish, "bye", "round_1" or "last_group".
    unpaired: who has no opponent then, by seats.
    """

    field: Dubov1997Field
    bye: int | None = None
    groups: list[ScoreGroupSteps] = made_by(default_factory=list)
    made: list[tuple[int, int]] = made_by(default_factory=list)
    where: str = ""
    unpaired: tuple[int, ...] = ()


def pair(players: Dubov1997Field) -> Dubov1997Round:
    """Pair a round as far as the procedure can."""
    sheet = Dubov1997Round(players)
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


def pair_group(players: Dubov1997Field, mask: int, free: int, down: Iterable[int]) -> ScoreGroupSteps:
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
    return ScoreGroupSteps(
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


def coloured(players: Dubov1997Field, pairs: Iterable[tuple[int, int]]) -> tuple[Pair, ...]:
    """Return the pairs with colours by article 3, in the order of the boards (S11)."""
    return in_board_order(players, [coloured_pair(players, *pair) for pair in pairs])


def coloured_pair(players: Dubov1997Field, one: int, other: int) -> Pair:
    """Return two players with colours by article 3."""
    white, rule = white_of(players, one, other)
    black = other if white == one else one
    return Pair(players.ids[white], players.ids[black], rule)


def coloured_in_round_1(players: Dubov1997Field, pairs: Iterable[tuple[int, int]]) -> tuple[Pair, ...]:
    """Return the pairs of round 1 with their colours (S5)."""
    return in_board_order(players, [pair_in_round_1(players, *pair) for pair in pairs])


def pair_in_round_1(players: Dubov1997Field, one: int, other: int) -> Pair:
    """Return two players with the colours of round 1.

    Upper players of odd pairs have the colour given, of even ones the other one. That of pair 1 has seat 0, and so on.
    """
    upper, lower = min(one, other), max(one, other)
    white, black = (upper, lower) if players.first_is_white() is (upper % 2 == 0) else (lower, upper)
    return Pair(players.ids[white], players.ids[black], Dubov1997ColourRule.FIRST_ROUND)


def in_board_order(players: Dubov1997Field, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    tpn = dict(zip(players.ids, players.tpn, strict=True))
    return board_order(pairs, tpn, dict(zip(players.tpn, players.score, strict=True)))


# Round 1 (article 5; S5).


def first_round(field: Dubov1997Field) -> tuple[int | None, list[tuple[int, int]] | None]:
    """Return the bye and the pairs of upper and lower half by seats; no pairs if forbidden pairs allow no order."""
    order = list(range(len(field.ids)))
    bye = order.pop() if len(order) % 2 else None
    half = len(order) // 2
    upper, lower = order[:half], order[half:]
    rows = first_rows(field, upper, lower)
    return bye, None if isinstance(rows, int) else list(zip(upper, rows, strict=True))


# Pair the players who came down, one by one (article 8; S6).


def best_opponent(field: Dubov1997Field, player: int, among: int) -> int | None:
    """Return the possible opponent of a player among these (a mask): not due the same colour first, then highest R,
    lowest ARO, smaller No. (8.2; S7.1 uses the same list). None if there is none.
    """
    mask = field.possible(player) & among
    if not mask:
        return None
    due = field.due[player]
    if due != NO_COLOUR:
        mask = mask & ~field.due_masks[due] or mask
    return min(bits(mask), key=field.by_rise.__getitem__)


def pair_floaters(field: Dubov1997Field, down: Iterable[int], free: int) -> list[tuple[int, int | None]]:
    """Return each floater with the opponent, None for one who goes down further, in the order of 8.1.

    free: the free players of the group. Two floaters are never possible for each other.
    """
    paired = []
    for floater in served(field, down):
        opponent = best_opponent(field, floater, free)
        if opponent is not None:
            free &= ~(1 << opponent)
        paired.append((floater, opponent))
    return paired


# Transfer players from lower score groups into a group (articles 7.1, 7.2 and 2.5; S7).


@dataclass(frozen=True, slots=True)
class Search:
    """How a player was looked for in the lower groups (masks).

    useful: those of the nearest group who would help, 0 if there are none in any group. barred: those of them whom 2.5
    bars. chosen: a seat.
    """

    useful: int
    barred: int
    chosen: int | None


NO_SEARCH = Search(0, 0, None)


def islands_of(field: Dubov1997Field, group: int) -> list[int]:
    """Return the players of the group who have no possible opponent in it, in the order in which they are served."""
    return served(field, [seat for seat in bits(group) if not field.possible(seat) & group])


def opponent_for_island(field: Dubov1997Field, island: int, below: int) -> Search:
    """Find the opponent who is transferred to an island (7.1). below: the free players of the lower groups."""
    possible = field.possible(island) & below
    if not possible:
        return NO_SEARCH
    useful = field.nearest_group(possible)
    barred = useful & field.barred_from_rising
    return Search(useful, barred, best_opponent(field, island, useful & ~barred))


def riser_for(field: Dubov1997Field, group: Sequence[int], below: int) -> Search:
    """Find the player who is transferred into an odd group (7.2).

    A player helps if the largest pairing of the group becomes greater by one pair: the player is possible for somebody
    whom some largest pairing leaves over (theorem of Gallai and Edmonds).
    """
    matching = Matching(field.graph(group))
    reach = 0
    for i in bits(matching.decompose()):
        reach |= field.possible(group[i])
    if not reach & below:
        return NO_SEARCH
    useful = field.nearest_group(reach & below)
    barred = useful & field.barred_from_rising
    may = useful & ~barred
    if not may:
        return Search(useful, barred, None)
    dominating = field.dominating(mask_of(group))
    if dominating != NO_COLOUR:
        may = may & ~field.due_masks[dominating] or may
    return Search(useful, barred, min(bits(may), key=field.by_rise.__getitem__))


# Who goes down because the group cannot be wholly paired (article 6.4; S8).


def left_over(field: Dubov1997Field, group: Sequence[int], below: int) -> list[int]:
    """Return who goes down, as few as possible, in the order of S8. below: the free players of lower score groups."""
    matching = Matching(field.graph(group))
    can_stay = matching.decompose()
    missing = matching.exposed.bit_count()
    left: list[int] = []
    if not missing:
        return left
    at = {seat: i for i, seat in enumerate(group)}
    for seat in left_over_order(field, group, below):
        # Theorem of Gallai and Edmonds: others never can be left over, and that does not change when players go down
        if can_stay >> at[seat] & 1 and _goes(matching, at[seat]):
            left.append(seat)
            if len(left) == missing:
                break
    return left


def left_over_order(field: Dubov1997Field, group: Sequence[int], below: int) -> list[int]:
    """Return the group in the order in which its players go down: those who have a possible opponent in the next lower
    group, then as for the bye (6.4).
    """
    following = field.nearest_group(below) if below else 0
    dominating = field.dominating(mask_of(group))
    return sorted(
        group, key=lambda seat: (not field.possible(seat) & following, *bye_key(field, seat, dominating))
    )


def _goes(matching: Matching, v: int) -> bool:
    """Take a player out if the largest pairing of the others is as large; return whether it is."""
    alone = matching.mate[v]
    if alone >= 0:
        former = matching.adjacency[v]
        matching.forbid(v, former)
        matching.exposed &= ~(1 << v)
        if not matching.augment(alone, matching.adjacency):
            matching.adjacency[v] = former
            for w in bits(former):
                matching.adjacency[w] |= 1 << v
            matching.join(v, alone)
            return False
    matching.forbid(v, matching.adjacency[v])
    matching.exposed &= ~(1 << v)
    return True
