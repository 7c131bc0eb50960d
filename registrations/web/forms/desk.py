"""What the desk sends: a mark with what the device showed, and the corrections that everybody at the desk may make."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from registrations.actions.marking import CORRECTED, Mark
from registrations.web.forms.public import plain_inputs, text
from tournaments.imports import cells
from tournaments.player_fields import AT_DESK
from web.forms.events import CapitalsField
from web.forms.rules import apply_rules

LONGEST_WAY = timedelta(days=7)
"""Of a mark, from the press to this server: a device may find the network again after the event."""


class CorrectionForm(forms.Form):
    """The data that are read aloud at the desk. `shown_...` of a field is what the device showed."""

    name = text(_("Name"), 120, required=True)
    federation = CapitalsField()
    fide_id = forms.IntegerField(
        label=_("FIDE ID"),
        min_value=1,
        max_value=99_999_999_999,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    vars().update(plain_inputs(AT_DESK))

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        return [self[field.name] for field in AT_DESK]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        apply_rules(self, cleaned, {"name": cells.name, "federation": cells.federation})
        return cleaned

    def fields_of_mark(self) -> dict[str, tuple[Any, Any]]:
        """Return each field that is not as it was shown."""
        changed = {}
        for name in CORRECTED:
            shown = self.data.get(f"shown_{name}", "")[:200]
            typed = self.cleaned_data[name]
            if str(typed or "") != shown:
                changed[name] = (number(shown) if name == "fide_id" else shown, typed)
        return changed


def number(typed: str) -> int:
    """Return a typed number, 0 for none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 16 else 0


def read_mark(typed: Mapping[str, str], balance: int, fields: Mapping[str, tuple[Any, Any]]) -> Mark:
    """Return what was noted. balance: what is owed now, for a page that does not say what it showed."""
    asked = typed.get("do", "")
    owed = number(typed["owed"]) if "owed" in typed else max(balance, 0)
    return Mark(
        key=typed.get("key", "")[:40],
        ago=min(timedelta(milliseconds=number(typed.get("ago", ""))), LONGEST_WAY),
        waited=typed.get("waited") == "yes",
        here={"here": True, "both": True, "away": False}.get(asked),
        paid=(number(typed.get("paid", "")) or owed) if asked in ("paid", "both") else 0,
        owed=owed,
        undoes=typed.get("undoes", "")[:40],
        fields=fields,
    )
