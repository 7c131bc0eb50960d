"""Lines of the file that name players, and full-point byes (VCL4THP.13 Q113, Q179)."""

from __future__ import annotations

import pytest

from tests.actions.report_import.conftest import GOOD, HEAD, PLAYERS, imported, line
from tests.factories import EventFactory
from tournaments.actions.copies import load_copy
from tournaments.actions.entries import add_participant
from tournaments.actions.ledger import Actor
from tournaments.entry_data import EntryData
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import tournament_report
from tournaments.models import Section

pytestmark = pytest.mark.django_db


NAMED = [
    "FRA    1 mGM Player, No 1                     2450 FRA",
    "FRA    5     Player, No 5                     2050 FRA",
    "### MPA @ Round 1: none => 1-3 4-2 5=PAB",
    "### Regeneration @ Round 1: 1=>2 2=>1",
]


def lines_of(section: Section, *starts: str) -> list[str]:
    text = tournament_report(Section.objects.get(pk=section.pk)).decode()
    return [line for line in text.splitlines() if line.startswith(starts)]


def test_kept_lines_follow_the_players_when_numbers_change(actor: Actor) -> None:
    section = imported(actor, *HEAD, "152 W", *GOOD, *NAMED)
    assert lines_of(section, "FRA", "### MPA", "### Regeneration @ Round 1: 1=>2") == NAMED
    entry = EntryData(name="New, Best", rating=2600)
    add_participant(actor=actor, section_id=section.pk, entry=entry, asked=True)
    assert lines_of(section, "FRA", "### MPA", "### Regeneration @ Round 1: 1=>2 2=>1") == [
        "FRA    2 mGM Player, No 1                     2450 FRA",
        "FRA    6     Player, No 5                     2050 FRA",
        "### MPA @ Round 1: none => 2-4 5-3 6=PAB",
        "### Regeneration @ Round 1: 1=>2 2=>1",
    ]


def test_kept_lines_have_the_numbers_of_the_section_if_the_file_has_xxc_rank(actor: Actor) -> None:
    players = [line(7, 2400), line(3, 2300), line(9, 2200)]
    section = imported(actor, *HEAD, "XXC rank", *players, "FRA    7 x", "FRA    9 y", "FRA    8 nobody")
    assert lines_of(section, "FRA") == ["FRA    1 x", "FRA    3 y"]


def test_kept_lines_follow_the_players_in_a_copy_of_the_section(actor: Actor) -> None:
    section = imported(actor, *HEAD, "152 W", *GOOD, *NAMED)
    add_participant(
        actor=actor, section_id=section.pk, entry=EntryData(name="New, Best", rating=2600), asked=True
    )
    file = copy_file(Section.objects.get(pk=section.pk))
    copied = load_copy(actor=actor, event=EventFactory(), copy=read_copy(file), name="Copy")
    assert lines_of(copied, "FRA", "### MPA") == lines_of(section, "FRA", "### MPA")


def test_full_point_byes_of_a_file_have_their_comment_once(actor: Actor) -> None:
    section = imported(actor, *HEAD, *PLAYERS)
    assert lines_of(section, "### FPB") == ["### FPB @ Round 1: 6=FPB"]
    again = imported(actor, *tournament_report(section).decode().splitlines())
    assert lines_of(again, "### FPB") == ["### FPB @ Round 1: 6=FPB"]
