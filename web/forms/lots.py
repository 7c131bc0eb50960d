"""The form for numbers that the players drew at the board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from base.reader import READER
from base.text import isolated
from tournaments.models import Participant

from .equals import EqualsForm


class LotsForm(EqualsForm):
    """A number for each player. Nobody draws the number of somebody else, so two equal numbers are an error."""

    def __init__(self, data: Mapping[str, Any] | None, *, group: Sequence[Participant]) -> None:
        super().__init__(data, group=group)
        for entry in group:
            self.fields[f"place-{entry.pk}"].label = _("Number of %(name)s") % {
                "name": isolated(entry.player.name)
            }

    def clean(self) -> dict[str, Any]:
        typed: dict[int, list[Participant]] = defaultdict(list)
        for entry in self.group:
            number = self.cleaned_data.get(f"place-{entry.pk}")
            if number is not None:
                typed[number].append(entry)
        for entries in typed.values():
            for entry in entries if len(entries) > 1 else ():
                names = READER.listed(
                    [isolated(other.player.name) for other in entries if other is not entry]
                )
                self.add_error(f"place-{entry.pk}", _("Also typed for %(names)s.") % {"names": names})
        return self.cleaned_data
