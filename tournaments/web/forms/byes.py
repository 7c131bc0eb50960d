"""The form of a requested bye."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from pairing.engine import ByeKind
from tournaments.web.forms.choices import offer

LONGEST = 60
ROUNDS = re.compile(r"\s*[0-9]{1,2}\s*(-\s*[0-9]{1,2}\s*)?")


class RoundsField(forms.Field):
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
    rounds = RoundsField(label=_("Rounds"), help_text=_("For example 3, or 3, 5, or 3-5."))
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (ByeKind.HALF.value, _("Half-point bye")),
            (ByeKind.ZERO.value, _("Zero-point bye (absent)")),
            (ByeKind.FULL.value, _("Full-point bye")),
        ],
        initial=ByeKind.HALF.value,
    )

    def __init__(self, *args: Any, players: Iterable[tuple[int, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        offer(self, "participant", [("", _("Choose a player")), *players])
