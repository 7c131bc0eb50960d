"""A round of US Chess pairing with WinTD's float decisions, in the order of docs/uschess.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenboard_engine.errors import InternalError, NoLegalPairing
from evenboard_engine.matching import cheapest_perfect_matching
from evenboard_engine.model import Tournament
from evenboard_engine.result import Relaxation, RelaxationKind

from .bye import choose_bye
from .colours import UsChessColourRule, seated
from .field import UsChessField, read_round
from .float_choice import Chain, DecidedChain, Finisher
from .floaters import Blocks
from .options import Occasion
from .structure import Structure, structure


@dataclass(frozen=True, slots=True)
class UsChessWork:
    """A round by places, and how it was decided.

    boards: White, Black and the rule for their colours, in board order. groups: of those without the bye, by points.
    structure, blocks: None if nobody is left to be paired.
    """

    field: UsChessField
    bye: int | None
    groups: Mapping[int, Sequence[int]]
    structure: Structure | None
    blocks: Blocks | None
    chains: tuple[DecidedChain, ...]
    boards: tuple[tuple[int, int, UsChessColourRule], ...]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs, the higher ranked player first, in board order."""
        return [(min(one, other), max(one, other)) for one, other, _ in self.boards]


def work_on(field: UsChessField, occasion: Occasion, *, bye: int | None = None) -> UsChessWork:
    """Pair a round. bye: a place that has the bye, instead of the one that the rules choose.

    Raises NoLegalPairing if the pairs that the arbiter forbids leave no complete pairing.
    """
    people = list(range(len(field.entrants)))
    if len(people) % 2:
        bye = choose_bye(field, occasion) if bye is None else bye
        if bye is None:
            raise _none_legal(field)
        people.remove(bye)
    if not people:
        return UsChessWork(field, bye, {}, None, None, (), ())
    groups = field.levels(people)
    found = structure(field, people)
    if found is None:
        raise _none_legal(field)
    blocks = Blocks(field, groups, found.pairs_between)
    finisher = Finisher(field, groups, blocks)
    chains = []
    for levels in found.chains(list(groups)):
        members = sorted(place for level in levels for place in groups[level])
        chains.append(finisher.decide(Chain(blocks, found, levels, members)))
    pairs = sorted(pair for chain in chains for pair in (*chain.taken.floats, *chain.taken.pairs))
    _check(field, people, pairs)
    colours = [entrant.colours for entrant in field.entrants]
    boards = tuple(seated(pairs, colours, occasion.initial))
    return UsChessWork(field, bye, groups, found, blocks, tuple(chains), boards)


def _none_legal(field: UsChessField) -> NoLegalPairing:
    return NoLegalPairing("no_pairing", players=tuple(entrant.number for entrant in field.entrants))


def _check(field: UsChessField, people: Sequence[int], pairs: Sequence[tuple[int, int]]) -> None:
    """Check that everybody is paired once, and nobody with a player whom the arbiter keeps apart."""
    if sorted(one for pair in pairs for one in pair) != sorted(people):
        raise InternalError("not_everybody_once")
    for one, other in pairs:
        if field.never[one] >> other & 1:
            raise InternalError("forbidden_pair", pair=(one, other))


# Which forbidden pairs to allow if the arbiter forbids so many that no round exists. Nothing else can prevent
# one.


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """Return the fewest forbidden pairs that must be allowed; () if a round exists."""
    reading = read_round(tournament)
    field = reading.field
    try:
        work_on(field, reading.occasion)
    except NoLegalPairing:
        pass
    else:
        return ()
    count = len(field.entrants)
    costs = [
        {other: field.never[place] >> other & 1 for other in range(count) if other != place}
        for place in range(count)
    ]
    if count % 2:  # one vertex more stands for the bye
        costs.append(dict.fromkeys(range(count), 0))
        for place in range(count):
            costs[place][count] = 0
    mate = cheapest_perfect_matching(costs)
    assert mate is not None, "everybody may meet everybody now"
    ids = reading.ids
    return tuple(
        Relaxation(RelaxationKind.FORBIDDEN, (ids[place], ids[mate[place]]))
        for place in range(count)
        if place < mate[place] < count and field.never[place] >> mate[place] & 1
    )
