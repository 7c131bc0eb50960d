"""Pairing numbers that people decide: the order of equal ratings, and numbers drawn by lot.

Players with the same rating are ordered by hand, not by title and name: C.04.2, 2.2; VCL4THP.13 Q147 to Q155. Lots
are for pairing systems whose rounds follow from the numbers.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_noop as _

from evenboard_engine import system_named
from evenboard_engine.systems.lots import LotsPlayer
from tournaments.declarations.entries import ORDER_EQUALS
from tournaments.declarations.rounds import DRAW_LOTS, SET_LOTS
from tournaments.errors import ROUNDS_NOT_FIXED, Refusal
from tournaments.models import Integrity, Participant
from tournaments.queries.pairing_numbers import FROZEN_BY_ROUND, equal_players, lots_missing
from tournaments.questions import Answer, ask

from .ledger import Actor, SectionEntry, act
from .roster import BATCH, Roster, rounds_of_table

# Refusals
NUMBERS_FROZEN = Refusal(
    "numbers_frozen",
    _("Round 4 is paired, so pairing numbers can no longer change%(article)s."),
    article="General Handling Rules, 2.3",
)
NOT_EQUAL = Refusal("not_equal", _("The list must hold all players with this rating, and no others."))
EQUALS_SAME = Refusal("equals_same", _("The players are already in this order."))
# `numbers`: [(old, new)]
EQUALS_TO_CONFIRM = Refusal("equals_to_confirm", params=("round", "numbers"))
LOTS_STAND = Refusal(
    "lots_stand", _("Round 1 is paired, so the numbers no longer change. Unpair the rounds first.")
)
LOTS_TOO_FEW = Refusal(
    "lots_too_few", _("There are %(players)s players. This pairing system needs at least three.")
)
LOTS_SAME = Refusal("lots_same", _("The players already have these numbers."))
# `numbers`: [[old, new]]
LOTS_TO_CONFIRM = Refusal("lots_to_confirm", _("The players get the numbers below."), params=("numbers",))


# Order players with the same rating by hand, not by title and name (C.04.2, 2.2; VCL4THP.13 Q147 to Q155).


def order_equals(
    *, actor: Actor, section_id: int, order: Sequence[int], seen_revision: int, asked: Answer = False
) -> None:
    """Change the order of players with the same rating. Later renumberings keep the order (Q155).

    order: the keys of all entries of one rating. seen_revision: of the page that listed them. asked: the arbiter has
    seen the new numbers (level 3, Q150). A round that is paired keeps its boards.
    Raises Stale; DomainError: numbers_frozen (round 4 is paired, 2.3), not_equal, equals_same, equals_to_confirm.
    """
    with act(section_id=section_id, actor=actor, action=ORDER_EQUALS, seen_revision=seen_revision) as log:
        roster = Roster.load(log.section)
        if roster.rounds_paired >= FROZEN_BY_ROUND:
            raise NUMBERS_FROZEN.error()
        group = {participant.pk: participant for participant in _group(roster, order)}
        if list(group) == list(order):
            raise EQUALS_SAME.error()
        for place, key in enumerate(order, start=1):
            group[key].equal_order = place
        Participant.objects.bulk_update(group.values(), ["equal_order"], batch_size=BATCH)
        if roster.rounds_paired:
            log.integrity, log.round_number = Integrity.EXCHANGE, roster.rounds_paired
        log.subject = str(group[order[0]].rating)
        roster.renumber(log)
        log.after["numbers"].sort()
        moved = [tuple(pair) for pair in log.after["numbers"]]
        ask(EQUALS_TO_CONFIRM.error(round=roster.rounds_paired, numbers=moved), asked)


def _group(roster: Roster, order: Sequence[int]) -> list[Participant]:
    """The entries in `order`, by number. Raises DomainError("not_equal") unless they are all entries of one rating."""
    for group in equal_players(roster.participants):
        if sorted(participant.pk for participant in group) == sorted(order):
            return group
    raise NOT_EQUAL.error()


# Pairing numbers that are drawn by lot, for pairing systems whose rounds follow from the numbers.

LEAST_PLAYERS = 3


def draw_lots(*, actor: Actor, section_id: int, seed: str = "") -> str:
    """Draw the pairing numbers by lot, and set the number of rounds. Return the seed, which repeats the draw.

    seed: "" takes one by chance. Numbers that were drawn before are drawn again.
    Raises DomainError: rounds_not_fixed, lots_stand (round 1 is paired), lots_too_few, lots_too_many.
    """
    with act(section_id=section_id, actor=actor, action=DRAW_LOTS) as log:
        roster = _roster(log)
        seed = seed or secrets.token_hex(4)
        entrants = [
            LotsPlayer(entry.pk, entry.player.name, entry.player.federation) for entry in roster.participants
        ]
        section = log.section
        drawn = system_named(section.system).draw_lots(entrants, section.all_options, seed)
        if drawn is None:
            raise ROUNDS_NOT_FIXED.error()
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
    with act(section_id=section_id, actor=actor, action=SET_LOTS, seen_revision=seen_revision) as log:
        roster = _roster(log)
        numbers = {key: number for number, key in enumerate(order, start=1)}
        stood = {entry.pk: entry.tpn for entry in roster.participants}
        if numbers == stood and not lots_missing(roster.participants):
            raise LOTS_SAME.error()
        _give(
            log, roster, {entry.pk: numbers.get(entry.pk, len(numbers) + 1) for entry in roster.participants}
        )
        ask(LOTS_TO_CONFIRM.error(numbers=sorted(log.after.get("numbers", []))), asked)


def _roster(log: SectionEntry) -> Roster:
    """Return the entries of a section that can still draw. Raises DomainError."""
    if not log.section.fixed_rounds:
        raise ROUNDS_NOT_FIXED.error()
    section = log.section
    roster = Roster.load(section)
    if roster.rounds_paired:
        raise LOTS_STAND.error()
    players = len(roster.participants)
    if players < LEAST_PLAYERS:
        raise LOTS_TOO_FEW.error(players=players)
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
