"""What the tests of the preview of a list share: shortcuts to read a list and to say what is refused."""

from __future__ import annotations

from tests.queries.sections import MadeSection
from tournaments.files.entry_lists import read_entries
from tournaments.files.entry_matching import Choices
from tournaments.files.entry_preview import ImportPreview, entry_list_preview
from tournaments.models import Player, Section

HEAD = "Name;Title;Fed;FIDE ID;Elo;Born;Club;Bye;Note\n"


def look(made: MadeSection, text: str, unrated: int | None = None) -> ImportPreview:
    section = Section.objects.get(pk=made.row.pk)
    return entry_list_preview(section, read_entries((HEAD + text).encode()), unrated)


def identify(section: MadeSection, who: str, **values: object) -> None:
    Player.objects.filter(pk=section.people[who].player_id).update(**values)


def refusals(result: ImportPreview) -> list[tuple[int, str, list[str]]]:
    return [(row.number, row.name, [str(reason) for reason in row.reasons]) for row in result.refused]


def choose(made: MadeSection, text: str, *choices: str) -> ImportPreview:
    section = Section.objects.get(pk=made.row.pk)
    chosen = Choices()
    for choice in choices:
        chosen = Choices.load(chosen.with_(choice).data())
    return entry_list_preview(section, read_entries((HEAD + text).encode()), choices=chosen)
