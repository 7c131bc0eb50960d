"""A browser that wants a notice when a round of a section is published.

No copy and no log has these rows. They do not say which player the visitor follows: the server does not know.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from .sections import Section


class NoticeSubscription(models.Model):
    """endpoint, point, secret: the address and the keys of the browser. language: of the notice, "" for any.

    network: a hash of the network that asked, so that no network takes the room of all. told_round: no notice of this
    round and of those before is due. attempts: failed ones for the round that is due.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="notices")
    endpoint = models.CharField(max_length=500)
    point = models.CharField(max_length=88)
    secret = models.CharField(max_length=24)
    language = models.CharField(max_length=10, blank=True)
    network = models.CharField(max_length=32, blank=True)
    told_round = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["section", "endpoint"], name="one_notice_a_browser"),
        ]
        indexes = [models.Index(fields=["section", "network"], name="notices_of_a_network")]
