"""The form in which players of one rating get another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.models import Participant


class EqualsForm(forms.Form):
    """A place for each player of a group, of which any number may be typed anew; the others move up or down."""

    def __init__(self, data: Any, *, group: Sequence[Participant]) -> None:
        super().__init__(data, auto_id=f"{group[0].rating}-%s")
        self.group = group
        for place, participant in enumerate(group, start=1):
            self.fields[f"place-{participant.pk}"] = forms.IntegerField(
                label=_("Place of %(name)s") % {"name": participant.player.name},
                min_value=1,
                max_value=len(group),
                initial=place,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )

    @property
    def lines(self) -> list[tuple[Participant, forms.BoundField]]:
        return [(participant, self[f"place-{participant.pk}"]) for participant in self.group]

    def order(self) -> list[int]:
        """The keys of the players in the order asked for. Who was moved up comes before who stood there, who was
        moved down after.
        """

        def asked(item: tuple[int, Participant]) -> tuple[int, int, int]:
            place, participant = item
            wanted = self.cleaned_data[f"place-{participant.pk}"]
            return wanted, (wanted > place) - (wanted < place), place

        return [participant.pk for _place, participant in sorted(enumerate(self.group, start=1), key=asked)]
