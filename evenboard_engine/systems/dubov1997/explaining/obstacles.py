"""Why two players cannot meet (S2), and why one player comes before another in an order."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from evenboard_engine.model import RESULTS, ByeKind, Outcome, Tournament
from evenboard_engine.rulings import bar_of, unplayed_results
from evenboard_engine.systems.colours import COLOUR_OF
from evenboard_engine.systems.dubov1997.pairing.field import BARRED_FROM_BOTH, NO_COLOUR, Dubov1997Field
from evenboard_engine.trace import Reason


def aro_number(aro: Fraction) -> float:
    """Return an ARO with up to three decimals, which distinguish all AROs of 19 games."""
    rounded = round(float(aro), 3)
    return int(rounded) if rounded == int(rounded) else rounded


def aro_text(aro: Fraction) -> str:
    """Return the same as text."""
    return str(aro_number(aro))


class PlayerObstacles:
    """What is known of the players of a round, as reasons. Players are seats; reasons have ids."""

    def __init__(self, tournament: Tournament, field: Dubov1997Field) -> None:
        self.tournament, self.field = tournament, field
        self.met: dict[tuple[int, int], list[int]] = {}
        for game in tournament.games:
            if RESULTS[game.result].played:
                key = min(game.white, game.black), max(game.white, game.black)
                self.met.setdefault(key, []).append(game.round)

    def id(self, seat: int) -> int:
        return self.field.ids[seat]

    def obstacle(self, one: int, other: int) -> Reason | None:
        """Return why two players cannot meet; None if they can."""
        return next(self.obstacles(one, other), None)

    def obstacles(self, one: int, other: int) -> Iterator[Reason]:
        """Yield all that keeps two players apart, the most serious first."""
        if self.field.possible(one) >> other & 1:
            return
        mine, theirs = self.id(one), self.id(other)
        names = {"player": mine, "other": theirs}
        rounds = self.met.get((min(mine, theirs), max(mine, theirs)))
        if rounds:
            yield Reason("met", {**names, "rounds": tuple(sorted(rounds))})
        if {(mine, theirs), (theirs, mine)} & self.tournament.forbidden:
            yield Reason("forbidden", names)
        barred = self.field.barred
        common = barred[one] & barred[other]
        if BARRED_FROM_BOTH in (barred[one], barred[other]):
            yield Reason("no_way", names)
        elif common in COLOUR_OF:
            yield Reason("both_barred", {**names, "colour": COLOUR_OF[common]})

    def better(self, chosen: int, other: int, due: int, *, rising: bool, island: bool = False) -> Reason:
        """Return why `chosen` comes before `other` in the order of S6.2 or of the transfers (S7).

        due: the colour that the one to be chosen should not be due, NO_COLOUR if it does not matter. rising: for S7.
        island: for S7.1.
        """
        field = self.field
        names = {"player": self.id(other), "other": self.id(chosen)}
        if due != NO_COLOUR and (field.due[other] == due) != (field.due[chosen] == due):
            code = "same_due" if not rising else "same_due_island" if island else "dominating_due"
            return Reason(code, {**names, "colour": COLOUR_OF[due]})
        end = "_rising" if rising else ""
        if field.rating[other] != field.rating[chosen]:
            ratings = {"rating": field.rating[other], "other_rating": field.rating[chosen]}
            return Reason(f"lower_rating{end}", {**names, **ratings})
        if field.aro[other] != field.aro[chosen]:
            return Reason(f"higher_aro{end}", {**names, **self.aros(other, chosen)})
        return Reason(f"larger_number{end}", names)

    def last_round_played(self, key: int) -> int:
        """Return the round of the last game of a player (an id)."""
        return max(
            game.round
            for game in self.tournament.games
            if key in (game.white, game.black) and RESULTS[game.result].played
        )

    def aros(self, one: int, other: int) -> dict[str, str]:
        return {"aro": self.aro(one), "other_aro": self.aro(other)}

    def aro(self, seat: int) -> str:
        return aro_text(self.field.entrants[seat].aro)

    def point_without_playing(self, seat: int) -> Reason:
        """Return what bars a player from the bye (2.2)."""
        key, win = self.id(seat), self.tournament.points.win
        for number, _key, of, points in sorted(unplayed_results(self.tournament, {key}), key=_byes_first):
            code = bar_of(of, points, win)
            if code is not None:
                code = "bye_full_point" if code == "bye_points_unplayed" else code
                return Reason(code, {"player": key, "round": number})
        raise AssertionError("nothing bars this player")


def _byes_first(result: tuple[int, int, Outcome | ByeKind, int]) -> tuple[bool, int]:
    return not isinstance(result[2], ByeKind), result[0]
