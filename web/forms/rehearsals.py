"""The form that makes a rehearsal."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.actions.rehearsals import MOST_PLAYERS
from tournaments.models import RehearsalClock
from tournaments.models.rehearsals import FASTEST


class RehearseForm(forms.Form):
    REAL, INVENTED = "real", "invented"

    people = forms.ChoiceField(
        label=gettext_lazy("Players"),
        choices=[
            (
                REAL,
                gettext_lazy("those of the event, under other names and without birth dates and FIDE IDs"),
            ),
            (INVENTED, gettext_lazy("invented players")),
        ],
        widget=forms.RadioSelect,
        initial=REAL,
    )
    players = forms.IntegerField(
        label=gettext_lazy("Invented players in each section"),
        required=False,
        min_value=2,
        max_value=MOST_PLAYERS,
    )
    parts = forms.MultipleChoiceField(
        label=gettext_lazy("What happens besides results"),
        choices=RehearsalClock.Part.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=RehearsalClock.Part.values,
        required=False,
    )
    share = forms.IntegerField(
        label=gettext_lazy("Slips that the clock types, in percent"),
        min_value=0,
        max_value=100,
        initial=50,
        help_text=gettext_lazy("The other slips wait on the page of the rehearsal, and arbiters type them."),
    )
    speed = forms.IntegerField(
        label=gettext_lazy("Speed of the clock"),
        min_value=0,
        max_value=FASTEST,
        initial=10,
        help_text=gettext_lazy(
            "At 10, a game of two hours takes 12 minutes. You can change the speed at any time."
        ),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=1,
        max_value=999_999,
        help_text=gettext_lazy("With the same seed, the same things happen again."),
    )

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        if found.get("people") == self.INVENTED and not found.get("players") and "players" not in self.errors:
            self.add_error("players", ValidationError(_("How many players?")))
        return found

    @property
    def wanted(self) -> dict[str, Any]:
        """Return the values for the action."""
        values = dict(self.cleaned_data)
        players = values.pop("players") if values.pop("people") == self.INVENTED else 0
        return {**values, "players": players}
