"""The form of a requested bye."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from evenboard_engine import ByeKind
from tournaments.models import Participant
from web.forms.fields import PlayerChoiceField, is_long, offer_choices, offer_players

LONGEST = 60
ROUNDS = re.compile(r"\s*[0-9]{1,2}\s*(-\s*[0-9]{1,2}\s*)?")


class ByeRoundsField(forms.Field):
    """Round numbers as people write them: 3, or 3, 5, or 3-5. Gives a sorted tuple."""

    widget = forms.TextInput(attrs={"maxlength": LONGEST, "autocomplete": "off"})
    default_error_messages = {
        "invalid": _("Write round numbers such as 3, or 3, 5, or 3-5."),
        "backwards": _("Write the earlier round first, such as 3-5."),
    }

    def to_python(self, value: object) -> tuple[int, ...]:
        if value in self.empty_values:
            return ()
        numbers: set[int] = set()
        text = str(value)
        for part in text.replace("–", "-").split(","):
            if len(text) > LONGEST or not ROUNDS.fullmatch(part):
                raise ValidationError(self.error_messages["invalid"], code="invalid")
            first, _dash, last = part.partition("-")
            span = range(int(first), int(last or first) + 1)
            if not span:
                raise ValidationError(self.error_messages["backwards"], code="backwards")
            numbers.update(span)
        return tuple(sorted(numbers))


class ByeForm(forms.Form):
    participant = forms.TypedChoiceField(label=_("Player"), coerce=int)
    rounds = ByeRoundsField(label=_("Rounds"), help_text=_("For example 3, or 3, 5, or 3-5."))
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (ByeKind.HALF.value, _("Half-point bye")),
            (ByeKind.ZERO.value, _("Zero-point bye (absent)")),
            (ByeKind.FULL.value, _("Full-point bye")),
        ],
        initial=ByeKind.HALF.value,
    )

    def __init__(self, *args: Any, players: Sequence[Participant], **options: Any) -> None:
        super().__init__(*args, **options)
        if is_long(players):
            self.fields["participant"] = PlayerChoiceField(
                label=_("Player"), help_text=_("Type the number, or letters of the name.")
            )
            offer_players(self, "participant", players)
        else:
            offer_choices(self, "participant", [("", _("Choose a player")), *map(_choice, players)])

    def clean_participant(self) -> int:
        """Return the key of the player."""
        chosen: int | Participant = self.cleaned_data["participant"]
        return chosen.pk if isinstance(chosen, Participant) else chosen


def _choice(entry: Participant) -> tuple[int, str]:
    name = entry.player.name
    return entry.pk, f"{name} ({entry.tpn})" if entry.tpn else name
