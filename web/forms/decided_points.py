"""A bonus or a penalty for a player."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.actions.points import LONGEST_REASON

from .points import PointsField


class PointsForm(forms.Form):
    effect = forms.ChoiceField(
        label=_("What changes"),
        choices=[("less", _("Points are taken away")), ("more", _("Points are added"))],
        widget=forms.RadioSelect,
    )
    points = PointsField(label=_("Points"))
    after_round = forms.TypedChoiceField(label=_("After round"), coerce=int)
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)

    def __init__(self, data: Any = None, *, last: int) -> None:
        """last: the last published round."""
        super().__init__(data, initial={"effect": "less", "after_round": last})
        self.fields["after_round"].choices = [(number, str(number)) for number in range(1, last + 1)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("effect") == "less" and cleaned.get("points"):
            cleaned["points"] = -cleaned["points"]
        return cleaned
