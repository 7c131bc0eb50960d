"""Forms of a forbidden pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.models import Participant
from tournaments.models.section import MAX_ROUNDS
from web.forms.players import PlayerField, offer_players
from web.forms.seen import SeenForm


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
            offer_players(self, name, players)
