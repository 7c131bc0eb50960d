"""Answer the questions of one player: why this opponent, colour, bye or transfer, and why not another opponent."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.matching import bits, mask_of
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov1997.pairing import Dubov1997Round, ScoreGroupSteps
from evenboard_engine.systems.dubov1997.pairing import pair as pair_sheet
from evenboard_engine.systems.dubov1997.pairing.field import field_of
from evenboard_engine.systems.dubov1997.pairing.offer import offer_for
from evenboard_engine.systems.explaining import SwissExplainer
from evenboard_engine.trace import PairTrace, Reason, WhyAnswer

from .dead_ends import rise_in_offer
from .decisions import DecisionKind, PairDecision, decisions, passed_by, rises
from .obstacles import PlayerObstacles
from .steps import GroupSteps
from .tracing import trace_of, why_not_bye

CHOSEN = ("riser", "riser_same_due", "riser_any_due")
"""The reasons that name the player who is transferred into an odd group."""


class Dubov1997Explainer(SwissExplainer):
    """Answers questions about one round: that of the procedure, or the one that is offered where it cannot finish.

    tournament: the input of `pairing`. Cost of the constructor: as pairing the round again.
    """

    def __init__(
        self, tournament: Tournament, pairing: RoundPairing, sheet: Dubov1997Round | None = None
    ) -> None:
        super().__init__(tournament)
        self.sheet = sheet or pair_sheet(field_of(tournament))
        self.field = self.sheet.field
        self.facts = PlayerObstacles(tournament, self.field)
        self.offered = offer_for(self.sheet) if self.sheet.where else None
        self.made = decisions(self.sheet, self.offered)
        self.steps = GroupSteps(self.facts, self.sheet)
        self.trace = trace_of(self.facts, self.sheet, self.made, pairing, self.offered)
        self.number_of: dict[int, int] = {}  # of the decision, by seat
        for number, made in enumerate(self.made):
            self.number_of[made.chooser] = self.number_of[made.chosen] = number

    def is_here(self, player: int) -> bool:
        return player in self.field.seat_of

    # --- one player

    def answers(self, player: int, pair: PairTrace, opponent: int) -> Iterator[WhyAnswer]:
        made = self.made[self.number_of[self.field.seat_of[player]]]
        yield WhyAnswer("opponent", (*self._opponent(made), *(one.reason for one in pair.passed)))
        for question, key in (("upfloated", player), ("opponent_upfloated", opponent)):
            if risen := self._risen(made, self.field.seat_of[key]):
                yield WhyAnswer(question, risen)
        yield WhyAnswer("colour", self._colour(pair, player))

    def bye_given(self, player: int) -> Reason:
        if self.offered is not None and self.offered.new_bye:
            return Reason("other_bye", {"player": player})
        return Reason("bye_last" if self.field.round == 1 else "bye_given", {"player": player})

    def _opponent(self, made: PairDecision) -> tuple[Reason, ...]:
        """Return why the two of a decision meet, and why one of them came down."""
        facts = self.facts
        names = {"player": facts.id(made.chooser), "opponent": facts.id(made.chosen)}
        group = self.sheet.groups[made.group] if made.group >= 0 else None
        match made.kind:
            case DecisionKind.FLOATER:
                assert group is not None
                why = self.steps.floater(group, made.chooser, made.chosen)
                return (why, *self._came_down(made.group, made.chooser))
            case DecisionKind.ISLAND:
                assert group is not None
                search = next(search for island, search in group.islands if island == made.chooser)
                return tuple(reversed(list(self.steps.island(group, made.chooser, search))))
            case DecisionKind.ASIDE:
                assert made.work is not None
                return (list(self.steps.work(made.work))[-1],)
            case DecisionKind.OFFER:
                return (Reason("offer_pair", names),)
            case _:
                return (self._row(made, names),)

    def _row(self, made: PairDecision, names: dict[str, int]) -> Reason:
        if made.kind is DecisionKind.HALF:
            straight = not made.before()
            return Reason("half" if straight else "row_next", {**names, "row": made.row + 1})
        assert made.work is not None
        if len(made.work.pairs) == 1:
            return Reason("pair_alone", names)
        if made.work.right[made.row] == made.chosen:
            return Reason("row_straight", {**names, "row": made.row + 1})
        place = made.work.right.index(made.chosen)
        return Reason("row_repaired", {**names, "row": made.row + 1, "place": place + 1})

    def _came_down(self, number: int, floater: int) -> tuple[Reason, ...]:
        """Return why a player went down from the groups above this one, the group of the player first."""
        reasons: list[Reason] = []
        for group in self.sheet.groups[:number]:
            for island, search in group.islands:
                if island == floater:
                    reasons += self.steps.island(group, island, search)
            if floater in group.left:
                reasons.append(Reason("left", {"player": self.facts.id(floater)}))
            if any(seat == floater and opponent is None for seat, opponent in group.floaters):
                reasons.append(Reason("floater_passes", {"player": self.facts.id(floater)}))
        return tuple(reasons)

    def _risen(self, made: PairDecision, seat: int) -> tuple[Reason, ...]:
        """Return why a player was transferred to a higher group, or that the offer does not keep 2.5; else ()."""
        if made.kind is DecisionKind.OFFER:
            barred = rise_in_offer(self.field, made.chooser, made.chosen)
            return tuple(reason for reason in barred if reason.params["player"] == self.field.ids[seat])
        if made.group < 0:
            return ()
        group = self.sheet.groups[made.group]
        if group.riser.chosen == seat:
            reasons = list(self.steps.riser(group))
            first = next(at for at, reason in enumerate(reasons) if reason.code in CHOSEN)
            return (reasons[first], *reasons[:first], *reasons[first + 1 :])
        if made.kind is DecisionKind.ISLAND and made.chosen == seat:
            return self._opponent(made)
        return ()

    def _colour(self, pair: PairTrace, player: int) -> tuple[Reason, ...]:
        colour = Colour.WHITE if pair.white == player else Colour.BLACK
        side = WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE
        sides = self.field.colours[self.field.seat_of[player]].sides
        if sides and sides[-1] == side:
            again = {"player": player, "colour": colour, "round": self.facts.last_round_played(player)}
            return pair.colours, Reason("colour_again", again)
        return (pair.colours,)

    # --- why not

    def obstacle(self, player: int, other: int) -> Reason | None:
        return self.facts.obstacle(*sorted((self.field.seat_of[player], self.field.seat_of[other])))

    def decision(self, player: int, other: int) -> Reason:
        seats = self.field.seat_of[player], self.field.seat_of[other]
        first, second = sorted(seats, key=self.number_of.__getitem__)
        made = self.made[self.number_of[first]]
        if (
            made.kind is not DecisionKind.OFFER
            and self.made[self.number_of[second]].kind is DecisionKind.OFFER
        ):
            opponent = made.chosen if made.chooser == first else made.chooser
            names = {"player": first, "opponent": opponent, "other": second}
            return Reason("kept", {name: self.facts.id(seat) for name, seat in names.items()})
        return why_apart(self.facts, self.sheet, made, first, second)

    def why_no_bye(self, player: int, holder: int) -> Reason:
        new = self.offered is not None and self.offered.new_bye
        seats = self.field.seat_of[holder], self.field.seat_of[player]
        return why_not_bye(self.facts, *seats, offered=new)


# Why two players who may meet do not: what was decided when the first of them was paired.


def why_apart(
    facts: PlayerObstacles, sheet: Dubov1997Round, made: PairDecision, first: int, second: int
) -> Reason:
    """Return why the player of this decision does not meet another one, who was still free then.

    first: of the decision. second: a player whom the first may meet. Players are seats.
    """
    return _Apart(facts, sheet, made, first, second).reason()


class _Apart:
    def __init__(
        self, facts: PlayerObstacles, sheet: Dubov1997Round, made: PairDecision, first: int, second: int
    ) -> None:
        self.facts, self.sheet, self.field, self.made = facts, sheet, facts.field, made
        self.first, self.second = first, second
        self.names = {"player": facts.id(first), "other": facts.id(second)}
        self.opponent = {"opponent": facts.id(made.chosen if made.chooser == first else made.chooser)}

    def reason(self) -> Reason:
        match self.made.kind:
            case DecisionKind.FLOATER | DecisionKind.ISLAND:
                return self._chosen_one_by_one()
            case DecisionKind.OFFER:
                if self.first != self.made.chooser:
                    return Reason("taken_by_offer", {**self.names, "by": self.facts.id(self.made.chooser)})
                if self.second in self.made.before():
                    return passed_by(self.facts, self.made, self.second)
                return Reason("offered", {**self.names, **self.opponent})
            case DecisionKind.ASIDE:
                return self._aside()
            case _:
                return self._row()

    def _chosen_one_by_one(self) -> Reason:
        island = self.made.kind is DecisionKind.ISLAND
        if self.first != self.made.chooser:
            by = {"player": self.first, "by": self.made.chooser, "other": self.second}
            params = {key: self.facts.id(seat) for key, seat in by.items()}
            return Reason("taken_by_island" if island else "taken_by_floater", params)
        if self.second not in self.made.among:
            return Reason(
                "nearest_group_rising" if island else "nearest_group", {**self.names, **self.opponent}
            )
        if self.second in self.made.before():
            return passed_by(self.facts, self.made, self.second)
        if island and self.field.barred_from_rising >> self.second & 1:
            return Reason("barred_from_rising", rises(self.facts.field, self.second))
        due = self.field.due[self.first]
        return self.facts.better(self.made.chosen, self.second, due, rising=island, island=True)

    def _row(self) -> Reason:
        half = self.made.kind is DecisionKind.HALF
        if self.second in self.made.among:
            if self.first != self.made.chooser:
                return Reason("same_half" if half else "same_column", self.names)
            if self.second in self.made.before():
                return passed_by(self.facts, self.made, self.second)
            return Reason("half_order" if half else "row_order", {**self.names, **self.opponent})
        if half or (self.made.work is not None and self.second in self.made.work.left):
            if self.first == self.made.chooser:
                return Reason("same_half" if half else "same_column", self.names)
            by = {"by": self.facts.id(self.made.chooser), "player": self.facts.id(self.second)}
            return Reason("taken_half" if half else "taken", {**by, "other": self.facts.id(self.first)})
        return self._outside()

    def _aside(self) -> Reason:
        work = self.made.work
        assert work is not None
        if self.second not in (*work.left, *work.right):
            return self._outside()
        if self.first != self.made.chooser:
            return Reason("taken_aside", {**self.names, "by": self.facts.id(self.made.chooser)})
        if self.second in work.right:
            return Reason("aside_only_whites", {**self.names, **self.opponent})
        if self.second in self.made.before():
            return passed_by(self.facts, self.made, self.second)
        return Reason("aside_order", {**self.names, **self.opponent})

    # --- the other one was not in the group when it was paired

    def _outside(self) -> Reason:
        group = self.sheet.groups[self.made.group]
        if self.second in group.left:
            return Reason(
                "went_down", {"player": self.facts.id(self.second), "other": self.facts.id(self.first)}
            )
        if self.field.group_of[self.second] <= self.made.group:
            return Reason(
                "passed_before", {"player": self.facts.id(self.second), "other": self.facts.id(self.first)}
            )
        return self._not_transferred(group)

    def _not_transferred(self, group: ScoreGroupSteps) -> Reason:
        """Return why a player of a lower group was not transferred into this one."""
        if self.first == group.riser.chosen and self.field.score[self.first] < group.score:
            return Reason("rose_away", {**self.names, "score": group.score})
        if not group.odd:
            return Reason("no_transfer_needed", self.names)
        search, second = group.riser, self.second
        if not search.useful:
            return Reason("no_help", {"player": self.facts.id(second)})
        nearest = self.field.group_of[next(bits(search.useful))]
        if not search.useful >> second & 1:
            code = "farther_group" if self.field.group_of[second] > nearest else "no_help"
            return Reason(code, {"player": self.facts.id(second)})
        if search.barred >> second & 1:
            return Reason("barred_from_rising", rises(self.facts.field, second))
        assert search.chosen is not None
        rest = mask_of(seat for seat in group.rest if seat != search.chosen)
        dominating = self.field.dominating(rest)
        return self.facts.better(search.chosen, second, dominating, rising=True)
