"""Forms of pairing numbers: the order of players with the same rating, and lots drawn at the board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from base.reader import READER
from base.text import isolated
from tournaments.models import Participant

# The form that changes the order of players with the same rating.


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


# The form for numbers that the players drew at the board.


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
