"""Requested byes, and byes set by the arbiter, in rounds that are not paired yet (GHR 3.3)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext_noop as _

from evenboard_engine import ByeKind
from tournaments.declarations.entries import CANCEL_BYE, REQUEST_BYE
from tournaments.errors import (
    BYE_KIND,
    HALF_BYE_NOT_ALLOWED,
    NO_BYES_HERE,
    NOT_ACTIVE,
    ROUND_ALREADY_PAIRED,
    ROUND_OUT_OF_RANGE,
    Refusal,
)
from tournaments.models import Bye, Integrity, Participant, Section
from tournaments.models.rounds import rounds_paired
from tournaments.queries.byes import bye_question
from tournaments.questions import Answer, ask

from .ledger import Actor, act, found_row, locked_participant, section_found, section_of
from .roster import label_of_entry

# Refusals
BYE_TWICE = Refusal("bye_twice", _("%(name)s already has a bye in round %(round)s."))
BYE_DIFFERS = Refusal("bye_differs", params=("name", "round", "kind", "wanted"))
BYE_ALLOCATED = Refusal(
    "bye_allocated",
    _("The pairing gave %(name)s the bye of round %(round)s. To remove it, unpair the round."),
)
# `byes`: [{name, round, warnings}]
BYES_TO_CONFIRM = Refusal("byes_to_confirm", params=("byes", "limit", "last_round"))


def request_byes(
    *,
    actor: Actor,
    participant_id: int,
    rounds: Collection[int],
    kind: ByeKind | str,
    source: Bye.Source = Bye.Source.REQUESTED,
    proceed: Answer = False,
    instead: Answer = False,
) -> list[Bye]:
    """Give half-, full- or zero-point byes in rounds that are not paired yet, all or none: one step in the log.

    source: who wants the byes, the player or (`Bye.Source.ABSENT`) the arbiter. proceed: the arbiter confirmed
    byes that are more than the regulations give. instead: they replace those of another kind in these rounds.
    Raises NotFound; DomainError: bye_kind, not_active, half_bye_not_allowed, round_out_of_range,
    round_already_paired, bye_twice; unless `instead`, bye_differs; unless `proceed`, bye_to_confirm.
    """
    if kind not in {ByeKind.HALF, ByeKind.FULL, ByeKind.ZERO} or source == Bye.Source.ALLOCATED:
        raise BYE_KIND.error(kind=str(kind))
    kind, numbers = ByeKind(kind), sorted(set(rounds))
    with act(section_id=section_of(participant_id), actor=actor, action=REQUEST_BYE) as log:
        participant = locked_participant(participant_id)
        for number in numbers:
            refuse_bye(participant, number, kind, rounds_paired=rounds_paired(log.section))
        formers = list(participant.byes.filter(round_number__in=numbers).order_by("round_number"))
        for former in formers:
            _refuse_former(former, participant, kind, instead)
        gone = sum(former.kind == ByeKind.HALF for former in formers)
        if question := bye_question(participant, kind, numbers, gone=gone):
            ask(question, proceed)
        Bye.objects.filter(pk__in=[former.pk for former in formers]).delete()
        made = Bye.objects.bulk_create(
            Bye(participant=participant, round_number=number, kind=kind.value, source=source)
            for number in numbers
        )
        log.subject, log.round_number = label_of_entry(participant), numbers[0]
        log.before = {"kind": formers[0].kind} if formers else {}
        where = {"round": numbers[0]} if len(numbers) == 1 else {"rounds": numbers}
        log.after = {"participant": participant.pk, **where, "kind": kind.value}
        if kind is ByeKind.FULL:
            log.integrity = Integrity.FULL_POINT_BYE
    return made


def request_bye(*, actor: Actor, participant_id: int, round_number: int, **asked: Any) -> Bye:
    """Give one bye, as `request_byes` does."""
    return request_byes(actor=actor, participant_id=participant_id, rounds=[round_number], **asked)[0]


def _refuse_former(former: Bye, participant: Participant, kind: ByeKind, instead: Answer) -> None:
    """Raises DomainError: bye_twice, bye_differs."""
    name, number = participant.player.name, former.round_number
    if former.kind == kind:
        raise BYE_TWICE.error(name=name, round=number)
    ask(BYE_DIFFERS.error(name=name, round=number, kind=former.kind, wanted=kind.value), instead)


def cancel_bye(*, actor: Actor, bye_id: int) -> None:
    """Remove a bye in a round that is not paired yet.

    Raises NotFound; DomainError: bye_allocated, round_already_paired.
    """
    section_id = section_found(Bye.objects, "bye", bye_id, by="participant__section_id")
    with act(section_id=section_id, actor=actor, action=CANCEL_BYE) as log:
        bye = found_row(Bye.objects.select_related("participant__player"), "bye", bye_id)
        if bye.kind == ByeKind.ALLOCATED:
            raise BYE_ALLOCATED.error(name=bye.participant.player.name, round=bye.round_number)
        if bye.round_number <= rounds_paired(log.section):
            raise ROUND_ALREADY_PAIRED.error(round=bye.round_number)
        log.subject, log.round_number = label_of_entry(bye.participant), bye.round_number
        log.before = {"participant": bye.participant_id, "round": bye.round_number, "kind": bye.kind}
        bye.delete()


def ask_about_byes(section: Section, byes: list[dict[str, Any]], proceed: Answer) -> None:
    """Ask about byes of several players, in one question. byes: with the name, the rounds and the warnings of each."""
    question = BYES_TO_CONFIRM.error(
        byes=byes, limit=section.half_bye_limit, last_round=section.last_bye_round
    )
    ask(question, proceed)


def refuse_bye(participant: Participant, round_number: int, kind: ByeKind, *, rounds_paired: int) -> None:
    """Raises DomainError unless the player may have this bye in that round. No SQL query."""
    if participant.section.fixed_rounds:
        raise NO_BYES_HERE.error()
    if not participant.is_active:
        raise NOT_ACTIVE.error(name=participant.player.name)
    if kind is ByeKind.HALF and not participant.half_bye_allowed:
        raise HALF_BYE_NOT_ALLOWED.error(name=participant.player.name)
    if not 1 <= round_number <= participant.section.rounds:
        raise ROUND_OUT_OF_RANGE.error(round=round_number, rounds=participant.section.rounds)
    if round_number <= rounds_paired:
        raise ROUND_ALREADY_PAIRED.error(round=round_number)
