"""Why a player does not get the bye: what bars a player from it (C.04.4.1, 3.1.2), and who comes before."""

from __future__ import annotations

from evenboard_engine import Bye, ByeKind, Colour, Game, Result, Tournament
from evenboard_engine.systems.dubov.explaining.tracing import pair_and_trace
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.tests.worked import field
from evenboard_engine.trace import Reason


def test_why_not_the_bye_names_the_earlier_bye_or_forfeit_win() -> None:
    games = (Game(1, 1, 2, Result.DRAW), Game(1, 4, 3, Result.WHITE_WINS_BY_FORFEIT))
    tournament = Tournament(
        rounds=5,
        round=2,
        players=field(7),
        games=games,
        byes=(Bye(1, 5, ByeKind.ALLOCATED), Bye(1, 6, ByeKind.FULL)),
        absent=frozenset({7, 3}),
        initial_colour=Colour.WHITE,
    )
    pairing = pair_and_trace(tournament)
    explainer = DubovExplainer(tournament, pairing)
    assert pairing.bye == 2
    assert explainer.why_not_bye(4) == Reason("bye_forfeit_win", {"player": 4, "round": 1})
    assert explainer.why_not_bye(5) == Reason("bye_had", {"player": 5, "round": 1})
    assert explainer.why_not_bye(6) == Reason("bye_points_unplayed", {"player": 6, "round": 1})
    assert explainer.why_not_bye(1).code == "bye_higher_rank"
    assert explainer.player(2).answers[0].reasons == (Reason("bye_given", {"player": 2}),)


def test_a_half_point_bye_is_no_reason_against_the_bye() -> None:
    """C2 names rounds without a game that gave the points of a win (C.04.4.1, 3.1.2)."""
    games = (
        Game(1, 1, 2, Result.DRAW),
        Game(2, 4, 1, Result.WHITE_WINS_BY_FORFEIT),
        Game(2, 2, 3, Result.DRAW),
    )
    tournament = Tournament(
        rounds=5,
        round=3,
        players=field(7),
        games=games,
        byes=(Bye(1, 4, ByeKind.HALF), Bye(4, 4, ByeKind.ALLOCATED)),
        initial_colour=Colour.WHITE,
    )
    explainer = DubovExplainer(tournament, pair_and_trace(tournament))
    assert explainer.why_not_bye(4) == Reason("bye_forfeit_win", {"player": 4, "round": 2})
