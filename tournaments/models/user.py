from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class ResultKeys(models.TextChoices):
    """Which keys type results: our own, or those that the fingers of other programs' users know."""

    EVENBOARD = "evenboard", _("Evenboard: 1, 5, 0")
    VEGA = "vega", _("Vega: 1, 5, 0 and 3, 4, 2 for forfeits")
    SWISS_MANAGER = "swiss-manager", _("Swiss-Manager: 1, 2, 3")


class User(AbstractUser):
    """A person who can log in. Our own class from the first migration, so that it can grow."""

    result_keys = models.CharField(
        _("keys for results"), max_length=20, choices=ResultKeys.choices, default=ResultKeys.EVENBOARD
    )

    @property
    def label(self) -> str:
        return self.get_full_name() or self.username
