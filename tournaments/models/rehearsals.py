"""The clock of a rehearsal, by which results come in."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .events import Event

FASTEST = 100


def new_seed() -> int:
    return Random().randrange(1, 1_000_000)  # noqa: S311 - nothing depends on it


def nothing_played() -> dict[str, Any]:
    return {"rounds": {}, "done": [], "wrong": {}, "laid": {}, "appeals": {}, "cuts": []}


class RehearsalClock(models.Model):
    """The clock of one rehearsal. It runs `speed` times as fast as the clock on the wall, and 0 is a pause.

    seed: what happens follows from it. share: the percentage of slips that the clock types; people type the others.
    parts: what happens besides results. passed: how many seconds of the rehearsal had passed at `since`.
    cut_until: until then, what people save does not arrive.
    played: what the clock has done: the minute in which it saw each round, by key; the parts that are done; the results
    of wrong slips with their minute, by the key of the game; when a game began to wait for an arbiter, by its key; the
    notes of appeals, by the key of the incident; the time and the seconds of each cut.
    waited: the addresses of requests that a cut has held up.
    """

    class Part(models.TextChoices):
        ABSENT = "absent", _("absent players")
        LATE = "late", _("a late entry")
        WRONG = "wrong", _("wrong slips")
        APPEAL = "appeal", _("an appeal")
        NETWORK = "network", _("a dead network")

    event = models.OneToOneField(Event, models.CASCADE, related_name="clock")
    seed = models.PositiveIntegerField(_("seed"), default=new_seed)
    speed = models.PositiveSmallIntegerField(_("speed"), default=0, validators=[MaxValueValidator(FASTEST)])
    share = models.PositiveSmallIntegerField(
        _("slips that the clock types"), default=100, validators=[MaxValueValidator(100)]
    )
    parts = models.JSONField(default=list, blank=True)
    passed = models.FloatField(default=0)
    since = models.DateTimeField(default=timezone.now)
    cut_until = models.DateTimeField(null=True, blank=True)
    played = models.JSONField(default=nothing_played)
    waited = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return f"{self.event}, x{self.speed}"

    def minutes(self, now: datetime) -> float:
        """Return how many minutes of the rehearsal have passed."""
        return (self.passed + (now - self.since).total_seconds() * self.speed) / 60
