"""Forms of a forbidden pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Participant
from tournaments.models.section import MAX_ROUNDS
from tournaments.reader import READER
from tournaments.text import folded
from tournaments.web.forms.seen import SeenForm
from tournaments.web.views.public.finding import find_key, found

SHOWN = 5
WIDGET = {"list": "players", "autocomplete": "off", "spellcheck": "false"}


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


class RoundsForm(SeenForm):
    """The rounds of a forbidden pair, and the reason. Without a last round: to the end of the section."""

    first_round = forms.IntegerField(label=gettext_lazy("From round"), min_value=1, max_value=MAX_ROUNDS)
    last_round = forms.IntegerField(
        label=gettext_lazy("To round"), min_value=1, max_value=MAX_ROUNDS, required=False
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=120)


class ForbiddenPairForm(RoundsForm):
    first = PlayerField(
        label=gettext_lazy("Player"), help_text=gettext_lazy("Type the number, or letters of the name.")
    )
    second = PlayerField(label=gettext_lazy("Other player"))
    field_order = ("first", "second")

    def __init__(self, *args: Any, players: Sequence[Participant], **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("first", "second"):
            field = self.fields[name]
            assert isinstance(field, PlayerField)
            field.players = players
