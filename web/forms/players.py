"""A field for a player, by number or by letters of the name. The page has a <datalist> with the id `players`.

A menu of all players of a long section would be the largest part of its page. So the server suggests the players
whom the typed words find.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from base.reader import READER
from base.text import folded
from tournaments.models import Participant
from web.requests import PersonRequest
from web.views.public.finding import LONGEST_SEARCH, find_key, found, keep_found
from web.views.public.parts import WHOLE, keyed

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


class PlayerField(forms.CharField):
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
    assert isinstance(field, PlayerField)
    field.players = players
    if is_long(players):
        field.widget.attrs |= ASKS


def suggestions(request: PersonRequest, players: Sequence[Participant], words: str) -> HttpResponse:
    """Return what to put into the <datalist>: the first players whom the words find."""
    search = words.replace("\x00", "").strip()[:LONGEST_SEARCH]
    hits = keep_found(keyed(players, _key), search) if search else []
    return render(
        request, "staff/player_options.html", {"players": [row for row, _words in islice(hits, SUGGESTED)]}
    )
