"""The settings of the registration of an event: who may register, how, at which price; texts of mails; places."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers

from api.v1.bodies import LARGEST, Confirm, ModelBody, names
from api.v1.operations import MANAGE, reads, writes
from api.v1.problems import invalid
from api.v1.shapes import ListShape, ModelShape, Shape
from evenboard_engine import system_named
from registrations.actions.mails import set_mail_text
from registrations.actions.settings import set_up_registration, would_offer
from registrations.models import EventRegistration, MailText, SectionRegistration
from registrations.models.mail import MailKind
from registrations.queries.places import places_of
from registrations.refusals import OFFERS_TO_CONFIRM
from tournaments.files.cell_values import LOWEST_RATING
from tournaments.models import Scope, Section, Title
from tournaments.questions import ask
from web.qr import public_url

from .registrations import READ, SEE, OfRegistration

TITLES = [title for title in Title.values if title]
HOURS: dict[str, Any] = {"min_value": 12, "max_value": 720}
PEOPLE: dict[str, Any] = {"max_value": 10_000}
RATING: dict[str, Any] = {"max_value": 3_999}
AGE: dict[str, Any] = {"max_value": 120}
MONEY: dict[str, Any] = {"max_value": 10_000_00}


SETTINGS = names(
    "opens_at closes_at intro confirm_by_mail shown currency pay_text pay_account pay_reference pay_by organiser"
    " asks_phone guardian_age questions hold_hours correction_hours offer_hours kept_days forms_an_hour"
)


class SectionSettingsBody(ModelBody):
    """section: its number. capacity, longest_list: null for no limit. Money is in cents. titles: of players who may
    register, none for everybody. young_off: for players younger than young_age. unrated_as: the provisional rating of
    players without one.
    """

    section = serializers.IntegerField(min_value=1, max_value=LARGEST)
    titles = serializers.ListField(
        child=serializers.ChoiceField(choices=TITLES), max_length=len(TITLES), required=False
    )

    class Meta:
        model = SectionRegistration
        fields = names(
            "section open capacity longest_list rating_from rating_to unrated_as age_from age_to women_only titles"
            " acceptance offers_by_itself order fee young_age young_off titled_off early_until early_off"
        )
        extra_kwargs = {
            "capacity": {**PEOPLE, "min_value": 1},
            "unrated_as": {"min_value": LOWEST_RATING},
            "longest_list": PEOPLE,
            **dict.fromkeys(("rating_from", "rating_to"), RATING),
            **dict.fromkeys(("age_from", "age_to"), AGE),
            "young_age": {"min_value": 1, "max_value": 99},
            **dict.fromkeys(("fee", "young_off", "titled_off", "early_off"), MONEY),
        }


class SettingsBody(ModelBody):
    """kept_days: after the last day of the event, until contacts are deleted. Sections that are not named keep theirs.
    pay_text, pay_account, pay_reference, pay_by: how people pay the fee. organiser: the name at the end of mails.
    forms_an_hour: from one address. confirm: offer the places that a larger capacity frees.
    """

    questions = serializers.ListField(
        child=serializers.CharField(max_length=150), max_length=8, required=False
    )
    sections = serializers.ListField(child=SectionSettingsBody(), max_length=200, required=False)
    confirm = Confirm()

    class Meta:
        model = EventRegistration
        fields = [*SETTINGS, "sections", "confirm"]
        extra_kwargs = {
            "intro": {"max_length": 2_000},
            "pay_text": {"max_length": 1_000},
            "hold_hours": {"max_value": 240},
            "correction_hours": HOURS,
            "offer_hours": HOURS,
        }


class SectionSettingsShape(ModelShape):
    """The settings of a section. Money is in cents."""

    titles = serializers.SerializerMethodField()

    class Meta:
        model = SectionRegistration
        fields = SectionSettingsBody.Meta.fields

    def get_titles(self, row: SectionRegistration) -> list[str]:
        return row.titles.split()


class SettingsShape(ModelShape):
    """sections: those that have been set up. Until then, nobody can register."""

    questions = serializers.ListField(child=serializers.CharField())
    sections = SectionSettingsShape(many=True)

    class Meta:
        model = EventRegistration
        fields = [*SETTINGS, "sections"]


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


class MailTextBody(ModelBody):
    """Both empty bring back the text of the program."""

    class Meta:
        model = MailText
        fields = ("subject", "body")
        extra_kwargs = {"subject": {"allow_blank": True}, "body": {"allow_blank": True, "max_length": 4_000}}


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
    @reads("Read the settings of the registration", READ, SEE, SettingsShape)
    def get(self) -> Any:
        return self.event

    @writes(
        "Open the registration of an event, or change its settings",
        Scope.SETTINGS_WRITE,
        MANAGE,
        SettingsBody,
        SettingsShape,
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
        return self.event

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
    @reads("Read how many places each section has", READ, SEE, AllPlacesShape)
    def get(self) -> Any:
        return AllPlacesShape({"results": list(places_of(self.event).values())}).data


class OfMails(OfRegistration):
    def show(self, row: Any) -> Any:  # an event
        own = {one.kind: one for one in MailText.objects.filter(event=row)}
        mails = [own.get(kind) or MailText(kind=kind, subject="", body="") for kind in MailKind.values]
        return MailTextsShape({"results": mails}).data


class MailTextsView(OfMails):
    @reads("Read the texts of the mails", READ, SEE, MailTextsShape)
    def get(self) -> Any:
        return self.event


class MailTextView(OfMails):
    @writes(
        "Write the text of a mail", Scope.SETTINGS_WRITE, MANAGE, MailTextBody, MailTextsShape, matched=True
    )
    def put(self) -> Any:
        kind = self.kwargs["kind"]
        if kind not in MailKind.values:
            raise Http404
        set_mail_text(event=self.event, kind=kind, **self.sent)
        return self.event
