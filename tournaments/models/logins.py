"""Logins: people, failed attempts, sessions, second factors, links for a new password or a new phone.

No copy and no log has the rows beside those of people. They hold no password, no code and no token, only hashes.
"""

from __future__ import annotations

from typing import Any

import rules
from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .events import Event


class ResultKeys(models.TextChoices):
    """The keys that enter results: our own, or those of other programs."""

    EVENBOARD = "evenboard", _("Evenboard: 1, 5, 0")
    VEGA = "vega", _("Vega: 1, 5, 0 and 3, 4, 2 for forfeits")
    SWISS_MANAGER = "swiss-manager", _("Swiss-Manager: 1, 2, 3")


class User(AbstractUser):
    """A person who can log in. Django's own user class could not be replaced by ours in a later migration.

    language: the code of the language that this person reads, "" for the one that the browser asks for.
    site_owner, makes_events, makes_logins, keeps_lists: what site owners give and take (docs/decisions/0043). A
    superuser, whom only the command line makes, counts as site owner.
    """

    result_keys = models.CharField(
        _("keys for results"), max_length=20, choices=ResultKeys.choices, default=ResultKeys.EVENBOARD
    )

    language = models.CharField(_("language"), max_length=10, blank=True, default="")

    site_owner = models.BooleanField(_("site owner"), default=False)
    makes_events = models.BooleanField(_("makes events"), default=False)
    makes_logins = models.BooleanField(_("makes logins"), default=False)
    keeps_lists = models.BooleanField(_("keeps rating lists"), default=False)

    @property
    def owns_site(self) -> bool:
        return self.is_active and (self.site_owner or self.is_superuser)

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Return whether the rules allow it (tournaments/rules.py). Django's tables of permissions, which a refusal
        would read, are empty.
        """
        return (self.is_active and self.is_superuser) or rules.has_perm(perm, self, obj)

    @cached_property
    def works(self) -> bool:
        """Return whether this login has a right on the site or works on an event. One query at most."""
        on_site = self.site_owner or self.is_superuser or self.is_staff
        rights = on_site or self.makes_events or self.makes_logins or self.keeps_lists
        return self.is_active and (rights or self.event_roles.exists())

    @property
    def label(self) -> str:
        return self.get_full_name() or self.username


class ColumnLayout(models.Model):
    """What the columns of a list are, as a person chose it for lists of one shape.

    shape: as in `ListTable` of the import.

    layout: what was chosen, by the names of the options of the import.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="column_layouts")
    shape = models.CharField(max_length=64)
    layout = models.JSONField(default=dict)
    used_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "shape"], name="one_layout_a_shape")]

    def __str__(self) -> str:
        return self.shape


# Rows about logins: failed attempts, sessions, second factors, links for a new password or a new phone.
#
# No copy and no log has them. They hold no password, no code and no token, only hashes.


class LoginTrials(models.Model):
    """The failed attempts with one name from one source, and when an attempt last succeeded.

    name, source: hashes with the server's key, because people also type passwords into the wrong field.
    known_device: the source is a browser that has logged in under this name before, not an address.
    """

    name = models.CharField(max_length=32)
    source = models.CharField(max_length=32)
    known_device = models.BooleanField(default=False)
    failures = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(db_index=True)
    good_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["source", "last_at"], name="login_trials_of_a_source")]
        constraints = [
            models.UniqueConstraint(fields=["name", "source"], name="one_row_a_name_a_source"),
        ]


class LoginSession(models.Model):
    """What the list of sessions shows about a session. Django's own table decides whether the session is valid.

    address, agent: those of the browser at its last visit. registration: the key of the one on which the person worked
    then. seen_at: up to five minutes late.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sessions")
    session_key = models.CharField(max_length=40, unique=True)
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)
    address = models.CharField(max_length=60, blank=True)
    agent = models.CharField(max_length=300, blank=True)
    registration = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ["-seen_at", "-pk"]


class SecondFactor(models.Model):
    """A person's app for codes. It counts when `confirmed_at` is set.

    nonce: the secret of the app is made from it and the server's key (`actions/logins/second_factor.py`).
    last_step: the time step of the newest code that was accepted. No code is accepted twice.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor", primary_key=True
    )
    nonce = models.CharField(max_length=43)
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)


class RecoveryCode(models.Model):
    """The hash of a code that replaces one code of the app. A used code has no row."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "digest"], name="one_row_a_recovery_code"),
        ]


class OneTimeLink(models.Model):
    """A link of a `user` that is used once and not too late. digest: the hash of its token."""

    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class PasswordLink(OneTimeLink):
    """A link with which a person sets a new password, once.

    made_by, event: the organiser who made the link, and in which event. Both are empty for a link sent by mail.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="password_links")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    event = models.ForeignKey(Event, models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=models.F("made_at")), name="password_link_expires_later"
            ),
        ]


class DeviceLink(OneTimeLink):
    """A link that makes one browser a known browser of the person, who must still log in there.

    used_at: when it was used, or when the person made a newer one.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="device_links")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=models.F("made_at")), name="device_link_expires_later"
            ),
        ]
