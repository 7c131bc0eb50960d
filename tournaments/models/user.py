from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _


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
    """What the columns of a list are, as a person chose it for lists of one shape. shape: as in `Table` of the import.

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
