from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .journal import Journaled
from .section import Section


class Round(Journaled):
    """A round that has been paired.

    Draft: only arbiters see it. Published: everybody sees it, and results come in. Finished: the next round is paired
    or the section is closed, and results can only be corrected.

    manual_phase: pairing by hand is open. manual: it has ended with pairs that differ from the engine's, for
    `manual_reason`.
    engine_pairing: the engine's own answer, {"pairs": [[white, black], ...], "bye": key or null}.
    rules_gave_none: the rules gave no pairing of all players. The arbiters took over an offer, or paired by hand.
    start_position: in Chess960, the number of the start position of all boards, 0 to 959. It is drawn when the round is
    published.
    changed_at: when the pairs were last changed by hand after they had been published (GHR 4.4).
    published_at, finished_at: None for a round from a report file, which does not have these times.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        FINISHED = "finished", pgettext_lazy("a round", "finished")

    section = models.ForeignKey(Section, models.CASCADE, related_name="played_rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    manual_phase = models.BooleanField(default=False)
    manual = models.BooleanField(default=False)
    manual_reason = models.CharField(max_length=300, blank=True)
    engine_pairing = models.JSONField(default=dict, blank=True)
    rules_gave_none = models.BooleanField(default=False)
    start_position = models.PositiveSmallIntegerField(
        _("start position"), null=True, blank=True, validators=[MaxValueValidator(959)]
    )
    changed_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    paired_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["section_id", "number"]  # by key: without joins
        constraints = [
            models.UniqueConstraint(fields=["section", "number"], name="one_round_a_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="rounds_count_from_1"),
            models.CheckConstraint(
                condition=Q(start_position__isnull=True) | Q(start_position__lte=959),
                name="known_start_position",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "published", "finished"]), name="known_round_state"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section}, round {self.number}"

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_published(self) -> bool:
        return self.state == self.State.PUBLISHED

    @property
    def is_finished(self) -> bool:
        return self.state == self.State.FINISHED


def rounds_paired(section: Section) -> int:
    """The number of the last round, 0 before round 1 is paired. One SQL query."""
    number = section.played_rounds.order_by("-number").values_list("number", flat=True).first()
    return number or 0


class WaitingOnDevice(models.Model):
    """What waits in a browser of a person, as it last said. No copy has these rows.

    kind: results of a round, or players who are marked as here or as not here. number: of the round, which may not be
    paired yet when players are marked. round: of results, which end with it. device: a name that the browser gave
    itself.
    """

    class Kind(models.TextChoices):
        RESULTS = "results"
        HERE = "here"
        AWAY = "away"

    section = models.ForeignKey(Section, models.CASCADE, related_name="waiting")
    number = models.PositiveSmallIntegerField()
    round = models.ForeignKey(Round, models.CASCADE, related_name="+", null=True)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    device = models.CharField(max_length=43)
    count = models.PositiveSmallIntegerField()
    heard_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["section", "number", "kind", "user", "device"], name="one_count_a_device"
            ),
            models.CheckConstraint(
                condition=Q(kind="results", round__isnull=False)
                | Q(kind__in=["here", "away"], round__isnull=True),
                name="results_wait_for_a_round",
            ),
        ]

    @property
    def of_device(self) -> tuple[int, str]:
        return self.user_id, self.device
