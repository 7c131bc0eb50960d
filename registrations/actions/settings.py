"""Open the registration of an event, and change who may register, how, and at which price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop as _

from registrations.models import EventRegistration, Registration, SectionRegistration
from registrations.queries.problems import problems_of_settings
from registrations.states import LIVE, RegistrationState
from tournaments.actions.ledger import Actor, act_on_event, assign_values, transaction_or_busy
from tournaments.declarations.events import EDIT_REGISTRATION
from tournaments.errors import Refusal
from tournaments.models import Event

from .event_lock import EventLock, event_lock

# Refusals
MAIL_NOT_SET_UP = Refusal(
    "mail_not_set_up",
    _(
        "This server cannot send mails: it has no mail server (EMAIL_URL). Nothing is saved. Let players register "
        "without confirming by mail, or ask the person who runs the server."
    ),
)


def set_up_registration(
    *, actor: Actor, event: Event, values: Mapping[str, Any], sections: Mapping[int, Mapping[str, Any]]
) -> EventRegistration:
    """Write the settings of the event and of its sections, by their keys. A section that is missing stays as it is.

    Nobody is moved by a changed limit: registrations that no longer fit show it. Places that a larger capacity frees
    or a list that moves again are offered at once.
    Raises NotFound; Busy; DomainError: invalid_values; mail_not_set_up if players shall confirm by mail from now on,
    and the server sends none.
    """
    stored = EventRegistration.objects.filter(event=event).first()
    was_on = stored is not None and stored.confirm_by_mail
    if values.get("confirm_by_mail") and not was_on and not settings.MAIL_IS_SET_UP:
        raise MAIL_NOT_SET_UP.error()
    EventRegistration.objects.get_or_create(event=event)
    with (
        event_lock(event.pk) as lock,
        act_on_event(event_id=event.pk, actor=actor, action=EDIT_REGISTRATION) as log,
    ):
        before, changed = assign_values(lock.form, values)
        lock.form.save()
        log.after = {"fields": sorted(changed)}
        if "questions" in changed:
            _put_answers(lock.form, before["questions"])
        if changed:  # such as a later end of the registration: lists that stood still move again
            lock.freed.update(
                SectionRegistration.objects.filter(section__event=event).values_list("section", flat=True)
            )
        for section in event.sections.filter(pk__in=sections).order_by("pk"):
            limits = SectionRegistration.objects.filter(section=section).first() or SectionRegistration(
                section=section
            )
            _before, of_section = assign_values(limits, sections[section.pk])
            limits.save()
            if of_section:
                log.after[section.name] = sorted(of_section)
                _check_again(lock, limits)
                lock.freed.add(section.pk)
        lock.touched = True
    return lock.form


def would_offer(
    *, actor: Actor, event: Event, values: Mapping[str, Any], sections: Mapping[int, Mapping[str, Any]]
) -> list[Registration]:
    """Return to whom `set_up_registration` would offer a place. Nothing is written: what it did is rolled back.

    Raises as `set_up_registration`.
    """
    offered = Registration.objects.filter(event=event, state=RegistrationState.OFFERED)
    former = set(offered.values_list("pk", flat=True))
    with transaction_or_busy():
        set_up_registration(actor=actor, event=event, values=values, sections=sections)
        found = list(
            offered.exclude(pk__in=former).select_related("section").order_by("section", "queued_at")
        )
        transaction.set_rollback(True)
    return found


def _put_answers(form: EventRegistration, former: list[str]) -> None:
    """Let each answer stand under its question again. As many questions as before, with others among them, are the same
    questions in other words.
    """
    if len(former) == len(form.questions) and set(former) != set(form.questions):
        return
    rows = list(Registration.objects.filter(event=form.event_id).exclude(answers=[]).only("answers"))
    for one in rows:
        given = dict(zip(former, one.answers, strict=False))
        one.answers = [given.get(question, "") for question in form.questions]
    Registration.objects.bulk_update(rows, ["answers"], batch_size=500)


def _check_again(lock: EventLock, limits: SectionRegistration) -> None:
    """Find the problems of all live registrations of a section again."""
    rows = Registration.objects.filter(section=limits.section_id, state__in=LIVE).select_related(
        "section__event"
    )
    changed = []
    for one in rows:
        found = problems_of_settings(one, lock.form, limits)
        if found != one.problems:
            one.problems = found
            changed.append(one)
    Registration.objects.bulk_update(changed, ["problems"], batch_size=500)
