"""Rows for tests, written directly into the database without the actions, which have their own tests."""

from __future__ import annotations

from datetime import date

import factory
from factory.django import DjangoModelFactory

from evenboard_engine import ByeKind, Colour
from tournaments.entry_data import EntryData
from tournaments.models import (
    Bye,
    Event,
    EventRole,
    ForbiddenPair,
    Game,
    Participant,
    Player,
    RatingSource,
    Round,
    Section,
    User,
)


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"user{n}")
    password = factory.django.Password("a long password")


class EventFactory(DjangoModelFactory[Event]):
    class Meta:
        model = Event

    name = factory.Sequence(lambda n: f"Event {n}")
    slug = factory.Sequence(lambda n: f"event-{n}")
    city = "Rijswijk"
    federation = "NED"
    start = date(2026, 10, 17)
    end = date(2026, 10, 25)


class EventRoleFactory(DjangoModelFactory[EventRole]):
    class Meta:
        model = EventRole

    event = factory.SubFactory(EventFactory)
    user = factory.SubFactory(UserFactory)
    role = EventRole.Role.CHIEF


class SectionFactory(DjangoModelFactory[Section]):
    """Seven rounds, White as the initial-colour."""

    class Meta:
        model = Section

    event = factory.SubFactory(EventFactory)
    name = factory.Sequence(lambda n: f"Section {n}")
    slug = factory.Sequence(lambda n: f"section-{n}")
    rounds = 7
    initial_colour = Colour.WHITE.value


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    event = factory.SubFactory(EventFactory)
    name = factory.Sequence(lambda n: f"Surname{n:04}, Given")
    federation = "NED"


class ParticipantFactory(DjangoModelFactory[Participant]):
    """The first participant of a section is number 1 with the highest rating, the second number 2, and so on."""

    class Meta:
        model = Participant

    section = factory.SubFactory(SectionFactory)
    player = factory.SubFactory(PlayerFactory, event=factory.SelfAttribute("..section.event"))
    tpn = factory.LazyAttribute(lambda made: made.section.participants.count() + 1)
    rating = factory.LazyAttribute(lambda made: max(2500 - 10 * made.tpn, 1))
    rating_source = RatingSource.STANDARD


class RoundFactory(DjangoModelFactory[Round]):
    class Meta:
        model = Round

    section = factory.SubFactory(SectionFactory)
    number = factory.LazyAttribute(lambda made: made.section.played_rounds.count() + 1)
    state = Round.State.PUBLISHED


class GameFactory(DjangoModelFactory[Game]):
    class Meta:
        model = Game

    round = factory.SubFactory(RoundFactory)
    board = factory.LazyAttribute(lambda made: made.round.games.count() + 1)
    white = factory.SubFactory(ParticipantFactory, section=factory.SelfAttribute("..round.section"))
    black = factory.SubFactory(ParticipantFactory, section=factory.SelfAttribute("..round.section"))


class ByeFactory(DjangoModelFactory[Bye]):
    class Meta:
        model = Bye

    participant = factory.SubFactory(ParticipantFactory)
    round_number = 1
    kind = ByeKind.HALF.value


class ForbiddenPairFactory(DjangoModelFactory[ForbiddenPair]):
    class Meta:
        model = ForbiddenPair

    section = factory.SubFactory(SectionFactory)
    first = factory.SubFactory(ParticipantFactory, section=factory.SelfAttribute("..section"))
    second = factory.SubFactory(ParticipantFactory, section=factory.SelfAttribute("..section"))


def section_of(players: int, **settings: object) -> Section:
    """Make a section with this many players, numbered from 1 in the order of falling ratings."""
    section = SectionFactory(**settings)
    people = Player.objects.bulk_create(PlayerFactory.build_batch(players, event=section.event))
    Participant.objects.bulk_create(
        ParticipantFactory.build(section=section, player=player, tpn=tpn)
        for tpn, player in enumerate(people, 1)
    )
    return section


def entry_data(name: str = "Schäfer, Greta", rating: int = 2000, **details: object) -> EntryData:
    """Return an entry as an arbiter would type it."""
    return EntryData(name=name, rating=rating, **details)


EACH_CLUB_APART = {
    "number": 1,
    "kind": "club",
    "value": "",
    "players": [],
    "first_round": 1,
    "last_round": None,
    "strict": True,
    "reason": "League",
}
"""A rule of `Section.apart_rules`."""
