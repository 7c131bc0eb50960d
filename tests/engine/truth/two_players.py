"""Sentences about two players who meet, or who do not."""

from __future__ import annotations

import re

from tests.engine.brute_force import (
    ids_of,
)
from tests.engine.brute_history import ABSOLUTE
from tests.engine.test_why_not import inside_the_bracket
from tests.engine.truth.scene import Said, Scene, check, ids


@check("pair_first")
def _(scene: Scene, said: Said) -> bool:
    """The two have the same place in S1 and in the order of G2."""
    at = int(said["row"]) - 1
    return {scene.s1[at], scene.order[at]} == {scene.one(said), *ids(said["opponent"])}


@check("pair_next")
def _(scene: Scene, said: Said) -> bool:
    first, (second,) = scene.one(said), ids(said["opponent"])
    row = scene.s1.index(first)
    left = [key for key in scene.order if key in scene.t2[row:]]
    return second == next(key for key in left if scene.can_be_paired(first, key)) != left[0]


@check("pair_down_met", "pair_down")
def _(scene: Scene, said: Said) -> bool:
    player, passers = scene.one(said), ids(said["passers"])
    place, row = int(said["place"]) - 1, int(said["row"]) - 1
    never = (
        scene.met if said["code"] == "pair_down_met" else lambda one, two: not scene.can_be_paired(one, two)
    )
    return (
        scene.order[place] == scene.t2[row] == player
        and place < row
        and passers == scene.passers(player)
        and all(never(passer, player) for passer in passers)
    )


@check("pair_up_met", "pair_up")
def _(scene: Scene, said: Said) -> bool:
    player, (opponent,), others = scene.one(said), ids(said["opponent"]), ids(said["others"])
    place, row = int(said["place"]) - 1, int(said["row"]) - 1
    before = [key for key in scene.order[:place] if key in scene.t2[row:]]
    never = scene.met if said["code"] == "pair_up_met" else lambda one, two: not scene.can_be_paired(one, two)
    return (
        scene.order[place] == scene.t2[row] == opponent
        and scene.s1[row] == player
        and place > row
        and others == before
        and all(never(player, other) for other in others)
    )


@check("pair_only")
def _(scene: Scene, said: Said) -> bool:
    player, (opponent,) = scene.one(said), ids(said["opponent"])
    other_side = scene.t2 if player in scene.s1 else scene.s1
    return scene.oracle.partners[player] & set(other_side) == {opponent}


@check("pair_alone")
def _(scene: Scene, said: Said) -> bool:
    return ids_of(scene.members) == {scene.one(said), *ids(said["opponent"])}


@check("met")
def _(scene: Scene, said: Said) -> bool:
    both = frozenset((scene.one(said), scene.two(said)))
    return [game.round for game in scene.games[both]] == list(map(int, re.findall(r"\d+", said["rounds"])))


@check("forbidden")
def _(scene: Scene, said: Said) -> bool:
    one, two = sorted((scene.one(said), scene.two(said)))
    return (one, two) in scene.tournament.forbidden


@check("same_absolute")
def _(scene: Scene, said: Said) -> bool:
    both = {scene.history[key].preference for key in (scene.one(said), scene.two(said))}
    return both == {(said["colour"][0], ABSOLUTE)}


@check("blocked", "blocked_alone")
def _(scene: Scene, said: Said) -> bool:
    first, second = scene.one(said), scene.two(said)
    row = scene.s1.index(first)
    firsts, seconds = set(scene.s1[row + 1 :]), set(scene.t2[row:]) - {second}
    stuck, told = set(ids(said["stuck"])), set(ids(said.get("opponents", "")))
    free = seconds if stuck <= firsts else firsts
    possible = {other for one in stuck for other in scene.oracle.partners[one] & free}
    return stuck <= firsts | seconds and possible == told and len(told) < len(stuck)


@check("not_here")
def _(scene: Scene, said: Said) -> bool:
    return scene.one(said) not in scene.colours and scene.one(said) not in ids_of(scene.here)


@check("paired")
def _(scene: Scene, said: Said) -> bool:
    both = {scene.one(said), scene.two(said)}
    return any({pair.white, pair.black} == both for pair in scene.pairing.pairs)


@check("has_bye")
def _(scene: Scene, said: Said) -> bool:
    return scene.pairing.bye == scene.one(said)


@check("floated_away")
def _(scene: Scene, said: Said) -> bool:
    bracket = scene.explainer.bracket_of(scene.one(said))
    assert bracket is not None
    return scene.history[scene.one(said)].score < bracket.score


@check("same_side", "side_illegal", "side_colours", "side_shift")
def _(scene: Scene, said: Said) -> bool:
    one, two = scene.one(said), scene.two(said)
    together = any({one, two} <= set(side) for side in (scene.s1, scene.t2))
    return together and said["code"] in inside_the_bracket(scene.oracle, scene.now, one, two)


@check("taken")
def _(scene: Scene, said: Said) -> bool:
    first, second, (by,) = scene.one(said), scene.two(said), ids(said["by"])
    aro = [(scene.history[key].aro, scene.history[key].tpn) for key in (by, first)]
    return aro[0] < aro[1] and scene.t2[scene.s1.index(by)] == second and first in scene.s1


@check("order")
def _(scene: Scene, said: Said) -> bool:
    first, second, (opponent,) = scene.one(said), scene.two(said), ids(said["opponent"])
    row = scene.s1.index(first)
    left = [key for key in scene.order if key in scene.t2[row:]]
    possible = next(key for key in left if scene.can_be_paired(first, key))
    return opponent == possible == scene.t2[row] and left.index(second) > left.index(opponent)
