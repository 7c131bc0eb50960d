"""The next round where the rules of the pairing system cannot finish it: what was tried, and what is offered."""

from __future__ import annotations

from dataclasses import dataclass

from evenboard_engine import NoLegalPairing, Offer, Tournament, offer, pair_round
from tournaments.models import Section
from tournaments.snapshot import engine_tournament

from .field import SectionField, load_field


@dataclass(frozen=True, slots=True)
class Stopped:
    """value, field: the section before the round. error: why, with its reasons. offer: None if there is none."""

    value: Tournament
    field: SectionField
    error: NoLegalPairing
    offer: Offer | None


def stopped_round(section: Section) -> Stopped | None:
    """Return why the next round cannot be paired; None if it can. Five queries."""
    field = load_field(section, include_drafts=True)
    value = engine_tournament(
        section,
        round_number=field.before_round,
        participants=field.participants.values(),
        rounds=field.rounds,
        games=field.games,
        byes=field.byes,
        forbidden=section.forbidden_pairs.order_by(),
    )
    try:
        pair_round(value)
    except NoLegalPairing as error:
        return Stopped(value, field, error, offer(value))
    return None
