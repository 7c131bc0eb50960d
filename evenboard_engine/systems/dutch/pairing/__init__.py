"""The Dutch System (FIDE Handbook C.04.3, edition of 1 February 2026): pair one round, bracket by bracket (article 3).

docs/rules.md names the function for each article. It also lists how we read unclear articles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evenboard_engine.errors import InternalError
from evenboard_engine.model import Tournament
from evenboard_engine.result import Pair, RoundPairing, board_order
from evenboard_engine.systems.field import check_pairs

from .colours import DutchColourAllocator
from .exact import PairedBracket, pair_exactly
from .field import DutchField
from .outlook import Outlook, candidates_for_the_bye
from .quick import pair_quickly


class DutchBracketRecord(NamedTuple):
    """The steps of one bracket. All players are ids.

    score: of the residents, in tenths. moved: moved-down players, residents: both in the order of 1.2. met_moved: the
    paired moved-down players with their opponents. s1, s2: players at the same place are paired. floaters: 1.4.
    """

    score: int
    moved: tuple[int, ...]
    residents: tuple[int, ...]
    met_moved: tuple[tuple[int, int], ...]
    s1: tuple[int, ...]
    s2: tuple[int, ...]
    floaters: tuple[int, ...]


class DutchWork(NamedTuple):
    """A round, and what was made to pair it: the explanation needs both.

    bye_score: the lowest score that the bye can have (C5). pairs: in the order in which they were made.
    """

    pairing: RoundPairing
    field: DutchField
    colours: DutchColourAllocator
    bye_score: int | None
    brackets: list[PairedBracket]
    pairs: list[Pair]


def pair_round(tournament: Tournament, *, exact: bool = False) -> RoundPairing:
    """Pair round `tournament.round` and return it, its boards in the order of GHR 3.6.

    The same input gives the same answer. The order of its players, games and byes does not matter.
    exact: find every bracket by its costs, without trying a quicker way first; the answer is the same.
    Raises InvalidTournament if the input contradicts itself, NoLegalPairing if no round satisfies C1 to C4 (1.9.3), and
    InternalError if the answer does not pass its own check.
    """
    return work_on_round(tournament, exact=exact).pairing


def work_on_round(tournament: Tournament, *, exact: bool = False) -> DutchWork:
    """Pair a round as `pair_round` does, and return what was made on the way as well. Raises as it does."""
    field = DutchField(tournament)
    colours = DutchColourAllocator(field, tournament.initial_colour)
    free = candidates_for_the_bye(field)
    bye_score = field.score[free[0]] if free else None
    groups = field.scoregroups()
    brackets: list[PairedBracket] = []
    moved: list[int] = []
    mates: dict[int, int] | None = None if exact else {}
    outlook = Outlook(field, groups, bye_score)
    for outlook.at, residents in enumerate(groups):
        bracket = None if exact else pair_quickly(field, moved, residents, outlook)
        if bracket is None:
            bracket = pair_exactly(field, colours, moved, residents, outlook.below, bye_score, mates)
        if bracket is None:
            raise InternalError("no_candidate", score=field.score[residents[0]])
        brackets.append(bracket)
        moved = bracket.floaters
    bye = moved[0] if moved else None
    made = [pair for bracket in brackets for pair in bracket.pairs]
    check_pairs(field, made, moved)
    pairs = [colours.pair(*pair) for pair in made]
    pairing = RoundPairing(
        round=tournament.round,
        pairs=board_order(pairs, field.past.place_of, field.score),
        bye=None if bye is None else field.ids[bye],
        brackets=tuple(_record(field, bracket) for bracket in brackets),
    )
    return DutchWork(pairing, field, colours, bye_score, brackets, pairs)


def _record(field: DutchField, bracket: PairedBracket) -> DutchBracketRecord:
    ids = field.ids

    def named(places: Sequence[int]) -> tuple[int, ...]:
        return tuple(ids[place] for place in places)

    return DutchBracketRecord(
        score=field.score[bracket.residents[0]],
        moved=named(bracket.moved),
        residents=named(bracket.residents),
        met_moved=tuple((ids[one], ids[other]) for one, other in bracket.met_moved),
        s1=named(bracket.s1),
        s2=named(bracket.s2),
        floaters=named(bracket.floaters),
    )
