"""Pairing numbers that are drawn by lot, for pairing systems whose rounds follow from the numbers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from evenboard_engine import system_named
from evenboard_engine.systems.lots import LotsPlayer
from tournaments.errors import DomainError
from tournaments.models import Participant
from tournaments.queries.numbers import lots_missing
from tournaments.questions import Answer, ask

from .ledger import Actor, SectionEntry, act
from .numbers import BATCH, rounds_of_table
from .roster import Roster

LEAST_PLAYERS = 3


def draw_lots(*, actor: Actor, section_id: int, seed: str = "", seen_revision: int | None = None) -> str:
    """Draw the pairing numbers by lot, and set the number of rounds. Return the seed, which repeats the draw.

    seed: "" takes one by chance. Numbers that were drawn before are drawn again.
    Raises Stale; DomainError: rounds_not_fixed, lots_stand (round 1 is paired), lots_too_few,
    lots_too_many.
    """
    with act(section_id=section_id, actor=actor, action="draw_lots", seen_revision=seen_revision) as log:
        roster = _roster(log)
        seed = seed or secrets.token_hex(4)
        entrants = [
            LotsPlayer(entry.pk, entry.player.name, entry.player.federation) for entry in roster.participants
        ]
        section = log.section
        drawn = system_named(section.system).draw_lots(entrants, section.all_options, seed)
        if drawn is None:
            raise DomainError("rounds_not_fixed")
        _give(log, roster, drawn.numbers)
        log.after |= {"seed": drawn.seed, "restricted": drawn.restricted}
    return seed


def set_lots(
    *, actor: Actor, section_id: int, order: Sequence[int], seen_revision: int, asked: Answer = False
) -> None:
    """Give the pairing numbers 1, 2, ... as they were drawn at the board, and set the number of rounds.

    order: the keys of all entries by number. asked: the arbiter has seen the new numbers.
    Raises Stale; DomainError: rounds_not_fixed, lots_stand, lots_too_few, lots_too_many, lots_same, lots_to_confirm.
    """
    with act(section_id=section_id, actor=actor, action="set_lots", seen_revision=seen_revision) as log:
        roster = _roster(log)
        numbers = {key: number for number, key in enumerate(order, start=1)}
        stood = {entry.pk: entry.tpn for entry in roster.participants}
        if numbers == stood and not lots_missing(roster.participants):
            raise DomainError("lots_same")
        _give(
            log, roster, {entry.pk: numbers.get(entry.pk, len(numbers) + 1) for entry in roster.participants}
        )
        ask(DomainError("lots_to_confirm", numbers=sorted(log.after.get("numbers", []))), asked)


def _roster(log: SectionEntry) -> Roster:
    """Return the entries of a section that can still draw. Raises DomainError."""
    if not log.section.fixed_rounds:
        raise DomainError("rounds_not_fixed")
    section = log.section
    roster = Roster.load(section)
    if roster.rounds_paired:
        raise DomainError("lots_stand")
    players = len(roster.participants)
    if players < LEAST_PLAYERS:
        raise DomainError("lots_too_few", players=players)
    rounds_of_table(section, players)
    return roster


def _give(log: SectionEntry, roster: Roster, numbers: Mapping[int, int]) -> None:
    """Write the lots, the numbers that follow from them, and the number of rounds."""
    section = log.section
    for entry in roster.participants:
        entry.equal_order = numbers[entry.pk]
    Participant.objects.bulk_update(roster.participants, ["equal_order"], batch_size=BATCH)
    roster.renumber(log)
    rounds = rounds_of_table(section, len(roster.participants))
    log.before = {"rounds": section.rounds}
    if rounds != section.rounds:
        section.rounds = rounds
        section.save(update_fields=["rounds"])
    log.after |= {"players": len(roster.participants), "rounds": section.rounds}
