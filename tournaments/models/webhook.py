"""Addresses of other programs that are told when something was published or a result has changed."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .event import Event
from .section import Section


class Webhook(models.Model):
    """nonce: the secret of the signatures is made from it and the key of the server (`actions/webhooks.py`).

    former_nonce: signs too until `former_until`, while the receiver changes its secret.
    off_at: the receiver answered that it is gone, or somebody removed it. Messages of the last 30 days stay.
    slow: the last answer took long or did not come, so its messages do not delay those of others.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="webhooks")
    address = models.URLField(_("address"), max_length=300)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    nonce = models.CharField(max_length=32)
    former_nonce = models.CharField(max_length=32, blank=True)
    former_until = models.DateTimeField(null=True, blank=True)
    off_at = models.DateTimeField(null=True, blank=True)
    slow = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["pk"]


class WebhookMessage(models.Model):
    """A message to a webhook, written in the transaction of the action. It names no player.

    key: the same at each attempt, so that a receiver notices what it has already. revision: of the section; results in
    quick succession are one message with the last one. status: of the last answer, 0 without an answer.
    """

    class Kind(models.TextChoices):
        PUBLICATION = "publication", _("publication")
        RESULTS = "results", _("results")
        UNDO = "undo", _("undo")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("arrived")
        FAILED = "failed", _("failed")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="messages")
    section = models.ForeignKey(Section, models.CASCADE, related_name="+")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=12, choices=Kind.choices)
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
