"""Addresses of other programs that are told when something was published or a result has changed."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .event import Event
from .section import Section


def all_kinds() -> list[str]:
    """Return every kind of message that a webhook can ask for."""
    return [kind for kind in WebhookMessage.Kind.values if kind != WebhookMessage.Kind.TEST]


class Webhook(models.Model):
    """nonce: the secret of the signatures is made from it and the key of the server (`actions/webhooks.py`).

    former_nonce: signs too until `former_until`, while the receiver changes its secret.
    off_at: somebody removed it, or it ended by itself. Messages of the last 30 days stay. ended: why it did by itself.
    told_at: when the organisers got the mail about that. kinds: of the messages that it gets.
    slow: the last answer took long or did not come, so its messages do not delay those of others.
    """

    class Ended(models.TextChoices):
        GONE = "gone", _("the receiver answered that it is gone (410)")
        SILENT = "silent", _("nothing arrived for two and a half days")

    event = models.ForeignKey(Event, models.CASCADE, related_name="webhooks")
    address = models.URLField(_("address"), max_length=300)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    nonce = models.CharField(max_length=32)
    former_nonce = models.CharField(max_length=32, blank=True)
    former_until = models.DateTimeField(null=True, blank=True)
    off_at = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=8, choices=Ended.choices, blank=True)
    told_at = models.DateTimeField(null=True, blank=True)
    kinds = models.JSONField(default=all_kinds)
    slow = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["pk"]


class WebhookMessage(models.Model):
    """A message to a webhook, written in the transaction of the action. It names no player.

    key: the same at each attempt, so that a receiver notices what it has already. revision: of the section; results in
    quick succession are one message with the last one. status: of the last answer, 0 without an answer.
    section: None for a test. change: what happened to the entry or registration. subject: its key, None for several.
    """

    class Kind(models.TextChoices):
        PUBLICATION = "publication", _("publication")
        RESULTS = "results", _("results")
        UNDO = "undo", _("undo")
        ENTRIES = "entries", _("entries")
        REGISTRATIONS = "registrations", _("registrations")
        TEST = "test", _("test")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("arrived")
        FAILED = "failed", _("failed")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="messages")
    section = models.ForeignKey(Section, models.CASCADE, null=True, related_name="+")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=13, choices=Kind.choices)
    change = models.CharField(max_length=10, blank=True)
    subject = models.PositiveBigIntegerField(null=True)
    revision = models.PositiveIntegerField()
    round_number = models.PositiveSmallIntegerField(null=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    tried_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "next_at"], name="webhook_messages_due")]

    @property
    def type(self) -> str:
        """Return what the message says that it is about, such as `entry.added`."""
        of = {self.Kind.ENTRIES.value: "entry", self.Kind.REGISTRATIONS.value: "registration"}.get(self.kind)
        return f"{of}.{self.change}" if of else self.kind

    @property
    def place(self) -> str:
        """Return where to look: the address below /api/v1/."""
        if self.kind == self.Kind.ENTRIES:
            lost = self.change == "removed" or self.subject is None
            return f"sections/{self.section_id}/entries/" if lost else f"entries/{self.subject}/"
        if self.kind == self.Kind.REGISTRATIONS:
            of_event = f"events/{self.webhook.event_id}/registrations/"
            return of_event if self.subject is None else f"registrations/{self.subject}/"
        return f"sections/{self.section_id}/" if self.section_id else f"events/{self.webhook.event_id}/"
