"""One round of the Dubov System of 1997, step by step as the rules have it: plain, slow, and apart from the engine.

S1 to S12 are the steps in manual/chapters/68-dubov-1997.md. Colours are "w" and "b". Players are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from random import Random

from evenboard_engine.tests.systems.dubov1997.rank import PRIME, rank
from evenboard_engine.tests.systems.dubov1997.values import OTHER, Case, Paired, Person, Stuck


def pair(case: Case) -> Paired | Stuck:
    """Pair the round, or tell where it cannot finish."""
    return Sheet(case).pair()


@dataclass
class Sheet:
    """The sheet of paper on which the round is paired. made: pairs in the order in which they were made."""

    case: Case
    made: list[tuple[int, int]] = field(default_factory=list)
    bye: int | None = None

    def __post_init__(self) -> None:
        self.of: Mapping[int, Person] = {person.no: person for person in self.case.persons}
        self.free = set(self.of)
        self.chance = Random(1997)
        self.numbers: dict[tuple[int, int], int] = {}
        self.most_pairs: Callable[[frozenset[int]], int] = lru_cache(maxsize=None)(self._most_pairs)

    def pair(self) -> Paired | Stuck:
        if self.case.round == 1:
            return self.first_round()
        if len(self.free) % 2:
            for_bye = self.order_for_bye()
            lowest = min((self.of[no].score for no in self.free if not self.of[no].had_point), default=None)
            if lowest is None:
                return self.stuck("bye", sorted(self.free))
            assert self.of[for_bye[0]].score == lowest
            self.bye = for_bye[0]
            self.free.discard(self.bye)
        down: list[int] = []
        for score in sorted({person.score for person in self.case.persons}, reverse=True):
            down = self.group(score, down)
        if down:
            return self.stuck("last_group", sorted(down))
        return self.finished(self.made)

    # --- S2, S3

    def possible(self, one: int, other: int) -> bool:
        a, b = self.of[one], self.of[other]
        if one == other or other in a.met or one in b.met or {one, other} in self.case.forbidden:
            return False
        return any(not a.barred_from(way) and not b.barred_from(OTHER[way]) for way in "wb")

    def coloured(self, one: int, other: int) -> tuple[int, int]:
        """S3: White and Black."""
        a, b = self.of[one], self.of[other]
        ways = [way for way in "wb" if not a.barred_from(way) and not b.barred_from(OTHER[way])]
        if len(ways) == 1:
            white = a if ways == ["w"] else b
        elif a.due != b.due:
            white = a if a.due == "w" or b.due == "b" else b
        elif a.d != b.d:
            white = min(a, b, key=lambda person: person.d)
        else:
            white = self.by_history(a, b)
        return (one, other) if white is a else (other, one)

    def by_history(self, a: Person, b: Person) -> Person:
        for mine, theirs in zip(reversed(a.colours), reversed(b.colours), strict=False):
            if mine != theirs:
                return a if mine == "b" else b
        if a.aro != b.aro:
            return max(a, b, key=lambda person: person.aro)
        return min(a, b, key=lambda person: (person.rating, person.no))

    def _most_pairs(self, group: frozenset[int]) -> int:
        """The largest pairing (S2): half the rank of a matrix with random numbers for the possible pairs.

        W. T. Tutte (1947), L. Lovász (1979). The numbers are of a field with 2**61 - 1 elements, so the chance that the
        rank is too small is less than 1 in 10**16.
        """
        order = sorted(group)
        matrix = [[self.number(one, other) for other in order] for one in order]
        return rank(matrix) // 2

    def number(self, one: int, other: int) -> int:
        """A number for a possible pair, the negative one for the pair turned round; 0 for any other pair."""
        if one > other:
            return -self.number(other, one) % PRIME
        if (one, other) not in self.numbers:
            possible = self.possible(one, other)
            self.numbers[one, other] = self.chance.randrange(1, PRIME) if possible else 0
        return self.numbers[one, other]

    def wholly_pairable(self, group: Iterable[int]) -> bool:
        players = frozenset(group)
        return len(players) == 2 * self.most_pairs(players)

    def dominating(self, group: Iterable[int]) -> str:
        due = [self.of[no].due for no in group]
        white, black = due.count("w"), due.count("b")
        return "" if white == black else "w" if white > black else "b"

    # --- S4, S5

    def order_for_bye(self) -> list[int]:
        """Everybody who may have the bye, in the order of S4, continued through all score groups upwards."""
        order = []
        for score in sorted({self.of[no].score for no in self.of}):
            group = [no for no in self.of if self.of[no].score == score]
            colour = self.dominating(group)
            order += sorted(
                (no for no in group if not self.of[no].had_point),
                key=lambda no: (
                    self.of[no].rating,
                    bool(colour) and self.of[no].due != colour,
                    -self.of[no].aro,
                    -no,
                ),
            )
        return order

    def first_round(self) -> Paired | Stuck:
        order = sorted(self.free)
        if len(order) % 2:
            self.bye = order.pop()
            self.free.discard(self.bye)
        half = len(order) // 2
        rows = self.rows(order[:half], order[half:])
        if rows is None:
            return self.stuck("round_1", order)
        pairs = []
        for number, (upper, lower) in enumerate(rows):
            white = self.case.first == "w" if number % 2 == 0 else self.case.first == "b"
            pairs.append((upper, lower) if white else (lower, upper))
        return Paired(tuple(pairs), self.bye)

    # --- S6 to S9: one score group

    def group(self, score: Fraction, down: list[int]) -> list[int]:
        """Pair a score group and return who goes down from it. down: who came down to it."""
        goes_on = []
        for floater in self.served(down):
            best = self.best_opponent(floater, self.here(score))
            if best is None:
                goes_on.append(floater)
            else:
                self.make(floater, best)
        group, islands = self.transfers(score)
        goes_on += islands
        left = self.left_over(score, group)
        self.pair_rest([no for no in group if no not in left])
        return goes_on + left

    def here(self, score: Fraction) -> list[int]:
        return [no for no in self.free if self.of[no].score == score]

    def below(self, score: Fraction) -> list[list[int]]:
        """The lower score groups that still hold free players, the nearest first."""
        scores = sorted({self.of[no].score for no in self.free if self.of[no].score < score}, reverse=True)
        return [self.here(lower) for lower in scores]

    def served(self, players: Iterable[int]) -> list[int]:
        """S6.1: first White, first Black, second White, ..."""
        white, black = self.columns(players)
        longest = max(len(white), len(black))
        return [column[at] for at in range(longest) for column in (white, black) if at < len(column)]

    def best_opponent(self, player: int, among: Iterable[int]) -> int | None:
        """S6.2, S7.1: not due the same colour first, then the highest R, the lowest ARO, the smaller No."""
        mine = self.of[player].due
        possible = [no for no in among if self.possible(player, no)]
        return min(
            possible, key=lambda no: (mine != "" and self.of[no].due == mine, *self.highest(no)), default=None
        )

    def highest(self, no: int) -> tuple[int, Fraction, int]:
        return -self.of[no].rating, self.of[no].aro, no

    def barred_from_rising(self, no: int) -> bool:
        if self.case.round == self.case.rounds:
            return False
        return self.of[no].rose_last or self.of[no].rises >= (3 if self.case.rounds < 10 else 4)

    def transfers(self, score: Fraction) -> tuple[list[int], list[int]]:
        """S7: the group as it is then, and the islands that go down. Free players of this score stay free."""
        group = self.here(score)
        islands = [no for no in group if not any(self.possible(no, other) for other in group)]
        goes_down = []
        for island in self.served(islands):
            nearest = next(
                (lower for lower in self.below(score) if any(self.possible(island, no) for no in lower)), []
            )
            best = self.best_opponent(island, [no for no in nearest if not self.barred_from_rising(no)])
            if best is None:
                goes_down.append(island)
                self.free.discard(island)
            else:
                self.make(island, best)
        group = [no for no in group if no not in islands]
        if len(group) % 2:
            riser = self.riser(score, group)
            if riser is not None:
                group.append(riser)
        self.free -= set(group)
        return group, goes_down

    def riser(self, score: Fraction, group: list[int]) -> int | None:
        """S7.2: the player who is transferred into an odd group."""
        now = self.most_pairs(frozenset(group))
        colour = self.dominating(group)
        for lower in self.below(score):
            useful = [no for no in lower if self.most_pairs(frozenset((*group, no))) > now]
            if useful:
                may = [no for no in useful if not self.barred_from_rising(no)]
                key = self.highest
                return min(
                    may, key=lambda no: (colour != "" and self.of[no].due == colour, *key(no)), default=None
                )
        return None

    def left_over(self, score: Fraction, group: list[int]) -> list[int]:
        """S8: who goes down because the group is not wholly pairable."""
        following = next(iter(self.below(score)), [])
        colour = self.dominating(group)

        def key(no: int) -> tuple[bool, int, bool, Fraction, int]:
            person = self.of[no]
            return (
                not any(self.possible(no, other) for other in following),
                person.rating,
                colour != "" and person.due != colour,
                -person.aro,
                -no,
            )

        left: list[int] = []
        most = self.most_pairs(frozenset(group))
        for no in sorted(group, key=key):
            rest = frozenset(group) - {*left}
            if self.wholly_pairable(rest):
                break
            if self.most_pairs(rest - {no}) == most:
                left.append(no)
        return left

    def columns(self, players: Iterable[int]) -> tuple[list[int], list[int]]:
        """S9.1, in the order of S9.4."""
        players = sorted(players)
        white = [no for no in players if self.of[no].due == "w"]
        black = [no for no in players if self.of[no].due == "b"]
        for no in players:
            if not self.of[no].due:
                (white if len(white) <= len(black) else black).append(no)
        return self.in_order(white, black)

    def in_order(self, white: list[int], black: list[int]) -> tuple[list[int], list[int]]:
        return (
            sorted(white, key=lambda no: (self.of[no].aro, self.of[no].rating, no)),
            sorted(black, key=lambda no: (-self.of[no].rating, -self.of[no].aro, no)),
        )

    def pair_rest(self, group: list[int]) -> None:
        """S9: pair a group that is wholly pairable."""
        while group:
            white, black = self.levelled(*self.columns(group))
            rows = self.rows(white, black)
            if rows is not None:
                for row in rows:
                    self.make(*row)
                return
            one, other = self.among_whites(white, black, group)
            self.make(one, other)
            group = [no for no in group if no not in (one, other)]

    def levelled(self, white: list[int], black: list[int]) -> tuple[list[int], list[int]]:
        """S9.2, S9.3: 7.3 and 7.4."""
        moves = abs(len(white) - len(black)) // 2
        if len(white) > len(black):
            may = [no for no in white if self.of[no].due == "w" and not self.of[no].barred_from("b")]
            may.sort(key=lambda no: (self.of[no].aro, -self.of[no].rating, no))
        else:
            may = [no for no in black if self.of[no].due == "b" and not self.of[no].barred_from("w")]
            may.sort(key=lambda no: (-self.of[no].aro, self.of[no].rating, no))
        moved = set(may[:moves])
        assert len(moved) == moves
        return self.in_order(
            [no for no in (*white, *black) if (no in white) != (no in moved)],
            [no for no in (*white, *black) if (no in black) != (no in moved)],
        )

    def rows(self, white: list[int], black: list[int]) -> list[tuple[int, int]] | None:
        """S9.4: the complete row pairing in which row 1 has its Black as high as possible, then row 2, and so on."""
        if self.all_given(white, black) < len(white):
            return None
        rows, left = [], list(black)
        for row, player in enumerate(white):
            for other in left:
                rest = [no for no in left if no != other]
                following = white[row + 1 :]
                if self.possible(player, other) and self.all_given(following, rest) == len(following):
                    rows.append((player, other))
                    left = rest
                    break
        return rows

    def all_given(self, white: list[int], black: list[int]) -> int:
        """How many Whites, from the first, can all be given different possible Blacks."""
        taken: dict[int, int] = {}

        def give(player: int, tried: set[int]) -> bool:
            for other in black:
                if other not in tried and self.possible(player, other):
                    tried.add(other)
                    if other not in taken or give(taken[other], tried):
                        taken[other] = player
                        return True
            return False

        for number, player in enumerate(white):
            if not give(player, set()):
                return number
        return len(white)

    def among_whites(self, white: list[int], black: list[int], group: list[int]) -> tuple[int, int]:
        """S9.5: White k and the opponent whom he finds among the Whites; else White k-1, and so on."""
        k = self.all_given(white, black)
        for looks in range(k, -1, -1):
            for at in (*range(looks + 1, len(white)), *range(looks - 1, -1, -1)):
                one, other = white[looks], white[at]
                if self.possible(one, other) and self.wholly_pairable(set(group) - {one, other}):
                    return one, other
        raise AssertionError("one of them always succeeds")

    def make(self, one: int, other: int) -> None:
        self.made.append((one, other))
        self.free -= {one, other}

    # --- S11, S12

    def finished(self, pairs: Iterable[tuple[int, int]]) -> Paired:
        def board(pair: tuple[int, int]) -> tuple[Fraction, Fraction, int]:
            higher, lower = sorted(
                (self.of[no] for no in pair), key=lambda person: (-person.score, person.no)
            )
            return -higher.score, -higher.score - lower.score, higher.no

        return Paired(tuple(sorted((self.coloured(*pair) for pair in pairs), key=board)), self.bye)

    def stuck(self, where: str, unpaired: Iterable[int]) -> Stuck:
        return Stuck(where, tuple(unpaired), self.offer(list(unpaired)), tuple(self.made))

    def offer(self, free: list[int]) -> Paired | None:
        """S12, 1 to 4."""
        made = list(self.made)
        while not self.wholly_pairable(free):
            if not made:
                return self.offer_with_another_bye()
            free += made.pop()
        return self.finished([*made, *self.next_in_order(free)])

    def offer_with_another_bye(self) -> Paired | None:
        if len(self.of) % 2:
            for bye in self.order_for_bye():
                rest = [no for no in self.of if no != bye]
                if self.wholly_pairable(rest):
                    self.bye = bye
                    return self.finished(self.next_in_order(rest))
        return None

    def next_in_order(self, free: list[int]) -> list[tuple[int, int]]:
        """S12.3."""
        free = sorted(free, key=lambda no: (-self.of[no].score, -self.of[no].rating, no))
        pairs = []
        while free:
            first = free.pop(0)
            for other in free:
                rest = [no for no in free if no != other]
                if self.possible(first, other) and self.wholly_pairable(rest):
                    pairs.append((first, other))
                    free = rest
                    break
        return pairs
