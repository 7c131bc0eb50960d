"""Compare the tie-breaks of the engine with their definitions on one random tournament."""

from __future__ import annotations

from evenboard_engine.tests.random_results import random_results
from evenboard_engine.tests.random_rulings import with_rulings
from evenboard_engine.tests.tiebreak_definitions import Defined
from evenboard_engine.tiebreaks import MANDATORY, ranking, read_list, without_ratings

CODES = (
    *MANDATORY,
    "PTS",
    "BH/C9",
    "BH/M4",
    "SB/C9",
    "FB/P",
    "FB/C1/P",
    "KS",
    "KS/L1",
    "KS/L-2",
    "KS/L+3",
    "GE",
    "OTHER_LOTS/7F3A",
    "OTHER_LOTS/1",
)
UNITS = {"PTS": 10, "PS": 10, "BH": 10, "FB": 10, "AOB": 10, "STD": 10, "KS": 10, "SB": 100}


def differing(seed: int, *, fixed: bool = False, ruled: bool = False) -> list[str]:
    """Return the codes that differ for any player. fixed: in a round robin. A quarter is of the edition before 2026.

    In a third, rating tie-breaks leave out some players without an official rating. ruled: the arbiter decided points.
    """
    played = random_results(seed, fixed=fixed)
    played = with_rulings(played, seed) if ruled else played
    capped = seed % 4 != 0
    out = [player.id for player in played.players if seed % 3 == 0 and player.tpn % 3]
    tournament = without_ratings(played, out)
    defined = Defined(played, fixed=fixed, capped=capped, left_out=out)
    codes = [code for code in CODES if not code.startswith("DE")]
    found = ranking(tournament, read_list(",".join(codes)), capped=capped).values
    wrong = []
    for at, code in enumerate(codes):
        unit = UNITS.get(code.partition("/")[0], 1)
        expected = {player: unit * value for player, value in defined.values(code).items()}
        if {player: values[at] for player, values in found.items()} != expected:
            wrong.append(code)
    tied = sorted(defined.rounds)
    for code in ("DE", "DE/P"):
        groups = ranking(tournament, read_list(code)).groups
        if [set(group) for group in groups] != defined.encounter(tied, forfeits=code == "DE/P"):
            wrong.append(code)
    return wrong
