"""Incidents of a round: noted, changed and removed. They are for the people who work on the event, never public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_noop as _

from base.text import one_line
from tournaments.declarations.incidents import CHANGE_INCIDENT, NOTE_INCIDENT, REMOVE_INCIDENT
from tournaments.errors import Refusal
from tournaments.models import Game, Incident, Participant, Round
from tournaments.models.events import are_own

from .ledger import Actor, act, assign_values, found_row, merged_values, section_found
from .results import not_own
from .roster import label_of_entry

# Refusals
INCIDENT_ROUND = Refusal("incident_round", _("Round %(round)s is not published."))
INCIDENT_KIND = Refusal("incident_kind", _("Choose what happened."))
INCIDENT_OTHER_BOARD = Refusal(
    "incident_other_board", _("%(name)s does not play at one of your boards in round %(round)s.")
)

CHANGED = ("kind", "minutes", "note")


def note_incident(
    *,
    actor: Actor,
    section_id: int,
    participant_id: int,
    round_number: int,
    kind: str,
    minutes: int | None = None,
    note: str = "",
) -> Incident:
    """Note what happened to or by a player in a published round. minutes: as in `Incident`.

    Raises NotFound; DomainError: section_closed, incident_round, incident_kind, not_own_board, incident_other_board,
    invalid_values.
    """
    with act(section_id=section_id, actor=actor, action=NOTE_INCIDENT) as log:
        entries = log.section.participants.select_related("player")
        participant = found_row(entries, "participant", participant_id)
        shown = log.section.played_rounds.filter(number=round_number).exclude(state=Round.State.DRAFT)
        if not shown.exists():
            raise INCIDENT_ROUND.error(round=round_number)
        row = Incident(
            section=log.section,
            round_number=round_number,
            board=_board(log.section.pk, round_number, participant),
            participant=participant,
            by=actor.user,
        )
        _refuse_other_board(actor, row)
        _assign(row, {"kind": kind, "minutes": minutes, "note": note})
        row.save()
        log.subject, log.round_number, log.after = label_of_entry(participant), round_number, _values(row)
    return row


def change_incident(
    *,
    actor: Actor,
    incident_id: int,
    kind: str,
    minutes: int | None = None,
    note: str = "",
    seen: Mapping[str, Any] | None = None,
) -> Incident:
    """Change an incident. seen: the values that the form showed.

    Raises NotFound; Stale("overtaken"); DomainError as `note_incident`.
    """
    with act(section_id=_section_of(incident_id), actor=actor, action=CHANGE_INCIDENT) as log:
        row = _locked(incident_id)
        _refuse_other_board(actor, row)
        log.subject, log.round_number = label_of_entry(row.participant), row.round_number
        log.before = _values(row)
        stands = {name: getattr(row, name) for name in CHANGED}
        wanted = {"kind": kind, "minutes": minutes, "note": one_line(note)}
        log.unchanged = not _assign(row, merged_values(stands, wanted, seen))
        if not log.unchanged:
            row.save(update_fields=CHANGED)
        log.after = _values(row)
    return row


def remove_incident(*, actor: Actor, incident_id: int) -> None:
    """Remove an incident that was noted by mistake. Raises NotFound; DomainError as `note_incident`."""
    with act(section_id=_section_of(incident_id), actor=actor, action=REMOVE_INCIDENT) as log:
        row = _locked(incident_id)
        _refuse_other_board(actor, row)
        log.subject, log.round_number = label_of_entry(row.participant), row.round_number
        log.before = _values(row)
        row.delete()


def _board(section_id: int, number: int, participant: Participant) -> int | None:
    games = Game.objects.filter(round__section=section_id, round__number=number)
    own = games.filter(Q(white=participant) | Q(black=participant))
    return own.order_by("pk").values_list("board", flat=True).first()


def _refuse_other_board(actor: Actor, row: Incident) -> None:
    """Refuse what is not at the boards of a result clerk."""
    if actor.boards is None:
        return
    if row.board is None:
        raise INCIDENT_OTHER_BOARD.error(name=row.participant.player.name, round=row.round_number)
    if not are_own(row.board, actor.boards):
        raise not_own(row.board, actor.boards)


def _assign(row: Incident, values: Mapping[str, Any]) -> bool:
    """Set the values, and return whether one of them is another one than before."""
    if values["kind"] not in Incident.Kind.values:
        raise INCIDENT_KIND.error()
    _before, after = assign_values(row, values)
    return bool(after)


def _section_of(incident_id: int) -> int:
    return section_found(Incident.objects, "incident", incident_id)


def _locked(incident_id: int) -> Incident:
    return found_row(Incident.objects.select_related("participant__player"), "incident", incident_id)


def _values(row: Incident) -> dict[str, Any]:
    return {
        "participant": row.participant_id,
        "board": row.board,
        "incident": row.kind,
        "minutes": row.minutes,
        "note": row.note,
    }
