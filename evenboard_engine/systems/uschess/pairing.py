"""A round of US Chess pairing with WinTD's float decisions, in the order of docs/uschess.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenboard_engine.errors import InternalError, NoLegalPairing

from .bye import choose_bye
from .choosing import Chain
from .colours import ColourRule, seated
from .entrants import Field
from .floaters import Blocks
from .pays import Decided, Finisher
from .settings import Occasion
from .structure import Structure, structure


@dataclass(frozen=True, slots=True)
class Work:
    """A round by places, and how it was decided.

    boards: White, Black and the rule for their colours, in board order. groups: of those without the bye, by points.
    structure, blocks: None if nobody is left to be paired.
    """

    field: Field
    bye: int | None
    groups: Mapping[int, Sequence[int]]
    structure: Structure | None
    blocks: Blocks | None
    chains: tuple[Decided, ...]
    boards: tuple[tuple[int, int, ColourRule], ...]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs, the higher ranked player first, in board order."""
        return [(min(one, other), max(one, other)) for one, other, _ in self.boards]


def work_on(field: Field, occasion: Occasion, *, bye: int | None = None) -> Work:
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
        return Work(field, bye, {}, None, None, (), ())
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
    return Work(field, bye, groups, found, blocks, tuple(chains), boards)


def _none_legal(field: Field) -> NoLegalPairing:
    return NoLegalPairing("no_pairing", players=tuple(entrant.number for entrant in field.entrants))


def _check(field: Field, people: Sequence[int], pairs: Sequence[tuple[int, int]]) -> None:
    """Check that everybody is paired once, and nobody with a player whom the arbiter keeps apart."""
    if sorted(one for pair in pairs for one in pair) != sorted(people):
        raise InternalError("not_everybody_once")
    for one, other in pairs:
        if field.never[one] >> other & 1:
            raise InternalError("forbidden_pair", pair=(one, other))
