"""Forms of the ratings of a section: the method of record 172, and rating periods."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from base.text import isolated
from tournaments.files import cell_values
from tournaments.models import Participant, Section
from web.forms.conflict_check import ConflictCheckForm
from web.forms.events import CapitalsField


class PeriodRoundsField(forms.CharField):
    """Numbers of rounds, such as 4 7, with blanks or commas between them."""

    def prepare_value(self, value: object) -> object:
        return " ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def clean(self, value: object) -> list[int]:
        text = value if isinstance(value, str) else str(self.prepare_value(value) or "")
        words = re.split(r"[\s,;]+", text.strip())
        if any(word and not word.isdecimal() for word in words) or len(text) > 200:
            raise forms.ValidationError(_("Write numbers of rounds, such as 4, 7."))
        return [int(word) for word in words if word]


class RatingMethodForm(ConflictCheckForm):
    """Which rating is the tournament rating, and what numbers equal players."""

    rating_method = forms.ChoiceField(label=_("Tournament rating"), choices=Section.RatingMethod.choices)
    rating_federation = CapitalsField(
        label=_("Federation of the national ratings"),
        help_text=_("Three letters, such as NED. Empty: the federation of the event."),
    )
    equals_by = forms.ChoiceField(
        label=_("Order of players with the same rating and title"), choices=Section.EqualsBy.choices
    )

    def __init__(self, *args: Any, section: Section, locked: bool = False, **options: Any) -> None:
        options["initial"] = {name: getattr(section, name) for name in self.base_fields}
        super().__init__(*args, **options)
        if locked:
            self.lock()


class RatingPeriodsForm(ConflictCheckForm):
    """The rating periods of a tournament of more than 30 days."""

    longer_than_30_days = forms.BooleanField(
        label=_("The tournament lasts more than 30 days"), required=False
    )
    period_starts = PeriodRoundsField(
        label=_("First rounds of the later rating periods"),
        required=False,
        help_text=_("For example 4, 7: rounds 1 to 3, rounds 4 to 6, and the rounds from 7 on."),
    )
    period_counted = forms.ChoiceField(
        label=_("Rating in tie-breaks from ratings"), choices=Section.PeriodCounted.choices
    )

    def __init__(self, *args: Any, section: Section, **options: Any) -> None:
        options["initial"] = {name: getattr(section, name) for name in self.base_fields}
        super().__init__(*args, **options)


class PeriodRatingsForm(forms.Form):
    """The official rating of each player in a later period; nothing where it stays as it was."""

    def __init__(self, *args: Any, entries: Iterable[Participant], period: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self.entries = tuple(entries)
        for entry in self.entries:
            self.fields[f"rating-{entry.pk}"] = forms.IntegerField(
                label=gettext("Rating of %(name)s") % {"name": isolated(entry.player.name)},
                required=False,
                min_value=0,
                max_value=cell_values.HIGHEST_RATING,
                initial=entry.period_ratings.get(str(period)),
                widget=forms.TextInput(
                    attrs={"inputmode": "numeric", "placeholder": _before(entry, period), "maxlength": 4}
                ),
            )

    @property
    def lines(self) -> list[tuple[Participant, forms.BoundField]]:
        return [(entry, self[f"rating-{entry.pk}"]) for entry in self.entries]

    def ratings(self) -> dict[int, int | None]:
        return {entry.pk: self.cleaned_data[f"rating-{entry.pk}"] for entry in self.entries}


def _before(entry: Participant, period: int) -> str:
    """Return the official rating before a period, which counts if its field is empty."""
    numbers = [number for number in map(int, entry.period_ratings) if number < period]
    return str((entry.period_ratings[str(max(numbers))] if numbers else entry.official_rating) or "")
