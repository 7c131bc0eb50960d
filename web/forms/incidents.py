"""The form of an incident."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evenboard_engine import Colour
from tournaments.models import Incident
from tournaments.models.incidents import MOST_MINUTES


class KeyedRadio(forms.RadioSelect):
    """Choices that a key presses. keys: one for each choice."""

    def __init__(self, keys: str) -> None:
        super().__init__()
        self.keys = keys

    def create_option(self, name: str, value: Any, label: Any, *args: Any, **more: Any) -> dict[str, Any]:
        option = super().create_option(name, value, label, *args, **more)
        option["key"] = option["attrs"]["data-key"] = self.keys[int(option["index"])]
        return option


class IncidentForm(forms.Form):
    """minutes: as in `Incident`."""

    kind = forms.ChoiceField(
        label=_("What happened"),
        choices=Incident.Kind.choices,
        widget=KeyedRadio("123456"),
    )
    minutes = forms.IntegerField(
        label=_("Minutes"),
        required=False,
        min_value=-MOST_MINUTES,
        max_value=MOST_MINUTES,
        help_text=_("Added to the clock of the player, or with a minus lost, such as by a late arrival."),
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=200,
        required=False,
        help_text=_("Only people who work on the event see it."),
    )


class BoardIncidentForm(IncidentForm):
    """An incident at a board. side: the colour of the player."""

    side = forms.ChoiceField(
        label=_("Player"),
        choices=[(Colour.WHITE.value, ""), (Colour.BLACK.value, "")],
        widget=KeyedRadio("wb"),
    )

    def __init__(self, *args: Any, white: str, black: str, **options: Any) -> None:
        super().__init__(*args, **options)
        names = _("White: %(name)s"), _("Black: %(name)s")
        self.fields["side"].choices = [  # type: ignore[attr-defined]
            (value, label % {"name": name})
            for value, label, name in zip(
                (Colour.WHITE.value, Colour.BLACK.value), names, (white, black), strict=True
            )
        ]
