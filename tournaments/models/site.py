"""The installation: its settings, its log, its clock, and what the program does by itself."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .log import AppendOnlyRow
from .sections import Section


class EventMakers(models.TextChoices):
    """Who may make events. Site owners always may."""

    OWNERS = "owners", _("site owners only")
    CHOSEN = "chosen", _("the logins that are ticked below")
    EVERYBODY = "everybody", _("everybody who has a login")


class SiteSettings(models.Model):
    """What site owners choose for this installation: one row, or none as long as nobody has chosen anything."""

    ONLY = 1

    events_by = models.CharField(
        _("Who may make events"), max_length=10, choices=EventMakers.choices, default=EventMakers.CHOSEN
    )
    open_registration = models.BooleanField(_("Anybody may make a login for themselves"), default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="site_settings_have_one_row"),
            models.CheckConstraint(condition=Q(events_by__in=EventMakers.values), name="known_event_makers"),
        ]

    def __str__(self) -> str:
        return f"events by {self.events_by}"


class EnginePackage(models.Model):
    """An engine that paired rounds of this site, as one file that Python runs. It stays when a newer one is installed.

    code: the SHA-256 of its modules. version: its number. content: a zip archive.
    """

    code = models.CharField(max_length=64, unique=True)
    version = models.CharField(max_length=20)
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"engine {self.version}, {self.code[:12]}"


class KeptUpload(models.Model):
    """A file that somebody sent, until it is confirmed: whichever host shows the preview, any host finds the file.

    token: names it in the session of the person.
    """

    LASTS = timedelta(hours=2)

    token = models.CharField(max_length=32, primary_key=True)
    data = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"upload of {self.at}"


class SiteLog(AppendOnlyRow):
    """One row for each change of the rights of logins or of the settings of the site. subject: a login name, or ""."""

    at = models.DateTimeField(default=timezone.now, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    who = models.CharField(max_length=150)
    origin = models.CharField(max_length=60, blank=True)
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=150, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-pk"]


class CopyProof(models.Model):
    """The newest test restore of a copy on this machine.

    name: of the file. changed_ns: when the file was written, in nanoseconds, so that another file is proved again.
    fault: "" if the restored section is the copied one, else why not (`tournaments.actions.restore_tests`). detail:
    more. with_section: it was also compared with the section itself, which had not changed since the copy.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="copy_proofs")
    name = models.CharField(max_length=120)
    changed_ns = models.BigIntegerField()
    at = models.DateTimeField()
    fault = models.CharField(max_length=40, blank=True)
    detail = models.CharField(max_length=300, blank=True)
    with_section = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["section", "name"], name="one_proof_a_copy"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.fault or 'proved'}"


class Chore(models.Model):
    """Work that the program does by itself. Of several processes, one at a time does it.

    holder, until: the process that does it now, and until when no other process takes over. asked_at: when somebody
    asked for it. done_at: the last time without a failure. error, error_at: the last failure, "" after a success.
    place: the directory that it writes to.
    """

    name = models.CharField(max_length=40, primary_key=True)
    holder = models.CharField(max_length=80, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    error_at = models.DateTimeField(null=True, blank=True)
    place = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return self.name


class ServerClock(models.Model):
    """What the server knows of its own clock, in one row (`tournaments.actions.chores`).

    seen_at: the time at the last look. doubted_from: the last time before a jump of the clock that nobody has
    confirmed. ran: for how many seconds the server has run since.
    """

    ONLY = 1

    seen_at = models.DateTimeField()
    doubted_from = models.DateTimeField(null=True, blank=True)
    ran = models.FloatField(default=0)

    def __str__(self) -> str:
        return f"{self.seen_at}"
