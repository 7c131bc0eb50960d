"""Points by decision of the arbiter (record 299) in a section: from the file, on every list, and back to a file."""

from __future__ import annotations

import pytest
from django.test import Client

from evenboard_engine import histories, pair_round
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.tiebreaks import read_list, standings
from evenboard_engine.trf import TRF16, older, read_report, to_tournament
from pairing.rounds import pair_next_round
from tests.factories import EventFactory
from tournaments.actions.copies import load_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import section_report, tournament_report
from tournaments.files.results import byes_csv
from tournaments.models import Section
from tournaments.queries.crosstables import crosstable, results_table
from tournaments.queries.player_card import player_card, public_seat
from tournaments.queries.standings import standings_table
from web.words.values import decision_sentence

pytestmark = pytest.mark.django_db

DECIDED = (
    "299           1.0  000    6",
    "299          -0.5  001    1",
    "299 W         0.7  001    2",
    "299 H         0.0  002    5",
)
ENTRIES = {
    1: ("4 w 1", "2 b ="),
    2: ("5 b 1", "1 w ="),
    3: ("6 w 1", "4 w 1"),
    4: ("1 b 0", "3 b 0"),
    5: ("2 w 0", "0000 - H"),
    6: ("3 b 0", "0000 - U"),
}
POINTS = {1: 10, 2: 12, 3: 20, 4: 0, 5: 0, 6: 20}
AFTER_1 = {1: 5, 2: 7, 3: 10, 4: 0, 5: 0, 6: 10}
FILE = as_file(
    *("142 5", "152 W", "202 BH,SB", *DECIDED),
    *(
        player_line(
            *ENTRIES[rank], starting_rank=rank, name=f"P{rank}", rating=2400 - 10 * rank, points=points / 10
        )
        for rank, points in POINTS.items()
    ),
)


@pytest.fixture
def section(actor: Actor) -> Section:
    report = read_report(FILE)
    return import_report(actor=actor, report=report, event=EventFactory(), name="Open", system="dubov")


def codes(section: Section, *wanted: str) -> list[str]:
    lines = tournament_report(Section.objects.get(pk=section.pk)).decode().splitlines()
    return [line for line in lines if line[:3] in wanted]


def test_decisions_survive_import_report_and_copy(actor: Actor, section: Section) -> None:
    assert codes(section, "299") == list(DECIDED)
    assert section.report_records == []
    written = read_report(tournament_report(section))
    assert {player.starting_rank: player.points for player in written.players} == POINTS
    found = check_standings(written)
    assert found is not None
    assert (found.unknown, found.misplaced) == ("", ())
    copy = load_copy(actor=actor, event=EventFactory(), copy=read_copy(copy_file(section)), name="Copy")
    assert codes(copy, "299", "001") == codes(section, "299", "001")
    again = import_report(actor=actor, report=written, event=EventFactory(), name="Again")
    assert codes(again, "299", "001") == codes(section, "299", "001")


def test_next_round_and_every_list_count_the_decided_points(actor: Actor, section: Section) -> None:
    value = to_tournament(read_report(FILE))
    assert {rank: past.score for rank, past in histories(value).items()} == POINTS
    numbers = dict(section.participants.values_list("pk", "tpn"))
    table = standings_table(section)
    assert {row.tpn: row.points for row in table.rows} == POINTS
    assert [(row.tpn, row.values) for row in table.rows] == [
        (one.player, one.values) for one in standings(value, read_list("BH,SB"))
    ]
    assert {row.tpn: row.points for row in results_table(section).rows} == POINTS
    for entry in section.participants.all():
        card, number = player_card(entry), entry.tpn or 0
        assert [card.points, card.rows[-1].total] == [POINTS[number]] * 2
        assert public_seat(section, 2, entry.pk).side.points == AFTER_1[number]
    drafted = pair_next_round(actor=actor, section_id=section.pk, after_round=2)
    games = {(numbers[game.white_id], numbers[game.black_id]) for game in drafted.games.all()}
    assert games == {(pair.white, pair.black) for pair in pair_round(value).pairs}


def test_lists_say_how_the_points_came_about(section: Section) -> None:
    sentences = [
        "P1: ½ point taken away after round 1, by decision of the arbiter.",
        "P2: the result of round 1 counts 0.7 point, by decision of the arbiter.",
        "P5: the result of round 2 counts 0 points, by decision of the arbiter.",
        "P6: 1 point added before round 1, by decision of the arbiter.",
    ]
    assert [decision_sentence(one) for one in standings_table(section).decisions] == sentences
    after_1 = [decision_sentence(one) for one in crosstable(section, 1).decisions]
    assert after_1 == [sentences[0], sentences[1], sentences[3]]
    cards = [player_card(entry) for entry in section.participants.order_by("tpn")]
    assert [decision_sentence(one) for card in cards for one in card.decisions] == sentences
    assert "half-point;0;" in byes_csv(section).decode()


def test_pure_trf16_says_that_the_decisions_are_lost(section: Section) -> None:
    written, lost = older(section_report(section), TRF16)
    assert [one.number for one in lost if one.code == "299"] == [4]
    assert [player.points for player in written.players] == list(POINTS.values())


def test_points_of_results_that_a_section_cannot_set_become_decisions_for_everybody(actor: Actor) -> None:
    lines = FILE.replace(DECIDED[3].encode(), b"299 H         0.0")
    section = import_report(actor=actor, report=read_report(lines), event=EventFactory(), name="Open")
    assert "299 H         0.0  000    1    2    3    4    5    6" in codes(section, "299")
    assert {row.tpn: row.points for row in standings_table(section).rows} == POINTS


def test_public_pages_and_paper_show_the_decisions(client: Client, section: Section) -> None:
    url = f"/{section.event.slug}/{section.slug}/"
    penalty = "P1: ½ point taken away after round 1, by decision of the arbiter."
    for page in ("standings/", "crosstable/", "players/1/", "print/standings/", "print/crosstable/"):
        assert penalty in client.get(f"{url}{page}").content.decode(), page
    assert penalty not in client.get(f"{url}players/2/").content.decode()
    sums = client.get(f"{url}standings/2/1/").content.decode()
    assert "½ point less, by decision of the arbiter." in sums
