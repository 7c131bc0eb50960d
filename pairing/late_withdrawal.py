"""Somebody leaves before a board of the round has a result: it is paired again without them."""

from __future__ import annotations

from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor, transaction_or_busy
from tournaments.models import Round

from .actions import pair_next_round, unpair_round, unpublish_round


def pair_again_without(
    *,
    actor: Actor,
    participant_id: int,
    round_id: int,
    seen_version: int,
    reason: str = "",
    expelled: bool = False,
) -> Round:
    """Unpair the round, withdraw the player and pair the round again, all or nothing. Each step has its row in the log.

    Pairs made by hand are lost. A published round becomes a draft, which only arbiters see until they publish it again.
    Raises what the three actions raise.
    """
    with transaction_or_busy():
        if Round.objects.filter(pk=round_id, state=Round.State.PUBLISHED).exists():
            row = unpublish_round(actor=actor, round_id=round_id, seen_version=seen_version)
            seen_version = row.version
        former = unpair_round(actor=actor, round_id=round_id, seen_version=seen_version)
        section_id = withdraw_participant(
            actor=actor, participant_id=participant_id, reason=reason, expelled=expelled
        ).section_id
        return pair_next_round(
            actor=actor,
            section_id=section_id,
            after_round=former.number if former else 0,
            proceed=True,  # the round was paired once already with these adjourned games
        )
