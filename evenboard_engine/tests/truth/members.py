"""Sentences about the bye and about the members of a bracket."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evenboard_engine import Bye, ByeKind, Game, Result
from evenboard_engine.tests.brute_force import (
    allocated_bye,
    ids_of,
    next_bracket,
    upfloater_sets,
)
from evenboard_engine.tests.brute_history import is_played, points_of, virtual_points
from evenboard_engine.tests.test_trace import oracle_verdict
from evenboard_engine.tests.test_why_not import named_by_the_oracle
from evenboard_engine.tests.truth.brackets import floated_up
from evenboard_engine.tests.truth.scene import WORDS, Scene, Values, check, ids
from evenboard_engine.words.dubov.sentences import SENTENCES


@check("bye_none")
def _(scene: Scene, values: Values) -> bool:
    return len(scene.here) % 2 == 0 and scene.pairing.bye is None


@check("bye_given")
def _(scene: Scene, values: Values) -> bool:
    return allocated_bye(scene.oracle, scene.here).id == scene.one(values) == scene.pairing.bye


@check("bye_had")
def _(scene: Scene, values: Values) -> bool:
    return any(
        (bye.kind, bye.player, bye.round) == (ByeKind.ALLOCATED, scene.one(values), int(values["round"]))
        for bye in scene.tournament.byes
    )


@check("bye_forfeit_win")
def _(scene: Scene, values: Values) -> bool:
    player, number = scene.one(values), int(values["round"])
    wins = {Result.WHITE_WINS_BY_FORFEIT: "white", Result.BLACK_WINS_BY_FORFEIT: "black"}
    return any(
        game.round == number and game.result in wins and getattr(game, wins[game.result]) == player
        for game in scene.tournament.games
    )


@check("bye_points_unplayed")
def _(scene: Scene, values: Values) -> bool:
    player, number, points = scene.one(values), int(values["round"]), scene.tournament.points
    entries: list[Game | Bye] = [g for g in scene.tournament.games if player in (g.white, g.black)]
    entries += [bye for bye in scene.tournament.byes if bye.player == player]
    (entry,) = [entry for entry in entries if entry.round == number]
    return not is_played(entry) and points_of(entry, player, points) >= points.win


@check("bye_rest")
def _(scene: Scene, values: Values) -> bool:
    return not any(scene.oracle.completable(ids_of(scene.here) - {key}) for key in ids(values["player"]))


@check("bye_higher_score", "bye_fewer_games", "bye_higher_rank")
def _(scene: Scene, values: Values) -> bool:
    mine, theirs = (scene.history[key] for key in (scene.one(values), scene.two(values)))
    if theirs.id != scene.pairing.bye:
        return False
    if "games" in values:
        games = [len(mine.colours), len(theirs.colours)]
        return (
            games == [int(values["games"]), int(values["other_games"])]
            and games[0] < games[1]
            and mine.score == theirs.score
        )
    if mine.score != theirs.score:
        return mine.score > theirs.score
    return len(mine.colours) == len(theirs.colours) and mine.tpn < theirs.tpn


@check("residents")
def _(scene: Scene, values: Values) -> bool:
    score = {player.score for player in scene.residents}
    return len(scene.residents) == int(values.get("residents", 1)) and values["points"].split()[0] == halves(
        score.pop()
    )


def halves(tenths: int) -> str:
    whole, rest = divmod(tenths, 10)
    return {0: str(whole), 5: f"{whole or ''}½"}.get(rest, f"{whole}.{rest}")


@check("virtual")
def _(scene: Scene, values: Values) -> bool:
    """Those who are named have these points, and of a bracket all who have some are named."""
    granted = {int(key): extra for key, extra in re.findall(r"P(\d+) \(\+(.*?)\)", values["players"])}

    def lent(keys: Iterable[int]) -> dict[int, str]:
        found = {key: virtual_points(scene.tournament, key, scene.tournament.round) for key in keys}
        return {key: halves(points) for key, points in found.items() if points}

    here = [p.id for p in scene.members] if scene.bracket else []
    return lent(granted) == granted and lent(here).items() <= granted.items()


@check("count_none")
def _(scene: Scene, values: Values) -> bool:
    return scene.oracle.completable(ids_of(scene.residents)) and set(scene.members) == set(scene.residents)


@check("count_odd")
def _(scene: Scene, values: Values) -> bool:
    return len(scene.residents) % 2 == 1 and len(scene.members) == len(scene.residents) + 1


@check("count_residents")
def _(scene: Scene, values: Values) -> bool:
    count, everybody = int(values["count"]), ids_of(scene.residents)

    def least(left: frozenset[int]) -> int:
        """Return how many of these players a largest pairing leaves over."""
        if not left:
            return 0
        first = min(left)
        rest = left - {first}
        return min(1 + least(rest), *(least(rest - {o}) for o in rest & scene.oracle.partners[first]), 99)

    spared = {key for key in everybody if least(everybody - {key}) == count - 1}
    return (
        least(everybody) == count == len(scene.members) - len(everybody)
        and set(ids(values["players"])) == spared
    )


@check("count_rest")
def _(scene: Scene, values: Values) -> bool:
    residents, remaining = ids_of(scene.residents), ids_of(scene.remaining)
    count = len(scene.members) - len(residents)
    pool = [player for player in scene.remaining if player.id not in residents]
    _, first_complete = next_bracket(scene.oracle, scene.remaining)
    fewer = [
        residents | ids_of(chosen)
        for size in range(count)
        for chosen in upfloater_sets(pool, size)
        if scene.oracle.completable(residents | ids_of(chosen))
    ]
    return (
        count == int(values["count"]) == len(first_complete)
        and fewer != []
        and not any(scene.oracle.completable(remaining - bracket) for bracket in fewer)
    )


@check("upfloaters", "up_chosen_set")
def _(scene: Scene, values: Values) -> bool:
    if scene.bracket is None:  # said of the whole round
        return set(ids(values["players"])) == floated_up(scene)
    _, chosen = next_bracket(scene.oracle, scene.remaining)
    return set(ids(values["players"])) == ids_of(chosen)


@check("up_chosen", "up_chosen_first")
def _(scene: Scene, values: Values) -> bool:
    chosen = scene.history[scene.one(values)]
    below = [player for player in scene.remaining if player not in scene.residents]
    earlier = [p for p in below if (-p.score, p.tpn) < (-chosen.score, chosen.tpn)]
    return ids_of(next_bracket(scene.oracle, scene.remaining)[1]) == {chosen.id} and (
        not earlier
        if values["code"] == "up_chosen_first"
        else earlier != []
        and all(
            oracle_verdict(scene.oracle, scene.remaining, scene.now, player) != "up_order"
            for player in earlier
        )
    )


@check("unlisted")
def _(scene: Scene, values: Values) -> bool:
    chosen = [scene.history[key] for key in scene.now.upfloaters]
    last = max((-player.score, player.tpn) for player in chosen)
    before = [p for p in scene.remaining if p not in scene.residents and (-p.score, p.tpn) < last]
    named = {key for passed in WORDS.reasons(p.reason for p in scene.now.passed) for key in ids(passed.text)}
    return int(values["count"]) == len(ids_of(before) - ids_of(chosen) - named)


@check(*(code for code in SENTENCES if code.startswith("up_") and not code.startswith("up_chosen")))
def _(scene: Scene, values: Values) -> bool:
    """The oracle gives the same verdict for every opponent; the number and the round of upfloats are right too."""
    for key in ids(values["player"]):
        player = scene.history[key]
        if oracle_verdict(scene.oracle, scene.remaining, scene.now, player) != values["code"]:
            return False
        if int(values.get("times", player.upfloats)) != player.upfloats:
            return False
    return int(values.get("round", scene.tournament.round - 1)) == scene.tournament.round - 1


@check(*(code for code in SENTENCES if code.startswith("meet_")))
def _(scene: Scene, values: Values) -> bool:
    named = named_by_the_oracle(scene.explainer, scene.one(values), scene.two(values))
    asked = int(values.get("round", scene.tournament.round - 1))
    return named == {values["code"].replace("meet_", "up_")} and asked == scene.tournament.round - 1
