"""Forms that know what they showed: only changed values are written; a person decides between two changes of one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Self, cast

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from base.reader import READER, date_format
from tournaments.actions.ledger import plain_value
from web.forms.fields import PointsField
from web.words.values import points_text

LONGEST_SEEN = 20_000


@dataclass(frozen=True, slots=True)
class Contest:
    """A value that two people have changed: the names of its fields, its label, and both values in words."""

    names: tuple[str, ...]
    label: str
    theirs: str
    mine: str


class ConflictCheckForm(forms.Form):
    """A form that sends back the values that it showed (components/seen.html).

    contested: values that somebody else has also changed while the page was open. by, at: who, and when.
    """

    contested: Sequence[Contest] = ()
    by = ""
    at: datetime | None = None
    _now: Mapping[str, Any] | None = None

    @property
    def shown(self) -> dict[str, Any]:
        """The values that the page showed, by field: as the page sent them, else those of now."""
        now = self._now or {
            name: plain_value(self.get_initial_for_field(field, name)) for name, field in self.fields.items()
        }
        sent = read_seen(self.data.get("seen", "")) if self.is_bound else {}
        return {**now, **{name: value for name, value in sent.items() if name in now}}

    @property
    def shown_text(self) -> str:
        return json.dumps(self.shown)

    @property
    def left(self) -> Sequence[str]:
        """The fields for which the person keeps the other's values; the page sends them each time."""
        if not self.is_bound or self.data.get("take") != "theirs":
            return ()
        assert isinstance(self.data, MultiValueDict)
        return [name for name in self.data.getlist("contested") if name in self.fields]

    def changes(self) -> dict[str, Any]:
        """The values that the person changed, except those in `left`."""
        shown = self.shown
        left = self.left
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name in self.fields
            and not self.fields[name].disabled
            and name not in left
            and _same_lines(plain_value(value)) != _same_lines(shown[name])
        }

    def lock(self) -> None:
        """Show all values as text: nothing can change."""
        for field in self.fields.values():
            field.disabled = True

    def value_in_words(self, name: str, value: Any) -> str:
        return in_words(self.fields[name], value)

    def wanted(self) -> dict[str, Any]:
        """Every value: as the person changed it, or as the page showed it."""
        return {**self.cleaned_data, **{n: v for n, v in self.shown.items() if n not in self.changes()}}

    def ask(self, theirs: Mapping[str, Any], last: tuple[str, datetime | None], fresh: Self) -> Self:
        """The form to show when somebody else has written `theirs` in the meantime; nothing is written yet.

        last: who wrote them, and when. fresh: the form with the values of now. It gets the changes of this form and
        shows both values of each conflict.
        """
        mine = self.changes()
        fresh._now = fresh.shown
        fresh.initial = {**fresh.initial, **mine}
        fresh.by, fresh.at = last
        fresh.contested = self.contests(theirs)
        return fresh

    def contests(self, theirs: Mapping[str, Any]) -> list[Contest]:
        """Both values of each conflict. theirs: the other person's, by the names of the fields."""
        fields = self.fields
        return [
            Contest(
                (name,),
                str(fields[name].label),
                in_words(fields[name], value),
                in_words(fields[name], self.cleaned_data[name]),
            )
            for name, value in theirs.items()
        ]


def read_seen(text: str) -> dict[str, Any]:
    """What a page sent back; empty if it is not valid."""
    try:
        sent = json.loads(text[:LONGEST_SEEN]) if text else {}
    except ValueError:
        return {}
    return sent if isinstance(sent, dict) else {}


def _same_lines(value: Any) -> Any:
    """A value with line ends as one character; browsers send two."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


def _choices(field: forms.ChoiceField) -> Iterable[tuple[object, object]]:
    return cast("Iterable[tuple[object, object]]", field.choices)  # as Django keeps those of our forms


def in_words(field: forms.Field, value: Any) -> str:
    """A value in words."""
    if isinstance(field, forms.BooleanField):
        return _("yes") if value else _("no")
    if value in (None, ""):
        return _("nothing")
    if isinstance(field, PointsField):
        return points_text(value)
    if isinstance(field, forms.MultipleChoiceField):
        return READER.listed([str(label) for key, label in _choices(field) if key in value])
    if isinstance(field, forms.ChoiceField):
        return str(dict(_choices(field)).get(value, value))
    if isinstance(field, forms.DateField):
        return date_format(date.fromisoformat(value) if isinstance(value, str) else value, "j M Y")
    return str(field.prepare_value(value))
