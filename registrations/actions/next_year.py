"""The settings of the registration of an event, taken over into next year's event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db.models import Model
from django.utils.timezone import localtime

from base.zones import in_zone
from registrations.models import EventRegistration, Label, MailText, SectionRegistration
from tournaments.models import Event


def take_over_registration(event: Event, made: Event, sections: Mapping[int, int], shift: timedelta) -> None:
    """Make the settings of the registration again, with their days moved. sections: the new key of each section."""
    form = EventRegistration.objects.filter(event=event).first()
    if form is None:
        return

    def moved(at: datetime | None) -> datetime | None:
        return at and localtime(at) + shift  # at the same time of day

    with in_zone(event.time_zone):
        _save_again(
            form,
            event=made,
            opens_at=moved(form.opens_at),
            closes_at=moved(form.closes_at),
            pay_by=form.pay_by and form.pay_by + shift,
            contacts_end_at=None,
            revision=0,
        )
    for limits in SectionRegistration.objects.filter(section__in=sections):
        early = limits.early_until and limits.early_until + shift
        _save_again(limits, section_id=sections[limits.section_id], early_until=early, lists_checked="")
    for model in (MailText, Label):
        for row in model._default_manager.filter(event=event):  # noqa: SLF001 - public in Django
            _save_again(row, event=made)


def _save_again(row: Model, **values: object) -> None:
    row.pk, row._state.adding = None, True  # noqa: SLF001 - as Django documents it
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
