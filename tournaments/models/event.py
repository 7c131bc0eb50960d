from __future__ import annotations

import re
from datetime import date

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .journal import Journaled

federation_form = re.compile(r"^[A-Z]{3}$")
federation_code = RegexValidator(
    federation_form.pattern, _("A federation is three capital letters, such as NED.")
)


class Event(Journaled):
    """A place, dates, and one or more sections (`Section`).

    time_zone: of all times that the event shows and reads, as in `tournaments.zones`; empty: the zone of the server.
    indexed: search engines may list the public pages. Until then, every answer forbids it.
    contact: whom people ask about what is kept about them.
    embed_sites: the web sites that may show lists of the event in a frame, one on each line, as https://club.example.
    public_pgn: everybody may download the names at the boards of a round as PGN, for transmissions.
    log_head: the seal of the newest row in the event's own log, which is the rows without a section.
    """

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    federation = models.CharField(_("federation"), max_length=3, blank=True, validators=[federation_code])
    start = models.DateField(_("first day"))
    end = models.DateField(_("last day"))
    chief_arbiter = models.CharField(_("chief arbiter"), max_length=120, blank=True)
    deputy_arbiters = models.TextField(
        _("deputy arbiters"), blank=True, help_text=_("One name on each line.")
    )
    time_control = models.CharField(_("time control"), max_length=120, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    public = models.BooleanField(_("public"), default=True)
    indexed = models.BooleanField(_("in search engines"), default=False)
    contact = models.CharField(_("contact about personal data"), max_length=200, blank=True)
    embed_sites = models.TextField(_("web sites that may embed lists"), blank=True)
    public_pgn = models.BooleanField(_("boards as PGN for everybody"), default=False)
    log_head = models.CharField(max_length=64, blank=True, default="", editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-start", "name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(end__gte=models.F("start")), name="event_ends_after_it_starts"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def includes(self, day: date) -> bool:
        return self.start <= day <= self.end


class EventRole(Journaled):
    """A person who works on an event. An owner may do everything that an arbiter may do."""

    class Role(models.TextChoices):
        OWNER = "owner", _("organiser")
        ARBITER = "arbiter", _("arbiter")

    event = models.ForeignKey(Event, models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="event_roles")
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="one_role_a_person_an_event"),
            models.CheckConstraint(condition=Q(role__in=["owner", "arbiter"]), name="known_event_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"
