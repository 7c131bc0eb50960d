"""Sentences about colours."""

from __future__ import annotations

from evenboard_engine.model import Colour
from evenboard_engine.tests.brute_history import Entrant
from evenboard_engine.tests.truth.scene import Scene, Values, check, ids


def _colours(scene: Scene, values: Values) -> tuple[Entrant, Entrant]:
    (white,), (black,) = ids(values["white"]), ids(values["black"])
    assert (scene.colours[white], scene.colours[black]) == ("W", "B")
    assert any((pair.white, pair.black) == (white, black) for pair in scene.pairing.pairs)
    return scene.history[white], scene.history[black]


@check("colour_initial", "colour_initial_counted")
def _(scene: Scene, values: Values) -> bool:
    both = _colours(scene, values)
    higher = min(both, key=lambda player: player.rank)
    tpns = sorted(player.tpn for player in scene.tournament.players)
    uncounted = tpns.index(higher.tpn) + 1 - higher.number
    if (
        ids(values["higher"]) != [higher.id]
        or int(values["number"]) != higher.number
        or int(values.get("uncounted", 0)) != uncounted
        or values["colour"][0] != scene.colours[higher.id]
    ):
        return False
    initial = "W" if scene.tournament.initial_colour is Colour.WHITE else "B"
    got_it = scene.colours[higher.id] == initial
    named = values["initial"][0] == initial
    return named and {player.colours for player in both} == {""} and got_it is (higher.number % 2 == 1)


@check("colour_both")
def _(scene: Scene, values: Values) -> bool:
    return [player.preference[0] for player in _colours(scene, values)] == ["W", "B"]


@check("colour_stronger")
def _(scene: Scene, values: Values) -> bool:
    white, black = _colours(scene, values)
    (granted,) = ids(values["granted"])
    stronger = max(white, black, key=lambda player: player.preference[1])
    return (
        white.preference[0] == black.preference[0] == scene.colours[granted]
        and white.preference[1] != black.preference[1]
        and stronger.id == granted
    )


@check("colour_alternate")
def _(scene: Scene, values: Values) -> bool:
    white, black = _colours(scene, values)
    rounds = zip(scene.rounds_of(white.id), scene.rounds_of(black.id), strict=False)
    differ = [
        (one, two) for one, two in rounds if scene.colour_in(white.id, one) != scene.colour_in(black.id, two)
    ]
    found_in = int(values["white_round"]), int(values["black_round"])
    had = scene.colour_in(white.id, found_in[0]), scene.colour_in(black.id, found_in[1])
    return white.preference == black.preference and differ[0] == found_in and had == ("B", "W")


@check("colour_higher")
def _(scene: Scene, values: Values) -> bool:
    white, black = _colours(scene, values)
    (higher,) = ids(values["higher"])
    backwards = zip(reversed(white.colours), reversed(black.colours), strict=False)
    return (
        white.preference == black.preference
        and all(one == two for one, two in backwards)
        and min(white, black, key=lambda player: player.rank).id == higher
        and scene.due(higher) == scene.colours[higher]
    )


@check("colour_again")
def _(scene: Scene, values: Values) -> bool:
    player, number = scene.one(values), int(values["round"])
    colour = values["colour"][0]
    return (
        scene.rounds_of(player)[0] == number
        and scene.colour_in(player, number) == scene.colours[player] == colour
    )
