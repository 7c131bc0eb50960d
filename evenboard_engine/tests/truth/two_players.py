"""Sentences about two players who meet, or who do not."""

from __future__ import annotations

import re

from evenboard_engine.tests.brute_force import (
    ids_of,
)
from evenboard_engine.tests.brute_history import ABSOLUTE
from evenboard_engine.tests.test_why_not import inside_the_bracket
from evenboard_engine.tests.truth.scene import Scene, Values, check, ids


@check("pair_first")
def _(scene: Scene, values: Values) -> bool:
    """The two have the same place in S1 and in the order of G2."""
    at = int(values["row"]) - 1
    return {scene.s1[at], scene.order[at]} == {scene.one(values), *ids(values["opponent"])}


@check("pair_next")
def _(scene: Scene, values: Values) -> bool:
    first, (second,) = scene.one(values), ids(values["opponent"])
    row = scene.s1.index(first)
    left = [key for key in scene.order if key in scene.t2[row:]]
    return second == next(key for key in left if scene.can_be_paired(first, key)) != left[0]


@check("pair_down_met", "pair_down")
def _(scene: Scene, values: Values) -> bool:
    player, passers = scene.one(values), ids(values["passers"])
    place, row = int(values["place"]) - 1, int(values["row"]) - 1
    never = (
        scene.met if values["code"] == "pair_down_met" else lambda one, two: not scene.can_be_paired(one, two)
    )
    return (
        scene.order[place] == scene.t2[row] == player
        and place < row
        and passers == scene.passers(player)
        and all(never(passer, player) for passer in passers)
    )


@check("pair_up_met", "pair_up")
def _(scene: Scene, values: Values) -> bool:
    player, (opponent,), others = scene.one(values), ids(values["opponent"]), ids(values["others"])
    place, row = int(values["place"]) - 1, int(values["row"]) - 1
    before = [key for key in scene.order[:place] if key in scene.t2[row:]]
    never = (
        scene.met if values["code"] == "pair_up_met" else lambda one, two: not scene.can_be_paired(one, two)
    )
    return (
        scene.order[place] == scene.t2[row] == opponent
        and scene.s1[row] == player
        and place > row
        and others == before
        and all(never(player, other) for other in others)
    )


@check("pair_only")
def _(scene: Scene, values: Values) -> bool:
    player, (opponent,) = scene.one(values), ids(values["opponent"])
    other_side = scene.t2 if player in scene.s1 else scene.s1
    return scene.oracle.partners[player] & set(other_side) == {opponent}


@check("pair_alone")
def _(scene: Scene, values: Values) -> bool:
    return ids_of(scene.members) == {scene.one(values), *ids(values["opponent"])}


@check("met")
def _(scene: Scene, values: Values) -> bool:
    both = frozenset((scene.one(values), scene.two(values)))
    return [game.round for game in scene.games[both]] == list(map(int, re.findall(r"\d+", values["rounds"])))


@check("forbidden")
def _(scene: Scene, values: Values) -> bool:
    one, two = sorted((scene.one(values), scene.two(values)))
    return (one, two) in scene.tournament.forbidden


@check("same_absolute")
def _(scene: Scene, values: Values) -> bool:
    both = {scene.history[key].preference for key in (scene.one(values), scene.two(values))}
    return both == {(values["colour"][0], ABSOLUTE)}


@check("blocked", "blocked_alone")
def _(scene: Scene, values: Values) -> bool:
    first, second = scene.one(values), scene.two(values)
    row = scene.s1.index(first)
    firsts, seconds = set(scene.s1[row + 1 :]), set(scene.t2[row:]) - {second}
    stuck, named = set(ids(values["stuck"])), set(ids(values.get("opponents", "")))
    free = seconds if stuck <= firsts else firsts
    possible = {other for one in stuck for other in scene.oracle.partners[one] & free}
    return stuck <= firsts | seconds and possible == named and len(named) < len(stuck)


@check("not_here")
def _(scene: Scene, values: Values) -> bool:
    return scene.one(values) not in scene.colours and scene.one(values) not in ids_of(scene.here)


@check("paired")
def _(scene: Scene, values: Values) -> bool:
    both = {scene.one(values), scene.two(values)}
    return any({pair.white, pair.black} == both for pair in scene.pairing.pairs)


@check("has_bye")
def _(scene: Scene, values: Values) -> bool:
    return scene.pairing.bye == scene.one(values)


@check("floated_away")
def _(scene: Scene, values: Values) -> bool:
    bracket = scene.explainer.bracket_of(scene.one(values))
    assert bracket is not None
    return scene.history[scene.one(values)].score < bracket.score


@check("same_side", "side_illegal", "side_colours", "side_shift")
def _(scene: Scene, values: Values) -> bool:
    one, two = scene.one(values), scene.two(values)
    together = any({one, two} <= set(side) for side in (scene.s1, scene.t2))
    return together and values["code"] in inside_the_bracket(scene.oracle, scene.now, one, two)


@check("taken")
def _(scene: Scene, values: Values) -> bool:
    first, second, (by,) = scene.one(values), scene.two(values), ids(values["by"])
    aro = [(scene.history[key].aro, scene.history[key].tpn) for key in (by, first)]
    return aro[0] < aro[1] and scene.t2[scene.s1.index(by)] == second and first in scene.s1


@check("order")
def _(scene: Scene, values: Values) -> bool:
    first, second, (opponent,) = scene.one(values), scene.two(values), ids(values["opponent"])
    row = scene.s1.index(first)
    left = [key for key in scene.order if key in scene.t2[row:]]
    possible = next(key for key in left if scene.can_be_paired(first, key))
    return opponent == possible == scene.t2[row] and left.index(second) > left.index(opponent)
