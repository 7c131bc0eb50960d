from __future__ import annotations

from django.db import models

from .section import Section


class OtherRound(models.Model):
    """A round of a section as another pairing makes it. It is worked out from the rounds and can be worked out again.

    pairing: the code of the pairing system, or of the plain pairing. key: of all that the round depends on, so that a
    row that is out of date is known. spreads: [points in tenths or null, players, width, deviation] for each score
    group and then for all; [] if it has no round. offered: the system offers the round, because it cannot finish it.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="other_rounds")
    number = models.PositiveSmallIntegerField()
    pairing = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    spreads = models.JSONField(default=list, blank=True)
    offered = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["section", "number", "pairing"], name="one_other_round_a_pairing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section}, round {self.number} by {self.pairing}"
