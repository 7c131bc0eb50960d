"""Forms that know what they showed: what a person left alone is not written, and a clash is decided by a person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Self

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.actions.fields import plain
from tournaments.templatetags.marks import points_text
from tournaments.web.forms.points import PointsField

LONGEST_SEEN = 20_000


@dataclass(frozen=True, slots=True)
class Contest:
    """What two people have changed: the names of its fields, what it is called, both values as people read them."""

    names: tuple[str, ...]
    label: str
    theirs: str
    mine: str


class SeenForm(forms.Form):
    """A form that sends back what it showed (components/seen.html), beside what stands there now.

    contested: what somebody else has changed as well, while the page was open. by, at: who, and when.
    """

    contested: Sequence[Contest] = ()
    by = ""
    at: datetime | None = None
    _now: Mapping[str, Any] | None = None

    @property
    def shown(self) -> dict[str, Any]:
        """What the page showed, by field: as it was sent, or what is there now."""
        now = self._now or {
            name: plain(self.get_initial_for_field(field, name)) for name, field in self.fields.items()
        }
        sent = _read(self.data.get("seen", "")) if self.is_bound else {}
        return {**now, **{name: value for name, value in sent.items() if name in now}}

    @property
    def shown_text(self) -> str:
        return json.dumps(self.shown)

    @property
    def left(self) -> Sequence[str]:
        """The fields of which the person has chosen the other one's values; said again with each sending."""
        if not self.is_bound or self.data.get("take") != "theirs":
            return ()
        return [name for name in self.data.getlist("contested") if name in self.fields]

    def changes(self) -> dict[str, Any]:
        """What differs from what the page showed; but for what the person leaves to the other one."""
        shown = self.shown
        left = self.left
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name in self.fields
            and not self.fields[name].disabled
            and name not in left
            and _same_lines(plain(value)) != _same_lines(shown[name])
        }

    def wanted(self) -> dict[str, Any]:
        """Every value: what the person changed, and what the page showed of the rest."""
        return {**self.cleaned_data, **{n: v for n, v in self.shown.items() if n not in self.changes()}}

    def ask(self, theirs: Mapping[str, Any], last: tuple[str, datetime | None], fresh: Self) -> Self:
        """The form to answer with, when `theirs` has come in between; nothing is written yet.

        last: who wrote them, and when. fresh: the form with what stands now; it gets the changes of this one, and shows
        both values of each clash.
        """
        mine = self.changes()
        fresh._now = fresh.shown
        fresh.initial = {**fresh.initial, **mine}
        fresh.by, fresh.at = last
        fresh.contested = self.contests(theirs)
        return fresh

    def contests(self, theirs: Mapping[str, Any]) -> list[Contest]:
        """Both values of each clash. theirs: by the names of fields."""
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


def _read(text: str) -> dict[str, Any]:
    """What a page sent back; nothing where it was tampered with."""
    try:
        sent = json.loads(text[:LONGEST_SEEN]) if text else {}
    except ValueError:
        return {}
    return sent if isinstance(sent, dict) else {}


def _same_lines(value: Any) -> Any:
    """Browsers send a line's end as two characters."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


def in_words(field: forms.Field, value: Any) -> str:
    """A value as people read it."""
    if isinstance(field, forms.BooleanField):
        return _("yes") if value else _("no")
    if value in (None, ""):
        return _("nothing")
    if isinstance(field, PointsField):
        return points_text(value)
    if isinstance(field, forms.ChoiceField):
        return str(dict(field.choices).get(value, value))
    if isinstance(field, forms.DateField):
        return date_format(date.fromisoformat(value) if isinstance(value, str) else value, "j M Y")
    return str(value)
