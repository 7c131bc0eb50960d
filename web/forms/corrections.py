"""The form of a correction."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evenboard_engine import Result
from tournaments.actions.corrections import CORRECT
from tournaments.queries.corrections import Window
from web.forms.choices import offer
from web.words.values import result_sign, result_words

NEXT, RATING = "next", "rating"
EFFECTS = {
    NEXT: _("In time: it counts for the standings and the next pairing"),
    RATING: _("Too late: it counts for rating only"),
}
MISLAID = _("In time, but not entered then: it counts for the standings and the next pairing")
WITHOUT_PAIRING = _("In time: it counts for the standings")
MISLAID_WITHOUT_PAIRING = _("In time, but not entered then: it counts for the standings")
LEFT = {
    Window.RUNNING: (NEXT,),
    Window.OPEN: (NEXT,),
    Window.REPAIR: (NEXT,),
    Window.NEXT: (NEXT,),
    Window.ENDED: (RATING, NEXT),
    Window.MISLAID: (RATING, NEXT),
    Window.RATING: (RATING,),
}
"""What GHR 4.3 allows, the usual choice first. Only errors that were reported before the end of a round are in time."""


class CorrectionForm(forms.Form):
    """result: with the colours that were really played. turned: the colours in the program are the wrong way round.

    more_rounds: a round can still be paired.
    """

    effect = forms.ChoiceField(label=_("When it was reported"), widget=forms.RadioSelect)
    turned = forms.BooleanField(label=_("The colours in the program are wrong"), required=False)
    result = forms.ChoiceField(label=_("Correct result"))
    reason = forms.CharField(
        label=_("Who reported it, and when"),
        max_length=300,
        help_text=_("This goes into the log."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, window: Window, more_rounds: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        effects = LEFT.get(window, ())
        if window is Window.MISLAID:
            in_time = MISLAID if more_rounds else MISLAID_WITHOUT_PAIRING
        else:
            in_time = EFFECTS[NEXT] if more_rounds else WITHOUT_PAIRING
        offer(self, "effect", ((key, in_time if key == NEXT else EFFECTS[key]) for key in effects))
        self.fields["effect"].initial = effects[0] if effects else None
        results = [result for result in Result if result in CORRECT]
        offer(
            self,
            "result",
            ((result.value, f"{result_sign(result)}  {result_words(result)}") for result in results),
        )
        if window is Window.RATING:
            del self.fields["turned"]
