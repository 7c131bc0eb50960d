"""The Dutch System by a literal search: the oracle that the engine is tested against.

Written from the text of C.04.3 (edition of 1 February 2026) alone, so that it can be compared with the handbook
article by article. Of each bracket it finds the least cost in C6 to C21 over all candidates. Then it goes through the
candidates in the order of articles 3 and 4, to the first one with this cost. It shares only the values that describe a
tournament with the engine. For up to 11 players.

A player is a place in the order of article 1.2, and a set of players is a number with one bit for each place. So the
order of places is the order of in-bracket numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

from evenboard_engine.model import Colour, Tournament
from evenboard_engine.tests.systems.dutch.figures import (
    ABSOLUTE,
    DOWN,
    NONE,
    OPPOSITE,
    STRONG,
    UP,
    Figures,
    Readings,
    figures_of,
)

IN_LIMBO = 1_000_000
"""The score difference of a player in limbo is above that of any pair, and the larger the higher the score (C18)."""


class NoRound(Exception):
    """No pairing of the round is complete (1.9.3)."""


class Cost(NamedTuple):
    """C10 to C21 of a candidate or of a part of it. The lists are in descending order."""

    c10: int = 0
    c11: int = 0
    c12: int = 0
    c13: int = 0
    c14: int = 0
    c15: int = 0
    c16: int = 0
    c17: int = 0
    c18: tuple[int, ...] = ()
    c19: tuple[int, ...] = ()
    c20: tuple[int, ...] = ()
    c21: tuple[int, ...] = ()

    def plus(self, other: Cost) -> Cost:
        counts = (one + two for one, two in zip(self[:8], other[:8], strict=True))
        lists = (
            tuple(sorted(one + two, reverse=True)) if one and two else one or two
            for one, two in zip(self[8:], other[8:], strict=True)
        )
        return Cost(*counts, *lists)


class OfFloaters(NamedTuple):
    """C6 to C9: what the floaters decide, whoever plays whom."""

    c6: int
    c7: tuple[int, ...]
    c8: tuple[int, ...]
    c9: int


@dataclass(frozen=True, slots=True)
class LiteralBracket:
    """A bracket, in player ids. pairs: the higher player first; those of moved-down players come first."""

    moved: tuple[int, ...]
    residents: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    floaters: frozenset[int]
    of_floaters: OfFloaters
    cost: Cost


@dataclass(frozen=True, slots=True)
class LiteralRound:
    """pairs: (white, black) player ids. bye: the id of the player with the pairing-allocated bye, or None."""

    pairs: frozenset[tuple[int, int]]
    bye: int | None
    brackets: tuple[LiteralBracket, ...] = ()


def literal_round(tournament: Tournament, without: Readings = frozenset()) -> LiteralRound:
    """Pair a round. Raises NoRound if no pairing of the round is complete."""
    search = Search(tournament, figures_of(tournament, without), without)
    return search.round()


def members(group: int) -> list[int]:
    return [place for place in range(group.bit_length()) if group >> place & 1]


def group_of(places: Sequence[int]) -> int:
    return sum(1 << place for place in places)


@cache
def exchanges(size: int, pairs: int, without: Readings) -> list[tuple[int, ...]]:
    """Return every S1 of a remainder (4.3), as numbers from 1, in the order of the exchanges that make it."""

    def key(s1: tuple[int, ...]) -> tuple[object, ...]:
        down = [number for number in range(1, pairs + 1) if number not in s1]
        up = [number for number in s1 if number > pairs]
        rules = {
            "4.3.1": len(down),
            "4.3.2": sum(up) - sum(down),
            "4.3.3": [-number for number in sorted(down, reverse=True)],
            "4.3.4": [-number for number in up] if "4.3.4" in without else up,
        }
        names = list(rules)
        if "4.3.3_after_4" in without:
            names = ["4.3.1", "4.3.2", "4.3.4", "4.3.3"]
        return tuple(rules[name] for name in names if name == "4.3.4" or name not in without)

    return sorted(combinations(range(1, size + 1), pairs), key=key)


class Search:
    """The players to be paired, with remembered results about sets of them."""

    def __init__(self, tournament: Tournament, men: list[Figures], without: Readings) -> None:
        self.tournament = tournament
        self.men = men
        self.without = without
        self.everybody = (1 << len(men)) - 1
        self.partners = [
            group_of([place for place, two in enumerate(men) if self._legal(one, two)]) for one in men
        ]
        self._whole = {0: True}
        self._inside: dict[tuple[int, int], bool] = {}
        self._next: dict[tuple[int, int], tuple[int, ...]] = {}
        self.bye_score = self._least_bye_score()

    def _legal(self, one: Figures, two: Figures) -> bool:
        """Check C1, C3, and the pairs that the arbiter keeps apart (1.10)."""
        if one is two or two.id in one.met or one.id in two.met:
            return False
        if (min(one.id, two.id), max(one.id, two.id)) in self.tournament.forbidden:
            return False
        if "C3" in self.without or one.preference != two.preference or one.preference[1] != ABSOLUTE:
            return True
        if "C3_both" in self.without:
            return one.topscorer and two.topscorer
        return one.topscorer or two.topscorer

    # C1 to C5: which sets can be paired

    def whole(self, group: int) -> bool:
        """Return whether these players can all be paired with each other."""
        if group not in self._whole:
            first = group.bit_length() - 1
            rest = group ^ (1 << first)
            self._whole[group] = group.bit_count() % 2 == 0 and any(
                self.whole(rest ^ (1 << other)) for other in members(rest & self.partners[first])
            )
        return self._whole[group]

    def _least_bye_score(self) -> int | None:
        """Return the lowest score that the bye can have (C5), before the first bracket; None without a bye."""
        if len(self.men) % 2 == 0:
            if not self.whole(self.everybody):
                raise NoRound
            return None
        able = [
            self._score_for_bye(man)
            for place, man in enumerate(self.men)
            if not man.barred and self.whole(self.everybody ^ (1 << place))
        ]
        if not able:
            raise NoRound
        return min(able)

    def _score_for_bye(self, man: Figures) -> int:
        return man.points if "C5_real" in self.without else man.score

    def may_have_bye(self, man: Figures) -> bool:
        """Return whether the bye may go to this player (C2, C5)."""
        lowest = "C5" in self.without or self._score_for_bye(man) == self.bye_score
        return self.bye_score is not None and lowest and not man.barred

    def completable(self, group: int) -> bool:
        """Return whether these players can be paired wholly, with the bye if their number is odd (C4, C5)."""
        if group.bit_count() % 2 == 0:
            return self.whole(group)
        return any(
            self.may_have_bye(self.men[place]) and self.whole(group ^ (1 << place))
            for place in members(group)
        )

    def inside(self, group: int, moved: int) -> bool:
        """Return whether these players of a bracket can be paired with each other; no two of `moved` may meet."""
        if not group:
            return True
        key = group, group & moved
        if key not in self._inside:
            first = group.bit_length() - 1
            self._inside[key] = any(
                self.inside(group ^ (1 << first) ^ (1 << other), moved)
                for other in members(group & self._opponents(first, moved))
            )
        return self._inside[key]

    def _opponents(self, place: int, moved: int) -> int:
        return self.partners[place] & ~(moved if moved >> place & 1 else 0)

    # C6 to C9: who floats

    def scores(self, group: int) -> tuple[int, ...]:
        """Return the scores of a group in descending order."""
        return tuple(self.men[place].score for place in members(group))

    def floaters(self, moved: int, residents: int, below: int) -> list[int]:
        """Return the sets of floaters that keep C1 to C5 and are best by C6 and C7."""
        bracket = moved | residents
        for size in range(bracket.bit_count() % 2, bracket.bit_count() + 1, 2):
            able = [
                group
                for group in map(group_of, combinations(members(bracket), size))
                if self.inside(bracket ^ group, moved) and self.completable(group | below)
            ]
            if able and "C7" in self.without:
                return able
            if able:
                least = min(map(self.scores, able))
                return [group for group in able if self.scores(group) == least]
        raise AssertionError("C4 was broken")

    def next_floaters(self, moved: int, below: int) -> tuple[int, ...]:
        """Return the number of floaters of the next bracket and their scores (C8)."""
        if not below or "C8" in self.without:
            return ()
        if (moved, below) not in self._next:
            residents = self.scoregroup(below)
            floaters = self.floaters(moved, residents, below ^ residents)[0]
            scores = () if "C8_scores" in self.without else self.scores(floaters)
            self._next[moved, below] = floaters.bit_count(), *scores
        return self._next[moved, below]

    def scoregroup(self, group: int) -> int:
        """Return the players with the highest score of a group."""
        top = max(self.scores(group))
        return group_of([place for place in members(group) if self.men[place].score == top])

    def unplayed(self, floaters: int, below: int) -> int:
        """Return C9: the unplayed games of the floater who gets the bye."""
        if floaters.bit_count() != 1 or "C9" in self.without or (below and "C9_last_only" in self.without):
            return 0
        floater = self.men[members(floaters)[0]]
        gets_bye = self.bye_score is not None and self._score_for_bye(floater) == self.bye_score
        return floater.unplayed if gets_bye else 0

    def of_floaters(self, floaters: int, below: int) -> OfFloaters:
        return OfFloaters(
            floaters.bit_count(),
            () if "C7" in self.without else self.scores(floaters),
            self.next_floaters(floaters, below),
            self.unplayed(floaters, below),
        )

    # C10 to C21: the cost of a pair, and of a floater

    def _read(self, cost: Cost) -> Cost:
        """Leave out the criteria that `without` names."""
        dropped = {name: () if name > "c17" else 0 for name in cost._fields if name.upper() in self.without}
        return cost._replace(**dropped)

    def cost_of_pair(self, one: int, two: int, moved: int) -> Cost:
        higher, lower = self.men[min(one, two)], self.men[max(one, two)]
        white, black = self.colours(higher, lower)
        wide = third = missed = strong = 0
        for man, colour in ((white, "W"), (black, "B")):
            if higher.topscorer or lower.topscorer:
                wide += abs(man.difference + (1 if colour == "W" else -1)) > 2
                third += man.colours.endswith(2 * colour)
            due, strength = man.preference
            missed += due == OPPOSITE[colour]
            strong += due == OPPOSITE[colour] and strength == STRONG
        cost = Cost(wide, third, missed, strong)
        if moved & group_of((one, two)):
            gap = (higher.score - lower.score,)
            last, before = (lower.floats[at] == UP for at in (0, 1))
            cost = cost._replace(
                c15=int(last),
                c17=int(before),
                c18=gap if higher.floats[0] == DOWN else (),
                c19=gap if last else (),
                c20=gap if higher.floats[1] == DOWN else (),
                c21=gap if before else (),
            )
        return self._read(cost)

    def cost_of_floating(self, floaters: int, moved: int) -> Cost:
        residents = [self.men[place] for place in members(floaters & ~moved)]
        limbo = [self.men[place] for place in members(floaters & moved)]
        counted = residents + limbo if "C14_all" in self.without else residents
        gaps: list[tuple[int, ...]] = [
            ()
            if "limbo" in self.without
            else tuple(IN_LIMBO + man.score for man in limbo if man.floats[at] == DOWN)
            for at in (0, 1)
        ]
        return self._read(
            Cost(
                c14=sum(man.floats[0] == DOWN for man in counted),
                c16=sum(man.floats[1] == DOWN for man in counted),
                c18=gaps[0],
                c20=gaps[1],
            )
        )

    def least_cost(self, group: int, moved: int, so_far: Cost, best: Cost | None) -> Cost | None:
        """Return the least cost of pairing a group within a bracket, or `best` if none is below it."""
        if best is not None and so_far >= best:
            return best
        if not group:
            return so_far
        first = group.bit_length() - 1
        rest = group ^ (1 << first)
        for other in members(rest & self._opponents(first, moved)):
            left = rest ^ (1 << other)
            if self.inside(left, moved):
                cost = so_far.plus(self.cost_of_pair(first, other, moved))
                best = self.least_cost(left, moved, cost, best)
        return best

    # Articles 3 and 4: the order of candidates

    def bracket(self, moved: int, residents: int, below: int) -> tuple[list[tuple[int, int]], int, Cost]:
        """Return the pairs of the best candidate, its floaters and its cost."""
        able = {group: self.of_floaters(group, below) for group in self.floaters(moved, residents, below)}
        least = min(able.values())
        chosen = {
            group: self.cost_of_floating(group, moved) for group, value in able.items() if value == least
        }
        best: Cost | None = None
        for group, cost in chosen.items():
            best = self.least_cost((moved | residents) ^ group, moved, cost, best)
        assert best is not None
        for pairs, floaters in self.candidates(moved, residents, chosen, best):
            cost = chosen[floaters]
            for one, two in pairs:
                cost = cost.plus(self.cost_of_pair(one, two, moved))
            if cost == best:
                return pairs, floaters, best
        raise AssertionError("the least cost belongs to no candidate")

    def candidates(
        self, moved: int, residents: int, chosen: dict[int, Cost], best: Cost
    ) -> Iterator[tuple[list[tuple[int, int]], int]]:
        """Yield the candidates with one of the chosen sets of floaters (4.2 to 4.4), in their order.

        Those that cost more than `best` as soon as some of their pairs are known are left out.
        """
        paired = sorted(
            {tuple(members(moved & ~floaters)) for floaters in chosen}, reverse="4.4.2" in self.without
        )
        starts = [
            (of_moved, opponents)
            for of_moved in paired
            for opponents in permutations(members(residents), len(of_moved))
            if all(self.partners[one] >> two & 1 for one, two in zip(of_moved, opponents, strict=True))
        ]
        if "opponents_first" in self.without:
            starts.sort(key=lambda start: start[1])
        for of_moved, opponents in starts:
            first_pairs = list(zip(of_moved, opponents, strict=True))
            cost = Cost()
            for one, two in first_pairs:
                cost = cost.plus(self.cost_of_pair(one, two, moved))
            if cost > best:
                continue
            limbo = moved & ~group_of(of_moved)
            remainder = residents & ~group_of(opponents)
            numbered = members(remainder)
            floating = next(iter(chosen)).bit_count() - limbo.bit_count()
            count = (len(numbered) - floating) // 2
            for numbers in exchanges(len(numbered), count, self.without):
                s1 = [numbered[number - 1] for number in numbers]
                for pairs in self._transpositions(s1, remainder & ~group_of(s1), cost, best):
                    used = group_of([place for pair in pairs for place in pair])
                    floaters = limbo | (remainder & ~used)
                    if floaters in chosen:
                        yield [*first_pairs, *pairs], floaters

    def _transpositions(
        self, s1: Sequence[int], s2: int, cost: Cost, best: Cost
    ) -> Iterator[list[tuple[int, int]]]:
        """Yield the legal ways to give S1 its opponents from S2 (4.2), in lexicographic order of these."""
        if not s1:
            yield []
            return
        for other in members(s2 & self.partners[s1[0]]):
            more = cost.plus(self.cost_of_pair(s1[0], other, 0))
            if more <= best:
                for rest in self._transpositions(s1[1:], s2 ^ (1 << other), more, best):
                    yield [(s1[0], other), *rest]

    # The round, and its colours

    def round(self) -> LiteralRound:
        pairs: list[tuple[int, int]] = []
        brackets = []
        moved, below = 0, self.everybody
        while below:
            residents = self.scoregroup(below)
            below ^= residents
            found, floaters, cost = self.bracket(moved, residents, below)
            brackets.append(
                LiteralBracket(
                    moved=self._ids(members(moved)),
                    residents=self._ids(members(residents)),
                    pairs=tuple((self.men[one].id, self.men[two].id) for one, two in map(sorted, found)),
                    floaters=frozenset(self._ids(members(floaters))),
                    of_floaters=self.of_floaters(floaters, below),
                    cost=cost,
                )
            )
            pairs += found
            moved = floaters
        left = self._ids(members(moved))
        assert len(left) == len(self.men) % 2, "the last bracket leaves more than the bye"
        made = (self.colours(self.men[min(pair)], self.men[max(pair)]) for pair in pairs)
        return LiteralRound(
            frozenset((white.id, black.id) for white, black in made),
            left[0] if left else None,
            tuple(brackets),
        )

    def _ids(self, places: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.men[place].id for place in places)

    def colours(self, higher: Figures, lower: Figures) -> tuple[Figures, Figures]:
        """Return White and Black (article 5)."""
        return (higher, lower) if self._colour_of_higher(higher, lower) == "W" else (lower, higher)

    def _colour_of_higher(self, higher: Figures, lower: Figures) -> str:
        (due, strength), (other_due, other_strength) = higher.preference, lower.preference
        if strength == other_strength == NONE:
            assert self.tournament.initial_colour is not None
            initial = "W" if self.tournament.initial_colour is Colour.WHITE else "B"
            return initial if higher.number % 2 == 1 else OPPOSITE[initial]
        if due != other_due:
            return due or OPPOSITE[other_due]
        if "5.2.2" not in self.without and strength != other_strength:
            return due if strength > other_strength else OPPOSITE[due]
        wider = abs(higher.difference) - abs(lower.difference)
        if strength == ABSOLUTE and wider and not self.without & {"5.2.2", "5.2.2_cd"}:
            return due if wider > 0 else OPPOSITE[due]
        if "5.2.3" not in self.without:
            for own, other in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
                if own != other:
                    return OPPOSITE[own]
        return OPPOSITE[due] if "5.2.4_tpn" in self.without and higher.tpn > lower.tpn else due
