"""What an explanation says is true. Claims are recomputed from the figures of the reference."""

from __future__ import annotations

import pytest

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.model import Result, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov1997.explaining.why import Dubov1997Explainer
from evenboard_engine.systems.dubov1997.system import DUBOV_1997
from evenboard_engine.tests.brute_force import BruteRound
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.systems.dubov1997.claims import Claims
from evenboard_engine.tests.systems.dubov1997.comparison import SMALL, as_1997
from evenboard_engine.tests.systems.dubov1997.test_system import played
from evenboard_engine.trace import BracketTrace, PairTrace, Reason


def explained(tournament: Tournament) -> tuple[RoundPairing, list[Reason]] | None:
    """The round, or the offer, with what is said about why the procedure cannot finish."""
    try:
        return DUBOV_1997.pair(tournament, trace=True), []
    except NoLegalPairing as error:
        offer = DUBOV_1997.offer(tournament)
        return None if offer is None else (offer.pairing, list(error.reasons))


def reasons_of(explainer: Dubov1997Explainer, here: list[int]) -> list[Reason]:
    """Everything that an explanation says of the players who are present."""
    trace = explainer.trace
    reasons = [*trace.steps, *(passed.reason for passed in trace.bye.passed)]
    for bracket in trace.brackets:
        reasons += bracket.steps
        for pair in bracket.pairs:
            reasons += [pair.colours, *(passed.reason for passed in pair.passed)]
    for player in here:
        reasons += [reason for answer in explainer.player(player).answers for reason in answer.reasons]
        reasons.append(explainer.why_not_bye(player))
        reasons += [explainer.why_not(player, other) for other in here if other != player]
    return reasons


def rows_of(bracket: BracketTrace) -> list[PairTrace]:
    """The rows: of the last columns that are told, from the first pair whose players are both in them."""
    columns = [step for step in bracket.steps if step.code == "white_column"]
    left = {player for player, _aro in columns[-1].params["aros"]} if columns else set()
    return [pair for pair in bracket.pairs if pair.first in left]


def blocked(claims: Claims, bracket: BracketTrace) -> list[object]:
    """The claims that rows below could not be filled which are false."""
    wrong: list[object] = []
    rows = rows_of(bracket)
    for at, pair in enumerate(rows):
        below = [claims.no[row.first] for row in rows[at + 1 :]]
        blacks = [claims.no[row.second] for row in rows[at:]]
        for passed in pair.passed:
            if passed.reason.code == "row_blocked":
                rest = [no for no in blacks if no != claims.no[passed.player]]
                if claims.sheet.all_given(below, rest) == len(below):
                    wrong.append(passed)
    return wrong


def transfers(claims: Claims, bracket: BracketTrace) -> list[object]:
    """The claims about 7.2 and 6.4 which are false."""
    steps: dict[str, list[Reason]] = {}
    for step in bracket.steps:
        steps.setdefault(step.code, []).append(step)
    most = claims.sheet.most_pairs
    taken = {
        step.params["opponent"]
        for code in ("floater_paired", "floater_same_due")
        for step in steps.get(code, ())
    }
    taken |= {step.params["player"] for step in steps.get("island", ())}
    rest = frozenset(claims.no[key] for key in steps["group"][0].params["players"] if key not in taken)
    wrong: list[object] = []
    if (len(rest) % 2 == 1) != ("odd" in steps):
        wrong.append("odd")
    for code in ("riser", "riser_same_due", "riser_any_due"):
        for step in steps.get(code, ()):
            riser = claims.no[step.params["player"]]
            if most(rest | {riser}) != most(rest) + 1 or claims.sheet.barred_from_rising(riser):
                wrong.append(step)
            wrong += [
                step
                for step in steps.get("no_help", ())
                if most(rest | {claims.no[step.params["player"]]}) > most(rest)
            ]
            rest |= {riser}
    left = [claims.no[step.params["player"]] for step in steps.get("left", ())]
    if left:
        pairable = len(rest) - len(left) == 2 * most(rest - {*left}) == 2 * most(rest)
        if not pairable or steps["left_count"][0].params["count"] != len(left):
            wrong.append("left")
    for step in steps.get("left_needed", ()):
        if left and most(rest - {*left[:-1], claims.no[step.params["player"]]}) == most(rest):
            wrong.append(step)
    return wrong


@pytest.mark.parametrize("first_seed", [0, 60])
def test_sentences_are_true_of_random_rounds(first_seed: int) -> None:
    judged: set[str] = set()

    def asked(tournament: Tournament) -> BruteRound | None:
        tournament = as_1997(tournament)
        found = explained(tournament)
        if found is None:
            return None
        pairing, reasons = found
        claims = Claims(tournament, pairing)
        explainer = Dubov1997Explainer(tournament, pairing)
        here = [player.id for player in tournament.players if player.id in explainer.field.seat_of]
        reasons += reasons_of(explainer, here)
        assert [reason for reason in reasons if claims.wrong(reason)] == []
        points = {key: explainer.field.score[seat] for key, seat in explainer.field.seat_of.items()}
        for bracket in explainer.trace.brackets:
            assert all(points[key] < bracket.score for key in bracket.upfloaters)
            assert blocked(claims, bracket) == []
            if bracket.steps[0].code == "group":
                assert transfers(claims, bracket) == []
        judged.update(claims.judged)
        return BruteRound(frozenset((pair.white, pair.black) for pair in pairing.pairs), pairing.bye)

    for seed in range(first_seed, first_seed + 60):
        for _ in random_rounds(seed, asked, SMALL):
            pass
    assert len(judged) >= 40
    assert {"kept", "offered", "taken_by_offer", "undone_here"} - judged == set()


def test_player_who_comes_down_twice_is_unpaired_only_in_the_last_group() -> None:
    rows = ((1, 1, 2, Result.WHITE_WINS), (1, 3, 4, Result.DRAW))
    tournament = played(*rows, players=4, forbidden=frozenset({(1, 3), (1, 4)}))
    with pytest.raises(NoLegalPairing) as refused:
        DUBOV_1997.pair(tournament)
    of_1 = [one.code for one in refused.value.reasons if one.params.get("player") == 1]
    assert of_1 == ["island", "island_alone", "floater_passes", "unpaired", "forbidden"]
