"""Forms of the programs that use the API for an event."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Scope, WebhookMessage
from tournaments.models.programs import all_kinds

from .events import day
from .logins import ProvenForm

USUAL = timedelta(days=30)
KINDS = [choice for choice in WebhookMessage.Kind.choices if choice[0] in all_kinds()]


class WebhookForm(forms.Form):
    address = forms.URLField(
        label=pgettext_lazy("of a program", "Address"),
        max_length=300,
        assume_scheme="https",
        help_text=_("It begins with https://. The other program tells you its address."),
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Messages about"), widget=forms.CheckboxSelectMultiple, choices=KINDS, initial=all_kinds
    )


class TokenForm(ProvenForm):
    """last_day: the token works until the end of this day."""

    name = forms.CharField(
        label=pgettext_lazy("of a program", "Name"),
        max_length=60,
        help_text=_("Which program it is for, for example: results on our web site."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What the program may do"),
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.LISTS_READ.value],
    )
    last_day = day(_("Last day"))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        scopes = [
            (scope.value, format_html('<code translate="no">{}</code> {}', scope.value, scope.label))
            for scope in Scope
        ]
        self.fields["scopes"].choices = scopes  # type: ignore[attr-defined]  # of Django
        self.fields["last_day"].initial = timezone.localdate() + USUAL

    @property
    def expires_at(self) -> datetime:
        return timezone.make_aware(datetime.combine(self.cleaned_data["last_day"], time(23, 59, 59)))
