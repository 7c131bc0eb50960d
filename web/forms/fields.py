"""Fields that several forms have: points (1, ½, 0.5), a player, choices known only when the form is made.

A player is typed by number or by letters of the name; the page has a <datalist> with the id `players`. The rules of an
imported list apply to what is typed into a form, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.reader import READER
from base.text import folded
from tournaments.files.list_refusals import CellRefused, RefusalReason
from tournaments.models import Participant
from web.requests import PersonRequest
from web.views.public.lists import LONGEST_SEARCH, WHOLE, find_key, found, keep_found, keyed
from web.words.values import points_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


# A field for points: 1, ½, 0.5.

POINTS = re.compile(r"([0-9]{0,3})(½|[.,][0-9])?")


class PointsField(forms.Field):
    """Points in tenths, read from 1, ½, 1½, 0.5 or 0,5."""

    default_error_messages = {
        "invalid": gettext_lazy("Write points as 1, ½ or 0.5."),
    }

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "maxlength": 6, "size": 4})
        super().__init__(widget=widget, **options)

    def to_python(self, value: object) -> int | None:
        if value in self.empty_values:
            return None
        if isinstance(value, int):  # the value of a field that nobody can change, in tenths
            return value
        match = POINTS.fullmatch(str(value).replace(" ", ""))
        if match is None or not any(match.groups()):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        whole, rest = match.groups()
        return 10 * int(whole or 0) + (5 if rest == "½" else int(rest[1]) if rest else 0)

    def prepare_value(self, value: object) -> object:
        return points_text(value) if isinstance(value, int) else value


# A field for a time of day.

CLOCK = re.compile(r"\s*([0-9]{1,2})(?:\s?[:.,hH]\s?([0-9]{2})|([0-9]{2}))?\s*")


class ClockField(forms.TimeField):
    """A time of day as people type it: 16:30, 16.30, 1630, 9.30, 930, 16h30, or the hour alone."""

    default_error_messages = {"invalid": gettext_lazy("Write the time as 14:00.")}

    def __init__(self, **options: Any) -> None:
        # type="time" would show 12 hours where the browser speaks English
        clock = forms.TimeInput(attrs={"placeholder": "14:00", "size": 5}, format="%H:%M")
        super().__init__(required=False, widget=clock, input_formats=["%H:%M"], **options)

    def to_python(self, value: Any) -> Any:
        typed = CLOCK.fullmatch(value) if isinstance(value, str) else None
        return super().to_python(f"{typed[1]}:{typed[2] or typed[3] or '00'}" if typed else value)


# A field for a player, by number or by letters of the name. The page has a <datalist> with the id `players`.
#
# A menu of all players of a long section would be the largest part of its page. So the server suggests the
# players whom the typed words find.

SHOWN = 5
SUGGESTED = 20
WIDGET = {"list": "players", "autocomplete": "off", "spellcheck": "false"}
ASKS = {
    "hx-get": "",
    "hx-trigger": "input changed delay:200ms",
    "hx-target": "#players",
    "hx-swap": "innerHTML",
    "hx-sync": "this:replace",
}
"""The field of a long section asks for suggestions."""


class PlayerChoiceField(forms.CharField):
    """A player by number or by letters of the name; gives the Participant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=140, widget=forms.TextInput(attrs=WIDGET), **options)
        self.players: Sequence[Participant] = ()

    def clean(self, value: object) -> Participant:
        text = super().clean(value)
        search = folded(text)
        hits = [player for player in self.players if found(_key(player), search)] if search else []
        exact = [
            player
            for player in hits
            if search in (str(player.tpn), folded(str(player)), folded(player.player.name))
        ]
        hits = exact or hits
        if not hits:
            raise ValidationError(_("No player of this section has this number or name."))
        if len(hits) > 1:
            names = READER.listed(hits, "semicolon", longest=SHOWN)
            raise ValidationError(
                _("Several players match: %(names)s. Type the number of one of them.") % {"names": names}
            )
        return hits[0]


def _key(player: Participant) -> str:
    return find_key(player.tpn, player.player.name)


def is_long(players: Sequence[Participant]) -> bool:
    """Return whether there are too many players for a menu."""
    return len(players) > WHOLE


def offer_players(form: forms.Form, name: str, players: Sequence[Participant]) -> None:
    """Let a person choose one of these players in the field of this name."""
    field = form.fields[name]
    assert isinstance(field, PlayerChoiceField)
    field.players = players
    if is_long(players):
        field.widget.attrs |= ASKS


def suggestions(request: PersonRequest, players: Sequence[Participant], words: str) -> HttpResponse:
    """Return what to put into the <datalist>: the first players whom the words find."""
    search = words.replace("\x00", "").strip()[:LONGEST_SEARCH]
    hits = keep_found(keyed(players, _key), search) if search else []
    return render(
        request, "staff/entries_options.html", {"players": [row for row, _words in islice(hits, SUGGESTED)]}
    )


# The choices of a field that are known only when its form is made.


def offer_choices(form: forms.Form, name: str, choices: Iterable[tuple[object, StrOrPromise]]) -> None:
    """Let a person choose one of these values in the field of this name. choices: each value with its words."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


# The rules of an imported list, applied to what is typed into a form.


def apply_rules(form: forms.Form, cleaned: dict[str, Any], rules: Mapping[str, Callable[[str], Any]]) -> None:
    """Replace values by what their rule makes of them, or put its sentence under the field.

    A value that the form showed stays as it is: an imported report may have left there what no rule allows.
    """
    for name, rule in rules.items():
        value = cleaned.get(name)
        if value in (None, "", 0) or value == form.initial.get(name):
            continue
        try:
            cleaned[name] = rule(str(value))
        except CellRefused as refused:
            about = {"column": form.fields[name].label, "value": str(value)[:60], **refused.extra}
            form.add_error(name, ValidationError(str(RefusalReason(refused.code, about)), code=refused.code))
