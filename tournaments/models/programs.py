"""Access tokens, the answers that programs may get again, and webhooks with their messages."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .events import Event
from .sections import Section

# Tokens with which programs use the API in place of a person, and answers that they may get again.


class Scope(models.TextChoices):
    """What a token is for. It never gives more than the rights that its maker has at the moment of a request.

    The label names everything that the scope opens, because people who make a token read nothing else about it.
    """

    LISTS_READ = (
        "lists:read",
        _(
            "Read events and sections with their settings, drafts too: entries and byes, who is here, rounds, games,"
            " explanations, fairness, standings, lists, prizes, rating lists, forbidden pairs, screens and the log"
        ),
    )
    ENTRIES_READ = (
        "entries:read",
        _(
            "Read full names, sex, birth dates, IDs and notes of players, and whom the log names; incidents; save"
            " tables, report files, archives and copies; look at a file before it is imported"
        ),
    )
    ENTRIES_WRITE = (
        "entries:write",
        _(
            "Enter, change, move, withdraw, expel, readmit and remove players; import lists of entries, and report"
            " files with rounds and results; give and cancel byes; check-in and absences; order equal players"
        ),
    )
    REGISTRATIONS_READ = (
        "registrations:read",
        _(
            "Read registrations with e-mail addresses, telephones, messages and payments, and the places, settings and"
            " mail texts of the registration"
        ),
    )
    REGISTRATIONS_WRITE = (
        "registrations:write",
        _(
            "Register players, change registrations and decide about them, which enters and removes players and sends"
            " mails; sections, byes, waiting list, payments, presence, labels, notes, personal links, undo"
        ),
    )
    RESULTS_WRITE = (
        "results:write",
        _(
            "Enter, change, confirm, correct and remove results; forfeit the game of an absent player; mark games as"
            " over; make links of players worthless; add points to players, or take them away; note"
            " incidents"
        ),
    )
    ROUNDS_WRITE = (
        "rounds:write",
        _(
            "Set the initial-colour, draw lots; pair, check, publish, unpublish and unpair rounds, by hand too, and"
            " without a player who then is withdrawn; publish lists; forbid pairs; screens, message and countdown in"
            " the hall; undo and go back, with the scopes of what is undone"
        ),
    )
    SETTINGS_WRITE = (
        "settings:write",
        _(
            "Make events, which you then own, and sections, also from report files; change events and sections; hide,"
            " close and reopen sections; leave FIDE mode; tie-breaks, prizes, rating lists, ratings taken from them,"
            " rating periods, dates of rounds; settings and mail texts of the registration"
        ),
    )
    PEOPLE_READ = (
        "people:read",
        _("Read who has which role, and who is invited; with copies of events their people"),
    )
    PEOPLE_WRITE = (
        "people:write",
        _(
            "Invite people and give them roles; change the boards of result clerks; end roles and invitations. A "
            "program never makes an owner and never ends the role of one"
        ),
    )
    PROGRAMS_READ = (
        "programs:read",
        _("Read which access tokens and webhooks there are, and which messages were sent to webhooks"),
    )
    PROGRAMS_WRITE = (
        "programs:write",
        _(
            "End access tokens and webhooks, choose the messages of webhooks, send them a test, and send messages "
            "again. A program makes no tokens and no webhooks"
        ),
    )


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


# Addresses of other programs that are told when something was published or a result has changed.


def all_kinds() -> list[str]:
    """Return every kind of message that a webhook can ask for."""
    return [kind for kind in WebhookMessage.Kind.values if kind != WebhookMessage.Kind.TEST]


class Webhook(models.Model):
    """nonce: the secret of the signatures is made from it and the key of the server (`actions/programs.py`).

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
