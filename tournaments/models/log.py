from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .events import Event
from .sections import Section

COMMAND = "command"
"""The origin of an action that somebody ran on the server; also its `who`, if the command names no person."""
REGISTRATION = "registration"
"""The origin of an action that a player or the clock did by a registration, and its `who` then."""
PLAYER = "player"
"""The origin of what a player pressed on a phone, and its `who`. The sentence says which player it was."""
REHEARSAL = "rehearsal"
"""The origin of what the clock of a rehearsal did, and its `who`."""


class Integrity(models.TextChoices):
    """Kinds of events that affect the integrity of the pairings; the report file has them (VCL4THP.13 Q112)."""

    NONE = "", _("none")
    MANUAL = "manual", _("pairing by hand")
    IMPORT = "import", _("import")
    CONFIGURATION = "configuration", _("change of the configuration")
    CORRECTION = "correction", _("correction of a result")
    RATING_CORRECTION = "rating-correction", _("correction for rating only")
    ADJOURNMENT = "adjournment", _("result of an adjourned game")
    REGENERATION = "regeneration", _("new pairing numbers")
    EXCHANGE = "exchange", _("exchange of pairing numbers")
    FULL_POINT_BYE = "full-point-bye", _("full-point bye")
    FIDE_MODE = "fide-mode", _("section left FIDE mode")


LogRow = TypeVar("LogRow", bound=models.Model)


class LogQuerySet(models.QuerySet[LogRow]):
    def update(self, **_kwargs: Any) -> NoReturn:
        raise TypeError("the log is append-only")

    def delete(self) -> NoReturn:
        raise TypeError("the log is append-only")


class AppendOnlyRow(models.Model):
    """A row that is written once. Only erasing changes it, with a statement past `objects`."""

    at: models.DateTimeField[Any, Any]
    who: models.CharField[Any, Any]

    objects = LogQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.who}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("the log is append-only")
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError("the log is append-only")


LOG_IN_PROGRESS = 361
"""On PostgreSQL, the first key of the shared locks that transactions hold from their first row of the log to their end.
The second one is the newest key of the log at their first row.
"""


class ActionLog(AppendOnlyRow):
    """One row for each action: who, from where, what, before, after, why. The database refuses updates.

    who: the name at that time. An account that is in the log can be closed, but not deleted.
    origin: the address that the request came from, or COMMAND.
    before, after: JSON values of what changed, with pairing numbers as they were.
    changes: the rows that the action wrote, in order: [model, key, before, after]. `before` is null for a new row,
    `after` for a deleted row. For a changed row both hold the columns that changed.
    undoes: the revision of the action that this one undid. back_to: the revision that the section was restored to.
    integrity: the report file must mention the action. round_number: the round that the action affects.
    brought: how the row came here, if it was loaded with a copy: one mark for each load, oldest first, as
    `tournaments.copy_format.CopyMark`. seal: covers the row and the seal of the row before (`tournaments.hash_chain`).
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="log", db_index=False)
    section = models.ForeignKey(Section, models.PROTECT, null=True, blank=True, related_name="log")
    at = models.DateTimeField(default=timezone.now, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    who = models.CharField(max_length=150)
    origin = models.CharField(max_length=60, blank=True)
    action = models.CharField(max_length=40)
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    subject = models.CharField(max_length=200, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    integrity = models.CharField(max_length=20, blank=True, choices=Integrity.choices, default=Integrity.NONE)
    revision = models.PositiveIntegerField(default=0)
    changes = models.JSONField(default=list, blank=True)
    undoes = models.PositiveIntegerField(null=True, blank=True)
    back_to = models.PositiveIntegerField(null=True, blank=True)
    brought = models.JSONField(default=list, blank=True)
    seal = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["section", "-id"], name="log_newest_first"),
            models.Index(fields=["event", "-id"], name="log_of_event_newest_first"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "revision"],
                condition=Q(section__isnull=False),
                name="one_log_row_a_revision",
            ),
        ]
