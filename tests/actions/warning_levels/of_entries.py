"""Actions about settings, entries, byes and players who leave."""

from __future__ import annotations

from tests.actions.warning_levels.known import Warnings, action
from tests.factories import ParticipantFactory, SectionFactory, entry_data
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import (
    add_participant,
    edit_participant,
    import_entries,
    readmit_participant,
    remove_participant,
    withdraw_participant,
)
from tournaments.actions.forbidden_pairs import forbid_pair, keep_apart
from tournaments.actions.ledger import Actor
from tournaments.actions.moved_entries import move_participant
from tournaments.actions.pairing_numbers import order_equals
from tournaments.actions.sections import edit_section, leave_fide_mode
from tournaments.actions.tie_breaks import set_tie_breaks
from tournaments.entry_data import ImportRow
from tournaments.models import Participant, Section
from tournaments.queries.byes import bye_warnings
from tournaments.questions import Answer


def entry(section: Section, tpn: int) -> Participant:
    return section.participants.select_related("player").get(tpn=tpn)


@action("settings that affect pairings")
def settings(section: Section, actor: Actor, answers: Answer) -> Warnings:
    edit_section(actor=actor, section_id=section.pk, rounds=6)
    return []


@action("settings that affect pairings, outside FIDE mode")
def settings_outside(section: Section, actor: Actor, answers: Answer) -> Warnings:
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club", asked=True)
    edit_section(actor=actor, section_id=section.pk, rounds=6, asked=answers, reason="storm")
    return []


@action("limits of byes, time control")
def limits(section: Section, actor: Actor, answers: Answer) -> Warnings:
    edit_section(
        actor=actor,
        section_id=section.pk,
        half_bye_limit=2,
        time_control="90 minutes",
        asked=answers,
        reason="typed wrongly",
    )
    return []


@action("leave FIDE mode")
def leave(section: Section, actor: Actor, answers: Answer) -> Warnings:
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club", asked=answers)
    return []


@action("forbid a pair")
def forbid(section: Section, actor: Actor, answers: Answer) -> Warnings:
    pair = (entry(section, 1).pk, entry(section, 2).pk)
    following = section.played_rounds.count() + 1
    forbid_pair(actor=actor, section_id=section.pk, players=pair, first_round=following, reason="one family")
    keep_apart(actor=actor, section_id=section.pk, kind="federation", first_round=following, reason="league")
    return []


@action("forbid a pair, outside FIDE mode")
def forbid_outside(section: Section, actor: Actor, answers: Answer) -> Warnings:
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club", asked=True)
    return forbid(section, actor, answers)


def _rate(section: Section, actor: Actor, answers: Answer) -> Warnings:
    them = entry(section, 5)
    data = entry_data(them.player.name, 2600, federation=them.player.federation)
    edit_participant(actor=actor, participant_id=them.pk, entry=data, asked=answers)
    return []


action("correct a rating, numbers move")(_rate)
action("correct a rating, numbers stay")(_rate)


@action("put players of one rating into another order")
def reorder(section: Section, actor: Actor, answers: Answer) -> Warnings:
    section.participants.filter(tpn__in=(2, 3)).update(rating=2475)
    second, third = entry(section, 2).pk, entry(section, 3).pk
    revision = Section.objects.get(pk=section.pk).revision
    order_equals(
        actor=actor,
        section_id=section.pk,
        order=(third, second),
        seen_revision=revision,
        asked=answers,
    )
    return []


@action("enter a player, numbers move")
def late(section: Section, actor: Actor, answers: Answer) -> Warnings:
    data = entry_data("Late, Lea", 2485)
    add_participant(actor=actor, section_id=section.pk, entry=data, asked=answers)
    return []


@action("change the tie-breaks")
def tie_breaks(section: Section, actor: Actor, answers: Answer) -> Warnings:
    set_tie_breaks(actor=actor, section_id=section.pk, codes=["WIN"], asked=answers, reason="announced so")
    return []


