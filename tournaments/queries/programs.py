"""Access tokens and webhooks as their pages list them, and which rows programs have to read again.

The log knows which rows of a section have changed since a moment: each action notes the rows that it wrote
(docs/decisions/0030).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from base.text import ERASED
from tournaments.models import (
    AccessToken,
    ActionLog,
    Event,
    Invitation,
    PasswordLink,
    Section,
    User,
    Webhook,
    WebhookMessage,
)
from tournaments.models.log import LOG_IN_PROGRESS

# Access tokens as their pages list them, and what else a login has opened for others.


def tokens_of_event(event: Event) -> QuerySet[AccessToken]:
    """Return the tokens of an event that are in force, newest first. One query."""
    return _valid(AccessToken.objects.filter(event=event))


def tokens_of_person(user: User) -> QuerySet[AccessToken]:
    """Return a person's tokens for all own events that are in force. One query."""
    return _valid(AccessToken.objects.filter(event=None, made_by=user))


AccessCounts = tuple[int, int, int]
"""Of access tokens, open invitations and links for a password."""
NO_ACCESS: AccessCounts = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class OpenedAccess:
    """What works without the password of the login that made it: rows that are in force."""

    tokens: QuerySet[AccessToken]
    invitations: QuerySet[Invitation]
    links: QuerySet[PasswordLink]

    def counts(self) -> AccessCounts:
        """Return how many of each there are. Three queries."""
        return self.tokens.count(), self.invitations.count(), self.links.count()


def opened_by(user: User) -> OpenedAccess:
    """Return what a login has opened. A thief of the login could have made each of it, and use it later."""
    now = timezone.now()
    open_ones = Invitation.objects.filter(made_by=user, state=Invitation.State.OPEN, expires_at__gt=now)
    return OpenedAccess(
        _valid(AccessToken.objects.filter(made_by=user)).order_by("event", "pk"),
        open_ones.select_related("event").order_by("event", "pk"),
        PasswordLink.objects.filter(made_by=user, used_at=None, expires_at__gt=now),
    )


def _valid(tokens: QuerySet[AccessToken]) -> QuerySet[AccessToken]:
    return tokens.filter(ended_at=None, expires_at__gt=timezone.now()).select_related("made_by")


# Webhooks of an event, and what was sent to them.

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


# Which rows of a section have changed since a moment, for programs that keep a copy of them.
#
# The log knows it: each action notes the rows that it wrote (docs/decisions/0030).

SEAL = 16
"""Signs of the seal that a mark has, so that a mark from before a restored copy of the database is not taken."""


_MARK = re.compile(rf"[0-9]{{1,18}}-[0-9a-f]{{0,{SEAL}}}")


def looks_like_a_mark(text: str) -> bool:
    """Whether the program may once have given this mark, so that a time or another word is refused as such."""
    return _MARK.fullmatch(text) is not None


def change_mark_of(section: Section) -> str:
    """Return the moment of the log at which the section was read."""
    return f"{section.revision}-{section.log_head[:SEAL]}"


def changed_since(section: Section, mark: str, model: str) -> set[int] | None:
    """Return the keys of the rows of a model that were written since the mark, also of those that are gone.

    None if the log has no such moment: it is from another section, or a player was erased since. Entries have changed
    too if their players did, who may be in several sections. At most four queries.
    """
    revision, seal = _read_mark(mark)
    if revision:
        row = section.log.filter(revision=revision).values_list("seal", flat=True).first()
        if row is None or row[:SEAL] != seal:
            return None
    elif seal:
        return None
    found: dict[str, set[int]] = {}
    rows = section.log.filter(revision__gt=revision).order_by().values_list("changes", flat=True)
    for changes in rows.iterator():
        for name, key, *_values in changes:
            found.setdefault(name, set()).add(key)
    changed = found.get(model, set())
    if model == "participant" and revision < section.revision:
        changed = changed | _of_changed_players(section, found.get("player", set()))
    return changed


def _read_mark(mark: str) -> tuple[int, str]:
    """Return the number and the part of a seal in a mark, -1 if it has no number."""
    text, _dash, seal = mark.partition("-")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1, seal


# The same for the logs of all events together: which events or sections have changed.

MOST_CHANGES = 200_000
"""Rows of the log that are read for an old mark. A mark that is older is no longer valid, so the cost has a limit."""


def log_mark() -> str:
    """Return the mark of the newest row of the log up to which nothing can be written any more. To be read before the
    transaction that reads the rows. One query.

    On PostgreSQL, a transaction that is not committed may have a lower key than one that is (`LOG_IN_PROGRESS`). The
    newest key is read before the locks, because these depend on its row.
    """
    if connection.vendor != "postgresql":
        row = ActionLog.objects.order_by("-pk").values_list("pk", "seal").first()
    else:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT log.id, log.seal FROM tournaments_actionlog_id_seq newest, LATERAL ("
                "SELECT MIN(objid::bigint) AS begun FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 "
                "AND classid = %s AND newest.last_value > 0 "
                "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                ") lock, LATERAL (SELECT id, seal FROM tournaments_actionlog "
                "WHERE id <= LEAST(newest.last_value, lock.begun) ORDER BY id DESC LIMIT 1) log",
                [LOG_IN_PROGRESS],
            )
            row = cursor.fetchone()
    number, seal = row or (0, "")
    return f"{number}-{seal[:SEAL]}"


def changed_in_log(mark: str, column: str, **of: Any) -> set[int] | None:
    """Return the keys in this column of the log, event or section, of what has changed since a mark; None if the mark
    is not of this log, or too old. At most three queries.
    """
    number, seal = _read_mark(mark)
    rows = ActionLog.objects.order_by("-pk").values_list("pk", "seal")
    newest = rows.first() or (0, "")
    known = rows.filter(pk=number).first() if number else (0, "")
    if known is None or known[1][:SEAL] != seal or newest[0] - number > MOST_CHANGES:
        return None
    found = ActionLog.objects.filter(pk__gt=number, **of).exclude(**{column: None}).order_by()
    return set(found.values_list(column, flat=True).distinct())


def _of_changed_players(section: Section, players: set[int]) -> set[int]:
    """Return the entries of these players, and those whose players another section or an erasure may have changed."""
    entries = section.participants.order_by()
    elsewhere = entries.annotate(sections=Count("player__entries")).filter(
        Q(sections__gt=1) | Q(player__name__startswith=ERASED)
    )
    return {
        *entries.filter(player__in=players).values_list("pk", flat=True),
        *elsewhere.values_list("pk", flat=True),
    }
