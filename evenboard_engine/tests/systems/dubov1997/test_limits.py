"""The limitations 2.1 to 2.6 hold in every round of generated tournaments, counted from the games alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evenboard_engine import RoundPairing, Tournament, pair_round
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.tests.systems.dubov1997.cases import case_of
from evenboard_engine.tests.systems.dubov1997.reference import Sheet
from evenboard_engine.tests.systems.dubov1997.values import OTHER

RISEN = ("riser", "riser_same_due", "riser_any_due", "island_paired", "island_same_due")


def rounds(seed: str) -> Iterator[tuple[Tournament, RoundPairing]]:
    """Yield the rounds of a generated tournament that the procedure can finish."""
    seen: list[tuple[Tournament, RoundPairing]] = []

    def noted(tournament: Tournament) -> RoundPairing:
        pairing = pair_round(tournament, trace=True)
        seen.append((tournament, pairing))
        return pairing

    settings = GeneratorSettings(
        players=45, rounds=9, system="dubov-1997", half_byes=15, forfeits=15, forbidden=5
    )
    generate(seed, settings, pair=noted)
    yield from seen


@pytest.mark.parametrize("seed", ["one", "two", "three", "four"])
def test_limits_hold_in_every_round(seed: str) -> None:
    transfers = moves = 0
    for tournament, pairing in rounds(seed):
        sheet = Sheet(case_of(tournament))
        number = {player.id: player.tpn for player in tournament.players}
        assert pairing.trace is not None
        placed = [number[key] for pair in pairing.pairs for key in (pair.white, pair.black)]
        placed += [] if pairing.bye is None else [number[pairing.bye]]
        assert sorted(placed) == sorted(sheet.of)
        for pair in pairing.pairs:
            white, black = sheet.of[number[pair.white]], sheet.of[number[pair.black]]
            assert black.no not in white.met
            assert {white.no, black.no} not in sheet.case.forbidden
            assert (white.barred_from("w"), black.barred_from("b")) == (False, False)
        assert pairing.bye is None or tournament.round == 1 or not sheet.of[number[pairing.bye]].had_point
        for step in (step for bracket in pairing.trace.brackets for step in bracket.steps):
            if step.code in RISEN:
                transfers += 1
                key = "opponent" if step.code.startswith("island") else "player"
                assert not sheet.barred_from_rising(number[step.params[key]])
            elif step.code in ("move_white", "move_black"):
                moves += 1
                moved = [sheet.of[number[key]] for key in step.params["players"]]
                due = "w" if step.code == "move_white" else "b"
                assert {(person.due, person.barred_from(OTHER[due])) for person in moved} == {(due, False)}
    assert transfers > 10
    assert moves > 10
