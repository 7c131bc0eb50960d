"""Requested byes, and byes set by the arbiter, in rounds that are not paired yet (GHR 3.3)."""

from __future__ import annotations

from pairing.engine import ByeKind
from tournaments.errors import DomainError
from tournaments.models import Bye, Integrity, Participant
from tournaments.models.round import rounds_paired
from tournaments.queries.bye_limits import bye_question

from .found import found, locked_participant, section_found, section_of
from .ledger import Actor, act
from .roster import label


def request_bye(
    *,
    actor: Actor,
    participant_id: int,
    round_number: int,
    kind: ByeKind | str,
    source: Bye.Source = Bye.Source.REQUESTED,
    proceed: bool = False,
    instead: bool = False,
) -> Bye:
    """Give a half-, full- or zero-point bye in a round that is not paired yet.

    source: who wants the bye, the player or (`Bye.Source.ABSENT`) the arbiter. proceed: the arbiter confirmed a
    bye that is more than the regulations give. instead: the bye replaces one of another kind in that round.
    Raises NotFound; DomainError: bye_kind, not_active, half_bye_not_allowed, round_out_of_range,
    round_already_paired, bye_twice; unless `instead`, bye_differs; unless `proceed`, bye_to_confirm.
    """
    if kind not in {ByeKind.HALF, ByeKind.FULL, ByeKind.ZERO} or source == Bye.Source.ALLOCATED:
        raise DomainError("bye_kind", kind=str(kind))
    with act(section_id=section_of(participant_id), actor=actor, action="request_bye") as log:
        participant = locked_participant(participant_id)
        refuse_bye(participant, round_number, ByeKind(kind), rounds_paired=rounds_paired(log.section))
        if former := participant.byes.filter(round_number=round_number).first():
            _refuse_former(former, participant, ByeKind(kind), instead=instead)
            log.before = {"kind": former.kind}
            former.delete()
        if not proceed:
            ask_first(participant, kind, round_number)
        bye = Bye.objects.create(
            participant=participant, round_number=round_number, kind=ByeKind(kind).value, source=source
        )
        log.subject, log.round_number = label(participant), round_number
        log.after = {"participant": participant.pk, "round": round_number, "kind": bye.kind}
        if kind == ByeKind.FULL:
            log.integrity = Integrity.FULL_POINT_BYE
    return bye


def _refuse_former(former: Bye, participant: Participant, kind: ByeKind, *, instead: bool) -> None:
    """Raises DomainError: bye_twice, bye_differs."""
    name, number = participant.player.name, former.round_number
    if former.kind == kind:
        raise DomainError("bye_twice", name=name, round=number)
    if not instead:
        raise DomainError("bye_differs", name=name, round=number, kind=former.kind, wanted=kind.value)


def cancel_bye(*, actor: Actor, bye_id: int) -> None:
    """Remove a bye in a round that is not paired yet.

    Raises NotFound; DomainError: bye_allocated, round_already_paired.
    """
    section_id = section_found(Bye.objects, "bye", bye_id, by="participant__section_id")
    with act(section_id=section_id, actor=actor, action="cancel_bye") as log:
        bye = found(Bye.objects.select_related("participant__player"), "bye", bye_id)
        if bye.kind == ByeKind.ALLOCATED:
            raise DomainError("bye_allocated", name=bye.participant.player.name, round=bye.round_number)
        if bye.round_number <= rounds_paired(log.section):
            raise DomainError("round_already_paired", round=bye.round_number)
        log.subject, log.round_number = label(bye.participant), bye.round_number
        log.before = {"participant": bye.participant_id, "round": bye.round_number, "kind": bye.kind}
        bye.delete()


def ask_first(participant: Participant, kind: ByeKind | str, round_number: int) -> None:
    """Raises DomainError("bye_to_confirm") if the arbiter must confirm the bye first."""
    if question := bye_question(participant, kind, round_number):
        raise question


def refuse_bye(participant: Participant, round_number: int, kind: ByeKind, *, rounds_paired: int) -> None:
    """Raises DomainError unless the player may have this bye in that round. No SQL query."""
    if participant.section.fixed_rounds:
        raise DomainError("no_byes_here")
    if not participant.is_active:
        raise DomainError("not_active", name=participant.player.name)
    if kind is ByeKind.HALF and not participant.half_bye_allowed:
        raise DomainError("half_bye_not_allowed", name=participant.player.name)
    if not 1 <= round_number <= participant.section.rounds:
        raise DomainError("round_out_of_range", round=round_number, rounds=participant.section.rounds)
    if round_number <= rounds_paired:
        raise DomainError("round_already_paired", round=round_number)
