"""Sentences about sides, rows and the whole round."""

from __future__ import annotations

import re
from collections import Counter

from evenboard_engine.tests.brute_force import (
    ids_of,
    middle_out,
    subgroups,
    transpositions,
)
from evenboard_engine.tests.truth.scene import Scene, Values, check, ids


@check("unplayed")
def _(scene: Scene, values: Values) -> bool:
    half = len(scene.members) // 2
    return {p.colours for p in scene.members} == {""} and int(values["g1"]) == int(values["g2"]) == half


@check("due")
def _(scene: Scene, values: Values) -> bool:
    due = Counter(player.preference[0] for player in scene.members)
    return (int(values["g1"]), int(values["g2"])) == (due["W"], due["B"])


@check("first_shift", "second_shift", "shift_white", "shift_black")
def _(scene: Scene, values: Values) -> bool:
    g1, g2 = subgroups(scene.members)
    first = values["code"] == "first_shift"
    shifted = scene.shifts[0 if first else 1]
    keys = ids(values["players"])
    if set(keys) != ids_of(shifted) or int(values.get("count", 1)) != len(keys):
        return False
    from_g1 = set(keys) <= ids_of(g1)
    if "side" in values:
        expected = ("G1", "G2") if from_g1 else ("G2", "G1")
        return (values["side"], values["other_side"]) == expected and (from_g1 or set(keys) <= ids_of(g2))
    colour = "W" if values["code"] == "shift_white" else "B"
    now_on = scene.t2 if colour == "W" else scene.s1
    return {scene.due(key) for key in keys} == {colour} and set(keys) <= set(now_on)


@check("numbers")
def _(scene: Scene, values: Values) -> bool:
    keys = ids(values["numbers"])
    side = next(side for side in subgroups(scene.members) if ids_of(side) == set(keys))
    white = side[0].preference[0] == "W"
    return [p.id for p in middle_out(sorted(side, key=lambda p: (p.aro if white else 0, p.tpn)))] == keys


@check("pool_by_aro", "pool_by_ranking")
def _(scene: Scene, values: Values) -> bool:
    g1, g2 = subgroups(scene.members)
    side = {"G1": g1, "G2": g2}[values["side"]]
    white = side[0].preference[0] == "W"
    ordered = sorted(side, key=lambda p: (p.aro if white else 0, p.tpn))
    if values["code"] == "pool_by_ranking":
        return not white and ids(values["players"]) == [p.id for p in ordered]
    found = re.findall(r"P(\d+) \((\d+)\)", values["players"].replace("no ARO", "0"))
    return white and [(int(key), int(aro)) for key, aro in found] == [(p.id, p.aro) for p in ordered]


@check("level")
def _(scene: Scene, values: Values) -> bool:
    g1, g2 = subgroups(scene.members)
    return len(g1) == len(g2) and scene.shifts == ((), ()) and ids_of(g1) == set(scene.s1)


@check("s1")
def _(scene: Scene, values: Values) -> bool:
    numbers = [
        (int(key), int(aro))
        for key, aro in re.findall(r"P(\d+) \((\d+)\)", values["players"].replace("no ARO", "0"))
    ]
    by_aro = sorted(scene.s1, key=lambda key: (scene.history[key].aro, scene.history[key].tpn))
    return numbers == [(key, scene.history[key].aro) for key in by_aro]


@check("s1_unplayed")
def _(scene: Scene, values: Values) -> bool:
    nobody_played = {player.aro for player in scene.members} == {0}
    by_rank = sorted(scene.s1, key=lambda key: scene.history[key].tpn)
    return nobody_played and ids(values["players"]) == by_rank == scene.s1


@check("g2", "g2_unplayed")
def _(scene: Scene, values: Values) -> bool:
    return ids(values["players"]) == scene.order


@check("straight")
def _(scene: Scene, values: Values) -> bool:
    return scene.t2 == scene.order


@check("t2")
def _(scene: Scene, values: Values) -> bool:
    rows = [scene.history[key] for key in scene.s1]
    orders = transpositions([scene.history[key] for key in scene.t2])
    first = next(order for order in orders if all(map(scene.oracle.legal, rows, order)))
    return ids(values["players"]) == [player.id for player in first] == scene.t2 != scene.order


@check("moved")
def _(scene: Scene, values: Values) -> bool:
    possible = all(two in scene.oracle.partners[one] for one, two in zip(scene.s1, scene.order, strict=True))
    moved = sum(one != other for one, other in zip(scene.t2, scene.order, strict=True))
    return int(values["count"]) == moved and not possible


@check("missed")
def _(scene: Scene, values: Values) -> bool:
    """The players are those of a bracket, or for the round. A bracket in which nobody has played does not count."""
    brackets = [scene.bracket] if scene.bracket else scene.explainer.trace.brackets
    missed: list[int] = []
    for bracket in brackets:
        scene.bracket = bracket
        if {player.colours for player in scene.members} != {""}:
            missed += [p.id for p in scene.members if scene.due(p.id) != scene.colours[p.id]]
    return sorted(ids(values["players"])) == sorted(missed)


@check("brackets")
def _(scene: Scene, values: Values) -> bool:
    return int(values.get("count", 1)) == len(scene.explainer.trace.brackets)


def floated_up(scene: Scene) -> set[int]:
    """A player has floated up if another player of the bracket has more points. Returns those of all brackets."""
    floated: set[int] = set()
    for bracket in scene.explainer.trace.brackets:
        scene.bracket = bracket
        highest = max(player.score for player in scene.members)
        floated |= {player.id for player in scene.members if player.score < highest}
    return floated


@check("floated_none")
def _(scene: Scene, values: Values) -> bool:
    return not floated_up(scene)


@check("as_ordered")
def _(scene: Scene, values: Values) -> bool:
    kept = pairs = 0
    for bracket in scene.explainer.trace.brackets:
        scene.bracket = bracket
        kept += sum(one == other for one, other in zip(scene.t2, scene.order, strict=True))
        pairs += len(scene.order)
    return (kept, pairs) == (int(values.get("kept", 1)), int(values.get("pairs", 1)))
