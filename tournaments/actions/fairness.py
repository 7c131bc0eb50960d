"""Work out what other pairings make of the rounds of a section, and store it: pages and reports only read it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from tournaments.errors import Busy
from tournaments.models import OtherRound, Section
from tournaments.queries.fairness import OtherPairing, OtherPairings, OtherPairingStep, other_pairings_of
from tournaments.queries.field import SectionField

from .ledger import transaction_or_busy


def pair_otherwise(field: SectionField, *, seconds: float) -> OtherPairings:
    """Pair rounds again that are missing, and return all that is there then. Nothing is logged: no fact changes.

    No pairing begins after so many seconds, apart from the first. Cost of one: up to nine seconds for 1,000 players.
    """
    known = other_pairings_of(field)
    until, made = monotonic() + seconds, list[tuple[OtherPairingStep, OtherPairing]]()
    for step in known.missing:
        if made and monotonic() >= until:
            break
        made.append((step, step.work()))
    if made:
        _store(field.section, made)
    found = {(step.variant.system, step.number): one for step, one in made}
    return replace(known, found={**known.found, **found}, missing=known.missing[len(made) :])


def _store(section: Section, made: list[tuple[OtherPairingStep, OtherPairing]]) -> None:
    rows = [
        OtherRound(
            section=section,
            number=step.number,
            pairing=step.variant.system,
            key=step.key,
            spreads=[[one.score, one.players, one.width, one.deviation] for one in found.spreads],
            offered=found.offered,
        )
        for step, found in made
    ]
    try:
        with transaction_or_busy():
            OtherRound.objects.bulk_create(
                rows,
                update_conflicts=True,
                unique_fields=["section", "number", "pairing"],
                update_fields=["key", "spreads", "offered"],
            )
    except Busy:
        return  # This answer has the rounds; the next one works them out again.
