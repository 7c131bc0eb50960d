"""Ask a package of PyPI to pair rounds of the Dutch System, and print one line of JSON for each line of standard input.

Runs in the package's own environment: `python -I ask_dutch.py PACKAGE`. A line on standard input has the path of a
report file, the round, the number of rounds, the initial colour, and the figures of the players (article 1).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def by_py4swiss(asked: dict[str, Any]) -> list[list[int]]:
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import TrfParser

    pairs = DutchEngine.generate_pairings(TrfParser.parse(Path(asked["file"])))
    return [[pair.white, pair.black] for pair in pairs]


def by_caissify(asked: dict[str, Any]) -> list[list[int]]:
    from caissify_pairings import fpc

    text = f"012 Cross-test\n{Path(asked['file']).with_suffix('.played').read_text()}"
    players = {one["starting_number"]: one for one in fpc.TRFParser(text).parse()["players"]}
    number = asked["round"]
    engine = fpc.DutchEngine(
        players=fpc._build_engine_players(players, number),  # noqa: SLF001 as its own checker does
        previous_pairings=fpc._build_previous_pairings(players, number),  # noqa: SLF001 the same
        round_number=number,
        total_rounds=asked["rounds"],
        initial_color={"W": "white", "B": "black"}[asked["colour"]],
    )
    return [[one["white_id"], one.get("black_id") or 0] for one in engine.generate_pairings()]


def by_pairing_core(asked: dict[str, Any]) -> list[list[int]]:
    from pairing_core.fide2026.api import pair_2026
    from pairing_core.fide2026.models import DUTCH_2026, P26Player, P26Request

    found = pair_2026(
        P26Request(
            players=[P26Player(**one) for one in asked["players"]],
            ruleset=DUTCH_2026,
            round_number=asked["round"],
            total_rounds=asked["rounds"],
            is_last_round=asked["round"] == asked["rounds"],
            initial_colour=asked["colour"],
            wall_clock_seconds=10.0,
        )
    )
    pairs = [[pair.white_id, pair.black_id] for pair in found.pairs]
    return [*pairs, [found.bye_id, 0]] if found.bye_id else pairs


ASKED = {"py4swiss": by_py4swiss, "caissify-pairings": by_caissify, "pairing-core": by_pairing_core}

for line in sys.stdin:
    try:
        answer: dict[str, object] = {"pairs": ASKED[sys.argv[1]](json.loads(line))}
    except Exception as error:  # noqa: BLE001 (any failure is the package's answer)
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps(answer), flush=True)
