"""Forms of a correction of a result, and of a bonus or a penalty for a player."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evenboard_engine import Result
from tournaments.actions.corrections import CORRECT
from tournaments.actions.decided_points import LONGEST_REASON
from tournaments.queries.corrections import CorrectionWindow
from web.forms.fields import offer_choices
from web.words.values import result_sign, result_words

from .fields import PointsField

# The form of a correction.

NEXT, RATING = "next", "rating"
EFFECTS = {
    NEXT: _("In time: it counts for the standings and the next pairing"),
    RATING: _("Too late: it counts for rating only"),
}
MISLAID = _("In time, but not entered then: it counts for the standings and the next pairing")
WITHOUT_PAIRING = _("In time: it counts for the standings")
MISLAID_WITHOUT_PAIRING = _("In time, but not entered then: it counts for the standings")
LEFT = {
    CorrectionWindow.RUNNING: (NEXT,),
    CorrectionWindow.OPEN: (NEXT,),
    CorrectionWindow.REPAIR: (NEXT,),
    CorrectionWindow.NEXT: (NEXT,),
    CorrectionWindow.ENDED: (RATING, NEXT),
    CorrectionWindow.MISLAID: (RATING, NEXT),
    CorrectionWindow.RATING: (RATING,),
}
"""What GHR 4.3 allows, the usual choice first. Only errors that were reported before the end of a round are in time."""


class ResultCorrectionForm(forms.Form):
    """result: with the colours that were really played. turned: the colours in the program are the wrong way round.

    more_rounds: a round can still be paired.
    """

    effect = forms.ChoiceField(label=_("When the mistake was reported"), widget=forms.RadioSelect)
    turned = forms.BooleanField(label=_("The colours in the program are wrong"), required=False)
    result = forms.ChoiceField(
        label=_("Correct result"), widget=forms.Select(attrs={"autofocus": True, "autocomplete": "off"})
    )
    reason = forms.CharField(
        label=_("Who reported the mistake, and when"),
        max_length=300,
        help_text=_("This goes into the log."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, window: CorrectionWindow, more_rounds: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        effects = LEFT.get(window, ())
        if window is CorrectionWindow.MISLAID:
            in_time = MISLAID if more_rounds else MISLAID_WITHOUT_PAIRING
        else:
            in_time = EFFECTS[NEXT] if more_rounds else WITHOUT_PAIRING
        offer_choices(self, "effect", ((key, in_time if key == NEXT else EFFECTS[key]) for key in effects))
        self.fields["effect"].initial = effects[0] if effects else None
        results = [result for result in Result if result in CORRECT]
        offer_choices(
            self,
            "result",
            ((result.value, f"{result_sign(result)}  {result_words(result)}") for result in results),
        )
        if window is CorrectionWindow.RATING:
            del self.fields["turned"]


# A bonus or a penalty for a player.


class PointsForm(forms.Form):
    effect = forms.ChoiceField(
        label=_("What changes"),
        choices=[("less", _("Points are taken away")), ("more", _("Points are added"))],
        widget=forms.RadioSelect,
    )
    points = PointsField(label=_("Points"))
    after_round = forms.TypedChoiceField(label=_("After round"), coerce=int)
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)

    def __init__(self, data: Any = None, *, last: int) -> None:
        """last: the last published round."""
        super().__init__(data, initial={"effect": "less", "after_round": last})
        self.fields["after_round"].choices = [(number, str(number)) for number in range(1, last + 1)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("effect") == "less" and cleaned.get("points"):
            cleaned["points"] = -cleaned["points"]
        return cleaned
