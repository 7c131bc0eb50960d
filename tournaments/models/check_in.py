from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .journal import Journaled
from .participant import Participant


class CheckIn(Journaled):
    """A participant who is present before a round (GHR 4.1)."""

    participant = models.ForeignKey(Participant, models.CASCADE, related_name="check_ins")
    round_number = models.PositiveSmallIntegerField(_("round"))
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["round_number", "participant"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "round_number"], name="one_check_in_a_round"),
            models.CheckConstraint(condition=Q(round_number__gte=1), name="check_in_rounds_count_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.participant}: there for round {self.round_number}"
