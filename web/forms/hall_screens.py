"""Forms of the screens that arbiters control from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.actions.hall import LONGEST_MESSAGE
from tournaments.actions.screens import LONGEST_NAME
from tournaments.models import Event, Screen
from tournaments.models.screen import (
    FEWEST_ROWS,
    FEWEST_SECONDS,
    MOST_PARTS,
    MOST_ROWS,
    MOST_SECONDS,
)
from web.languages import offered

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class NewScreenForm(forms.Form):
    name = forms.CharField(
        label=pgettext_lazy("of a screen", "Name"),
        max_length=LONGEST_NAME,
        help_text=_("Where it hangs, for example: Left projector."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def number(label: StrOrPromise, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, widget=forms.NumberInput(attrs={"inputmode": "numeric"})
    )


class ScreenForm(forms.Form):
    """What a screen shows and how, apart from the list, which has a button of its own."""

    section = forms.TypedChoiceField(label=_("Section"), required=False, coerce=int, empty_value=None)
    message = forms.CharField(
        label=_("Message"),
        required=False,
        max_length=LONGEST_MESSAGE,
        help_text=_("At the bottom of the screen, or alone. For example: Round 5 begins at 15:10."),
    )
    theme = forms.ChoiceField(label=_("Light or dark"), choices=Screen.Theme.choices)
    language = forms.ChoiceField(label=_("Language"), required=False)
    rows = number(_("Rows on a page"), FEWEST_ROWS, MOST_ROWS)
    seconds = number(_("Seconds for a page"), FEWEST_SECONDS, MOST_SECONDS)
    part = number(_("This is screen number"), 1, MOST_PARTS)
    parts = number(_("of so many screens"), 1, MOST_PARTS)

    def __init__(self, data: QueryDict | None, *, screen: Screen) -> None:
        initial = {name: getattr(screen, name) for name in self.base_fields if name != "section"}
        super().__init__(data, initial={**initial, "section": screen.section_id})
        sections = self.fields["section"]
        assert isinstance(sections, forms.TypedChoiceField)
        sections.choices = [("", _("All sections, after each other")), *sections_of(screen.event)]
        languages = self.fields["language"]
        assert isinstance(languages, forms.ChoiceField)
        languages.choices = [("", _("That of the browser at the screen")), *offered()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        part, parts = cleaned.get("part"), cleaned.get("parts")
        if part and parts and part > parts:
            self.add_error(
                "part", forms.ValidationError(_("There are only %(parts)s screens."), params={"parts": parts})
            )
        return cleaned


def sections_of(event: Event) -> list[tuple[int, str]]:
    return list(event.sections.filter(taken_away=False).values_list("pk", "name"))
