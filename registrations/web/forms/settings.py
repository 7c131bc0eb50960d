"""The organiser's settings of the registration: one form for the event, one for each section."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from registrations.models import EventRegistration, SectionRegistration
from tournaments.files import cell_values
from tournaments.models import Title
from web.forms.events import day

from .money import CentsField
from .registration import text

MOST_QUESTIONS = 8


def moment(label: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=False, widget=widget, input_formats=["%Y-%m-%dT%H:%M"])


def count(label: Any, least: int, most: int, hint: Any = "", *, required: bool = False) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"class": "short"})
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, required=required, widget=widget, help_text=hint
    )


class EventRegistrationForm(forms.Form):
    opens_at = moment(_("Opens"))
    closes_at = moment(_("Closes"))
    intro = forms.CharField(
        label=_("Text above the form"),
        required=False,
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Prices, prizes, accommodation, a link to the invitation."),
    )
    confirm_by_mail = forms.BooleanField(
        label=_("Players confirm by the link in a mail"),
        required=False,
        help_text=_(
            "Switch it off where this server sends no mail. Then the player gets the link on the page."
        ),
    )
    shown = forms.ChoiceField(label=_("Public list shows"), choices=EventRegistration.Shown.choices)
    currency = forms.CharField(label=_("Currency"), max_length=3, required=False, help_text=_("Such as EUR."))
    pay_text = forms.CharField(
        label=_("How to pay"),
        required=False,
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Such as: by bank transfer, or in cash on the first day."),
    )
    pay_account = text(_("Account for the fee"), 120, _("Owner, IBAN, bank."))
    pay_reference = text(
        _("Reference of the payment"),
        60,
        _("The number of the registration and the name of the player are added."),
    )
    pay_by = day(_("Pay by"))
    organiser = text(
        _("Name at the end of mails"), 120, _("Empty: the contact of the event, else the name of the event.")
    )
    asks_phone = forms.BooleanField(label=_("Ask for a telephone number"), required=False)
    guardian_age = count(
        _("Guardian below the age of"), 0, 21, _("On the first day. 0: never."), required=True
    )
    questions = forms.CharField(
        label=_("More questions"),
        required=False,
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One question on each line."),
    )
    hold_hours = count(_("Hours to confirm"), 1, 240, required=True)
    correction_hours = count(_("Hours to correct"), 12, 720, required=True)
    offer_hours = count(_("Hours to take an offered place"), 12, 720, required=True)
    kept_days = count(
        _("Days until contacts are deleted"), 0, 365, _("After the last day of the event."), required=True
    )

    forms_an_hour = count(
        _("Forms in an hour from one address"),
        1,
        10_000,
        _(
            "A school or a mobile network has one address. "
            "Players who send a form above this number keep their place, and must press one more button."
        ),
        required=True,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["pay_by"].required = False

    def clean_questions(self) -> list[str]:
        lines = [line.strip()[:150] for line in str(self.cleaned_data["questions"]).splitlines()]
        return [line for line in lines if line][:MOST_QUESTIONS]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        opens, closes = cleaned.get("opens_at"), cleaned.get("closes_at")
        if opens and closes and opens >= closes:
            self.add_error("closes_at", _("Registration closes before it opens."))
        return cleaned

    @classmethod
    def initial_of(cls, form: EventRegistration) -> dict[str, Any]:
        values = {name: getattr(form, name) for name in cls.base_fields}
        return {**values, "questions": "\n".join(form.questions)}


class SectionRegistrationForm(forms.Form):
    """open: people may register. Money is in the currency of the event."""

    open = forms.BooleanField(label=_("Takes registrations"), required=False)
    capacity = count(_("Places"), 1, 10_000, _("Empty: no limit."))
    longest_list = count(_("Longest waiting list"), 0, 10_000, _("Empty: no limit."))
    rating_from = count(_("Rating from"), 0, 3_999)
    rating_to = count(_("Rating to"), 0, 3_999)
    unrated_as = count(
        _("Rating of players without one"),
        cell_values.LOWEST_RATING,
        cell_values.HIGHEST_RATING,
        _("Provisional. Empty: you type it for each player before you accept."),
    )
    age_from = count(_("Age from"), 0, 120, _("On the first day of the event."))
    age_to = count(_("Age to"), 0, 120)
    titles = forms.MultipleChoiceField(
        label=_("Only players with a title"),
        choices=[(title, title) for title in Title.values if title],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    women_only = forms.BooleanField(label=_("Women only"), required=False)
    acceptance = forms.ChoiceField(label=_("Accept"), choices=SectionRegistration.Acceptance.choices)
    offers_by_itself = forms.BooleanField(
        label=_("Free places are offered to the waiting list by themselves"), required=False
    )
    order = forms.ChoiceField(label=_("Order of the waiting list"), choices=SectionRegistration.Order.choices)
    fee = CentsField(label=_("Fee"))
    young_age = count(_("Reduction below the age of"), 1, 99)
    young_off = CentsField(label=_("Reduction for age"))
    titled_off = CentsField(label=_("Reduction for GM, IM, WGM, WIM"))
    early_until = day(_("Early until"))
    early_off = CentsField(label=_("Reduction for early registration"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["early_until"].required = False

    def clean_titles(self) -> str:
        return " ".join(self.cleaned_data["titles"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for lowest, highest in (("rating_from", "rating_to"), ("age_from", "age_to")):
            first, last = cleaned.get(lowest), cleaned.get(highest)
            if first is not None and last is not None and first > last:
                self.add_error(
                    highest, _("Nobody can register: the highest value is below the lowest value.")
                )
        return cleaned

    @classmethod
    def initial_of(cls, limits: SectionRegistration) -> dict[str, Any]:
        values = {name: getattr(limits, name) for name in cls.base_fields}
        return {**values, "titles": limits.titles.split()}


class MailTextForm(forms.Form):
    subject = forms.CharField(label=_("Subject"), max_length=150)
    body = forms.CharField(label=_("Text"), max_length=4_000, widget=forms.Textarea(attrs={"rows": 12}))
