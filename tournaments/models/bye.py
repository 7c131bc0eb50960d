from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from evenboard_engine import ByeKind

from .journal import Journaled
from .participant import Participant

BYE_LABELS = {
    ByeKind.ALLOCATED: _("pairing-allocated bye"),
    ByeKind.FULL: _("full-point bye"),
    ByeKind.HALF: _("half-point bye"),
    ByeKind.ZERO: _("zero-point bye"),
}


class Bye(Journaled):
    """A round in which a participant has no opponent. A requested bye may be for a round that is not paired yet."""

    class Source(models.TextChoices):
        REQUESTED = "requested", _("requested")
        ALLOCATED = "allocated", _("allocated by the pairing")
        ABSENT = "absent", _("set by the arbiter")

    participant = models.ForeignKey(Participant, models.CASCADE, related_name="byes")
    round_number = models.PositiveSmallIntegerField(_("round"))
    kind = models.CharField(
        _("kind"), max_length=1, choices=[(kind.value, label) for kind, label in BYE_LABELS.items()]
    )
    source = models.CharField(max_length=10, choices=Source.choices, default=Source.REQUESTED)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["round_number", "participant"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "round_number"], name="one_bye_a_round"),
            models.CheckConstraint(condition=Q(round_number__gte=1), name="bye_rounds_count_from_1"),
            models.CheckConstraint(condition=Q(kind__in=["U", "F", "H", "Z"]), name="known_bye"),
            models.CheckConstraint(
                condition=(Q(kind="U") & Q(source="allocated")) | (~Q(kind="U") & ~Q(source="allocated")),
                name="only_the_pairing_allocates_a_bye",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant}: {self.kind} in round {self.round_number}"
