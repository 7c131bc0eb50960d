from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FIDE = "FIDE"
SERIES_LENGTH = 12
OF_EVENT = " (event)"
"""Behind the name of a list that counts in one event alone, wherever the name is kept or shown."""
LABEL_LENGTH = SERIES_LENGTH + len(OF_EVENT) + len(" 2026-11")


class RatingList(models.Model):
    """One edition of a rating list. Its players are in a file or a table of their own (`ratings/storage`).

    series: FIDE for FIDE's lists, else the name that people gave. period: the month, YYYY-MM.
    origin: A, the program knows where the list comes from and fetches the next one; B, a file that somebody gave.
    reading: how a file of columns is read, see `formats.columns`.
    step, progress: what the import does now, and how much of all is done, in thousandths.
    rows, bad, repeated: players, lines that were not read, and lines with an ID that an earlier line has.
    warnings: the first bad lines. doubts: why somebody must agree before the list is used. agreed: somebody did.
    problem: {code, params} of `ListRefused`, if the list was refused.
    tries: how often the import was begun or taken up again.
    replaced: another list is that of its month now. It stays until the next one comes, so that it can be used again.
    table: the name of the table, or of the file without its ending. by_index: the search has an index.
    event: in which alone the list counts, or none: it counts in all events. given_by: who gave the file of such a list.
    index: the version of what is stored for the search, see `storage.layout.INDEX`.
    """

    class Kind(models.TextChoices):
        STANDARD = "standard", _("standard")
        RAPID = "rapid", _("rapid")
        BLITZ = "blitz", _("blitz")
        COMBINED = "combined", _("standard, rapid and blitz")
        NATIONAL = "national", pgettext_lazy("rating list", "national or own")

    class Origin(models.TextChoices):
        KNOWN = "A", _("A: fetched by the program")
        UNKNOWN = "B", _("B: from a file")

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("rating list", "waiting")
        LOADING = "loading", pgettext_lazy("rating list", "is being imported")
        ASKING = "asking", pgettext_lazy("rating list", "needs an answer")
        READY = "ready", pgettext_lazy("rating list", "ready")
        REPLACED = "replaced", pgettext_lazy("rating list", "replaced")
        REFUSED = "refused", pgettext_lazy("rating list", "not imported")

    event = models.ForeignKey(
        "tournaments.Event", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    given_by = models.CharField(max_length=150, blank=True)
    series = models.CharField(max_length=SERIES_LENGTH)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    origin = models.CharField(max_length=1, choices=Origin.choices, default=Origin.UNKNOWN)
    period = models.CharField(max_length=7, blank=True)
    file = models.CharField(max_length=100, blank=True)
    file_name = models.CharField(max_length=120, blank=True)
    address = models.CharField(max_length=300, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    reading = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    step = models.CharField(max_length=10, blank=True)
    progress = models.PositiveSmallIntegerField(default=0)
    rows = models.PositiveIntegerField(default=0)
    bad = models.PositiveIntegerField(default=0)
    repeated = models.PositiveIntegerField(default=0)
    warnings = models.JSONField(default=list, blank=True)
    doubts = models.JSONField(default=list, blank=True)
    agreed = models.BooleanField(default=False)
    problem = models.JSONField(default=dict, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    table = models.CharField(max_length=40, unique=True)
    by_index = models.BooleanField(default=True)
    index = models.PositiveSmallIntegerField(default=0)
    bytes = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ready_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["series", "-period", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    state__in=["waiting", "loading", "asking", "ready", "replaced", "refused"]
                ),
                name="known_rating_list_state",
            ),
            models.CheckConstraint(
                condition=models.Q(origin__in=["A", "B"]), name="known_rating_list_origin"
            ),
            models.CheckConstraint(
                condition=models.Q(event=None) | (models.Q(origin="B") & ~models.Q(series=FIDE)),
                name="list_of_event_is_never_of_fide",
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def name(self) -> str:
        """Return the name of the series, as codes of sections have it; of a list of an event: Club (event)."""
        return self.series if self.event_id is None else f"{self.series}{OF_EVENT}"

    @property
    def label(self) -> str:
        """Return the name of the list with its month, as entries keep it: FIDE 2026-11. A list that the program did not
        fetch from FIDE says so, because anybody can write such a file: FIDE 2026-11 (file).
        """
        name = f"{self.name} {self.period}".strip()
        by_hand = self.series == FIDE and self.origin == self.Origin.UNKNOWN
        return f"{name} (file)" if by_hand else name

    @property
    def is_ready(self) -> bool:
        return self.state == self.State.READY

    @property
    def ratings(self) -> tuple[str, ...]:
        """Return which ratings of its players the list has."""
        if self.kind == self.Kind.COMBINED:
            return ("standard", "rapid", "blitz")
        return (self.kind,)


def new_table_name() -> str:
    """Return a name that no file and no table has had."""
    return f"rating_player_{secrets.token_hex(8)}"


class KnownOrigin(models.Model):
    """An address from which the program keeps a list up to date (type A).

    reading: how the columns of a list are read that is not FIDE's, see `formats.columns`; people typed its address.
    asked: somebody wants it to be looked at now. etag: what the server said about the list that was fetched last: its
    ETag, else its date.
    part, part_etag: a file in `incoming` that is not complete yet, so that the rest can be fetched.
    checked_at, tried_at: when the server answered last, and when it was asked last. problem: why it did not answer, or
    [code, params] of `ListRefused` if what it sent is no list.
    """

    series = models.CharField(max_length=SERIES_LENGTH)
    kind = models.CharField(max_length=10, choices=RatingList.Kind.choices)
    address = models.CharField(max_length=300, unique=True)
    reading = models.JSONField(default=dict, blank=True)
    asked = models.BooleanField(default=False)
    etag = models.CharField(max_length=200, blank=True)
    part = models.CharField(max_length=100, blank=True)
    part_etag = models.CharField(max_length=200, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["series", "kind"]

    def __str__(self) -> str:
        return f"{self.series}: {self.address}"
