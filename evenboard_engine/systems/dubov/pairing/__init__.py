"""The Dubov System (FIDE Handbook C.04.4.1, edition of 1 July 2025), in the order of the handbook.

docs/rules.md names the function for each article. It also lists how we read unclear articles.
"""

from __future__ import annotations

from typing import NamedTuple

from evenboard_engine.model import Tournament
from evenboard_engine.result import Pair, RoundPairing, board_order
from evenboard_engine.systems.field import check_pairs

from .bye import allocate_bye
from .colours import ColourAllocator
from .field import DubovField, Lower, places_of
from .quick import Paired, pair_quickly
from .shifters import recompose
from .transposition import legal_rows_of
from .upfloaters import choose_upfloaters


class BracketRecord(NamedTuple):
    """The steps of one bracket, in the order of article 2.2. All players are ids.

    score: of the residents, in tenths. residents: in initial ranking order. upfloaters: in the order of 4.2.
    unplayed: nobody in the bracket has played, so G1 was first the upper half (2.2.3.1).
    shifted_first, shifted_second: the sets of 2.2.4.1 and 2.2.4.2, in the order of 4.3.
    s1, t2: in their final order; players at the same place are paired.
    """

    score: int
    residents: tuple[int, ...]
    upfloaters: tuple[int, ...]
    unplayed: bool
    shifted_first: tuple[int, ...]
    shifted_second: tuple[int, ...]
    s1: tuple[int, ...]
    t2: tuple[int, ...]


class DubovWork(NamedTuple):
    """A round, and what was made to pair it: the explanation needs both.

    lower: everybody except the bye. pairs: in the order in which they were made, bracket by bracket.
    """

    pairing: RoundPairing
    field: DubovField
    lower: Lower
    pairs: list[Pair]


def pair_round(tournament: Tournament, *, exact: bool = False) -> RoundPairing:
    """Pair round `tournament.round` and return it, its boards in the order of GHR 3.6.

    The same input gives the same answer. The order of its players, games and byes does not matter.
    exact: use the exact method for every bracket, without trying the quick method first; the answer is the same.
    Raises InvalidTournament if the input contradicts itself, NoLegalPairing if no round satisfies C1 to C3 (1.8.3), and
    InternalError if the answer does not pass its own check.
    """
    return work_on_round(tournament, exact=exact).pairing


def work_on_round(tournament: Tournament, *, exact: bool = False) -> DubovWork:
    """Pair a round as `pair_round` does, and return what was made on the way as well. Raises as it does."""
    field = DubovField(tournament)
    lower = Lower(field.scoregroups(), field.entrant, field.absolute, field.most_met)
    bye = allocate_bye(field, lower)
    if bye is not None:
        lower.remove([bye])
    everybody = lower.copy()
    last_round = tournament.round == tournament.rounds
    colours = ColourAllocator(field, tournament.initial_colour)
    pairs: list[Pair] = []
    brackets: list[BracketRecord] = []
    while lower.groups:
        residents = lower.pop_group()
        paired = None if exact else pair_quickly(field, residents, lower, last_round=last_round)
        if paired is None:
            paired = _pair_exactly(field, residents, lower, last_round=last_round)
        lower.remove(paired.upfloaters)
        brackets.append(_record(field, residents, paired))
        pairs += map(colours.pair, paired.s1, paired.t2)
    place_of = field.past.place_of
    check_pairs(
        field, [(place_of[pair.white], place_of[pair.black]) for pair in pairs], [] if bye is None else [bye]
    )
    pairing = RoundPairing(
        round=tournament.round,
        pairs=board_order(pairs, place_of, field.score),
        bye=None if bye is None else field.ids[bye],
        brackets=tuple(brackets),
    )
    return DubovWork(pairing, field, everybody, pairs)


def _pair_exactly(field: DubovField, places: list[int], lower: Lower, *, last_round: bool) -> Paired:
    """Pair one bracket by articles 2.2.1 to 2.2.6, with the exact method."""
    residents = [field.entrant(place) for place in places]
    upfloaters = choose_upfloaters(residents, lower, last_round=last_round)
    groups = recompose([*residents, *upfloaters])
    return Paired(
        places_of(upfloaters),
        places_of(groups.first),
        places_of(groups.second),
        *legal_rows_of(field, places_of(groups.g1), places_of(groups.g2)),
    )


def _record(field: DubovField, residents: list[int], paired: Paired) -> BracketRecord:
    ids = field.ids.__getitem__
    return BracketRecord(
        score=field.score[residents[0]],
        residents=tuple(map(ids, residents)),
        upfloaters=tuple(map(ids, paired.upfloaters)),
        unplayed=not any(field.shape[place].sides for place in (*residents, *paired.upfloaters)),
        shifted_first=tuple(map(ids, paired.first)),
        shifted_second=tuple(map(ids, paired.second)),
        s1=tuple(map(ids, paired.s1)),
        t2=tuple(map(ids, paired.t2)),
    )
