"""Forms of an event and of the people who run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from base.zones import zone_called, zone_names, zone_of_city
from tournaments.files import cell_values
from tournaments.files.federations import fide_code
from tournaments.models import Event
from tournaments.models.events import CHOSEN_STATES, EventState, federation_code
from web.forms.conflict_check import ConflictCheckForm
from web.forms.fields import apply_rules

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_ZONE = 64


def day(label: StrOrPromise) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class CapitalsField(forms.CharField):
    """A federation: three letters, made capitals, or the name of a country. Which codes there are is a rule.

    Room for three letters alone would cut a name: "Austria" would be sent as the code of Australia.
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("label", _("Federation"))
        widget = forms.TextInput(
            attrs={"size": 4, "maxlength": 40, "autocapitalize": "characters", "class": "short"}
        )
        super().__init__(required=False, widget=widget, validators=[federation_code], **options)

    def to_python(self, value: object) -> str:
        typed = str(super().to_python(value))
        return (fide_code(typed) if len(typed) > 3 else "") or typed.upper()


ZONE_HINT = gettext_noop("For all times on pages and paper. Empty: the time zone of the server, %(zone)s.")


class ZoneField(forms.CharField):
    """A time zone, found by typing a part of its name (templates/staff/events_form.html lists them)."""

    def __init__(self) -> None:
        widget = forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"})
        hint = lazy(lambda: gettext(ZONE_HINT) % {"zone": settings.TIME_ZONE}, str)()
        super().__init__(
            label=_("Time zone"), max_length=LONGEST_ZONE, required=False, widget=widget, help_text=hint
        )

    def to_python(self, value: object) -> str:
        """As the database of zones writes it. Raises ValidationError."""
        typed = str(super().to_python(value))
        if len(typed) > LONGEST_ZONE:
            return typed  # refused as too long
        found = zone_called(typed) or zone_of_city(typed)
        if typed and not found:
            sentence = _(
                "“%(zone)s” is not a time zone. Type a city and choose from the list, such as Europe/Vienna."
            )
            raise ValidationError(sentence, code="zone", params={"zone": typed})
        return found

    @property
    def zones(self) -> tuple[str, ...]:
        return zone_names()


class EventForm(ConflictCheckForm):
    name = forms.CharField(label=pgettext_lazy("of an event", "Name"), max_length=120)
    start = day(_("First day"))
    end = day(_("Last day"))
    city = forms.CharField(label=_("City"), max_length=80, required=False)
    federation = CapitalsField(help_text=_("FIDE's code, such as NED."))
    chief_arbiter = forms.CharField(label=_("Chief arbiter"), max_length=120, required=False)
    deputy_arbiters = forms.CharField(
        label=_("Deputy arbiters"),
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One name on each line."),
    )
    time_control = forms.CharField(
        label=_("Time control"),
        max_length=120,
        required=False,
        help_text=_("For example 90 min + 30 s per move."),
    )
    time_zone = ZoneField()
    state = forms.ChoiceField(
        label=_("Who sees the event"),
        choices=[(state.value, state.label) for state in CHOSEN_STATES],
        widget=forms.RadioSelect,
    )
    indexed = forms.BooleanField(
        label=_("Search engines may list this event"),
        required=False,
        help_text=_("Names of players can then be found by searching the web."),
    )
    contact = forms.CharField(
        label=_("Contact about personal data"),
        max_length=200,
        required=False,
        help_text=_(
            "Everybody can read it. Players ask this contact what is kept about them. Example: a name and an "
            "e-mail address."
        ),
    )

    embed_sites = forms.CharField(
        label=_("Web sites that may embed lists"),
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
        help_text=_("One address on each line, such as https://club.example."),
    )
    public_pgn = forms.BooleanField(
        label=_("Everyone may download the boards of a round as PGN"),
        required=False,
        help_text=_("For programs that transmit games. It has names, titles and ratings, and no FIDE IDs."),
    )

    sections_apart = forms.BooleanField(
        label=_("The sections play at different times"),
        required=False,
        help_text=_("Then a player may be entered in several sections without a question."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        start, end = cleaned.get("start"), cleaned.get("end")
        if start and end and end < start:
            self.add_error("end", ValidationError(_("The last day is before the first day."), code="dates"))
        apply_rules(self, cleaned, {"federation": cell_values.federation})
        return cleaned

    @classmethod
    def initial_of(cls, event: Event) -> dict[str, Any]:
        return {name: getattr(event, name) for name in cls.base_fields}

    @classmethod
    def initial_of_new(cls) -> dict[str, Any]:
        today = timezone.localdate()
        return {"start": today, "end": today, "state": EventState.PUBLIC.value}
