from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .events import Event
from .sections import Section

CODE_LENGTH = 5
CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without those that are easily confused: 0, 1, i, l, o."""
FEWEST_ROWS, ROWS, MOST_ROWS = 6, 10, 12
FEWEST_SECONDS, SECONDS, MOST_SECONDS = 5, 12, 120
MOST_PARTS = 12
ALIVE = timedelta(seconds=30)
"""A screen that asked within this time is switched on."""


def new_code() -> str:
    return get_random_string(CODE_LENGTH, CODE_LETTERS)


class Screen(models.Model):
    """A projector or a television in the hall that arbiters control from elsewhere.

    code: the last part of its address. section: what it shows; none: all sections of the event after each other.
    rows: of a page. seconds: for which a page stays. part, parts: this screen shows part 2 of a list that 3 screens
    share. language: "" for that of the browser at the screen. message: fills the screen, or stands below the list.
    turned: how many pages further the arbiters have turned it, less those back. version: counts the changes.
    asked_at: when the screen last asked for news.
    """

    class Show(models.TextChoices):
        BOARDS = "boards", _("Pairings by board")
        NAMES = "names", _("Pairings by name")
        RESULTS = "results", _("Results by board")
        NEWEST = "newest", _("The newest results")
        STANDINGS = "standings", _("Standings")
        ARO = "aro", _("ARO list")
        CLOCK = "clock", _("Clock")
        MESSAGE = "message", _("The message alone")
        BLANK = "blank", _("Nothing")

    class Theme(models.TextChoices):
        LIGHT = "light", pgettext_lazy("theme", "Light")
        DARK = "dark", pgettext_lazy("theme", "Dark")

    event = models.ForeignKey(Event, models.CASCADE, related_name="screens")
    name = models.CharField(_("name"), max_length=60)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    section = models.ForeignKey(Section, models.SET_NULL, null=True, blank=True, related_name="+")
    show = models.CharField(max_length=10, choices=Show.choices, default=Show.BOARDS)
    theme = models.CharField(max_length=5, choices=Theme.choices, default=Theme.LIGHT)
    rows = models.PositiveSmallIntegerField(default=ROWS)
    seconds = models.PositiveSmallIntegerField(default=SECONDS)
    part = models.PositiveSmallIntegerField(default=1)
    parts = models.PositiveSmallIntegerField(default=1)
    language = models.CharField(max_length=10, blank=True)
    message = models.CharField(max_length=120, blank=True)
    paused = models.BooleanField(default=False)
    turned = models.IntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["event_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="one_screen_a_name"),
            models.CheckConstraint(
                condition=Q(part__gte=1, part__lte=F("parts"), parts__lte=MOST_PARTS),
                name="part_of_the_screens",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.name}"

    @property
    def alive(self) -> bool:
        """Return whether the screen asked for news a short time ago."""
        return self.asked_at is not None and timezone.now() - self.asked_at < ALIVE
