"""Delete contacts when the event is long over, and everything about a person who asks for it (docs/decisions/0074)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from registrations.models import Charge, HistoryLine, Label, ListNews, Mail, Note, Registration
from registrations.person_fields import AFTER_EVENT
from registrations.person_fields import ERASED as EMPTY
from registrations.queries.archives import registrations_of
from registrations.queries.problems import search_text
from registrations.states import LIVE, RegistrationState
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import empty_log_of_sqlite, erase_removed
from tournaments.actions.programs import empty_answers
from tournaments.models import Event, Player

from .event_lock import CLOCK, event_lock, event_of
from .money import change_price

ERASED = "Erased registration"


def forget_contacts(event: Event) -> None:
    """Empty the contacts of all registrations of the event, and delete its notes and mails."""
    _empty(Registration.objects.filter(event=event), {**AFTER_EVENT, "problems": ""})
    rows = list(Registration.objects.filter(event=event).only("name", "fide_id", "email", "search"))
    for one in rows:
        one.search = search_text(one)
    Registration.objects.bulk_update(rows, ["search"], batch_size=500)
    transaction.on_commit(empty_log_of_sqlite, robust=True)


def erase_registration(*, registration_id: int, actor: Actor | None = None) -> None:
    """Erase what says who the person is. A live registration without an entry is withdrawn first, without a mail.

    actor: who erases a registration without an entry, also from the logs of sections where it had one.
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        state = one.state
        if one.participant is None and state in LIVE:
            if one.takes_place:
                lock.freed.add(one.section_id)
            change_price(one, [], CLOCK)  # who has paid is to be repaid
            state = RegistrationState.WITHDRAWN
        number = Registration.objects.filter(event=one.event_id, erased_at__isnull=False).count() + 1
        _empty(
            Registration.objects.filter(pk=one.pk),
            {
                **EMPTY,
                "name": f"{ERASED} {number}",
                "state": state,
                "takes_place": one.takes_place and state == one.state,
                "deadline": None,
                "link_counter": one.link_counter + 1,
                "erased_at": timezone.now(),
            },
        )
        if (
            actor is not None
            and one.participant is None
            and one.steps.filter(to_state=RegistrationState.ACCEPTED).exists()
        ):
            new_name = f"{ERASED} {number}"
            erase_removed(
                actor=actor, event=lock.event, name=one.name, fide_id=one.fide_id, new_name=new_name
            )
        one.labels.clear()
        Label.objects.filter(event=lock.event, registrations=None).delete()
        empty_answers(lock.event)
        lock.touched = True


def erase_registrations_of(event: Event, player: Player) -> None:
    """Erase the registrations of a player of the event who is being erased."""
    for key in list(registrations_of(event, player).values_list("pk", flat=True)):
        erase_registration(registration_id=key)


def _empty(rows: QuerySet[Registration], values: dict[str, object]) -> None:
    keys = list(rows.values_list("pk", flat=True))
    Note.objects.filter(registration__in=keys).delete()
    Mail.objects.filter(registration__in=keys).delete()
    QuerySet(HistoryLine).filter(registration__in=keys).update(reason="", before={})
    QuerySet(Charge).filter(registration__in=keys).update(note="")
    transaction.on_commit(empty_log_of_sqlite, robust=True)
    if "fide_id" in values:
        ListNews.objects.filter(registration__in=keys).delete()
    rows.update(**values)
