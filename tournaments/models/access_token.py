"""Tokens with which programs use the API in place of a person, and answers that they may get again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .event import Event


class Scope(models.TextChoices):
    """What a token is for. It never gives more than the rights that its maker has at the moment of a request."""

    LISTS_READ = "lists:read", _("read pairings, standings and the log, drafts too")
    ENTRIES_READ = "entries:read", _("read full names, birth dates, IDs and notes of players")
    ENTRIES_WRITE = "entries:write", _("enter and withdraw players, byes, check-in")
    REGISTRATIONS_READ = (
        "registrations:read",
        _("read registrations with e-mail addresses, telephones and payments"),
    )
    REGISTRATIONS_WRITE = "registrations:write", _("register players and decide about registrations")
    RESULTS_WRITE = "results:write", _("enter results")
    ROUNDS_WRITE = "rounds:write", _("pair and publish rounds, undo actions")
    SETTINGS_WRITE = "settings:write", _("make, change and close sections and events")


class AccessToken(models.Model):
    """What a program sends instead of a password.

    event: the only event that it is for; null: all events of which its maker is an organiser, and new ones.
    prefix: the beginning of the token, by which people recognise it. token_hash: its SHA-256; the token itself is
    stored nowhere. seen_at: the last use, up to ten minutes late.
    """

    event = models.ForeignKey(Event, models.CASCADE, null=True, blank=True, related_name="access_tokens")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="access_tokens")
    name = models.CharField(_("name"), max_length=60)
    prefix = models.CharField(max_length=16, unique=True)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_valid(self) -> bool:
        return self.ended_at is None and timezone.now() < self.expires_at and self.made_by.is_active

    @property
    def scope_labels(self) -> list[str]:
        """Return what the token is for, in words."""
        return [str(Scope(scope).label) for scope in Scope.values if scope in self.scopes]


class KeptAnswer(models.Model):
    """The answer to a request of a program, so that the same request sent again changes nothing (Idempotency-Key).

    It is written in the transaction of the action. fingerprint: of method, address and body. headers: those of the
    answer that its receiver needs.
    """

    token = models.ForeignKey(AccessToken, models.CASCADE, related_name="kept_answers")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="one_answer_a_key")]
