"""Who may put an event on the page of a person across events, by which link."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from registrations.models import EventRegistration, Registration
from tournaments.models import Event, JoinedEntry, Player
from tournaments.queries.persons_page import keys_of, player_of_link, standing_row

from .mails import registration_of
from .problems import needs_guardian


def guardian_decides(one: Registration, form: EventRegistration) -> bool:
    """Return whether the player is so young that only a guardian may consent.

    The birth date of a registration is deleted after the event. Then that of the entry counts.
    """
    born = one.birth_date or (one.participant.player.birth_date if one.participant else "")
    return needs_guardian(Registration(event=one.event, birth_date=born), form)


def guarded_registration(player: Player) -> Registration | None:
    """Return the registration of a player whose guardian has an own link, None without one. One query.

    Where the server sends no mail, no guardian has one, and an arbiter gives a link to the guardian.
    """
    if not settings.MAIL_IS_SET_UP:
        return None
    found = Registration.objects.filter(participant__player=player).exclude(guardian_email="")
    for one in found.select_related("event__registration", "participant__player"):
        if guardian_decides(one, one.event.registration):
            return one
    return None


@dataclass(frozen=True, slots=True)
class PageChoice:
    """What a person may choose who has opened a link.

    one: the registration behind the link, None behind a link that an arbiter gave. player: None without an entry.
    of_guardian: the link went to the address of the guardian. waits: only a guardian may consent, by another link.
    """

    one: Registration | None
    player: Player | None
    of_guardian: bool = False
    waits: bool = False

    @property
    def name(self) -> str:
        """Return the name in the entry, or the one in the registration without an entry."""
        return self.player.name if self.player else self.one.name if self.one else ""

    @property
    def row(self) -> JoinedEntry | None:
        return standing_row(self.player) if self.player else None

    @property
    def wished(self) -> bool:
        """Return whether the event comes to the page once the player has an entry."""
        return self.player is None and self.one is not None and self.one.joins

    @property
    def has_number(self) -> bool:
        """Return whether the person can be found in other events."""
        return (
            bool(keys_of(self.player))
            if self.player
            else self.one is not None and self.one.fide_id is not None
        )

    @property
    def by_initials(self) -> bool:
        return self.player.by_initials if self.player else self.one is not None and not self.one.consent

    @property
    def writes_guardian(self) -> bool:
        """Return whether the link of the guardian can be sent."""
        return (
            self.waits and self.one is not None and bool(self.one.guardian_email) and settings.MAIL_IS_SET_UP
        )


def choice_of(one: Registration, form: EventRegistration, *, of_guardian: bool = False) -> PageChoice:
    """Return what the personal link of a registration, or the link of the guardian, may choose."""
    player = one.participant.player if one.participant else None
    return PageChoice(
        one, player, of_guardian=of_guardian, waits=not of_guardian and guardian_decides(one, form)
    )


def choice_of_link(event: Event, link: str) -> PageChoice | None:
    """Return what the link of a guardian, or one that an arbiter gave, may choose; None for any other link."""
    one = registration_of(event, link, guardian=True)
    if one is not None:
        return choice_of(one, event.registration, of_guardian=True)
    player = player_of_link(event, link)
    return PageChoice(None, player, waits=guarded_registration(player) is not None) if player else None
