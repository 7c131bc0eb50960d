"""Put an event on the page of a person across events, by the link of a registration, a guardian or an arbiter."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext_noop as _

from registrations.models import HistoryLine, Mail, Registration
from registrations.models.mail import MailKind
from registrations.queries.persons_page import PageChoice, guarded_registration, guardian_decides
from tournaments.actions.ledger import transaction_or_busy
from tournaments.actions.persons_page import join_event, leave_event
from tournaments.errors import Refusal

from .event_lock import PLAYER, EventLock, event_lock

# Refusals
GUARDIAN_DECIDES = Refusal(
    "guardian_decides",
    _("A parent or guardian decides about the page of %(name)s, with the link in the mail to their address."),
)

APART = timedelta(days=1)
"""Between two mails to a guardian."""


def give_consent(choice: PageChoice) -> None:
    """Put the event on the page. Without an entry, it comes there once the registration is accepted.

    Raises DomainError: guardian_decides, no_player_number, event_archived; NotFound; Busy.
    """
    if choice.one is None:
        assert choice.player is not None
        if guarded_registration(choice.player) is not None:
            raise GUARDIAN_DECIDES.error(name=choice.player.name)
        join_event(player_id=choice.player.pk)
        return
    with event_lock(choice.one.event_id) as lock:
        one = lock.load(choice.one.pk)
        if not choice.of_guardian and guardian_decides(one, lock.form):
            raise GUARDIAN_DECIDES.error(name=one.name)
        if one.participant is not None:
            join_event(player_id=one.participant.player_id)
        one.joins = True
        one.save(update_fields=["joins"])
        lock.note(one, HistoryLine.Kind.EDIT, PLAYER, fields=["joins"])


def withdraw_consent(choice: PageChoice, *, everywhere: bool) -> None:
    """Take the event off the page, or all events. This is possible at any time, also in an archived event.

    Raises Busy.
    """
    with transaction_or_busy():
        players = leave_event(player_id=choice.player.pk, everywhere=everywhere) if choice.player else []
        Registration.objects.filter(participant__player__in=players).update(joins=False)
        if choice.one is not None:
            Registration.objects.filter(pk=choice.one.pk).update(joins=False)


def ask_guardian(*, event_id: int, registration_id: int) -> None:
    """Send the guardian the link by which only the guardian consents, at most once a day. Raises NotFound; Busy."""
    with event_lock(event_id) as lock:
        write_guardian(lock, lock.load(registration_id), asked=True)


def write_guardian(lock: EventLock, one: Registration, *, asked: bool) -> None:
    """Make the mail to the guardian if the player asked for it, with an address and without such a mail on this day."""
    recent = one.mails.filter(kind=MailKind.GUARDIAN, not_before__gt=lock.now - APART)
    if asked and one.guardian_email and not recent.exists():
        one.revision += 1
        one.save(update_fields=["revision"])
        Mail.objects.create(
            registration=one,
            kind=MailKind.GUARDIAN,
            address=one.guardian_email,
            revision=one.revision,
            not_before=lock.now,
        )
