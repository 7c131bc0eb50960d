from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Boards, boards_between

from .events import Event, EventRole, boards_of_clerk

if TYPE_CHECKING:
    from .sections import Section

LASTS = timedelta(days=7)


def in_a_week() -> datetime:
    return timezone.now() + LASTS


def hash_of(token: str) -> str:
    """Return what the database keeps of a token. A random token of 256 bits needs no slow hash."""
    return sha256(token.encode()).hexdigest()


class Invitation(models.Model):
    """A role in an event that counts once the invited person accepts it. It is by link or by login name.

    username: the login name that was typed; "" for a link. user: who may answer. By name it is the login that had this
    name when the invitation was made; it is null if there was none, and nobody who runs the event can see which. By
    link it is the login that was made from the link.
    token_hash: SHA-256 of the token in the link; null for an invitation by name. The token itself is stored nowhere.
    sections: those in which the role will count; none: the whole event. until: its last day; first_board, last_board:
    as in `EventRole`.
    note: what the organiser wrote to recognise the link. answered_by: the person who accepted or declined.
    opened_at: when somebody first opened the page of the invitation.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        REVOKED = "revoked", _("revoked")

    event = models.ForeignKey(Event, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=EventRole.Role.choices)
    sections: models.ManyToManyField[Section, Section] = models.ManyToManyField(
        "Section", blank=True, related_name="+"
    )
    until = models.DateField(null=True, blank=True)
    first_board = models.PositiveSmallIntegerField(null=True, blank=True)
    last_board = models.PositiveSmallIntegerField(null=True, blank=True)
    username = models.CharField(max_length=150, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    token_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    note = models.CharField(_("note"), max_length=80, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(default=in_a_week)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=EventRole.Role.values), name="known_invited_role"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "accepted", "declined", "revoked"]),
                name="known_invitation_state",
            ),
            models.CheckConstraint(
                condition=Q(username="", token_hash__isnull=False)
                | (~Q(username="") & Q(token_hash__isnull=True)),
                name="invitation_by_link_or_by_name",
            ),
            models.UniqueConstraint(
                fields=["event", "username", "role"],
                condition=Q(state="open") & ~Q(username=""),
                name="one_open_invitation_a_name_a_role",
            ),
            boards_of_clerk("boards_of_an_invited_clerk"),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.label}"

    @property
    def label(self) -> str:
        """Return whom the invitation is for, as the organiser knows: a login name, a note, or "" for a bare link."""
        return self.username or self.note

    @property
    def boards(self) -> Boards | None:
        return boards_between(self.first_board, self.last_board)

    @property
    def section_names(self) -> list[str]:
        return [section.name for section in self.sections.all()]

    def is_for(self, user_id: int | None) -> bool:
        """Return whether this login may answer: the invited one, or for a link that no login has claimed any login."""
        return self.user_id == user_id if self.user_id or self.username else True

    @property
    def expired(self) -> bool:
        return timezone.now() >= self.expires_at

    @property
    def is_open(self) -> bool:
        """Return whether somebody can still accept or decline it."""
        return self.state == self.State.OPEN and not self.expired
