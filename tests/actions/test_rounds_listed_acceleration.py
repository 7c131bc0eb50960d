"""Virtual points of an imported file that are not those of Baku Acceleration (250, XXA)."""

from __future__ import annotations

import pytest

from evenboard_engine import pair_round
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import read_report, to_tournament
from pairing.rounds import pair_next_round
from tests.factories import EventFactory
from tournaments.actions.copies import load_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import tournament_report
from tournaments.models import Section
from web.forms.sections import SectionForm

pytestmark = pytest.mark.django_db

POINTS = (
    "250      00.5 001 002 0001 0002",
    "250      03.0 001 004 0005 0005",
    "250      01.0 004 004 0001 0002",
)
FILE = as_file(
    *("142 5", "152 W", *POINTS),
    *(player_line(starting_rank=rank, name=f"P{rank}", rating=2400 - 10 * rank) for rank in range(1, 9)),
)


def codes(section: Section, *wanted: str) -> list[str]:
    lines = tournament_report(Section.objects.get(pk=section.pk)).decode().splitlines()
    return [line for line in lines if line[:3] in wanted]


def test_virtual_points_of_a_file_pair_the_section_and_are_written_again(actor: Actor) -> None:
    report = read_report(FILE)
    section = import_report(actor=actor, report=report, event=EventFactory(), name="Open", system="dubov")
    assert section.acceleration == "listed"
    assert sorted(codes(section, "192", "250")) == sorted(["192 FIDE_DUBOV", *POINTS])
    drafted = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    games = drafted.games.select_related("white", "black")
    found = {(game.white.tpn, game.black.tpn) for game in games}
    assert found == {(pair.white, pair.black) for pair in pair_round(to_tournament(report)).pairs}
    plain = read_report(b"".join(line for line in FILE.splitlines(True) if not line.startswith(b"250")))
    assert found != {(pair.white, pair.black) for pair in pair_round(to_tournament(plain)).pairs}
    copy = load_copy(actor=actor, event=EventFactory(), copy=read_copy(copy_file(section)), name="Copy")
    assert sorted(codes(copy, "250")) == sorted(POINTS)
    lines = tournament_report(Section.objects.get(pk=section.pk))
    again = import_report(actor=actor, report=read_report(lines), event=EventFactory(), name="Again")
    assert codes(again, "192", "250", "XXA") == codes(section, "192", "250", "XXA")
    form = SectionForm(section=section)
    assert ("listed", "virtual points of the imported file") in form.fields["acceleration"].choices
    assert "listed" not in dict(SectionForm().fields["acceleration"].choices)
