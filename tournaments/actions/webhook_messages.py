"""Messages to webhooks, written in the transaction of the action that they are about."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from tournaments.declarations import ActionKind, kind_of_action
from tournaments.declarations.presence import FORFEIT_AND_WITHDRAW
from tournaments.models import ActionLog, Participant, Section, Webhook, WebhookMessage
from tournaments.models.journal import Change

HELD = timedelta(seconds=5)
"""Messages of one kind that follow each other so fast are one, except publications and undo."""
AT_ONCE = frozenset({WebhookMessage.Kind.PUBLICATION, WebhookMessage.Kind.UNDO, WebhookMessage.Kind.TEST})
KIND_OF = {
    ActionKind.PUBLICATION: WebhookMessage.Kind.PUBLICATION,
    ActionKind.RESULT: WebhookMessage.Kind.RESULTS,
    ActionKind.CORRECTION: WebhookMessage.Kind.RESULTS,
}
STATUS = {"active": "readmitted", "withdrawn": "withdrawn", "expelled": "expelled"}


def queue_messages(section: Section, row: ActionLog) -> None:
    """Queue messages about an action, in its transaction. One query if nobody wants to know."""
    undone = row.undoes is not None or row.back_to is not None
    of_action = ActionKind.RESULT if row.action == FORFEIT_AND_WITHDRAW.name else kind_of_action(row.action)
    kind = WebhookMessage.Kind.UNDO if undone else KIND_OF.get(of_action)
    of_entries = [change for change in row.changes if change[0] in ("participant", "player")]
    if kind is None and not of_entries:
        return
    for webhook in Webhook.objects.filter(event=section.event_id, off_at=None):
        about = {"section_id": section.pk, "revision": section.revision, "round_number": row.round_number}
        if kind is not None:
            _queue(webhook, WebhookMessage(kind=kind, **about))
        if of_entries and WebhookMessage.Kind.ENTRIES in webhook.kinds:
            for change, keys in _entries(section, of_entries).items():
                message = WebhookMessage(kind=WebhookMessage.Kind.ENTRIES, change=change, **about)
                message.subject = next(iter(keys)) if len(keys) == 1 else None
                _queue(webhook, message)


def _entries(section: Section, changes: Iterable[Change]) -> dict[str, set[int]]:
    """Return the entries that an action has changed, by what happened to them."""
    found: dict[int, str] = {}
    players = set()
    for model, key, before, after in changes:
        if model == "player":
            players |= {key} if before is not None and after is not None else set()
        elif before is None or after is None:
            found[key] = "added" if before is None else "removed"
        elif found.get(key) != "added":
            found[key] = STATUS.get(after.get("status", ""), found.get(key, "changed"))
    if players:
        rows = Participant.objects.filter(section=section, player__in=players).values_list("pk", flat=True)
        found = {**dict.fromkeys(rows, "changed"), **found}
    by_change: dict[str, set[int]] = {}
    for key, change in found.items():
        by_change.setdefault(change, set()).add(key)
    return by_change


def queue_registrations(event_id: int, changed: Iterable[tuple[int, int, int, str]]) -> None:
    """Queue messages about registrations, in the transaction that changes them.

    changed: of each the section, the key, the revision, and what happened to it. One query if nobody wants to know.
    """
    changed = list(dict.fromkeys(changed))
    hooks = Webhook.objects.filter(event=event_id, off_at=None) if changed else ()
    kind = WebhookMessage.Kind.REGISTRATIONS
    for webhook in hooks:
        if kind not in webhook.kinds:
            continue
        groups: dict[tuple[int, str], dict[int, int]] = {}
        for section, key, revision, change in changed:
            groups.setdefault((section, change), {})[key] = revision
        for (section, change), rows in groups.items():
            message = WebhookMessage(
                kind=kind, change=change, section_id=section, revision=max(rows.values())
            )
            message.subject = next(iter(rows)) if len(rows) == 1 else None
            _queue(webhook, message)


def queue_test(webhook: Webhook) -> WebhookMessage:
    """Queue a message by which the receiver shows that it works."""
    message = WebhookMessage(kind=WebhookMessage.Kind.TEST, revision=0)
    _queue(webhook, message)
    return message


def _queue(webhook: Webhook, message: WebhookMessage) -> None:
    """Queue a message if the webhook gets its kind. One that waits for its first try is about the newer change too."""
    if message.kind not in (*webhook.kinds, WebhookMessage.Kind.TEST):
        return
    if message.kind not in AT_ONCE:
        waiting = WebhookMessage.objects.filter(
            webhook=webhook,
            section=message.section_id,
            kind=message.kind,
            change=message.change,
            state=WebhookMessage.State.WAITING,
            attempts=0,
        )
        newer = {"revision": message.revision, "round_number": message.round_number}
        if waiting.filter(subject=message.subject).update(**newer) or waiting.update(**newer, subject=None):
            return
        message.next_at = timezone.now() + HELD
    message.webhook = webhook
    message.save()
