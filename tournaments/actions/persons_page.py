"""Put an event on the page of a person across events, and take it off: the person does it, never an arbiter.

Consent is no step of a section, so it has no line in the log and no undo. It can be taken back at any time, also in an
archived event. The log has a line when an arbiter makes a new link for a player.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime
from itertools import groupby

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournaments.declarations.entries import RENEW_PERSONS_LINK
from tournaments.errors import Refusal
from tournaments.models import FinalPlace, JoinedEntry, Player, Section
from tournaments.queries.persons_page import (
    contradictions,
    final_places,
    joined_with,
    keys_of,
    standing_row,
    without_final_place,
)

from .ledger import Actor, act, locked_participant, refuse_at_rest, section_of, transaction_or_busy
from .roster import label_of_entry

# Refusals
NO_PLAYER_NUMBER = Refusal(
    "no_player_number",
    _("The event knows no FIDE ID and no national ID of %(name)s. Ask the organiser to enter it."),
)

AT_ONCE = 500
"""Entries whose final places are noted in one go."""


def join_event(*, player_id: int) -> JoinedEntry:
    """Put an event on the page of the person. Return the row, which has no token if another person seems to have the
    same number.

    Raises DomainError: no_player_number, event_archived; NotFound; Busy.
    """
    with transaction_or_busy():
        player = Player.objects.select_for_update(of=("self",), no_key=True).select_related("event")
        found = player.get(pk=player_id)
        refuse_at_rest(found.event)
        keys = keys_of(found)
        if not keys:
            raise NO_PLAYER_NUMBER.error(name=found.name)
        others = joined_with(found)
        token = ""
        if not contradictions(found, others):
            # two events at the same moment may have made two pages: the first one stays
            token = next((row.token for row in others), "") or secrets.token_urlsafe(32)
            JoinedEntry.objects.filter(pk__in=[row.pk for row in others]).update(key=keys[0], token=token)
        row, _made = JoinedEntry.objects.update_or_create(
            player=found, defaults={"key": keys[0], "name": found.name, "token": token}
        )
        _show_again([found.pk])
    return row


def leave_event(*, player_id: int, everywhere: bool = False) -> list[int]:
    """Take an event off the page of the person, or all events. Return the keys of the players.

    Without a row that counts, nothing else is known of the person, so only this event is taken off. Raises Busy.
    """
    with transaction_or_busy():
        player = Player.objects.select_related("joined").get(pk=player_id)
        row, keys = standing_row(player), [player_id]
        if everywhere and row is not None and row.token:
            keys = list(JoinedEntry.objects.filter(token=row.token).values_list("player", flat=True))
        JoinedEntry.objects.filter(player__in=keys).delete()
        _show_again(keys)
    return keys


def renew_persons_link(*, actor: Actor, participant_id: int) -> None:
    """Make the link of a player worthless, in all sections of the event: somebody else has it.

    What was agreed with the former link stays until the player takes it back with the new one. Raises NotFound.
    """
    section = section_of(participant_id)
    with act(section_id=section, actor=actor, action=RENEW_PERSONS_LINK, allow_closed=True) as entry:
        participant = locked_participant(participant_id)
        entry.subject = label_of_entry(participant)
        entry.after = {"player": participant.player_id}


def _show_again(players: Iterable[int]) -> None:
    """Let the public pages of these players be made again: their cards lead to the page."""
    sections = Section.objects.filter(participants__player__in=list(players)).values("pk")
    locked = Section.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=sections)
    keys = list(locked.order_by("pk").values_list("pk", flat=True))
    models.QuerySet(Section).filter(pk__in=keys).update(people_revision=F("people_revision") + 1)


def note_final_places(now: datetime) -> int:
    """Note what joined players reached in sections that are over. Return of how many. The server does it every hour."""
    due = without_final_place(timezone.localdate(now)).select_related("section__event", "player__joined")
    entries = list(due.order_by("section", "pk")[:AT_ONCE])
    for section, rows in groupby(entries, key=lambda entry: entry.section):
        found = final_places(section, list(rows))
        with transaction.atomic():
            FinalPlace.objects.filter(participant__in=[row.participant_id for row in found]).delete()
            FinalPlace.objects.bulk_create(found, ignore_conflicts=True)  # another server may do the same
    return len(entries)
