"""The form that makes next year's event."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

MOST_DAYS = 3_700


class NextYearForm(forms.Form):
    name = forms.CharField(label=pgettext_lazy("of an event", "Name"), max_length=120)
    days = forms.IntegerField(
        label=_("Days from this event to the next"),
        min_value=-MOST_DAYS,
        max_value=MOST_DAYS,
        help_text=_("364 days are 52 weeks: each round falls on the same day of the week."),
    )
    people = forms.BooleanField(
        label=_("The same people work on it, with the same roles"),
        required=False,
    )
