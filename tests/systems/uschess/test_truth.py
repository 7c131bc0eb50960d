"""What the explanation says is true: each claim is computed again by plain enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from pairing.engine import NoLegalPairing
from pairing.engine.systems.uschess.explaining.verdicts import SECTION_45, verdict
from pairing.engine.systems.uschess.pairing import Work
from pairing.engine.systems.uschess.system import US_CHESS
from pairing.engine.trace import Reason
from tests.engine.seeds import for_seeds

from .comparison import men_of, tournament_rounds
from .engine import worked
from .enumerated_verdicts import Enumerated
from .enumeration import Man, Rules, complete, halves, total
from .random_fields import random_field


@for_seeds(120, in_a_case=40)
def test_why_two_players_do_not_meet_is_the_first_place_that_is_worse(seed: int) -> None:
    men, rules = random_field(seed, (4, 5, 6, 6, 7))
    try:
        work = worked(men, rules)
    except NoLegalPairing:
        return
    enumerated = Enumerated(men, rules, work.bye)
    for one, other in combinations(enumerated.people, 2):
        if (one, other) not in work.pairs and not enumerated.round.apart(one, other):
            assert verdict(work, one, other) == enumerated.verdict(work, one, other), (one, other)


# --- sentences of whole rounds


class Facts:
    """The reasons of a round by enumeration, asked by pairing number."""

    def __init__(self, men: Sequence[Man], rules: Rules, work: Work) -> None:
        self.work, self.enumerated = work, Enumerated(men, rules, work.bye)
        self.field, self.floats = self.enumerated.round, self.enumerated.floats
        self.place = {man.number: place for place, man in enumerate(self.field.men)}
        self._without: dict[int, int | None] = {}
        self.mate = {one: other for pair in work.pairs for one, other in (pair, pair[::-1])}

    def is_true(self, reason: Reason) -> bool:
        """Return whether a claim holds. A reason without a check here is an error of the test."""
        params = reason.params
        people = {
            key: self.place[value] for key, value in params.items() if key in PEOPLE and value in self.place
        }
        if reason.code.startswith(("floats_", "plain_", "group_", "structure_")) or reason.code in VERDICTS:
            return True  # compared place by place above
        return bool(CLAIMS[reason.code](self, people, params))

    @cached_property
    def everybody(self) -> range:
        return range(len(self.field.men))

    def man(self, people: dict[str, int]) -> Man:
        return self.field.men[people["player"]]

    def without(self, place: int) -> int | None:
        """How many games are repeated if a player has the bye; None if the others cannot be paired."""
        if place not in self._without:
            self._without[place] = self.field.repeats([one for one in self.everybody if one != place])
        return self._without[place]

    def taken(self, place: int) -> int:
        man = self.field.men[place]
        return 2 if man.full_byes else 1 if man.forfeit_wins else 0

    def kind(self, place: int) -> int:
        man = self.field.men[place]
        return (2 + man.new) if not man.rating else int(self.field.rules.round == 1 and man.late)

    def can_have_bye(self, people: dict[str, int]) -> list[int]:
        """Those with whose bye no more games are repeated."""
        best = self.without(people["player"])
        return [one for one in self.everybody if self.without(one) == best]

    def peers(self, people: dict[str, int]) -> list[int]:
        points, men = self.man(people).points, self.field.men
        return [one for one in self.everybody if men[one].points == points and one != people["player"]]

    def peers_who_can(self, people: dict[str, int]) -> list[int]:
        """Those of the score group who could have the bye, and have had no more points without a game."""
        taken, can = self.taken(people["player"]), set(self.can_have_bye(people))
        return [one for one in self.peers(people) if one in can and self.taken(one) <= taken]

    def level(self, people: dict[str, int]) -> list[int]:
        """The score group of a player, in order of rank."""
        return self.floats.group(self.man(people).points)

    def is_blocked(self, points: int) -> bool:
        """Whether every pairing of a score group within itself repeats a game or has mates who must not meet."""
        costs = [self.field.met, self.field.mates("team", "dont"), self.field.mates("club", "dont")]
        pairings = complete(self.floats.group(points), self.field.apart)
        return all(any(total(pairs, cost) for cost in costs) for pairs in pairings)

    def in_blocks(self, block: str, people: dict[str, int]) -> set[int]:
        here = set(self.level(people))
        return {one for members in getattr(self.floats, block).values() for one in members} & here

    def nearer_the_middle(self, place: int) -> int:
        people = {"player": place}
        raised = self.in_blocks("raised", people)
        rest = [one for one in self.level(people) if one not in raised]
        away = [abs(2 * at - len(rest) + 1) for at in range(len(rest))]
        return sum(one < away[rest.index(place)] for one in away)

    def mates(self, kind: str, one: int, other: int) -> bool:
        mine, theirs = (getattr(self.field.men[place], kind) for place in (one, other))
        return getattr(self.field.rules, f"{kind}_rule") != "ignore" and mine == theirs != ""

    def misses(self, place: int) -> bool:
        """Whether a player does not get the colour that is due."""
        mate = self.mate[place]
        white = self.field.white(place, mate)
        colour = "w" if white == place else "b"
        return white is not None and self.field.due(place) not in ("", colour)

    def missed(self, pairs: Sequence[tuple[int, int]]) -> int:
        return sum(any(self.field.colour_costs(*pair)) for pair in pairs)

    def group_of(self, place: int) -> list[int]:
        """Those of a group who do not float."""
        stay = [one for one in self.enumerated.people if not self.field.drop(one, self.mate[one])]
        return [one for one in stay if not self.field.drop(one, place)]

    def natural(self, place: int) -> int:
        return halves(self.group_of(place))[0][place]

    def chain_costs(self, params: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The costs of the finished chain, taken and not taken (4.8), each by the enumeration."""
        chain = next(chain for chain in self.work.chains if chain.levels[0] == params["high"])
        found = []
        for way in (chain.taken, chain.other):
            assert way is not None
            natural: dict[int, int] = {}
            upper: dict[int, bool] = {}
            floating = {place for pair in way.floats for place in pair}
            for level in chain.levels:
                of_group, sides = halves([one for one in self.floats.group(level) if one not in floating])
                natural.update(of_group)
                upper.update(sides)

            def size(one: int, other: int, natural: dict[int, int] = natural) -> int:
                if self.field.drop(one, other):
                    return self.floats.size(one, other)
                switch = self.field.switch
                return min(switch(other, natural[one]), switch(one, natural[other]))

            pairs = (*way.floats, *way.pairs)
            found.append(tuple(total(pairs, cost) for cost in self.floats.costs(size, upper)))
        return found[0], found[1]


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
    "drop_lowest": lambda facts, people, _params: people["player"] == facts.level(people)[-1],
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
    "raise_highest": lambda facts, people, _params: people["player"] == facts.level(people)[0],
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
        not [
            one
            for one in facts.peers_who_can(people)
            if one > people["player"]
            and (facts.kind(one), facts.field.men[one].half_bye, facts.taken(one))
            == (facts.kind(people["player"]), facts.man(people).half_bye, facts.taken(people["player"]))
        ]
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


