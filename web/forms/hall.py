"""Forms of the screens in the hall: the countdown, the message, and screens that arbiters control from elsewhere."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.actions.hall import LONGEST_MESSAGE, LONGEST_NAME
from tournaments.models import Event, Screen, Section
from tournaments.models.hall import (
    FEWEST_ROWS,
    FEWEST_SECONDS,
    MOST_PARTS,
    MOST_ROWS,
    MOST_SECONDS,
)
from web.forms.conflict_check import ConflictCheckForm
from web.forms.fields import ClockField
from web.languages import offered

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


# Forms of the screens in the hall.

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
    clock = ClockField(label=_("Or at this time"))

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


class MessageForm(ConflictCheckForm):
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


# Forms of the screens that arbiters control from elsewhere.


class NewScreenForm(forms.Form):
    name = forms.CharField(
        label=pgettext_lazy("of a screen", "Name"),
        max_length=LONGEST_NAME,
        help_text=_("Where it hangs, for example: Left projector."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    section = forms.ModelChoiceField(
        Section.objects.none(), label=_("Section"), required=False, widget=forms.HiddenInput
    )
    show = forms.ChoiceField(
        label=_("The screen shows"), choices=Screen.Show.choices, required=False, widget=forms.HiddenInput
    )

    def __init__(self, data: QueryDict | None, *, event: Event) -> None:
        super().__init__(data)
        self.fields["section"].queryset = event.sections.filter(taken_away=False)  # type: ignore[attr-defined]


def number(label: StrOrPromise, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, widget=forms.NumberInput(attrs={"inputmode": "numeric"})
    )


class ScreenForm(forms.Form):
    """What a screen shows and how, apart from the list, which has a button of its own."""

    rows = number(_("Rows on a page"), FEWEST_ROWS, MOST_ROWS)
    seconds = number(_("Seconds for a page"), FEWEST_SECONDS, MOST_SECONDS)
    part = number(_("Number of this screen"), 1, MOST_PARTS)
    parts = number(_("Number of screens for the list"), 1, MOST_PARTS)

    section = forms.TypedChoiceField(label=_("Section"), required=False, coerce=int, empty_value=None)
    message = forms.CharField(
        label=_("Message"),
        required=False,
        max_length=LONGEST_MESSAGE,
        help_text=_("At the bottom of the screen, or alone. For example: Round 5 begins at 15:10."),
    )
    theme = forms.ChoiceField(label=_("Light or dark"), choices=Screen.Theme.choices)
    language = forms.ChoiceField(label=_("Language"), required=False)

    def __init__(self, data: QueryDict | None, *, screen: Screen) -> None:
        initial = {name: getattr(screen, name) for name in self.base_fields if name != "section"}
        super().__init__(data, initial={**initial, "section": screen.section_id})
        sections = self.fields["section"]
        assert isinstance(sections, forms.TypedChoiceField)
        shown = screen.event.sections.filter(taken_away=False).values_list("pk", "name")
        sections.choices = [("", _("All sections, after each other")), *shown]
        languages = self.fields["language"]
        assert isinstance(languages, forms.ChoiceField)
        languages.choices = [("", _("Language of the browser at the screen")), *offered()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        part, parts = cleaned.get("part"), cleaned.get("parts")
        if part and parts and part > parts:
            self.add_error(
                "part", forms.ValidationError(_("There are only %(parts)s screens."), params={"parts": parts})
            )
        return cleaned
