from __future__ import annotations

from datetime import date, datetime

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, Section


class EventRegistration(models.Model):
    """How people register for an event. Its row is the lock behind which places are counted and given.

    hold_hours: how long a form that is not confirmed keeps its place. correction_hours, offer_hours: how long the
    player has to correct, or to take an offered place. kept_days: after the last day of the event; then contacts go.
    contacts_end_at: when they go, announced a day before.
    questions: what else the form asks, in order. pay_text, pay_account, pay_reference, pay_by: how people pay a fee.
    organiser: the name at the end of mails. forms_an_hour: from one network; those above it need one more press.
    address: of this server as the organiser opened it, for the links in mails. revision: counts what changed about
    registrations of the event.
    """

    class Shown(models.TextChoices):
        NUMBERS = "numbers", _("only how many")
        ACCEPTED = "accepted", _("accepted players")

    event = models.OneToOneField(Event, models.CASCADE, related_name="registration")
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    intro = models.TextField(blank=True)
    confirm_by_mail = models.BooleanField(default=True)
    shown = models.CharField(max_length=10, choices=Shown.choices, default=Shown.ACCEPTED)
    asks_phone = models.BooleanField(default=False)
    guardian_age = models.PositiveSmallIntegerField(
        default=18, validators=[MinValueValidator(0), MaxValueValidator(21)]
    )
    currency = models.CharField(max_length=3, blank=True, default="EUR")
    pay_text = models.TextField(blank=True)
    pay_account = models.CharField(max_length=120, blank=True)
    pay_reference = models.CharField(max_length=60, blank=True)
    pay_by = models.DateField(null=True, blank=True)
    organiser = models.CharField(max_length=120, blank=True)
    questions = models.JSONField(default=list, blank=True)
    hold_hours = models.PositiveSmallIntegerField(default=24, validators=[MinValueValidator(1)])
    correction_hours = models.PositiveSmallIntegerField(default=72, validators=[MinValueValidator(1)])
    offer_hours = models.PositiveSmallIntegerField(default=48, validators=[MinValueValidator(12)])
    kept_days = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(0), MaxValueValidator(365)]
    )
    contacts_end_at = models.DateTimeField(null=True, blank=True)
    forms_an_hour = models.PositiveSmallIntegerField(
        default=200, validators=[MinValueValidator(1), MaxValueValidator(10_000)]
    )
    address = models.CharField(max_length=200, blank=True)
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(opens_at__lt=models.F("closes_at")),
                name="registration_opens_before_it_closes",
            ),
        ]

    def is_open(self, now: datetime) -> bool:
        return (self.opens_at is None or self.opens_at <= now) and (
            self.closes_at is None or now < self.closes_at
        )


class SectionRegistration(models.Model):
    """Who may register for a section, how many, and what it costs. Money is in cents.

    capacity, longest_list: none is no limit. Ages are those on the first day of the event. titles: of players who may
    register, with blanks between them; empty for everybody. young_off: for players younger than young_age.
    unrated_as: the provisional rating of players without one; none if the organiser gives each one by hand.
    lists_checked: the rating lists with which all registrations were compared last, see `queries.list_news`.
    """

    class Acceptance(models.TextChoices):
        BY_HAND = "hand", _("by hand")
        COMPLETE = "complete", _("by itself, if there is nothing to check")
        PAID = "paid", _("by itself, if there is nothing to check and the fee is paid")

    class Order(models.TextChoices):
        TIME = "time", _("by the time of the registration")
        PAID = "paid", _("by the time of the payment")

    paired = False
    """Whether round 1 is paired, as far as `queries.places.limits_of` has looked."""

    section = models.OneToOneField(Section, models.CASCADE, related_name="registration")
    open = models.BooleanField(default=True)
    capacity = models.PositiveSmallIntegerField(null=True, blank=True)
    longest_list = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_from = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_to = models.PositiveSmallIntegerField(null=True, blank=True)
    unrated_as = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(3999)]
    )
    age_from = models.PositiveSmallIntegerField(null=True, blank=True)
    age_to = models.PositiveSmallIntegerField(null=True, blank=True)
    women_only = models.BooleanField(default=False)
    titles = models.CharField(max_length=40, blank=True)
    acceptance = models.CharField(max_length=10, choices=Acceptance.choices, default=Acceptance.BY_HAND)
    offers_by_itself = models.BooleanField(default=True)
    order = models.CharField(max_length=10, choices=Order.choices, default=Order.TIME)
    fee = models.PositiveIntegerField(default=0)
    young_age = models.PositiveSmallIntegerField(null=True, blank=True)
    young_off = models.PositiveIntegerField(default=0)
    titled_off = models.PositiveIntegerField(default=0)
    early_until = models.DateField(null=True, blank=True)
    early_off = models.PositiveIntegerField(default=0)
    lists_checked = models.CharField(max_length=400, blank=True, default="", editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(acceptance__in=["hand", "complete", "paid"]), name="known_acceptance"
            ),
            models.CheckConstraint(condition=Q(order__in=["time", "paid"]), name="known_order_of_list"),
        ]

    def is_early(self, day: date) -> bool:
        return self.early_until is not None and day <= self.early_until
