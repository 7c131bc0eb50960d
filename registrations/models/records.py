"""What is kept beside a registration: its history, money, byes that were asked for, labels and notes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evenboard_engine import ByeKind
from ratings.models import LABEL_LENGTH
from tournaments.models import Event
from tournaments.models.log import AppendOnlyRow


class HistoryLine(AppendOnlyRow):
    """One line of the history of a registration.

    who: the login name, or "" for the player and the clock. hand: of `states.Hand`. fields: names of what changed,
    never the values. before: what undo puts back, the sum of a line of the account, the price of a registration that is
    over, and the key of a mark of the desk. Erasing empties it. Values that an organiser has changed stay in it until
    the next change.
    revision: of the registration then; labels, notes and the order of a waiting list do not raise it.
    """

    class Kind(models.TextChoices):
        MOVE = "move", _("state")
        EDIT = "edit", _("data")
        MONEY = "money", _("fee")
        BYE = "bye", _("bye")
        PRESENT = "present", _("presence")
        SECTION = "section", _("section")
        ENTRY = "entry", _("entry in the list of players")
        LABEL = "label", pgettext_lazy("history", "label")
        NOTE = "note", pgettext_lazy("history", "note")
        ORDER = "order", _("order of the waiting list")

    registration = models.ForeignKey("registrations.Registration", models.CASCADE, related_name="steps")
    at = models.DateTimeField(default=timezone.now)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    hand = models.CharField(max_length=10)
    who = models.CharField(max_length=150, blank=True)
    from_state = models.CharField(max_length=10, blank=True)
    to_state = models.CharField(max_length=10, blank=True)
    fields = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    before = models.JSONField(default=dict, blank=True)
    revision = models.PositiveIntegerField()

    class Meta:
        ordering = ["pk"]


class Charge(AppendOnlyRow):
    """A line of the account of a registration. cents: above 0 is owed by the player, below 0 is paid or waived.

    of_section: the price of a section, not typed by a person. After a move to a section with another price, a line of
    the kind `moved` ends the former price, and the lines of the new one follow. So it does when a registration is over.
    """

    class Kind(models.TextChoices):
        FEE = "fee", _("fee")
        REDUCTION = "reduction", _("reduction")
        PAYMENT = "payment", _("payment")
        REPAYMENT = "repayment", _("repayment")
        WAIVER = "waiver", _("waived")
        MOVED = "moved", _("fee of the earlier section")

    registration = models.ForeignKey("registrations.Registration", models.CASCADE, related_name="charges")
    at = models.DateTimeField(default=timezone.now)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    cents = models.IntegerField()
    note = models.CharField(max_length=120, blank=True)
    who = models.CharField(max_length=150, blank=True)
    of_section = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["fee", "repayment"], cents__gt=0)
                | Q(kind__in=["reduction", "payment", "waiver"], cents__lt=0)
                | Q(kind="moved", cents__lte=0),
                name="charge_on_its_side",
            ),
        ]


TYPED_CHARGES = tuple(kind for kind in Charge.Kind if kind != Charge.Kind.MOVED)
"""Kinds of lines that people add."""


class WishedBye(models.Model):
    """A bye that the player asked for."""

    class State(models.TextChoices):
        ASKED = "asked", pgettext_lazy("bye", "asked for")
        GRANTED = "granted", pgettext_lazy("bye", "granted")
        REFUSED = "refused", pgettext_lazy("bye", "refused")

    registration = models.ForeignKey("registrations.Registration", models.CASCADE, related_name="byes")
    round_number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=1, default=ByeKind.HALF.value)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKED)

    class Meta:
        ordering = ["round_number"]
        constraints = [
            models.UniqueConstraint(fields=["registration", "round_number"], name="one_wished_bye_a_round"),
            models.CheckConstraint(condition=Q(kind__in=["H", "Z"]), name="known_wished_bye"),
        ]


class LateMove(models.Model):
    """A move of an entry to a section whose round 1 is paired, which waits for an arbiter. user: who asked for it.

    left_by, left_at: the arbiter who left the player where the entry is; None while it waits.
    """

    participant = models.OneToOneField("tournaments.Participant", models.CASCADE, related_name="late_move")
    section = models.ForeignKey("tournaments.Section", models.CASCADE, related_name="late_moves")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    left_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    left_at = models.DateTimeField(null=True)


class Label(models.Model):
    """A word that organisers put on registrations. Its colour only helps to find it: the word is always there."""

    class Colour(models.TextChoices):
        GREY = "grey", pgettext_lazy("label", "grey")
        BLUE = "blue", pgettext_lazy("label", "blue")
        GREEN = "green", pgettext_lazy("label", "green")
        YELLOW = "yellow", pgettext_lazy("label", "yellow")
        RED = "red", pgettext_lazy("label", "red")
        PURPLE = "purple", pgettext_lazy("label", "purple")

    event = models.ForeignKey(Event, models.CASCADE, related_name="registration_labels")
    name = models.CharField(max_length=30)
    colour = models.CharField(max_length=10, choices=Colour.choices, default=Colour.GREY)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="one_label_a_name"),
            models.CheckConstraint(
                condition=Q(colour__in=["grey", "blue", "green", "yellow", "red", "purple"]),
                name="known_label_colour",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Note(models.Model):
    """What an organiser wrote about a registration. Players never see it."""

    registration = models.ForeignKey("registrations.Registration", models.CASCADE, related_name="notes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    text = models.CharField(max_length=500)

    class Meta:
        ordering = ["pk"]


class ListNews(models.Model):
    """What the rating list in force says otherwise about a registration, found by itself after a new list.

    section, fide_id: those that were looked up. It counts only while the registration has them, and has another rating
    or title. rating: 0 if the list does not rate the player. title: "" if the list has none. source, label: of the
    rating. left: an organiser has decided to leave the registration as it is.
    """

    registration = models.OneToOneField("registrations.Registration", models.CASCADE, related_name="news")
    section = models.ForeignKey("tournaments.Section", models.CASCADE, related_name="+")
    fide_id = models.PositiveBigIntegerField()
    rating = models.PositiveSmallIntegerField(default=0)
    title = models.CharField(max_length=3, blank=True)
    source = models.CharField(max_length=12, blank=True)
    label = models.CharField(max_length=LABEL_LENGTH, blank=True)
    left = models.BooleanField(default=False)

    def same_as(self, other: ListNews) -> bool:
        """Return whether another list says the same."""
        names = ("section_id", "fide_id", "rating", "title")
        return all(getattr(self, name) == getattr(other, name) for name in names)
