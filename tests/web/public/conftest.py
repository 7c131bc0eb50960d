"""A section of six whose lists can be computed by hand, and larger ones for counting queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest

from evenboard_engine import ByeKind, Result
from tournaments.models import Bye, Event, EventRole, Game, Participant, Player, Round, Section, User

WHEN = dt.datetime(2026, 11, 20, 14, 52, tzinfo=dt.UTC)


@dataclass
class MadeSection:
    """The rows of a section, with short ways to add more. Players are named by pairing number."""

    row: Section
    players: dict[int, Participant] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"/{self.row.event.slug}/{self.row.slug}/"

    def enter(self, tpn: int, name: str, rating: int, title: str = "", federation: str = "") -> Participant:
        self.enter_all([(tpn, name, rating, title, federation)])
        return self.players[tpn]

    def enter_all(self, entries: Iterable[tuple[int, str, int, str, str]]) -> None:
        """Add players in two statements: number, name, rating, title and federation of each."""
        entries = list(entries)
        people = Player.objects.bulk_create(
            Player(event=self.row.event, name=name, title=title, federation=federation)
            for _tpn, name, _rating, title, federation in entries
        )
        made = Participant.objects.bulk_create(
            Participant(section=self.row, player=player, rating=entry[2], tpn=entry[0])
            for entry, player in zip(entries, people, strict=True)
        )
        self.players |= {each.tpn: each for each in made}

    def play(self, number: int, state: str, *games: tuple[int, int, Result | str]) -> Round:
        """Add a round with its boards in order: White, Black, result."""
        draft = state == Round.State.DRAFT
        played = Round.objects.create(
            section=self.row, number=number, state=state, published_at=None if draft else WHEN
        )
        Game.objects.bulk_create(
            Game(
                round=played,
                board=board,
                white=self.players[white],
                black=self.players[black],
                result=str(result),
            )
            for board, (white, black, result) in enumerate(games, 1)
        )
        return played

    def touch(self) -> None:
        """Increase the revision, as every action does."""
        self.row.revision += 1
        self.row.save(update_fields=["revision"])


def new_section(*, state: str = "public", rounds: int = 5, slug: str = "veldhaven") -> MadeSection:
    event = Event.objects.create(
        name="Veldhaven Open",
        slug=slug,
        city="Veldhaven",
        federation="NED",
        start=dt.date(2026, 11, 14),
        end=dt.date(2026, 11, 22),
        chief_arbiter="Ada Arbiter",
        state=state,
    )
    return MadeSection(
        Section.objects.create(event=event, name="Section A", slug="a", rounds=rounds, initial_colour="w")
    )


@pytest.fixture
def six(db: None) -> MadeSection:
    """Return a section of six players: round 1 is finished, round 2 is running, and its board 2 is open.

    After round 1: 1 Adams 1 (ARO 2100), 2 Bauer 1 (2000), 6 Ferrari ½ (2200), 3 Costa ½ (1900),
    4 Dvořák 0 (2400), 5 Eriksson 0 (2300); Eriksson has withdrawn.
    """
    section = new_section()
    section.enter_all(
        [
            (1, "Adams, Ann", 2400, "GM", "ENG"),
            (2, "Bauer, Bernd", 2300, "IM", "GER"),
            (3, "Costa, Carla", 2200, "", "POR"),
            (4, "Dvořák, Dušan", 2100, "FM", "CZE"),
            (5, "Eriksson, Eva", 2000, "", "SWE"),
            (6, "Ferrari, Fabio", 1900, "", "ITA"),
        ]
    )
    section.play(
        1,
        "finished",
        (1, 4, Result.WHITE_WINS),
        (5, 2, Result.BLACK_WINS),
        (3, 6, Result.DRAW),
    )
    section.play(2, "published", (2, 1, Result.DRAW), (4, 3, ""))
    Bye.objects.create(
        participant=section.players[6], round_number=2, kind=ByeKind.HALF, source=Bye.Source.REQUESTED
    )
    section.players[5].status = Participant.Status.WITHDRAWN
    section.players[5].save()
    return section


def crowd(size: int) -> MadeSection:
    """Return an even number of players after two rounds of draws, in the third round."""
    section = new_section(slug=f"crowd-{size}")
    section.enter_all((tpn, f"Player {tpn:03}, A", 2500 - 5 * tpn, "", "NED") for tpn in range(1, size + 1))
    half = size // 2
    for number in (1, 2, 3):
        games = [
            (first, half + (first + number - 2) % half + 1, "" if number == 3 else Result.DRAW)
            for first in range(1, half + 1)
        ]
        section.play(number, "published" if number == 3 else "finished", *games)
    return section


@pytest.fixture
def arbiter(six: MadeSection) -> User:
    """Return an arbiter of the event of `six`."""
    user = User.objects.create_user("ada", password="a long enough one")
    EventRole.objects.create(event=six.row.event, user=user, role=EventRole.Role.ARBITER)
    return user
