"""Messages to webhooks, written in the transaction of the action that they are about."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from tournaments.declarations import Kind, kind_of
from tournaments.models import ActionLog, Section, Webhook, WebhookMessage

HELD = timedelta(seconds=5)
"""Results that follow each other so fast are one message."""
KIND_OF = {
    Kind.PUBLICATION: WebhookMessage.Kind.PUBLICATION,
    Kind.RESULT: WebhookMessage.Kind.RESULTS,
    Kind.CORRECTION: WebhookMessage.Kind.RESULTS,
}


def queue_messages(section: Section, row: ActionLog) -> None:
    """Queue messages about an action, in its transaction. One query if nobody wants to know."""
    undone = row.undoes is not None or row.back_to is not None
    kind = WebhookMessage.Kind.UNDO if undone else KIND_OF.get(kind_of(row.action))
    if kind is None:
        return
    for webhook in Webhook.objects.filter(event=section.event_id, off_at=None):
        waiting = WebhookMessage.objects.filter(
            webhook=webhook,
            section=section,
            kind=WebhookMessage.Kind.RESULTS,
            state=WebhookMessage.State.WAITING,
            attempts=0,
        )
        if kind == WebhookMessage.Kind.RESULTS and waiting.update(
            revision=section.revision, round_number=row.round_number
        ):
            continue
        held = HELD if kind == WebhookMessage.Kind.RESULTS else timedelta(0)
        WebhookMessage.objects.create(
            webhook=webhook,
            section=section,
            kind=kind,
            revision=section.revision,
            round_number=row.round_number,
            next_at=timezone.now() + held,
        )
