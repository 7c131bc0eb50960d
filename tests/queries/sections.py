"""Sections for tests, in the short form that an arbiter would write: "Anna 1-0 Bert; Carl H"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import count

from django.utils import timezone

from evenboard_engine import ByeKind
from tournaments.models import Bye, Event, Game, Participant, Player, Round, Section

_NUMBERS = count(1)


@dataclass
class MadeSection:
    """A section with its participants by name."""

    row: Section
    people: dict[str, Participant]

    def name(self, participant_id: int) -> str:
        return next(name for name, entry in self.people.items() if entry.pk == participant_id)

    def game(self, number: int, board: int) -> Game:
        return Game.objects.get(round__section=self.row, round__number=number, board=board)


def make_section(
    ratings: dict[str, int], *rounds: str, planned: int = 5, draft: bool = False, **settings: object
) -> MadeSection:
    """Make a section: players in the order of their numbers, then rounds.

    A round is "White result Black; ...; Player KIND", with "." for an open game, in the order of boards. The last round
    is published, or a draft if `draft` is set.
    """
    number = next(_NUMBERS)
    event = Event.objects.create(
        name=f"Event {number}", slug=f"event-{number}", start=date(2026, 10, 17), end=date(2026, 10, 25)
    )
    values = {"name": "Open", "slug": "open", "initial_colour": "w", **settings}
    section = Section.objects.create(event=event, rounds=planned, **values)
    players = Player.objects.bulk_create(Player(event=event, name=name) for name in ratings)
    entries = Participant.objects.bulk_create(
        Participant(section=section, player=player, rating=rating, tpn=tpn)
        for tpn, (player, rating) in enumerate(zip(players, ratings.values(), strict=True), start=1)
    )
    made = MadeSection(section, dict(zip(ratings, entries, strict=True)))
    for number, text in enumerate(rounds, start=1):
        add_round(made, number, text, _state(number, len(rounds), draft=draft))
    return made


def add_round(section: MadeSection, number: int, text: str, state: str) -> Round:
    row = Round.objects.create(
        section=section.row,
        number=number,
        state=state,
        published_at=None if state == Round.State.DRAFT else timezone.now(),
    )
    boards = count(1)
    for item in text.split(";"):
        words = item.split()
        if len(words) == 3:
            white, result, black = words
            Game.objects.create(
                round=row,
                board=next(boards),
                white=section.people[white],
                black=section.people[black],
                result="" if result == "." else result,
            )
        else:
            add_bye(section, words[0], number, words[1])
    return row


def add_bye(section: MadeSection, name: str, number: int, kind: str) -> Bye:
    source = Bye.Source.ALLOCATED if kind == ByeKind.ALLOCATED else Bye.Source.REQUESTED
    return Bye.objects.create(participant=section.people[name], round_number=number, kind=kind, source=source)


def big_section(players: int) -> MadeSection:
    """Round 1 is finished and round 2 is running, with byes and a withdrawal: for counting database queries."""
    names = [f"P{number}" for number in range(players)]
    half = players // 2
    first = "; ".join(f"{names[i]} 1-0 {names[i + half]}" for i in range(half))
    second = "; ".join(f"{names[i + 1]} {'1/2' if i else '.'} {names[i]}" for i in range(0, 2 * half, 2))
    odd = f"; {names[-1]} U" if players % 2 else ""
    section = make_section({name: 2400 - number for number, name in enumerate(names)}, first + odd, second)
    add_bye(section, names[0], 3, "H")
    Participant.objects.filter(pk=section.people[names[1]].pk).update(status="withdrawn")
    return section


def _state(number: int, last: int, *, draft: bool) -> str:
    if number == last:
        return Round.State.DRAFT if draft else Round.State.PUBLISHED
    return Round.State.FINISHED
