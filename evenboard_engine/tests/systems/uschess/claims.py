"""What each reason of the explanation claims, computed again from the facts of the round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evenboard_engine.model import Colour
from evenboard_engine.systems.uschess.explaining.verdicts import SECTION_45
from evenboard_engine.tests.systems.uschess.enumeration import Man, halves, total
from evenboard_engine.tests.systems.uschess.facts import Facts
from evenboard_engine.trace import Reason

PEOPLE = ("player", "other", "opponent", "by", "white", "black", "granted", "higher")
VERDICTS = ("far", "rematches", "dont_teams", "dont_clubs", "blocked", "tie_floats", "tie_group")
Claim = Callable[[Facts, Any, Any], object]


def _pays(place: int) -> Claim:
    def claim(facts: Facts, _people: Any, params: Any) -> bool:
        taken, other = facts.chain_costs(params)
        same = taken[:place] == other[:place]
        return same and (taken[place], other[place]) == (params["best"], params["found"]) and taken < other

    return claim


def _float(facts: Facts, people: Any, params: Any) -> bool:
    return facts.mate[people["player"]] == people["other"] and (
        facts.field.men[people["player"]].points,
        facts.field.men[people["other"]].points,
    ) == (params["points"], params["more"])


def _instead(block: str) -> Claim:
    def claim(facts: Facts, people: Any, _params: Any) -> bool:
        one, natural = people["player"], people["opponent"]
        blocks = getattr(facts.floats, block).values()
        return any(natural in members and one not in members for members in blocks)

    return claim


def _mended(facts: Facts, _people: Any, params: Any) -> bool:
    found = []
    for level in facts.floats.levels:
        group = facts.group_of(facts.floats.group(level)[0])
        natural = halves(group)[0]
        before = facts.missed([(one, natural[one]) for one in group[: len(group) // 2]])
        after = facts.missed([(one, facts.mate[one]) for one in group if one < facts.mate[one]])
        found.append((before, after))
    return (params["found"], params["best"]) in found


def _size_of_switch(facts: Facts, people: Any, params: Any) -> bool:
    one, other, natural = people["player"], people["other"], people["opponent"]
    switch = facts.field.switch
    size = min(switch(other, natural), switch(one, facts.natural(other)))
    return facts.mate[one] == other and facts.natural(one) == natural and params["size"] == size


def _is_capped(facts: Facts, people: Any, params: Any) -> bool:
    """Return whether the ratings that make the size of a switch differ by more than the size."""
    men, one, other = facts.field.men, people["player"], people["other"]
    floor = facts.field.rules.floor
    rating = {place: men[place].rating or floor for place in range(len(men))}
    swapped = ((other, people["opponent"]), (one, facts.natural(other)))
    return any(
        facts.field.switch(*two) == params["size"] < abs(rating[two[0]] - rating[two[1]]) for two in swapped
    )


def _structure(facts: Facts, _people: Any, params: Any) -> bool:
    pairs = facts.enumerated.best[0]
    drops = [facts.field.drop(*pair) for pair in pairs]
    return (sum(map(bool, drops)), sum(drops)) == (params["count"], params["points"])


def _gap(facts: Facts, _people: Any, params: Any) -> bool:
    return facts.floats.x[params["points"], params["more"]] == params["count"]


def _spent(name: str) -> Claim:
    def claim(facts: Facts, _people: Any, params: Any) -> bool:
        cost = dict(facts.enumerated.structures)[name]
        return total(facts.enumerated.best[0], cost) == params["count"] > 0

    return claim


def _bye(test: Callable[[Man, Man], object]) -> Claim:
    return lambda facts, people, _params: test(
        facts.field.men[people["player"]], facts.field.men[people["other"]]
    )


def _without(facts: Facts, place: int) -> int | None:
    return facts.without(place)


def _bye_rematches(facts: Facts, people: Any, params: Any) -> bool:
    counts = _without(facts, people["player"]), _without(facts, people["other"])
    return counts == (params["found"], params["best"]) and params["found"] > params["best"]


def _due(facts: Facts, people: Any, params: Any) -> bool:
    due = {facts.field.due(people["player"]), facts.field.due(people["other"])}
    return due == {params["colour"].value[0].lower()}


def _said_due(facts: Facts, people: Any, code: str) -> Colour | None:
    """Return the colour that both are due, where a reason is about colours."""
    if not code.endswith(("_third", "_equalisation", "_alternation")):
        return None
    due = {facts.field.due(people["player"]), facts.field.due(people["other"])}
    return {("w",): Colour.WHITE, ("b",): Colour.BLACK}.get(tuple(due))


def _is_lowest_left(facts: Facts, people: Any) -> bool:
    return not [
        one
        for one in facts.peers_who_can(people)
        if one > people["player"]
        and (facts.kind(one), facts.field.men[one].half_bye, facts.taken(one))
        == (facts.kind(people["player"]), facts.man(people).half_bye, facts.taken(people["player"]))
    ]


def _would(fact: Claim) -> Claim:
    """The two are natural opponents, do not meet, and the fact holds."""

    def claim(facts: Facts, people: Any, params: Any) -> bool:
        one, other = people["player"], people["other"]
        return facts.natural(one) == other != facts.mate[one] and bool(fact(facts, people, params))

    return claim


def _colour(facts: Facts, people: Any, params: Any) -> bool:
    white, black = people["white"], people["black"]
    granted = people["granted"]
    colour = params["colour"].value[0].lower()
    has = white if colour == "w" else black
    return facts.field.white(white, black) == white and granted == has and facts.field.due(granted) == colour


CLAIMS: dict[str, Claim] = {
    "structure": _structure,
    "structure_even": lambda facts, _people, _params: not facts.floats.x,
    "gap": _gap,
    "spent_far": _spent("far"),
    "spent_rematches": _spent("rematches"),
    "spent_teams": _spent("dont_teams"),
    "spent_clubs": _spent("dont_clubs"),
    "change_does_not_pay": lambda facts, _people, params: (
        facts.chain_costs(params)[0] <= facts.chain_costs(params)[1]
    ),
    **{f"pays_{name}": _pays(place) for place, name in enumerate(SECTION_45)},
    "gap_odd": lambda facts, _people, params: (
        facts.floats.x[params["points"], params["more"]] == params["count"] % 2
        and params["count"]
        == sum(facts.field.men[place].points >= params["points"] for place in facts.enumerated.people)
    ),
    "gap_blocked": lambda facts, _people, params: (
        params["count"] == len(facts.floats.group(params["points"])) and facts.is_blocked(params["points"])
    ),
    "drop_only": lambda facts, people, _params: facts.level(people) == [people["player"]],
    "raise_only": lambda facts, people, _params: facts.level(people) == [people["player"]],
    "drop_lowest": lambda facts, people, _params: (
        people["player"] == facts.level(people)[-1] != facts.level(people)[0]
    ),
    "drop_lowest_rated": lambda facts, people, _params: (
        facts.field.rules.avoid_unrated
        and [place for place in facts.level(people) if facts.field.men[place].rating][-1] == people["player"]
    ),
    "drop_of_lowest": lambda facts, people, params: (
        people["player"] in facts.level(people)[-params["count"] :]
        and set(facts.level(people)[-params["count"] :]) == facts.in_blocks("dropped", people)
    ),
    "drop_middle": lambda facts, people, params: (
        facts.field.rules.harkness and facts.nearer_the_middle(people["player"]) < params["count"]
    ),
    "drop_not_kept": lambda facts, people, _params: (
        [place for place in facts.level(people) if not facts.field.men[place].keep][-1] == people["player"]
    ),
    "raise_highest": lambda facts, people, _params: (
        people["player"] == facts.level(people)[0] != facts.level(people)[-1]
    ),
    "raise_of_highest": lambda facts, people, params: (
        people["player"] in facts.level(people)[: params["count"]]
        and set(facts.level(people)[: params["count"]]) == facts.in_blocks("raised", people)
    ),
    "raise_not_kept": lambda facts, people, _params: (
        next(place for place in facts.level(people) if not facts.field.men[place].keep) == people["player"]
    ),
    "raised_away": lambda facts, _people, params: all(
        facts.field.men[facts.mate[facts.place[key]]].points > facts.field.men[facts.place[key]].points
        for key in params["players"]
    ),
    "float_natural": lambda facts, people, params: (
        _float(facts, people, params)
        and facts.floats.natural[people["player"]] == people["other"]
        and facts.floats.size(people["player"], people["other"]) == 0
    ),
    "float_changed": lambda facts, people, params: (
        _float(facts, people, params)
        and facts.floats.size(people["player"], people["other"]) == params["size"]
    ),
    "dropped_instead": _instead("dropped"),
    "raised_instead": _instead("raised"),
    "natural_floaters": lambda facts, _people, params: (
        (sorted(facts.place[key] for key in params["players"]) in facts.floats.dropped.values())
        or any(
            {facts.place[key] for key in params["players"]} == set(block)
            for block in facts.floats.dropped.values()
        )
    ),
    "spared_dropped": lambda facts, people, _params: facts.floats.spared(
        people["player"], facts.mate[people["player"]]
    ),
    "group": lambda _facts, _people, params: params["count"] > 0,
    "halves": lambda _facts, _people, params: params["switched"] == 0,
    "halves_switched": lambda _facts, _people, params: 0 < params["switched"] <= params["count"],
    "switch": lambda facts, people, params: (
        _size_of_switch(facts, people, params) and not _is_capped(facts, people, params)
    ),
    "switch_free": lambda facts, people, params: (
        _size_of_switch(facts, people, params) and params["size"] == 0
    ),
    "more_switches": lambda _facts, _people, params: params["count"] > 0,
    "switch_unrated": lambda facts, people, params: (
        _size_of_switch(facts, people, params)
        and _is_capped(facts, people, params)
        and params["size"] == facts.field.rules.low
    ),
    "mended": _mended,
    "missed": lambda facts, _people, params: (
        params["count"] == len(params["players"]) > 0
        and all(facts.misses(facts.place[key]) for key in params["players"])
    ),
    "pair_natural": lambda facts, people, params: (
        facts.natural(people["player"]) == people["other"] == facts.mate[people["player"]]
        and facts.group_of(people["player"])[params["row"] - 1] == people["player"]
    ),
    "would_be_due": _would(_due),
    "would_be_forbidden": _would(lambda facts, people, _params: facts.field.apart(*people.values())),
    "would_repeat": _would(lambda facts, people, _params: facts.field.met(*people.values())),
    "would_be_teammates": _would(lambda facts, people, _params: facts.mates("team", *people.values())),
    "would_be_clubmates": _would(lambda facts, people, _params: facts.mates("club", *people.values())),
    "teammates": lambda facts, people, _params: facts.mates("team", *people.values()),
    "clubmates": lambda facts, people, _params: facts.mates("club", *people.values()),
    "turned_for_others": lambda _facts, _people, params: params["count"] > 1,
    "forbidden": lambda facts, people, _params: facts.field.apart(people["player"], people["other"]),
    "met": lambda facts, people, _params: facts.field.met(people["player"], people["other"]),
    "too_far": lambda facts, people, params: (
        facts.field.drop(people["player"], people["other"]) > params["points"]
    ),
    "paired": lambda facts, people, _params: facts.mate[people["player"]] == people["other"],
    "has_bye": lambda facts, people, _params: people["player"] == facts.work.bye,
    "bye_given": lambda facts, people, _params: people["player"] == facts.work.bye,
    "bye_none": lambda facts, _people, _params: facts.work.bye is None,
    "bye_even": lambda facts, _people, _params: facts.work.bye is None,
    "bye_repeats": lambda facts, people, params: (
        params["count"]
        == _without(facts, people["player"])
        == min(found for found in map(facts.without, facts.everybody) if found is not None)
        > 0
    ),
    "bye_had_none": lambda facts, people, _params: facts.taken(people["player"]) == 0,
    "bye_had_forfeit": lambda facts, people, _params: (
        facts.taken(people["player"]) == 1 and all(facts.taken(one) for one in facts.can_have_bye(people))
    ),
    "bye_had_full": lambda facts, people, _params: all(
        facts.taken(one) == 2 for one in facts.can_have_bye(people)
    ),
    "bye_order_28l5": lambda facts, people, _params: (
        facts.field.rules.bye_28l5 and facts.field.rules.rounds == 4 and facts.field.bye() == people["player"]
    ),
    "bye_lowest_group": lambda facts, people, params: (
        facts.man(people).points == params["points"] == min(man.points for man in facts.field.men)
    ),
    "bye_lower_groups": lambda facts, people, params: (
        facts.man(people).points == params["points"]
        and not [
            one
            for one in facts.can_have_bye(people)
            if facts.field.men[one].points < params["points"] and not facts.taken(one)
        ]
    ),
    "bye_alone": lambda facts, people, _params: not facts.peers(people),
    "bye_all_half": lambda facts, people, _params: (
        facts.man(people).half_bye
        and all(facts.field.men[one].half_bye for one in facts.peers_who_can(people))
    ),
    "bye_no_half": lambda facts, people, _params: (
        not facts.man(people).half_bye and any(facts.field.men[one].half_bye for one in facts.peers(people))
    ),
    "bye_rated_cannot": lambda facts, people, _params: (
        not facts.man(people).rating
        and any(facts.field.men[one].rating for one in facts.peers(people))
        and not [
            one
            for one in facts.peers_who_can(people)
            if facts.field.men[one].rating and not (facts.field.men[one].half_bye or facts.taken(one))
        ]
    ),
    "bye_all_unrated": lambda facts, people, _params: (
        [facts.field.men[one].rating for one in facts.peers(people)] == [0] * len(facts.peers(people))
    ),
    "bye_not_new": lambda facts, people, _params: (
        not (facts.man(people).new or facts.man(people).rating)
        and any(facts.kind(one) == 3 for one in facts.peers(people))
    ),
    "bye_is_rated": lambda facts, people, _params: (
        facts.man(people).rating and any(facts.kind(one) > 1 for one in facts.peers(people))
    ),
    "bye_all_late": lambda facts, people, _params: (
        facts.kind(people["player"]) == 1
        and not [
            one
            for one in facts.peers_who_can(people)
            if facts.kind(one) == 0 and not facts.field.men[one].half_bye
        ]
    ),
    "bye_not_late": lambda facts, people, _params: (
        facts.kind(people["player"]) == 0 and any(facts.kind(one) == 1 for one in facts.peers(people))
    ),
    "bye_ranked_lowest": lambda facts, people, _params: (
        not facts.man(people).rating and _is_lowest_left(facts, people)
    ),
    "bye_rated_lowest": lambda facts, people, params: (
        facts.man(people).rating == params["rating"] and _is_lowest_left(facts, people)
    ),
    "bye_blocks": lambda facts, people, _params: _without(facts, people["player"]) is None,
    "bye_rematches": _bye_rematches,
    "bye_full": _bye(lambda mine, right: mine.full_byes and not right.full_byes),
    "bye_forfeit": _bye(
        lambda mine, right: mine.forfeit_wins and not (right.full_byes or right.forfeit_wins)
    ),
    "bye_group": _bye(lambda mine, right: mine.points > right.points),
    "bye_28l5": _bye(lambda mine, right: not mine.rating and right.rating and mine.points <= right.points),
    "bye_half": _bye(lambda mine, right: mine.half_bye and not right.half_bye),
    "bye_late": _bye(lambda mine, right: mine.late and right.rating),
    "bye_unrated": _bye(lambda mine, right: not mine.rating and right.rating),
    "bye_new": _bye(
        lambda mine, right: mine.new and not mine.rating and not (right.new and not right.rating)
    ),
    "bye_rank": lambda _facts, people, _params: people["player"] < people["other"],
    "colour_both": lambda facts, people, _params: (
        (facts.field.due(people["white"]), facts.field.due(people["black"])) == ("w", "b")
    ),
    "colour_one_due": _colour,
    "colour_third": _colour,
    "colour_imbalance": lambda facts, people, params: (
        _colour(facts, people, params)
        and facts.field.imbalance(people["granted"]) == max(map(facts.field.imbalance, people.values()))
    ),
    "colour_recent": lambda facts, people, params: (
        (
            facts.field.men[people["white"]].colours[-params["back"]],
            facts.field.men[people["black"]].colours[-params["back"]],
        )
        == ("b", "w")
    ),
    "colour_higher": lambda facts, people, params: (
        _colour(facts, people, params) and people["granted"] == min(people["white"], people["black"])
    ),
    "colour_initial": lambda facts, people, _params: (
        facts.field.white(people["white"], people["black"]) is None
        and people["higher"] == min(people["white"], people["black"])
    ),
}


def is_true(facts: Facts, reason: Reason) -> bool:
    """Return whether a claim holds. A reason without a check here is an error of the test."""
    params = reason.params
    people = {
        key: facts.place[value] for key, value in params.items() if key in PEOPLE and value in facts.place
    }
    if reason.code.startswith(("floats_", "plain_", "group_", "structure_")) or reason.code in VERDICTS:
        # The place is compared by `test_why_two_players_do_not_meet_is_the_first_place_that_is_worse`.
        return params.get("due") == _said_due(facts, people, reason.code)
    return bool(CLAIMS[reason.code](facts, people, params))
