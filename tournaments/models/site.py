from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .action_log import AppendOnly


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


class SiteLog(AppendOnly):
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