@action("enter a late player with more half-point byes than the rules give")
def late_byes(section: Section, actor: Actor, answers: Answer) -> Warnings:
    data = entry_data("Late, Lea", 1000)
    add_participant(actor=actor, section_id=section.pk, entry=data, missed="H", proceed=answers)
    return []


@action("enter a player of another section")
def of_another_section(section: Section, actor: Actor, answers: Answer) -> Warnings:
    other = SectionFactory(event=section.event, name="Youth")
    ParticipantFactory(section=other, player__fide_id=4100000, player__name="Ek, Ada")
    data = entry_data("Ek, Ada", fide_id=4100000)
    add_participant(actor=actor, section_id=section.pk, entry=data, both=answers)
    return []


@action("re-admit a player of another section")
def again_in_both(section: Section, actor: Actor, answers: Answer) -> Warnings:
    left = entry(section, 3)
    left.player.fide_id, left.status = 4100000, Participant.Status.WITHDRAWN
    left.player.save()
    left.save()
    ParticipantFactory(section=SectionFactory(event=section.event, name="Youth"), player=left.player)
    readmit_participant(actor=actor, participant_id=left.pk, both=answers)
    return []


@action("move a player to another section")
def to_another_section(section: Section, actor: Actor, answers: Answer) -> Warnings:
    other = SectionFactory(event=section.event, name="Youth")
    move_participant(actor=actor, participant_id=entry(section, 3).pk, section_id=other.pk)
    return []


@action("import a list, numbers move")
def late_list(section: Section, actor: Actor, answers: Answer) -> Warnings:
    rows = [ImportRow(entry=entry_data("Late, Lea", 2485))]
    import_entries(actor=actor, section_id=section.pk, rows=rows, asked=answers)
    return []


@action("import a list with a second half-point bye")
def list_of_byes(section: Section, actor: Actor, answers: Answer) -> Warnings:
    rows = [ImportRow(entry=entry_data("Early, Eve", 2485), byes=(2, 3))]
    import_entries(actor=actor, section_id=section.pk, rows=rows, proceed=answers)
    return []


@action("remove an entry, numbers move")
def remove(section: Section, actor: Actor, answers: Answer) -> Warnings:
    data = entry_data("Late, Lea", 2485)
    new = add_participant(actor=actor, section_id=section.pk, entry=data, asked=True)
    remove_participant(actor=actor, participant_id=new.pk, asked=answers)
    return []


def _bye(section: Section, actor: Actor, answers: Answer, kind: str = "H", number: int = 5) -> Warnings:
    warnings = bye_warnings(entry(section, 3), kind, number)
    request_bye(
        actor=actor,
        participant_id=entry(section, 3).pk,
        round_number=number,
        kind=kind,
        proceed=answers,
    )
    return warnings


@action("first half-point bye")
def half(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _bye(section, actor, answers)


@action("second half-point bye")
def another_half(section: Section, actor: Actor, answers: Answer) -> Warnings:
    _bye(section, actor, False, number=4)
    return _bye(section, actor, answers)


@action("half-point bye over the limit")
def over_limit(section: Section, actor: Actor, answers: Answer) -> Warnings:
    Section.objects.filter(pk=section.pk).update(half_bye_limit=0)
    return _bye(section, actor, answers)


@action("half-point bye after the last round for byes")
def too_late(section: Section, actor: Actor, answers: Answer) -> Warnings:
    Section.objects.filter(pk=section.pk).update(last_bye_round=4)
    return _bye(section, actor, answers)


@action("half-point bye without the right to it")
def no_right(section: Section, actor: Actor, answers: Answer) -> Warnings:
    Participant.objects.filter(pk=entry(section, 3).pk).update(half_bye_allowed=False)
    return _bye(section, actor, answers)


@action("full-point bye")
def full(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _bye(section, actor, answers, "F")


@action("bye in a round that is paired")
def paired_bye(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _bye(section, actor, answers, "Z", number=1)


@action("withdraw a player")
def withdraw(section: Section, actor: Actor, answers: Answer) -> Warnings:
    withdraw_participant(actor=actor, participant_id=entry(section, 3).pk)
    return []
