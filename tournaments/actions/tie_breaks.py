"""The tie-breaks of a section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from base.text import one_line
from evenboard_engine import system_named
from evenboard_engine.tiebreaks import (
    MOST_TIE_BREAKS,
    OWN,
    POINTS,
    TieBreak,
    codes_of,
    read_amount,
    read_codes,
)
from tournaments.declarations.sections import SET_TIE_BREAKS, SET_TIE_VALUES, deviating, stands_of
from tournaments.errors import REASON_REQUIRED, TIE_BREAKS_BARRED, TIE_BREAKS_UNKNOWN, Refusal
from tournaments.models import Integrity, Participant, Round, Section
from tournaments.questions import Answer, ask

from .ledger import Actor, act, refuse_overtaken
from .roster import BATCH

# Refusals
TIE_BREAKS_TO_CONFIRM = Refusal(
    "tie_breaks_to_confirm",
    _(
        "Round %(round)s is published. Players know the tie-breaks, so they should stay as they were "
        "announced%(article)s. A change affects the places and is named in the report."
    ),
    article="C.07, 4.2",
)
TIE_BREAKS_TOO_MANY = Refusal(
    "tie_breaks_too_many", _("The list is too long: a section can have %(most)s tie-breaks.")
)
TIE_BREAKS_TWICE = Refusal("tie_breaks_twice", _("%(tie_break)s is in the list twice. Remove one of them."))
TIE_VALUE_UNREADABLE = Refusal(
    "tie_value_unreadable",
    _("%(name)s: %(value)s is not a number. Write a value as 2.5, with at most three decimals."),
)
TIE_VALUES_COMPUTED = Refusal(
    "tie_values_computed",
    _(
        "No values can be typed for %(tie_break)s: the program computes it, or it is not in the list of the section."
    ),
)


def set_tie_breaks(
    *,
    actor: Actor,
    section_id: int,
    codes: Sequence[str],
    seen: Mapping[str, Any] | None = None,
    unrated_left_out: bool | None = None,
    asked: Answer = False,
    reason: str = "",
) -> Section:
    """Choose the tie-breaks after the points, in order. Without a pairing number at the end, players may stay tied.

    unrated_left_out: rating tie-breaks leave out players without an official rating; None: as it was.
    seen: the list with which the arbiter began, as `list_as_seen` returns it.
    asked: the arbiter has confirmed that the list changes although round 1 is published; this needs a reason, and the
    report says it (VCL4THP.13 Q201, Q202).
    Raises Stale("overtaken"); DomainError: tie_breaks_unknown, tie_breaks_barred, tie_breaks_twice,
    tie_breaks_too_many, tie_breaks_to_confirm, reason_required.
    """
    with act(section_id=section_id, actor=actor, action=SET_TIE_BREAKS) as entry:
        section = entry.section
        stood = section.tie_break_list
        wanted = checked_list(codes, stood, section.system)
        leave_out = section.unrated_left_out if unrated_left_out is None else unrated_left_out
        refuse_overtaken(list_as_seen(stood, section.unrated_left_out), list_as_seen(wanted, leave_out), seen)
        entry.unchanged = (wanted, leave_out) == (stood, section.unrated_left_out)
        entry.before, entry.after = {"tie_breaks": codes_of(stood)}, {"tie_breaks": codes_of(wanted)}
        if leave_out != section.unrated_left_out:
            entry.before["unrated_left_out"], entry.after["unrated_left_out"] = not leave_out, leave_out
        if not entry.unchanged and deviating(section, ("tie_breaks",), stands_of(section)):
            published = section.played_rounds.exclude(state=Round.State.DRAFT).latest("number")
            ask(TIE_BREAKS_TO_CONFIRM.error(round=published.number), asked, times=2)
            if not one_line(reason):
                raise REASON_REQUIRED.error()
            entry.reason = one_line(reason)
            entry.round_number = published.number
            entry.integrity = Integrity.CONFIGURATION
        if not entry.unchanged:
            section.tie_breaks = [rule.code for rule in wanted] or [POINTS.text]
            section.unrated_left_out = leave_out
            section.save(update_fields=["tie_breaks", "unrated_left_out"])
    return section


def list_as_seen(rules: Sequence[TieBreak], unrated_left_out: bool) -> dict[str, Any]:
    """Return a list as a page sends back the one with which the arbiter began."""
    return {"tie_breaks": codes_of(rules), "unrated_left_out": unrated_left_out}


def set_tie_values(
    *,
    actor: Actor,
    section_id: int,
    code: str,
    values: Mapping[int, str],
    seen_revision: int | None = None,
) -> Section:
    """Write the values of a tie-break that was computed elsewhere, such as a play-off (VCL4THP.13 Q207).

    values: by the key of the entry, higher is better; "" removes a value. Entries that are not named keep theirs.
    Raises Stale; DomainError: tie_values_computed (the program computes this tie-break), tie_value_unreadable.
    """
    with act(section_id=section_id, actor=actor, action=SET_TIE_VALUES, seen_revision=seen_revision) as entry:
        section, code = entry.section, code.upper()
        if not any(not rule.name and rule.text.upper() == code for rule in section.tie_break_list):
            raise TIE_VALUES_COMPUTED.error(tie_break=code)
        changed = []
        for participant in section.participants.select_related("player").filter(pk__in=values):
            written = values[participant.pk].strip()
            value = read_amount(written) if written else ""
            if value is None:
                raise TIE_VALUE_UNREADABLE.error(name=participant.player.name, value=written)
            if value != participant.tie_values.get(code, ""):
                others = {key: kept for key, kept in participant.tie_values.items() if key != code}
                participant.tie_values = {**others, **({code: value} if value else {})}
                changed.append(participant)
        Participant.objects.bulk_update(changed, ["tie_values"], batch_size=BATCH)
        entry.subject, entry.unchanged = code, not changed
        entry.after = {"players": len(changed)}
    return section


def can_be_chosen(rule: TieBreak, stood: Sequence[TieBreak]) -> bool:
    """Return whether a list can have it. An unknown code can, if it is marked as an own one or stood in the list."""
    return bool(rule.name) or rule.text.upper().startswith(OWN) or rule in stood


def barred_rule(rules: Sequence[TieBreak], system: str) -> TieBreak | None:
    """Return the first that the standings of this pairing system must not use (C.07, 8; VCL4THP.13 Q105)."""
    barred = system_named(system).barred_tie_breaks
    return next((rule for rule in rules if rule.name in barred), None)


def checked_list(codes: Sequence[str], stood: Sequence[TieBreak], system: str) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of a list that is to be. stood: the list until now, whose codes may stay.

    Raises DomainError: tie_breaks_too_many, tie_breaks_unknown, tie_breaks_barred, tie_breaks_twice.
    """
    rules = tuple(rule for rule in read_codes(codes) if rule.name != POINTS.name)
    if len(rules) > MOST_TIE_BREAKS:
        raise TIE_BREAKS_TOO_MANY.error(most=MOST_TIE_BREAKS)
    for at, rule in enumerate(rules):
        if not can_be_chosen(rule, stood):
            raise TIE_BREAKS_UNKNOWN.error(tie_break=rule.text)
        if rule.code.upper() in {other.code.upper() for other in rules[:at]}:
            raise TIE_BREAKS_TWICE.error(tie_break=rule.text)
    if barred := barred_rule([rule for rule in rules if rule not in stood], system):
        raise TIE_BREAKS_BARRED.error(tie_break=barred.text, system=system)
    return rules
