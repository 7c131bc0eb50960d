from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .journal import Journaled
from .participant import Participant
from .section import Section


class ForbiddenPair(Journaled):
    """Two participants who must not meet. FIDE's rules have no such pairs, so the report mentions them.

    `first` has the smaller key, so there is one row for each pair. Both rounds are included. No last round: until the
    end of the section.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Participant, models.CASCADE, related_name="+")
    second = models.ForeignKey(Participant, models.CASCADE, related_name="+")
    first_round = models.PositiveSmallIntegerField(_("from round"), default=1)
    last_round = models.PositiveSmallIntegerField(_("to round"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=120, blank=True)

    class Meta:
        ordering = ["section_id", "first_id", "second_id"]  # by keys: without joins
        constraints = [
            models.UniqueConstraint(fields=["section", "first", "second"], name="one_row_a_forbidden_pair"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="forbidden_pair_in_order"),
            models.CheckConstraint(
                condition=Q(last_round__isnull=True) | Q(last_round__gte=F("first_round")),
                name="forbidden_rounds_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"
