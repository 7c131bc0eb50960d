"""Forms of the screens in the hall."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.actions.hall import LONGEST_MESSAGE
from web.forms.seen import SeenForm

HALF_A_DAY = timedelta(hours=12)


class CountdownForm(forms.Form):
    """Minutes from now, or a time of day: one of the two."""

    moment: datetime | None = None
    """When the countdown ends, if the form is valid. It is found once: the time may pass while the form is read."""

    minutes = forms.IntegerField(
        label=_("Minutes from now"),
        required=False,
        min_value=1,
        max_value=600,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    clock = forms.TimeField(
        label=_("Or at this time"),
        required=False,
        input_formats=["%H:%M", "%H.%M"],
        # type="time" would show 12 hours where the browser speaks English
        widget=forms.TimeInput(attrs={"placeholder": "14:00", "size": 5}, format="%H:%M"),
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        given = [name for name in self.fields if values.get(name)]
        if not self.errors and len(given) != 1:
            raise ValidationError(_("Type either the minutes or the time."), code="one")
        if minutes := values.get("minutes"):
            self.moment = timezone.now() + timedelta(minutes=minutes)
        elif clock := values.get("clock"):
            self.moment = moment_of(clock)
            if self.moment is None:
                self.add_error("clock", ValidationError(_("That time has passed."), code="over"))
        return values


class MessageForm(SeenForm):
    message = forms.CharField(
        label=_("Message at the bottom"),
        required=False,
        max_length=LONGEST_MESSAGE,
        help_text=_("For example: Be seated at 13:58. Phones off."),
    )


def moment_of(clock: time) -> datetime | None:
    """The next moment at which the clock shows that time; None if the time has just passed.

    A time that is more than half a day ago means tomorrow.
    """
    now = timezone.localtime()
    today = timezone.make_aware(datetime.combine(now.date(), clock))
    if today > now:
        return today
    if now - today < HALF_A_DAY:
        return None
    return timezone.make_aware(datetime.combine(now.date() + timedelta(days=1), clock))
