"""Webhooks of an event, and what was sent to them."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import Event, Webhook, WebhookMessage

NEWEST = 50


def webhooks_of(event: Event) -> QuerySet[Webhook]:
    """Return the webhooks that are told something. One query."""
    return Webhook.objects.filter(event=event, off_at=None)


def ended_webhooks(event: Event) -> QuerySet[Webhook]:
    """Return the webhooks that have ended by themselves in the last 30 days, newest first. One query."""
    return Webhook.objects.filter(event=event).exclude(ended="").order_by("-off_at")


def newest_messages(event: Event) -> QuerySet[WebhookMessage]:
    """Return the newest messages, also to webhooks that are off. One query."""
    messages = WebhookMessage.objects.filter(webhook__event=event).select_related("webhook", "section")
    return messages[:NEWEST]
