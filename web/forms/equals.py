"""The form that changes the order of players with the same rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from base.text import isolated
from tournaments.models import Participant


class EqualsForm(forms.Form):
    """A place for each player of a group. The arbiter types new places for some; the others move up or down."""

    def __init__(self, data: Mapping[str, Any] | None, *, group: Sequence[Participant]) -> None:
        super().__init__(data, auto_id=f"{group[0].rating}-%s")
        self.group = group
        for place, participant in enumerate(group, start=1):
            self.fields[f"place-{participant.pk}"] = forms.IntegerField(
                label=_("Place of %(name)s") % {"name": isolated(participant.player.name)},
                min_value=1,
                max_value=len(group),
                initial=place,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )

    @property
    def lines(self) -> list[tuple[Participant, forms.BoundField]]:
        return [(participant, self[f"place-{participant.pk}"]) for participant in self.group]

    def order(self) -> list[int]:
        """The keys of the players in the new order.

        Of two players with the same place, one who was moved up to it comes first, one who was moved down to it last.
        """

        def asked(item: tuple[int, Participant]) -> tuple[int, int, int]:
            place, participant = item
            wanted = self.cleaned_data[f"place-{participant.pk}"]
            return wanted, (wanted > place) - (wanted < place), place

        return [participant.pk for _place, participant in sorted(enumerate(self.group, start=1), key=asked)]
