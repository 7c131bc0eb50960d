"""The pages of the ratings of a section: the method, rating periods, and Chess960 on the pages of a round."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from evenboard_engine.chess960 import first_rank
from evenboard_engine.trf import read_report
from pairing.rounds import publish_round, unpublish_round
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.report_writing import tournament_report
from tournaments.files.results import boards_pgn
from tournaments.models import Event, Section
from tournaments.queries.rounds import round_board_list


@pytest.fixture
def section(event: Event) -> Section:
    return section_of(6, event=event, slug="a")


def test_method_is_saved_and_entries_follow(page: Client, section: Section) -> None:
    section.participants.filter(tpn=6).update(national_rating=2900)
    html = page.get(address(section, "settings/ratings/")).content.decode()
    seen = unescape(re.findall('name="seen" value="([^"]*)"', html)[0])
    sent = {"rating_method": "NIDOF", "rating_federation": "ned", "equals_by": "younger", "seen": seen}
    answer = page.post(address(section, "settings/ratings/"), sent, follow=True)
    assert "data-toast" in answer.content.decode()
    section.refresh_from_db()
    assert (section.rating_method, section.rating_federation, section.equals_by) == (
        "NIDOF",
        "NED",
        "younger",
    )
    assert section.participants.get(tpn=1).rating == 2900
    form = page.get(address(section, f"entries/{section.participants.get(tpn=1).pk}/")).content.decode()
    assert "national rating; if there is none, the FIDE rating" in form


def test_periods_are_saved_and_each_has_its_report(page: Client, section: Section) -> None:
    played(section)
    html = page.get(address(section, "settings/ratings/")).content.decode()
    seen = unescape(re.findall('name="seen" value="([^"]*)"', html)[1])
    url = address(section, "settings/ratings/periods/")
    wrong = page.post(url, {"period_starts": "x", "period_counted": "first", "seen": seen})
    assert (wrong.status_code, "Write numbers of rounds, such as 4, 7." in wrong.content.decode()) == (
        422,
        True,
    )
    sent = {"longer_than_30_days": "on", "period_starts": "2, 4", "period_counted": "round", "seen": seen}
    assert page.post(url, sent, follow=True).status_code == 200
    section.refresh_from_db()
    assert section.rating_periods == ((1, 1), (2, 3), (4, 7))
    first = section.participants.get(tpn=1)
    later = address(section, "settings/ratings/periods/2/")
    html = page.get(later).content.decode()
    revision = re.findall('name="revision" value="([^"]*)"', html)[0]
    page.post(later, {f"rating-{first.pk}": "2345", "revision": revision})
    first.refresh_from_db()
    assert first.period_ratings == {"2": 2345}
    assert "period=2" in page.get(address(section, "documents/rating/")).content.decode()
    file = page.get(address(section, "report.trf?for=rating&period=1"))
    assert read_report(file.content).rounds_paired == 1
    refused = page.get(address(section, "report.trf?for=rating&period=2"), follow=True)
    assert "Period 2 ends with round 3, which is not published yet." in refused.content.decode()


def test_round_of_chess960_has_a_start_position_once_it_is_published(client: Client, event: Event) -> None:
    actor = Actor.command()
    section = section_of(4, event=event, slug="a", chess960=True)
    row = paired(section)
    assert row.start_position is not None
    words = f"({first_rank(row.start_position)})"
    for place in ("round/1/pairings/", "round/1/names/", "print/boards/1/"):
        assert client.get(address(section, place)).content.decode().count(words) == 1, place
    row = unpublish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    again = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert again.start_position == row.start_position
    shown = round_board_list(section, 1)
    assert b'[Variant "Chess960"]' in boards_pgn(section, shown, {})
    copied = import_report(
        actor=actor, report=read_report(tournament_report(section)), event=EventFactory(), name="Copy"
    )
    assert copied.chess960
    assert copied.played_rounds.get().start_position == row.start_position
    assert not any("960" in line for line in copied.report_records)


def test_other_rounds_have_none(section: Section) -> None:
    assert paired(section).start_position is None
