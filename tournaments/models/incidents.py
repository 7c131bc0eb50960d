"""Incidents of a round, which only the people who work on an event see."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .entries import Participant
from .journal import Journaled
from .sections import Section

MOST_MINUTES = 120


class Incident(Journaled):
    """What an arbiter noted about a player in a round.

    board: where the player played then, none for a player without a game. minutes: added to the clock of the player,
    below 0 if they are lost, such as by a late arrival. by: who noted it; the login may be deleted later.
    """

    class Kind(models.TextChoices):
        ILLEGAL = "illegal", _("illegal move")
        PHONE = "phone", _("phone")
        LATE = "late", _("late arrival")
        CLAIM = "claim", _("claim")
        WARNING = "warning", _("warning")
        PENALTY = "penalty", _("penalty")

    section = models.ForeignKey(Section, models.CASCADE, related_name="incidents")
    round_number = models.PositiveSmallIntegerField(_("round"))
    board = models.PositiveSmallIntegerField(_("board"), null=True, blank=True)
    participant = models.ForeignKey(Participant, models.CASCADE, related_name="incidents")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    minutes = models.SmallIntegerField(
        _("minutes"),
        null=True,
        blank=True,
        validators=[MinValueValidator(-MOST_MINUTES), MaxValueValidator(MOST_MINUTES)],
    )
    note = models.CharField(_("note"), max_length=200, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["section_id", "round_number", "board", "pk"]  # by key: without joins
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["illegal", "phone", "late", "claim", "warning", "penalty"]),
                name="known_incident",
            ),
            models.CheckConstraint(condition=Q(round_number__gte=1), name="incident_from_round_1"),
        ]

    def __str__(self) -> str:
        return f"{self.participant}: {self.kind} in round {self.round_number}"
