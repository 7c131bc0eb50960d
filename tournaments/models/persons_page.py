"""The events that players have put on their pages across events (docs/decisions/0102-a-persons-page.md).

The journal has none of these rows: consent is no action of a section, and no undo brings it back.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from .entries import Participant, Player


class JoinedEntry(models.Model):
    """The consent of a person to see this event on a page with the person's other events.

    key: of the number under which the person is found in other events, not the number itself. name: of the player when
    the person consented. A row counts only while the player still has both. token: the secret part of the address of
    the page, the same for all rows of one key; "" while the data of another person under this number contradict.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="joined")
    key = models.CharField(max_length=64)
    name = models.CharField(max_length=120)
    token = models.CharField(max_length=43, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["key"], name="joined_by_number"),
            models.Index(fields=["token"], name="joined_by_page"),
        ]


class FinalPlace(models.Model):
    """What a joined player reached in a section that is over, so that the page reads no table of a whole section.

    revision: of the section from which this was made. place: None for a player without one. points: in tenths.
    performance: 0 without a game against a rated opponent.
    """

    participant = models.OneToOneField(Participant, models.CASCADE, related_name="final")
    joined = models.ForeignKey(JoinedEntry, models.CASCADE, related_name="finals")
    revision = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField(null=True)
    players = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    performance = models.PositiveSmallIntegerField()
