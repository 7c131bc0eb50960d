from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Event

from .registration import Registration


class MailKind(models.TextChoices):
    """A mail for each state, and one that sends the personal link again."""

    SUBMITTED = "submitted", _("Confirm the registration")
    PENDING = "pending", _("Registration received")
    CORRECTION = "correction", _("Ask to correct")
    WAITING = "waiting", _("On the waiting list")
    OFFERED = "offered", _("A place is free")
    ACCEPTED = "accepted", pgettext_lazy("mail", "Accepted")
    WITHDRAWN = "withdrawn", pgettext_lazy("mail", "Withdrawn")
    REFUSED = "refused", pgettext_lazy("mail", "Refused")
    EXPIRED = "expired", pgettext_lazy("mail", "Expired")
    LINK = "link", _("The personal link again")
    ADDRESS = "address", _("Confirm a new e-mail address")
    TOLD = "told", _("Somebody asked for a new e-mail address")
    GUARDIAN = "guardian", _("Ask a parent or guardian about the page across events")


OF_NO_STATE = (MailKind.ADDRESS, MailKind.TOLD, MailKind.GUARDIAN)
"""No later mail replaces these."""


class MailText(models.Model):
    """The text of a mail that the organiser has changed. Others have the text of the program."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="registration_mails")
    kind = models.CharField(max_length=10, choices=MailKind.choices)
    subject = models.CharField(max_length=150)
    body = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "kind"], name="one_text_a_kind_of_mail")]


class Mail(models.Model):
    """A mail that goes out. It has no text: the text is made when it is sent, from the registration as it is then.

    not_before: mails wait for some minutes, so that only the last of several states is mailed. address: to whom it
    goes; empty for the addresses of the registration. answer: of the server that refused it, without the address.
    A mail is printed if no mail server is set up: it stands on the console.
    """

    class State(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("mail", "queued")
        SENT = "sent", pgettext_lazy("mail", "sent")
        PRINTED = "printed", pgettext_lazy("mail", "not sent: this server sends no mail")
        FAILED = "failed", pgettext_lazy("mail", "failed")
        RETURNED = "returned", pgettext_lazy("mail", "came back")
        DROPPED = "dropped", pgettext_lazy("mail", "not sent, a later one replaces it")

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=10, choices=MailKind.choices)
    address = models.EmailField(blank=True)
    revision = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    not_before = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    answer = models.CharField(max_length=120, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["registration", "kind", "revision"], name="one_mail_a_change"),
        ]
        indexes = [models.Index(fields=["state", "not_before"], name="mail_that_is_due")]


NOT_READ = (Mail.State.FAILED, Mail.State.RETURNED)
"""The player has not got these mails."""
