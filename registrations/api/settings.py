"""The settings of the registration of an event: who may register, how, at which price; texts of mails; places."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers

from api.v1.bodies import LARGEST, BodySerializer, Confirm
from api.v1.operations import MANAGE, reads, writes
from api.v1.problems import invalid
from api.v1.shapes import ListShape, Shape
from evenboard_engine import system_named
from registrations.actions.mails import set_mail_text
from registrations.actions.settings import set_up_registration, would_offer
from registrations.models import EventRegistration, MailText, SectionRegistration
from registrations.models.mail import MailKind
from registrations.queries.places import places_of
from registrations.refusals import OFFERS_TO_CONFIRM
from tournaments.files import cell_values
from tournaments.models import Scope, Section, Title
from tournaments.questions import ask
from web.qr import public_url

from .registrations import READ, SEE, OfRegistration

TITLES = [title for title in Title.values if title]
HOURS: dict[str, Any] = {"min_value": 12, "max_value": 720}
PEOPLE: dict[str, Any] = {"max_value": 10_000, "allow_null": True}
RATING: dict[str, Any] = {"min_value": 0, "max_value": 3_999, "allow_null": True}
AGE: dict[str, Any] = {"min_value": 0, "max_value": 120, "allow_null": True}
MONEY: dict[str, Any] = {"min_value": 0, "max_value": 10_000_00}


class SectionSettingsBody(BodySerializer):
    """section: its number. capacity, longest_list: null for no limit. Money is in cents. titles: of players who may
    register, none for everybody. young_off: for players younger than young_age. unrated_as: the provisional rating of
    players without one.
    """

    section = serializers.IntegerField(min_value=1, max_value=LARGEST)
    open = serializers.BooleanField(required=False)
    capacity = serializers.IntegerField(min_value=1, required=False, **PEOPLE)
    longest_list = serializers.IntegerField(min_value=0, required=False, **PEOPLE)
    rating_from = serializers.IntegerField(required=False, **RATING)
    rating_to = serializers.IntegerField(required=False, **RATING)
    unrated_as = serializers.IntegerField(
        min_value=cell_values.LOWEST_RATING,
        max_value=cell_values.HIGHEST_RATING,
        allow_null=True,
        required=False,
    )
    age_from = serializers.IntegerField(required=False, **AGE)
    age_to = serializers.IntegerField(required=False, **AGE)
    women_only = serializers.BooleanField(required=False)
    titles = serializers.ListField(
        child=serializers.ChoiceField(choices=TITLES), max_length=len(TITLES), required=False
    )
    acceptance = serializers.ChoiceField(choices=SectionRegistration.Acceptance.values, required=False)
    offers_by_itself = serializers.BooleanField(required=False)
    order = serializers.ChoiceField(choices=SectionRegistration.Order.values, required=False)
    fee = serializers.IntegerField(required=False, **MONEY)
    young_age = serializers.IntegerField(min_value=1, max_value=99, allow_null=True, required=False)
    young_off = serializers.IntegerField(required=False, **MONEY)
    titled_off = serializers.IntegerField(required=False, **MONEY)
    early_until = serializers.DateField(allow_null=True, required=False)
    early_off = serializers.IntegerField(required=False, **MONEY)


class SettingsBody(BodySerializer):
    """kept_days: after the last day of the event, until contacts are deleted. Sections that are not named keep theirs.
    pay_text, pay_account, pay_reference, pay_by: how people pay the fee. organiser: the name at the end of mails.
    forms_an_hour: from one address. confirm: offer the places that a larger capacity frees.
    """

    opens_at = serializers.DateTimeField(allow_null=True, required=False)
    closes_at = serializers.DateTimeField(allow_null=True, required=False)
    intro = serializers.CharField(max_length=2_000, allow_blank=True, required=False)
    confirm_by_mail = serializers.BooleanField(required=False)
    shown = serializers.ChoiceField(choices=EventRegistration.Shown.values, required=False)
    currency = serializers.CharField(max_length=3, allow_blank=True, required=False)
    pay_text = serializers.CharField(max_length=1_000, allow_blank=True, required=False)
    pay_account = serializers.CharField(max_length=120, allow_blank=True, required=False)
    pay_reference = serializers.CharField(max_length=60, allow_blank=True, required=False)
    pay_by = serializers.DateField(allow_null=True, required=False)
    organiser = serializers.CharField(max_length=120, allow_blank=True, required=False)
    asks_phone = serializers.BooleanField(required=False)
    guardian_age = serializers.IntegerField(min_value=0, max_value=21, required=False)
    questions = serializers.ListField(
        child=serializers.CharField(max_length=150), max_length=8, required=False
    )
    hold_hours = serializers.IntegerField(min_value=1, max_value=240, required=False)
    correction_hours = serializers.IntegerField(required=False, **HOURS)
    offer_hours = serializers.IntegerField(required=False, **HOURS)
    kept_days = serializers.IntegerField(min_value=0, max_value=365, required=False)
    forms_an_hour = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    sections = serializers.ListField(child=SectionSettingsBody(), max_length=200, required=False)
    confirm = Confirm()


class SectionSettingsShape(Shape):
    """The settings of a section. Money is in cents."""

    section = serializers.IntegerField(source="section_id")
    open = serializers.BooleanField()
    capacity = serializers.IntegerField(allow_null=True)
    longest_list = serializers.IntegerField(allow_null=True)
    rating_from = serializers.IntegerField(allow_null=True)
    rating_to = serializers.IntegerField(allow_null=True)
    unrated_as = serializers.IntegerField(allow_null=True)
    age_from = serializers.IntegerField(allow_null=True)
    age_to = serializers.IntegerField(allow_null=True)
    women_only = serializers.BooleanField()
    titles = serializers.SerializerMethodField()
    acceptance = serializers.ChoiceField(choices=SectionRegistration.Acceptance.values)
    offers_by_itself = serializers.BooleanField()
    order = serializers.ChoiceField(choices=SectionRegistration.Order.values)
    fee = serializers.IntegerField()
    young_age = serializers.IntegerField(allow_null=True)
    young_off = serializers.IntegerField()
    titled_off = serializers.IntegerField()
    early_until = serializers.DateField(allow_null=True)
    early_off = serializers.IntegerField()

    def get_titles(self, row: SectionRegistration) -> list[str]:
        return row.titles.split()


class SettingsShape(Shape):
    """sections: those that have been set up. Until then, nobody can register."""

    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    intro = serializers.CharField(allow_blank=True)
    confirm_by_mail = serializers.BooleanField()
    shown = serializers.ChoiceField(choices=EventRegistration.Shown.values)
    currency = serializers.CharField(allow_blank=True)
    pay_text = serializers.CharField(allow_blank=True)
    pay_account = serializers.CharField(allow_blank=True)
    pay_reference = serializers.CharField(allow_blank=True)
    pay_by = serializers.DateField(allow_null=True)
    organiser = serializers.CharField(allow_blank=True)
    asks_phone = serializers.BooleanField()
    guardian_age = serializers.IntegerField()
    questions = serializers.ListField(child=serializers.CharField())
    hold_hours = serializers.IntegerField()
    correction_hours = serializers.IntegerField()
    offer_hours = serializers.IntegerField()
    kept_days = serializers.IntegerField()
    forms_an_hour = serializers.IntegerField()
    sections = SectionSettingsShape(many=True)


class PlacesShape(Shape):
    """The places of a section. free, capacity: null without a limit. taken: by registrations in any state. over: more
    than there are.
    """

    section = serializers.IntegerField(source="section.pk")
    capacity = serializers.IntegerField(allow_null=True)
    taken = serializers.IntegerField()
    accepted = serializers.IntegerField()
    offered = serializers.IntegerField()
    free = serializers.IntegerField(allow_null=True)
    over = serializers.IntegerField()
    waiting = serializers.IntegerField()


class AllPlacesShape(ListShape):
    results = PlacesShape(many=True)


class MailTextShape(Shape):
    """Texts of the organiser. Both are empty where the mail has the text of the program."""

    kind = serializers.ChoiceField(choices=MailKind.values)
    subject = serializers.CharField(allow_blank=True)
    body = serializers.CharField(allow_blank=True)


class MailTextsShape(ListShape):
    results = MailTextShape(many=True)


class MailTextBody(BodySerializer):
    """Both empty bring back the text of the program."""

    subject = serializers.CharField(max_length=150, allow_blank=True)
    body = serializers.CharField(max_length=4_000, allow_blank=True)


class OfRegistrationSettings(OfRegistration):
    def show(self, row: Any) -> Any:  # an event
        # without mail nobody can confirm
        form = EventRegistration.objects.filter(event=row).first() or EventRegistration(
            event=row, confirm_by_mail=settings.MAIL_IS_SET_UP
        )
        limits = SectionRegistration.objects.filter(section__event=row, section__taken_away=False)
        form.sections = list(limits.order_by("section"))  # type: ignore[attr-defined]  # read by the field of this name
        return SettingsShape(form).data


class SettingsView(OfRegistrationSettings):
    @reads("Read the settings of the registration", scope=READ, permission=SEE, answer=SettingsShape)
    def get(self) -> Any:
        return self.shown(self.event)

    @writes(
        "Open the registration of an event, or change its settings",
        Scope.SETTINGS_WRITE,
        permission=MANAGE,
        body=SettingsBody,
        answer=SettingsShape,
        matched=True,
    )
    def patch(self) -> Any:
        wanted = self.sent.pop("sections", [])
        stored = EventRegistration.objects.filter(event=self.event).first()
        if stored is None:
            self.sent.setdefault("confirm_by_mail", settings.MAIL_IS_SET_UP)
        if stored is None or not stored.address:
            self.sent["address"] = public_url(self.request, "/").rstrip("/")  # for the links in mails
        self._refuse_order(stored)
        sections = {one.pop("section"): one for one in wanted}
        self._refuse_sections(sections)
        for one in sections.values():
            if "titles" in one:
                one["titles"] = " ".join(one["titles"])
        what: Any = {"actor": self.actor, "event": self.event, "values": self.sent, "sections": sections}
        if offers := would_offer(**what):
            ask(OFFERS_TO_CONFIRM.error(registrations=[one.pk for one in offers]), self.answers)
        set_up_registration(**what)
        return self.shown(self.event)

    def _refuse_order(self, stored: EventRegistration | None) -> None:
        opens, closes = (
            self.sent.get(name, getattr(stored, name, None)) for name in ("opens_at", "closes_at")
        )
        if opens and closes and opens >= closes:
            text = _("Registration closes before it opens.")
            raise invalid([{"pointer": "/closes_at", "code": "invalid", "detail": text}])

    def _refuse_sections(self, sections: dict[int, dict[str, Any]]) -> None:
        known = {one.pk: one for one in Section.objects.filter(event=self.event, taken_away=False)}
        wrong = [
            {"pointer": f"/sections/{at}/{name}", "code": code, "detail": text}
            for at, (key, values) in enumerate(sections.items())
            for name, code, text, found in (
                ("section", "unknown", _("The event has no such section."), key not in known),
                (
                    "unrated_as",
                    "unknown",
                    _("There is no such value here."),
                    "unrated_as" in values and key in known and system_named(known[key].system).takes_unrated,
                ),
            )
            if found
        ]
        if wrong:
            raise invalid(wrong)


class PlacesView(OfRegistrationSettings):
    @reads("Read how many places each section has", scope=READ, permission=SEE, answer=AllPlacesShape)
    def get(self) -> Any:
        return AllPlacesShape({"results": list(places_of(self.event).values())}).data


class OfMails(OfRegistration):
    def show(self, row: Any) -> Any:  # an event
        own = {one.kind: one for one in MailText.objects.filter(event=row)}
        mails = [own.get(kind) or MailText(kind=kind, subject="", body="") for kind in MailKind.values]
        return MailTextsShape({"results": mails}).data


class MailTextsView(OfMails):
    @reads("Read the texts of the mails", scope=READ, permission=SEE, answer=MailTextsShape)
    def get(self) -> Any:
        return self.shown(self.event)


class MailTextView(OfMails):
    @writes(
        "Write the text of a mail",
        Scope.SETTINGS_WRITE,
        permission=MANAGE,
        body=MailTextBody,
        answer=MailTextsShape,
        matched=True,
    )
    def put(self) -> Any:
        kind = self.kwargs["kind"]
        if kind not in MailKind.values:
            raise Http404
        set_mail_text(event=self.event, kind=kind, **self.sent)
        return self.shown(self.event)
