"""The form that says when rounds begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from base.reader import date_format
from tournaments.models import RoundStart, Section
from web.forms.seen import Contest, SeenForm


class ScheduleForm(SeenForm):
    """A day and a time for each round, both optional, in the time zone of the hall."""

    def __init__(self, section: Section, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._numbers = range(1, section.rounds + 1)
        for number in self._numbers:
            start = section.start_of(number)
            self.fields[f"day-{number}"] = forms.DateField(
                label=_("Day of round %(number)s") % {"number": number},
                required=False,
                initial=start.day if start else None,
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            )
            self.fields[f"time-{number}"] = forms.TimeField(
                label=_("Time of round %(number)s") % {"number": number},
                required=False,
                initial=start.time if start else None,
                input_formats=["%H:%M", "%H.%M"],
                error_messages={"invalid": _("Write the time as 14:00.")},
                # type="time" would show 12 hours where the browser speaks English
                widget=forms.TimeInput(attrs={"placeholder": "14:00", "size": 5}, format="%H:%M"),
            )

    def rows(self) -> Iterator[tuple[int, forms.BoundField, forms.BoundField]]:
        """For each round: its number and its two fields."""
        for number in self._numbers:
            yield number, self[f"day-{number}"], self[f"time-{number}"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for number in self._numbers:
            day = f"day-{number}"
            if values.get(f"time-{number}") and not values.get(day) and day not in self.errors:
                self.add_error(
                    day,
                    ValidationError(_("Type the day, not only the time."), code="day_missing"),
                )
        return values

    def starts(self) -> dict[int, RoundStart | None]:
        """The rounds that the person changed."""
        changed = sorted({int(name.partition("-")[2]) for name in self.changes()})
        return {number: self._start(number) for number in changed}

    def seen(self) -> dict[int, str]:
        """What the page showed for each round, in the format of the section."""
        shown = self.shown
        return {
            number: f"{shown[f'day-{number}'] or ''}T{(shown[f'time-{number}'] or '')[:5]}".removesuffix("T")
            for number in self._numbers
        }

    def contests(self, theirs: Mapping[str, str]) -> list[Contest]:
        """Both values of each conflict. theirs: the other person's, by the number of the round."""
        return [
            Contest(
                (f"day-{number}", f"time-{number}"),
                _("Round %(number)s") % {"number": number},
                _when(RoundStart.read(start)),
                _when(self._start(int(number))),
            )
            for number, start in theirs.items()
        ]

    def _start(self, number: int) -> RoundStart | None:
        day, time = self.cleaned_data[f"day-{number}"], self.cleaned_data[f"time-{number}"]
        return RoundStart(day, time) if day else None


def _when(start: RoundStart | None) -> str:
    if start is None:
        return gettext("no day")
    day = date_format(start.day, "j M Y")
    return f"{day}, {start.time:%H:%M}" if start.time else day
