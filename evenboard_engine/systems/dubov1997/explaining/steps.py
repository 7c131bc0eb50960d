"""The steps of a score group as reasons: who came down, who was transferred, who goes down, columns and rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.matching import bits, mask_of
from evenboard_engine.systems.colours import COLOUR_OF
from evenboard_engine.systems.dubov1997.pairing import (
    Dubov1997Round,
    ScoreGroupSteps,
    Search,
    left_over_order,
)
from evenboard_engine.systems.dubov1997.pairing.field import NO_COLOUR
from evenboard_engine.systems.dubov1997.pairing.rows import RowsWork, move_order
from evenboard_engine.trace import Reason

from .decisions import in_order_of_choice, rises
from .obstacles import PlayerObstacles

MOST_LISTED = 6
"""So many players who come earlier in an order and were not taken are listed at one step."""


class GroupSteps:
    """Says the steps of the score groups of a sheet."""

    def __init__(self, facts: PlayerObstacles, sheet: Dubov1997Round) -> None:
        self.facts, self.sheet, self.field = facts, sheet, sheet.field

    def _ids(self, seats: Iterable[int]) -> tuple[int, ...]:
        return tuple(map(self.field.ids.__getitem__, seats))

    def of_group(self, group: ScoreGroupSteps) -> Iterator[Reason]:
        """Yield the steps of a group in their order."""
        players = self._ids(bits(group.residents))
        yield Reason("group", {"players": players, "score": group.score})
        if group.floaters:
            yield Reason("came_down", {"players": self._ids(floater for floater, _ in group.floaters)})
        for floater, opponent in group.floaters:
            yield self.floater(group, floater, opponent)
        for island, search in group.islands:
            yield from self.island(group, island, search)
        if group.odd:
            yield from self.riser(group)
        if group.left:
            yield from self.left(group)
        for work in group.works:
            yield from self.work(work)

    # --- floaters and transfers

    def floater(self, group: ScoreGroupSteps, floater: int, opponent: int | None) -> Reason:
        """Return why a player who came down meets this opponent, or goes down further."""
        last = group is self.sheet.groups[-1]
        if opponent is None:
            return Reason("unpaired" if last else "floater_passes", {"player": self.facts.id(floater)})
        return self._choice("floater_paired", "floater_same_due", floater, opponent)

    def _choice(self, code: str, same_due: str, player: int, opponent: int) -> Reason:
        field = self.field
        same = field.due[player] != NO_COLOUR and field.due[player] == field.due[opponent]
        names = {"player": self.facts.id(player), "opponent": self.facts.id(opponent)}
        found = {**names, "rating": field.rating[opponent], "score": field.score[opponent]}
        return (
            Reason(same_due, {**found, "colour": COLOUR_OF[field.due[player]]})
            if same
            else Reason(code, found)
        )

    def island(self, group: ScoreGroupSteps, island: int, search: Search) -> Iterator[Reason]:
        """Yield why a player has nobody to meet in the group, and what becomes of this player (7.1)."""
        player = self.facts.id(island)
        yield Reason("island", {"player": player, "score": group.score})
        if search.chosen is not None:
            yield from self._barred(search)
            yield self._choice("island_paired", "island_same_due", island, search.chosen)
        elif search.useful:
            yield from self._barred(search)
            yield Reason("island_barred", {"player": player, "score": self._score(search.useful)})
        else:
            yield Reason("island_alone", {"player": player})

    def _score(self, mask: int) -> int:
        return self.field.score[(mask & -mask).bit_length() - 1]

    def _barred(self, search: Search) -> Iterator[Reason]:
        for seat in list(bits(search.barred))[:MOST_LISTED]:
            yield Reason("rise_barred", rises(self.facts.field, seat))

    def rest_before(self, group: ScoreGroupSteps) -> list[int]:
        """Return the group before a player was transferred into it (7.2)."""
        return [seat for seat in group.rest if seat != group.riser.chosen]

    def riser(self, group: ScoreGroupSteps) -> Iterator[Reason]:
        """Yield who is transferred into an odd group, or why nobody is (7.2)."""
        rest, search = self.rest_before(group), group.riser
        yield Reason("odd", {"count": len(rest)})
        if not search.useful:
            yield Reason("riser_none", {})
            return
        yield from self._barred(search)
        if search.chosen is None:
            yield Reason("riser_barred", {"score": self._score(search.useful)})
            return
        dominating = self.field.dominating(mask_of(rest))
        found = {
            "player": self.facts.id(search.chosen),
            "score": self.field.score[search.chosen],
            "rating": self.field.rating[search.chosen],
        }
        if dominating == NO_COLOUR:
            yield Reason("riser_any_due", found)
        else:
            same = self.field.due[search.chosen] == dominating
            code = "riser_same_due" if same else "riser"
            yield Reason(code, {**found, "colour": COLOUR_OF[dominating]})
        yield from self._without_help(group, search.chosen, dominating)

    def _without_help(self, group: ScoreGroupSteps, chosen: int, dominating: int) -> Iterator[Reason]:
        """Yield those of the same group who come before the chosen one, but would help nobody."""
        free = self.field.groups[self.field.group_of[chosen]] & group.before & ~self._taken_by_islands(group)
        order = in_order_of_choice(self.sheet, free, dominating)
        for seat in order[: order.index(chosen)][:MOST_LISTED]:
            if not group.riser.useful >> seat & 1:
                yield Reason("no_help", {"player": self.facts.id(seat)})

    def _taken_by_islands(self, group: ScoreGroupSteps) -> int:
        return mask_of(search.chosen for _, search in group.islands if search.chosen is not None)

    def left(self, group: ScoreGroupSteps) -> Iterator[Reason]:
        """Yield who goes down because the group cannot be wholly paired, and who would come earlier (6.4)."""
        yield Reason("left_count", {"count": len(group.left), "players": self._ids(group.rest)})
        order = self.order_of_left(group)
        last = group is self.sheet.groups[-1]
        for seat in group.left:
            yield Reason("unpaired" if last else "left", {"player": self.facts.id(seat)})
        needed = [seat for seat in order[: order.index(group.left[-1])] if seat not in group.left]
        for seat in needed[:MOST_LISTED]:
            yield Reason("left_needed", {"player": self.facts.id(seat)})

    def order_of_left(self, group: ScoreGroupSteps) -> list[int]:
        """Return the group in the order of S8."""
        below = group.before & ~((1 << max(bits(group.residents), default=-1) + 1) - 1)
        taken = self._taken_by_islands(group)
        if group.riser.chosen is not None:
            taken |= 1 << group.riser.chosen
        return left_over_order(self.field, group.rest, below & ~taken)

    # --- columns and rows

    def work(self, work: RowsWork) -> Iterator[Reason]:
        """Yield the columns, who changes them, the order of both, and how far rows were changed."""
        yield from self._columns(work)
        yield from self._moves(work)
        with_aro = tuple((self.facts.id(seat), self.facts.aro(seat)) for seat in work.left)
        yield Reason("white_column", {"aros": with_aro})
        ratings = tuple((self.facts.id(seat), str(self.field.rating[seat])) for seat in work.right)
        yield Reason("black_column", {"ratings": ratings})
        if work.looks is not None and work.stuck is not None:
            ((one, other),) = work.pairs
            names = {"player": self.facts.id(one), "opponent": self.facts.id(other)}
            stuck = {**names, "by": self.facts.id(work.left[work.stuck]), "row": work.stuck + 1}
            yield Reason("aside" if work.looks == work.stuck else "aside_above", stuck)
        else:
            changed = sum(black != right for (_, black), right in zip(work.pairs, work.right, strict=True))
            yield Reason("rows_repaired", {"count": changed}) if changed else Reason("rows_straight", {})

    def _columns(self, work: RowsWork) -> Iterator[Reason]:
        due = self.field.due
        white = [seat for seat in (*work.white, *work.black) if due[seat] == WHITE_SIDE]
        black = [seat for seat in (*work.white, *work.black) if due[seat] == BLACK_SIDE]
        yield Reason("columns", {"white_count": len(white), "black_count": len(black)})
        free = [seat for seat in (*work.white, *work.black) if due[seat] == NO_COLOUR]
        if free:
            yield Reason("columns_open", {"players": self._ids(sorted(free, key=self.field.tpn.__getitem__))})

    def _moves(self, work: RowsWork) -> Iterator[Reason]:
        if not work.moved:
            yield Reason("level", {})
            return
        from_white = self.field.due[work.moved[0]] == WHITE_SIDE
        found = {"players": self._ids(work.moved), "count": len(work.moved)}
        yield Reason("move_white" if from_white else "move_black", found)
        order = move_order(self.field, work.white, work.black)
        stay = [seat for seat in order[: order.index(work.moved[-1])] if seat not in work.moved]
        if stay:
            side = BLACK_SIDE if from_white else WHITE_SIDE
            players = self._ids(stay[:MOST_LISTED])
            yield Reason("move_barred", {"players": players, "colour": COLOUR_OF[side]})
