"""All rounds at once, where they follow from the pairing numbers: nothing is known later that would change them."""

from __future__ import annotations

from tournaments.actions.ledger import Actor, transaction_or_busy
from tournaments.errors import DomainError
from tournaments.models import Round, Section

from .actions import pair_next_round, publish_round


def pair_all_rounds(*, actor: Actor, section_id: int, after_round: int) -> list[Round]:
    """Pair every round that is left, as drafts, all or nothing. Each has its row in the log.

    Raises what `pair_next_round` raises; DomainError("rounds_not_fixed").
    """
    with transaction_or_busy():
        section = Section.objects.get(pk=section_id)
        return [
            pair_next_round(actor=actor, section_id=section_id, after_round=number, ahead=True)
            for number in range(after_round, max(section.rounds, after_round + 1))
        ]


def publish_all_rounds(*, actor: Actor, section_id: int) -> list[Round]:
    """Publish every draft, all or nothing, and then keep one copy. Each has its row in the log.

    Raises DomainError: no_drafts, manual_phase_open.
    """
    with transaction_or_busy():
        drafts = list(Round.objects.filter(section=section_id, state=Round.State.DRAFT).order_by("number"))
        if not drafts:
            raise DomainError("no_drafts")
        return [
            publish_round(actor=actor, round_id=row.pk, seen_version=row.version, copy=row is drafts[-1])
            for row in drafts
        ]
