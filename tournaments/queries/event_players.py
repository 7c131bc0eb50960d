"""The players of all sections of an event, by whom a visitor finds a card from the page of the event."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Event, Participant


@dataclass(frozen=True, slots=True)
class EventPlayer:
    """A player who has a card. Number and rating tell namesakes apart."""

    name: str
    title: str
    federation: str
    tpn: int | None
    rating: int | None
    section_name: str
    section_slug: str


def event_players(event: Event) -> list[EventPlayer]:
    """Return the players of the sections that visitors see, by section and number. One query."""
    entries = Participant.objects.filter(section__event=event, tpn__isnull=False)
    entries = entries.exclude(status=Participant.Status.EXPELLED).exclude(section__taken_away=True)
    return [
        EventPlayer(
            name=entry.shown_name,
            title=entry.player.title,
            federation=entry.player.federation,
            tpn=entry.tpn,
            rating=entry.rating,
            section_name=entry.section.name,
            section_slug=entry.section.slug,
        )
        for entry in entries.select_related("player", "section").order_by("section_id", "tpn")
    ]
