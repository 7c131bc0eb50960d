"""The life of an event after it is played: archived, deleted with a time in which it comes back, deleted for good."""

from __future__ import annotations

import logging
import shutil
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import one_line
from ratings.actions.offering import drop_list
from ratings.models import RatingList
from tournaments.declarations.events import ARCHIVE_EVENT, DELETE_EVENT
from tournaments.declarations.site import SITE_DELETE_EVENT
from tournaments.errors import Refusal
from tournaments.models import ActionLog, Event, Game, Participant, Section
from tournaments.models.events import DELETED_MARK, EventState

from .chores import ask_for_copies
from .ledger import Actor, EventEntry, act_on_event, transaction_or_busy
from .personal_data import empty_log_of_sqlite
from .site import note
from .stored_copies import backup_directory, copies_of, take_from_site_copies

# Refusals
DELETE_NOT_CONFIRMED = Refusal(
    "delete_not_confirmed",
    _("This is not the name of the event. Nothing is deleted. Type the name as it stands on the page."),
)

logger = logging.getLogger(__name__)
GRACE = timedelta(days=30)
"""How long a deleted event can be brought back."""


def archive_event(*, actor: Actor, event: Event, archived: bool = True) -> Event:
    """Put an event into the archive, where nobody changes it, or bring it back. Raises NotFound, Busy."""
    allowed = EventState.ARCHIVED
    with act_on_event(event_id=event.pk, actor=actor, action=ARCHIVE_EVENT, at_rest=allowed) as entry:
        entry.unchanged = entry.event.is_archived == archived
        if not entry.unchanged:
            _move(entry, EventState.ARCHIVED if archived else None)
    return entry.event


def delete_event(*, actor: Actor, event: Event, typed: str) -> Event:
    """Delete an event. Nobody finds it from now on; for `GRACE` it can be brought back.

    typed: the name that the owner typed to confirm. Raises DomainError: delete_not_confirmed, event_archived.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=DELETE_EVENT) as entry:
        if one_line(typed) != entry.event.name:
            raise DELETE_NOT_CONFIRMED.error()
        _move(entry, EventState.DELETED)
    return entry.event


def bring_event_back(*, actor: Actor, event: Event) -> Event:
    """Bring a deleted event back as it was. Raises NotFound if it is deleted for good."""
    allowed = EventState.DELETED
    with act_on_event(event_id=event.pk, actor=actor, action=DELETE_EVENT, at_rest=allowed) as entry:
        entry.unchanged = not entry.event.is_deleted
        if not entry.unchanged:
            _move(entry, None)
    return entry.event


def _move(entry: EventEntry, state: EventState | None) -> None:
    """Move the event to a state of rest; None: back to the state before. Actions that run in sections end first."""
    event = entry.event
    list(Section.objects.select_for_update(of=("self",), no_key=True).filter(event=event).values_list("pk"))
    entry.before, entry.subject = {"state": event.state}, event.name
    if state is None:
        event.state, event.state_before, event.state_since = event.state_before, "", None
    else:
        event.state, event.state_before, event.state_since = state, event.state, timezone.now()
    event.slug = event.own_slug + (DELETED_MARK if event.is_deleted else "")
    entry.after = {"state": event.state}
    event.save()
    event.refresh_from_db(fields=["public", "listed"])


def delete_for_good(now: datetime | None = None) -> int:
    """Delete the events whose time to come back is over by `now`, with all that is kept about people. Return how many.

    The log of the site keeps the name of the event, the time, and who deleted it.
    """
    over = Event.objects.filter(state=EventState.DELETED, state_since__lt=(now or timezone.now()) - GRACE)
    keys = list(over.values_list("pk", flat=True))
    for key in keys:
        with transaction_or_busy():
            event = over.select_for_update().filter(pk=key).first()
            if event is None:  # somebody brought it back just now
                continue
            row = event.log.filter(section=None, action=DELETE_EVENT.name).latest("pk")
            delete_wholly(event)
            note(Actor(row.user) if row.user else Actor.command(), SITE_DELETE_EVENT, subject=event.name)
        logger.info("The event %s was deleted for good", event.own_slug)
    return len(keys)


def delete_wholly(event: Event) -> None:
    """Delete an event, which is locked, with its log and its copies. Nothing of it is left but what files have."""
    for listing in RatingList.objects.filter(event=event):
        drop_list(listing.pk, event.pk)
    # past `objects`, which refuses it
    models.QuerySet(ActionLog).filter(event=event).delete()
    Game.objects.filter(round__section__event=event).delete()
    Participant.objects.filter(section__event=event).delete()
    Event.objects.filter(pk=event.pk).delete()
    transaction.on_commit(partial(_delete_copies, event), robust=True)
    transaction.on_commit(empty_log_of_sqlite, robust=True)


def _delete_copies(event: Event) -> None:
    shutil.rmtree(backup_directory() / event.own_slug, ignore_errors=True)
    if settings.BACKUP_TO:
        elsewhere = Path(settings.BACKUP_TO)
        for path in copies_of(elsewhere, event):
            path.unlink(missing_ok=True)
        take_from_site_copies(elsewhere, event.pk)
        ask_for_copies()
