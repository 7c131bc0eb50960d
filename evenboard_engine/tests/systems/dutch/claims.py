"""What an explanation of the Dutch System says, recomputed by the literal search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from evenboard_engine.model import RESULTS, Bye, ByeKind, Colour, Tournament
from evenboard_engine.systems.dutch.explaining.reasons import BY_CRITERION, BY_KEY
from evenboard_engine.tests.systems.dutch.figures import ABSOLUTE, DOWN, MILD, STRONG, Figures, figures_of
from evenboard_engine.tests.systems.dutch.literal_search import (
    IN_LIMBO,
    Cost,
    LiteralBracket,
    LiteralRound,
    OfFloaters,
    Search,
    group_of,
    members,
)
from evenboard_engine.trace import BracketTrace, PairTrace, Reason

Pairs = Sequence[tuple[int, int]]


def places(search: Search, ids: Sequence[int] | frozenset[int]) -> int:
    return group_of([place for place, man in enumerate(search.men) if man.id in ids])


def below(search: Search, bracket: LiteralBracket) -> int:
    return search.everybody & ~((2 << max(members(places(search, bracket.residents)))) - 1)


def written_key(pairs: Pairs, moved: int, residents: int) -> tuple[object, ...]:
    """Return the place of a set of pairs in the order of candidates, as one value; the smaller comes first.

    The paired of those who moved down, their opponents, then of the remainder: how many pairs lie in S2, the sum of the
    smaller numbers, who moves from S1 to S2 (the larger first), who moves to S1, and the opponents of S1 in order.
    """
    of_moved = sorted(tuple(sorted(pair)) for pair in pairs if group_of(pair) & moved)
    rest = [tuple(sorted(pair)) for pair in pairs if not group_of(pair) & moved]
    opponents = [two for _, two in of_moved]
    left = [place for place in members(residents) if place not in opponents]
    number = {place: at for at, place in enumerate(left, start=1)}
    partner = {number[one]: number[two] for one, two in rest}
    count = len(rest)
    down = sorted((at for at in range(1, count + 1) if at not in partner), reverse=True)
    up = sorted(at for at in partner if at > count)
    return (
        [one for one, _ in of_moved],
        opponents,
        len(up),
        sum(partner),
        [-at for at in down],
        up,
        [partner[at] for at in sorted(partner)],
    )


def sets_of_pairs(search: Search, group: int, moved: int) -> Iterator[list[tuple[int, int]]]:
    if not group:
        yield []
        return
    first = group.bit_length() - 1
    rest = group ^ (1 << first)
    for other in members(rest & search._opponents(first, moved)):
        for pairs in sets_of_pairs(search, rest ^ (1 << other), moved):
            yield [(first, other), *pairs]


def stays(pairs: Pairs, taken: Pairs, moved: int, residents: int) -> bool:
    """Return whether these pairs keep the opponents of moved-down players, and S1 and S2 without an exchange."""
    sets = [{tuple(sorted(pair)) for pair in each} for each in (pairs, taken)]
    of_moved, kept = ({pair for pair in each if group_of(pair) & moved} for each in sets)
    left = [place for place in members(residents) if not any(place in pair for pair in kept)]
    s1 = left[: len(sets[1]) - len(kept)]
    return of_moved == kept and all((one in s1) is not (two in s1) for one, two in sets[0] - of_moved)


CRITERIA = {name: code for (name, _), code in BY_CRITERION.items()}
AGAIN = {"C14": 0, "C16": 1}
VERDICTS = {*BY_CRITERION.values(), *BY_KEY, "rest", "rest_bye"}


DECIDED = ("bye_stuck", "bye_worse", "bye_later")
"""Why players who could have the bye do not have it: those with the same criterion in one sentence."""


class _SearchWithBye(Search):
    """A search in which only one player may have the bye. holder: an id."""

    holder: int

    def may_have_bye(self, man: Figures) -> bool:
        return man.id == self.holder


class Claims:
    """Checks the reasons of one round. Each method returns whether what is said is true."""

    def __init__(self, tournament: Tournament, found: LiteralRound) -> None:
        self.tournament, self.found = tournament, found
        self.search = Search(tournament, figures_of(tournament), frozenset())
        self.place = {man.id: place for place, man in enumerate(self.search.men)}
        self.bracket_of = {self.score(bracket.residents[0]): bracket for bracket in found.brackets}
        self.bye_man = None if found.bye is None else self.man(found.bye)

    def man(self, player: int) -> Figures:
        return self.search.men[self.place[player]]

    def score(self, player: int) -> int:
        return self.man(player).score

    # --- another candidate

    def verdict(self, reason: Reason) -> bool:
        bracket = self.bracket_of[reason.params["bracket"]]
        other = reason.params.get("other")
        one = self.place[reason.params["player"]] if "player" in reason.params else None
        if one is None:
            best = self._best(bracket, stay=True)
        elif reason.params.get("bye"):
            best = self._best(bracket, release=one, bye=True)
        elif (other is None and not reason.params.get("kept")) or reason.params.get("floats"):
            if other is not None and any(
                {one, self.place[other]} <= {*map(self.place.get, (*each.moved, *each.residents))}
                for each in self.found.brackets
            ):
                return False
            best = self._best(bracket, release=one)
        elif reason.params.get("kept"):
            best = self._best(bracket, keep=one)
        else:
            best = self._best(bracket, meet=(one, self.place[other]))
        if best is None or reason.code in ("rest", "rest_bye"):
            return best is None and reason.code == ("rest" if self.bye_man is None else "rest_bye")
        of_floaters, cost, key = best
        ours = [*bracket.of_floaters, *bracket.cost]
        theirs = [*of_floaters, *cost]
        names = [name.upper() for name in (*OfFloaters._fields, *Cost._fields)]
        for name, mine, yours in zip(names, ours, theirs, strict=True):
            if mine != yours:
                return self._criterion(reason, name, mine, yours)
        moved, residents = places(self.search, bracket.moved), places(self.search, bracket.residents)
        pairs = [(self.place[one], self.place[two]) for one, two in bracket.pairs]
        parts = zip(BY_KEY, written_key(pairs, moved, residents), key, strict=True)
        code, taken, later = next(part for part in parts if part[1] != part[2])
        if code != reason.code or not later > taken:
            return False
        return self._order(reason, bracket, key, written_key(pairs, moved, residents))

    def _order(
        self, reason: Reason, bracket: LiteralBracket, later: tuple[object, ...], first: tuple[object, ...]
    ) -> bool:
        """Check the numbers of the first part of the order that differs. Both candidates are as good."""
        params, code = reason.params, reason.code
        if code.startswith("later_exchange"):
            return self._exchanges(params, code, bracket, later, first)
        if code == "later_set":
            here = [*bracket.moved, *bracket.residents]
            numbers = [
                tuple(here.index(self.search.men[place].id) + 1 for place in part)
                for part in (later[0], first[0])
            ]
            return numbers == [params["found"], params["best"]] and numbers[0] > numbers[1]
        ids = [man.id for man in self.search.men]
        if code == "later_opponent":
            here = [*bracket.moved, *bracket.residents]
            rows = [
                (ids[one], ids[two], ids[own])
                for one, two, own in zip(later[0], later[1], first[1], strict=True)
            ]
        else:
            met = {ids[place] for place in first[1]}
            here = [one for one in bracket.residents if one not in met]
            opponents = {one: two for pair in bracket.pairs for one, two in (pair, pair[::-1])}
            s1 = [one for one in here if one in opponents and here.index(opponents[one]) > here.index(one)]
            rows = [
                (one, here[two - 1], here[own - 1])
                for one, two, own in zip(s1, later[6], first[6], strict=True)
            ]
        row, (of, other, own) = next(
            (row, each) for row, each in enumerate(rows, start=1) if each[1] != each[2]
        )
        shown = tuple(params[key] for key in ("row", "of", "later", "sooner"))
        numbers = here.index(other) + 1, here.index(own) + 1
        return (
            shown == (row, of, other, own)
            and numbers == (params["found"], params["best"])
            and numbers[0] > numbers[1]
        )

    def _exchanges(
        self,
        params: Mapping[str, Any],
        code: str,
        bracket: LiteralBracket,
        later: tuple[Any, ...],
        first: tuple[Any, ...],
    ) -> bool:
        down, up, best_down, best_up = (list(params[key]) for key in ("down", "up", "best_down", "best_up"))
        shown = ([-one for one in down], up), ([-one for one in best_down], best_up)
        if shown != ((later[4], later[5]), (first[4], first[5])):
            return False
        found, best = params["found"], params["best"]
        if code == "later_exchange_count":
            return found == len(down) == len(up) and best == len(best_down) == len(best_up) and found > best
        sums = sum(up) - sum(down), sum(best_up) - sum(best_down)
        if len(down) != len(best_down):
            return False
        if code == "later_exchange_sum":
            return (found, best) == sums and found > best
        pairs = (
            zip(down, best_down, strict=True)
            if code == "later_exchange_down"
            else zip(up, best_up, strict=True)
        )
        if (found, best) != next((one, two) for one, two in pairs if one != two) or sums[0] != sums[1]:
            return False
        return found < best if code == "later_exchange_down" else found > best and down == best_down

    def _criterion(self, reason: Reason, name: str, mine: object, yours: object) -> bool:
        """Check the values of the first criterion that differs."""
        values = reason.params["found"], reason.params["best"]
        if isinstance(mine, int):
            if name in AGAIN and self._again(reason.params["bracket"], AGAIN[name]) != mine:
                return False
            return reason.code == CRITERIA[name] and (yours, mine) == values
        assert isinstance(mine, tuple)
        assert isinstance(yours, tuple)
        if name == "C8":
            if yours[0] != mine[0]:
                return reason.code == "next_floaters" and values == (yours[0], mine[0])
            mine, yours = mine[1:], yours[1:]
            if reason.code != "next_higher":
                return False
        elif reason.code != CRITERIA[name]:
            return False
        points = reason.params["points"]
        if name in ("C7", "C8"):
            above = [score for score in (*mine, *yours) if score > points]
            same = all(mine.count(score) == yours.count(score) for score in above)
            return same and values == (yours.count(points), mine.count(points))
        counted = IN_LIMBO + points if name in ("C18", "C20") else points - reason.params["bracket"]
        return values == (yours.count(counted), mine.count(counted))

    def _again(self, score: int, before: int) -> int:
        """Return how many floaters of a bracket have its score, and floated down in the last round (before: 0)."""
        floaters = map(self.man, self.bracket_of[score].floaters)
        return sum(man.score == score and man.floats[before] == DOWN for man in floaters)

    def _best(
        self,
        bracket: LiteralBracket,
        meet: tuple[int, int] | None = None,
        release: int | None = None,
        keep: int | None = None,
        *,
        stay: bool = False,
        bye: bool = False,
    ) -> tuple[OfFloaters, Cost, tuple[object, ...]] | None:
        """Return the best candidate of a bracket with this pair, with this floater, or with this player paired.

        stay: with the same opponents of the moved-down players, and without an exchange. bye: the floater has it.
        """
        search = self._with_bye(release) if bye else self.search
        own = [tuple(sorted((self.place[one], self.place[two]))) for one, two in bracket.pairs]
        moved, residents = places(search, bracket.moved), places(search, bracket.residents)
        rest, here = below(search, bracket), moved | residents
        able = []
        for size in range(here.bit_count() % 2, here.bit_count() + 1, 2):
            for group in map(group_of, combinations(members(here), size)):
                if release is not None and not group >> release & 1:
                    continue
                if group & group_of(meet or ()) or (keep is not None and group >> keep & 1):
                    continue
                if search.inside(here ^ group, moved) and self._completes(search, group, rest):
                    able.append((search.of_floaters(group, rest), group))
        found = []
        for value, group in sorted(able):
            if found and value > found[0][0]:
                break
            for pairs in sets_of_pairs(search, here ^ group, moved):
                if stay and not stays(pairs, own, moved, residents):
                    continue
                if meet is None or meet in pairs or meet[::-1] in pairs:
                    cost = search.cost_of_floating(group, moved)
                    for one, two in pairs:
                        cost = cost.plus(search.cost_of_pair(one, two, moved))
                    found.append((value, cost, written_key(pairs, moved, residents)))
        return min(found, default=None)

    def _with_bye(self, place: int | None) -> Search:
        search = _SearchWithBye(self.tournament, self.search.men, frozenset())
        assert place is not None
        search.holder = search.men[place].id
        return search

    def _completes(self, search: Search, floaters: int, rest: int) -> bool:
        """Return whether the players who are left can be paired; two floaters of a bracket never meet later."""
        left = floaters | rest
        if left.bit_count() % 2 == 0:
            return search.inside(left, floaters)
        return any(
            search.may_have_bye(search.men[place]) and search.inside(left ^ (1 << place), floaters)
            for place in members(left)
        )

    # --- two players, and the bye

    def apart(self, reason: Reason) -> bool:
        """Check why two players may not meet at all."""
        one, two = self.man(reason.params["player"]), self.man(reason.params["other"])
        if reason.code == "forbidden":
            return tuple(sorted((one.id, two.id))) in self.tournament.forbidden and two.id not in one.met
        if reason.code == "met":
            rounds = tuple(
                game.round
                for game in self.tournament.games
                if {game.white, game.black} == {one.id, two.id} and RESULTS[game.result].played
            )
            return rounds == reason.params["rounds"] != ()
        due = "W" if reason.params["colour"] is Colour.WHITE else "B"
        both = one.preference == two.preference == (due, ABSOLUTE)
        return both and not one.topscorer and not two.topscorer

    def of_bye(self, reason: Reason) -> bool:
        search = self.search
        if reason.code == "bye_none":
            return self.bye_man is None
        assert self.bye_man is not None
        if reason.code == "bye_lowest":
            return reason.params["points"] == search.bye_score == self.bye_man.score
        if reason.code in ("bye_able", "bye_only", *DECIDED):
            others = tuple(
                man.id
                for man in search.men
                if man.score == self.bye_man.score and man is not self.bye_man and self._leaves_whole(man)
            )
            if reason.code == "bye_only":
                return reason.params["player"] == self.bye_man.id and not others
            if reason.code == "bye_able":
                return reason.params["count"] == len(others) > 0
            return {*reason.params["players"]} <= {*others}
        man = self.man(reason.params["player"])
        if reason.code == "bye_given":
            return man is self.bye_man
        if reason.code == "bye_left":
            return man is self.bye_man and man.id in self.found.brackets[-1].floaters
        allocated = Bye(reason.params.get("round", 0), man.id, ByeKind.ALLOCATED)
        if reason.code == "bye_had":
            return allocated in self.tournament.byes and allocated.round < self.tournament.round
        if reason.code == "bye_points":
            return man.barred and not any(bye[1:] == allocated[1:] for bye in self.tournament.byes)
        if reason.code == "bye_higher_score":
            return man.score > self.bye_man.score and reason.params["other"] == self.bye_man.id
        return not man.barred and not self._leaves_whole(man)

    def _leaves_whole(self, man: Figures) -> bool:
        """Return whether a player may have the bye, and all others can be paired."""
        others = self.search.everybody ^ (1 << self.place[man.id])
        return not man.barred and self.search.whole(others)

    # --- a bracket

    def step(self, trace: BracketTrace, reason: Reason) -> bool:
        if reason.code in VERDICTS:
            return self.verdict(reason)
        if reason.code in ("met", "forbidden", "absolute"):
            return self.apart(reason)
        if reason.code.startswith("bye_"):
            return self.of_bye(reason)
        bracket, params = self.bracket_of[trace.score], reason.params
        pairs = [tuple(sorted((self.place[one], self.place[two]))) for one, two in bracket.pairs]
        moved = {self.place[player] for player in bracket.moved}
        if reason.code in ("alone", "odd"):
            count = len(bracket.moved + bracket.residents)
            return (
                params == {"bracket": self.score(bracket.residents[0])} and count == 1
                if reason.code == "alone"
                else params["count"] == count > 1 and count % 2 == 1
            )
        if reason.code.startswith("pairs_"):
            none = "" if pairs else "_none"
            code = f"pairs{none}_rest{'' if self.bye_man is None else '_bye'}"
            if len(pairs) == self._most_pairs(bracket):
                code = "pairs_most" if pairs else "pairs_none"
            return (
                reason.code == code
                and params["count"] == len(pairs)
                and not self._could_have_more(bracket, len(pairs))
            )
        rest = [pair for pair in pairs if pair[0] not in moved]
        taken = {two for one, two in pairs if one in moved}
        left = [place for place in map(self.place.__getitem__, bracket.residents) if place not in taken]
        s1, s2 = sorted(one for one, _ in rest), [two for _, two in sorted(rest)]
        order = [place for place in left if place not in s1]
        ids = {
            "residents": lambda: (
                params["count"] == len(bracket.residents) and params["points"] == trace.score
            ),
            "virtual": lambda: self.virtual(params, (*bracket.moved, *bracket.residents)),
            "moved_down": lambda: params["players"] == bracket.moved != (),
            "topscorers": lambda: (
                set(params["players"])
                == {one for one in (*bracket.moved, *bracket.residents) if self.man(one).topscorer}
            ),
            "all_paired": lambda: not bracket.floaters,
            "floaters": lambda: set(params["players"]) == bracket.floaters and params["players"],
            "no_opponent": lambda: self._is_without_opponent(params, moved=False),
            "no_resident": lambda: self._is_without_opponent(params, moved=True),
            "limbo": lambda: set(params["players"]) == bracket.floaters & set(bracket.moved),
            "moved_pair": lambda: self._is_moved_pair(bracket, params),
            "halves": lambda: self._is_halved(params, left, rest, over=False),
            "halves_over": lambda: self._is_halved(params, left, rest, over=True),
            "left_in_s2": lambda: {*map(self.place.get, params["players"])} == {*left} - {*s1, *s2} != set(),
            "exchange": lambda: (
                params["down"] == tuple(left.index(self.place[one]) + 1 for one in params["players"])
                and params["up"] == tuple(left.index(self.place[one]) + 1 for one in params["others"])
                and [self.place[one] for one in params["players"]]
                == [p for p in left[: len(s1)] if p not in s1]
                and [self.place[one] for one in params["others"]]
                == [p for p in s1 if p not in left[: len(s1)]]
            ),
            "straight": lambda: order[: len(s2)] == s2,
            "transposed": lambda: self._is_transposed(params, s1, order, s2),
            "missed": lambda: set(params["players"]) == set(self._missed(trace.pairs)),
            "lifted": lambda: self._is_lifted(params),
            "missed_strong": lambda: (
                sorted(params["players"])
                == sorted(one for one in self._missed(trace.pairs) if self.man(one).preference[1] == STRONG)
                and params["count"] == bracket.cost.c13 > 0
            ),
            "missed_bound": lambda: self._is_bound(params, trace.pairs, MILD),
            "strong_bound": lambda: self._is_bound(params, trace.pairs, STRONG),
            "absolute_bound": lambda: self._is_bound(params, trace.pairs, ABSOLUTE),
            "missed_more": lambda: self._are_more(params, bracket, trace.pairs, MILD),
            "strong_more": lambda: self._are_more(params, bracket, trace.pairs, STRONG),
            "lifted_difference": lambda: (
                self._loses_lifted(params["player"], trace.pairs)
                and abs(self.man(params["player"]).difference) + 1 == params["count"] > 2
            ),
            "lifted_third": lambda: (
                self._loses_lifted(params["player"], trace.pairs)
                and self.man(params["player"]).colours[-2:]
                == 2 * ("W" if params["colour"] is Colour.WHITE else "B")
            ),
        }
        return bool(ids[reason.code]())

    def virtual(self, params: Mapping[str, Any], named: Sequence[int]) -> bool:
        """Check the virtual points of the players who have been named: of all who have some in this round."""
        return dict(zip(params["players"], params["points"], strict=True)) == self._lent(named) != {}

    def names_virtual(self, reason: Reason, one: int, other: int) -> bool:
        """Check that the answer about two players has their virtual points, if it speaks of scores."""
        of_scores = "bracket" in reason.params or reason.code == "bye_higher_score"
        shown = zip(reason.params.get("lent", ()), reason.params.get("lent_points", ()), strict=True)
        return dict(shown) == self._lent((one, other) if of_scores else ())

    def _lent(self, named: Sequence[int]) -> dict[int, int]:
        lent = dict.fromkeys(named, 0)
        for each in self.tournament.accelerations:
            if each.first_round <= self.tournament.round <= each.last_round:
                for player in each.players & lent.keys():
                    lent[player] += each.points
        return {player: points for player, points in lent.items() if points}

    def _is_transposed(self, params: Mapping[str, int], s1: Pairs, order: Pairs, s2: Pairs) -> bool:
        """Check how many rows differ, and that the first of them does not have its first opponent."""
        rows = [row for row, (a, b) in enumerate(zip(order, s2, strict=False)) if a != b]
        first = (self.place[params["player"]], self.place[params["other"]], params["row"] - 1)
        return params["count"] == len(rows) > 0 and first == (s1[rows[0]], order[rows[0]], rows[0])

    def _is_halved(self, params: Mapping[str, int], left: Pairs, rest: Pairs, *, over: bool) -> bool:
        named = tuple(self.search.men[place].id for place in left)
        counts = {"players": named, "count": len(left), "pairs": len(rest), "paired": 2 * len(rest)}
        return params == counts and (len(left) > 2 * len(rest)) is over

    def _due(self, pairs: Sequence[PairTrace], least: int) -> list[str]:
        """Return the colours due to the paired players at least so strongly."""
        preferences = [self.man(player).preference for pair in pairs for player in (pair.white, pair.black)]
        return [colour for colour, strength in preferences if colour and strength >= least]

    def _is_bound(self, params: Mapping[str, Any], pairs: Sequence[PairTrace], least: int) -> bool:
        due = self._due(pairs, least).count("W" if params["colour"] is Colour.WHITE else "B")
        shown = tuple(params[key] for key in ("due", "paired", "pairs", "least"))
        lost = [one for one in self._missed(pairs) if self.man(one).preference[1] >= least]
        return shown == (due, 2 * len(pairs), len(pairs), due - len(pairs)) and 0 < params["least"] <= len(
            lost
        )

    def _are_more(
        self, params: Mapping[str, Any], bracket: LiteralBracket, pairs: Sequence[PairTrace], least: int
    ) -> bool:
        """Check that more miss a colour than the number of colours asks for, and that nobody may miss it less."""
        due = self._due(pairs, least)
        enough = max(0, due.count("W") - len(pairs), due.count("B") - len(pairs))
        lost = [one for one in self._missed(pairs) if self.man(one).preference[1] >= least]
        counted = bracket.cost.c13 if least == STRONG else bracket.cost.c12
        return (params["least"], params["count"]) == (enough, len(lost)) and counted == len(lost) > enough

    def _loses_lifted(self, player: int, pairs: Sequence[PairTrace]) -> bool:
        pair = next(pair for pair in pairs if player in (pair.white, pair.black))
        both = self.man(pair.white), self.man(pair.black)
        return (
            player in self._missed(pairs)
            and both[0].preference == both[1].preference
            and any(man.topscorer for man in both)
        )

    def _most_pairs(self, bracket: LiteralBracket) -> int:
        here = places(self.search, (*bracket.moved, *bracket.residents))
        return max(
            size // 2
            for size in range(0, here.bit_count() + 1, 2)
            for group in combinations(members(here), size)
            if self.search.whole(group_of(group))
        )

    def _could_have_more(self, bracket: LiteralBracket, pairs: int) -> bool:
        """Return whether the others can be paired if more than so many pairs are made here, by any of these players."""
        search, here = self.search, places(self.search, (*bracket.moved, *bracket.residents))
        rest = below(search, bracket)
        return any(
            search.whole(group) and search.completable((here ^ group) | rest)
            for size in range(2 * pairs + 2, here.bit_count() + 1, 2)
            for group in map(group_of, combinations(members(here), size))
        )

    def _is_without_opponent(self, params: Mapping[str, Any], *, moved: bool) -> bool:
        bracket, player = self.bracket_of[params["bracket"]], params["player"]
        others = bracket.residents if moved else (*bracket.moved, *bracket.residents)
        alone = not self.search.partners[self.place[player]] & places(self.search, others)
        return alone and (player in bracket.moved) is moved

    def _is_moved_pair(self, bracket: LiteralBracket, params: object) -> bool:
        assert isinstance(params, dict)
        names = params["player"], params["opponent"]
        return names in bracket.pairs and names[0] in bracket.moved

    def _is_lifted(self, params: object) -> bool:
        assert isinstance(params, dict)
        one, two = self.man(params["player"]), self.man(params["other"])
        return (
            one.preference == two.preference
            and one.preference[1] == ABSOLUTE
            and (one.topscorer or two.topscorer)
        )

    def _missed(self, pairs: Sequence[PairTrace]) -> Iterator[int]:
        for pair in pairs:
            for player, colour in ((pair.white, "W"), (pair.black, "B")):
                due, _ = self.man(player).preference
                if due and due != colour:
                    yield player

    def row(self, player: int, reason: Reason) -> bool:
        """Check why two players meet."""
        if reason.code == "alone":
            alone = next(each for each in self.found.brackets if reason.params["player"] in each.residents)
            return alone.moved + alone.residents == (reason.params["player"],) and reason.params[
                "bracket"
            ] == self.score(reason.params["player"])
        if reason.code in ("no_opponent", "no_resident"):
            return self._is_without_opponent(reason.params, moved=reason.code == "no_resident")
        names = reason.params["player"], reason.params.get("opponent", reason.params["player"])
        bracket = next(each for each in self.found.brackets if any(names[0] in pair for pair in each.pairs))
        if player not in {one for pair in bracket.pairs for one in pair}:
            return False
        if reason.code == "first_free":
            return self._is_first(bracket, names)
        if reason.code == "moved_pair":
            return self._is_moved_pair(bracket, reason.params)
        if reason.code == "floated":
            score = self.score(bracket.residents[0])
            return (reason.params["points"], reason.params["bracket"]) == (self.score(names[0]), score)
        rows = sorted((self.place[one], one, two) for one, two in bracket.pairs if one not in bracket.moved)
        return rows[reason.params["row"] - 1][1:] == names

    def _is_first(self, bracket: LiteralBracket, names: tuple[int, int]) -> bool:
        """Return whether the opponent is the first who is free when it is the player's turn, and others come before."""
        of_moved = [two for one, two in bracket.pairs if one in bracket.moved]
        if names[0] in bracket.moved:
            free = [one for one in bracket.residents if one not in of_moved[: of_moved.index(names[1])]]
            return free[0] == names[1] != bracket.residents[0]
        rows = sorted((self.place[one], two) for one, two in bracket.pairs if one not in bracket.moved)
        s1 = {self.search.men[one].id for one, _ in rows}
        before = {two for one, two in rows if one < self.place[names[0]]}
        s2 = [one for one in bracket.residents if one not in {*of_moved, *s1}]
        return next(one for one in s2 if one not in before) == names[1] != s2[0]

    # --- colours

    def colours(self, reason: Reason) -> bool:
        white, black = self.man(reason.params["white"]), self.man(reason.params["black"])
        if (white.id, black.id) not in self.found.pairs:
            return False
        higher = min(white, black, key=lambda man: (-man.score, man.tpn))
        same = white.preference == black.preference and white.colours + black.colours != ""
        granted = reason.params.get("granted")
        winner, loser = (white, black) if granted == white.id else (black, white)
        latest = next(
            (
                at
                for at, (one, two) in enumerate(
                    zip(reversed(white.colours), reversed(black.colours), strict=False)
                )
                if one != two
            ),
            None,
        )
        match reason.code:
            case "colour_both":
                return white.preference[0] == "W" and black.preference[0] == "B"
            case "colour_one":
                return bool(winner.preference[0]) and not loser.preference[0]
            case "colour_stronger":
                return (
                    winner.preference[0] == loser.preference[0] and winner.preference[1] > loser.preference[1]
                )
            case "colour_wider":
                return same and abs(winner.difference) > abs(loser.difference)
            case "colour_alternate":
                return same and latest is not None and white.colours[-1 - latest] == "B"
            case "colour_higher":
                return same and latest is None and reason.params["higher"] == higher.id
            case _:
                counted = reason.code == "colour_initial_counted"
                rank = 1 + sum(player.tpn < higher.tpn for player in self.tournament.players)
                number = reason.params["number"] == higher.number
                return (
                    number
                    and white.colours + black.colours == ""
                    and reason.params["higher"] == higher.id
                    and counted is (rank != higher.number)
                    and reason.params.get("uncounted", 0) == rank - higher.number
                )