def reasons_of(tournament: Any, pairing: Any) -> Iterator[Reason]:
    """All reasons that an explanation says."""
    explainer = US_CHESS.explain(tournament, pairing)
    trace = explainer.trace
    yield from trace.bye.reasons
    yield from (passed.reason for passed in trace.bye.passed)
    yield from trace.steps
    for bracket in trace.brackets:
        yield from bracket.steps
        for row in bracket.pairs:
            yield row.colours
            yield from (passed.reason for passed in row.passed)
    here = [key for pair in pairing.pairs for key in (pair.white, pair.black)]
    here += [] if pairing.bye is None else [pairing.bye]
    for key in here:
        yield from (reason for answer in explainer.player(key).answers for reason in answer.reasons)
        yield explainer.why_not_bye(key)
    yield from (explainer.why_not(*two) for two in combinations(here, 2))


@for_seeds(60, in_a_case=20)
def test_every_sentence_is_true(seed: int) -> None:
    for tournament, _expected, _found in tournament_rounds(1000 + seed, 8):
        try:
            pairing = US_CHESS.pair(tournament)
        except NoLegalPairing:
            continue
        men, rules = men_of(tournament)
        facts = Facts(men, rules, worked(men, rules))
        for reason in reasons_of(tournament, pairing):
            assert facts.is_true(reason), reason


def test_switch_says_where_an_unrated_player_limits_its_size() -> None:
    sizes: dict[str, set[int]] = {"switch": set(), "switch_unrated": set()}
    for seed in range(1000, 1010):
        for tournament, _expected, found in tournament_rounds(seed, 8):
            if found is None:
                continue
            for reason in reasons_of(tournament, US_CHESS.pair(tournament)):
                if reason.code in sizes:
                    sizes[reason.code].add(reason.params["size"])
    assert sizes["switch_unrated"] == {80}
    assert max(sizes["switch"]) > 80
