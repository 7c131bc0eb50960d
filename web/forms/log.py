"""The search in the log, and the reason for undoing an action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.queries.log import SEARCH_LENGTH, LogFilter
from web.forms.fields import offer_choices
from web.words.values import command_words, name_words


class LogForm(forms.Form):
    """Every field may be empty. A field with a wrong value is ignored."""

    q = forms.CharField(label=_("Search the log"), required=False, max_length=SEARCH_LENGTH)
    who = forms.ChoiceField(label=_("Who"), required=False)
    action = forms.ChoiceField(label=_("Action"), required=False)
    round = forms.TypedChoiceField(label=_("Round"), required=False, coerce=int, empty_value=None)
    first = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    last = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        people: Iterable[str],
        actions: Iterable[tuple[str, str]],
        rounds: Iterable[int],
        personal: bool,
    ) -> None:
        """personal: as in `LogFilter`."""
        super().__init__(data, auto_id="log-%s")
        anybody = ("", _("anybody"))
        offer_choices(self, "who", [anybody, *((name, name_words(name)) for name in people)])
        offer_choices(self, "action", [("", _("anything")), *actions])
        offer_choices(self, "round", [("", _("any")), *((number, str(number)) for number in rounds)])
        self.titles = dict(actions)
        self.personal = personal

    def wanted(self) -> LogFilter:
        """What to search for; wrong values are left out."""
        self.is_valid()
        asked = self.cleaned_data
        words = self.data.get("q", "")
        each = words[:SEARCH_LENGTH].split()
        named = {
            word: [key for key, title in self.titles.items() if word.casefold() in str(title).casefold()]
            for word in each
        }
        commands = [word for word in each if word.casefold() in command_words().casefold()]
        return LogFilter(
            words=words,
            who=asked.get("who", ""),
            action=asked.get("action", ""),
            round_number=asked.get("round"),
            first_day=asked.get("first"),
            last_day=asked.get("last"),
            named=named,
            commands=commands,
            personal=self.personal,
        )

    @property
    def narrows(self) -> bool:
        """Whether a field other than the words is filled in."""
        return any(self.data.get(name) for name in ("who", "action", "round", "first", "last"))


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), required=False, max_length=300)
