"""Order players with the same rating by hand, not by title and name (C.04.2, 2.2; VCL4THP.13 Q147 to Q155)."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.errors import DomainError
from tournaments.models import Integrity, Participant
from tournaments.queries.numbers import FROZEN_BY_ROUND, equals
from tournaments.questions import Answer, ask

from .ledger import Actor, act
from .numbers import BATCH
from .roster import Roster


def order_equals(
    *, actor: Actor, section_id: int, order: Sequence[int], seen_revision: int, asked: Answer = False
) -> None:
    """Change the order of players with the same rating. Later renumberings keep the order (Q155).

    order: the keys of all entries of one rating. seen_revision: of the page that listed them. asked: the arbiter has
    seen the new numbers (level 3, Q150). A round that is paired keeps its boards.
    Raises Stale; DomainError: numbers_frozen (round 4 is paired, 2.3), not_equal, equals_same, equals_to_confirm.
    """
    with act(section_id=section_id, actor=actor, action="order_equals", seen_revision=seen_revision) as log:
        roster = Roster.load(log.section)
        if roster.rounds_paired >= FROZEN_BY_ROUND:
            raise DomainError("numbers_frozen")
        group = {participant.pk: participant for participant in _group(roster, order)}
        if list(group) == list(order):
            raise DomainError("equals_same")
        for place, key in enumerate(order, start=1):
            group[key].equal_order = place
        Participant.objects.bulk_update(group.values(), ["equal_order"], batch_size=BATCH)
        if roster.rounds_paired:
            log.integrity, log.round_number = Integrity.EXCHANGE, roster.rounds_paired
        log.subject = str(group[order[0]].rating)
        roster.renumber(log)
        log.after["numbers"].sort()
        moved = [tuple(pair) for pair in log.after["numbers"]]
        ask(DomainError("equals_to_confirm", round=roster.rounds_paired, numbers=moved), asked)


def _group(roster: Roster, order: Sequence[int]) -> list[Participant]:
    """The entries in `order`, by number. Raises DomainError("not_equal") unless they are all entries of one rating."""
    for group in equals(roster.participants):
        if sorted(participant.pk for participant in group) == sorted(order):
            return group
    raise DomainError("not_equal")
