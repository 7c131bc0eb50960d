"""Half-point byes that players ask for after a round was paired did not decide who had the bye in it (28L5)."""

from __future__ import annotations

import pytest

from evenboard_engine import pair_round
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.trf import read_report, with_numbers
from pairing.by_hand import begin_manual_phase, end_manual_phase
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import paired, played
from tournaments.actions.byes import request_bye
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.report_reading import report_preview
from tournaments.files.report_writing import tournament_report
from tournaments.models import Bye, Section
from tournaments.queries.why import round_as_paired

pytestmark = pytest.mark.django_db

DESK = Actor.command()


@pytest.mark.parametrize("system", ["uschess", "dubov"])
def test_bye_asked_for_after_the_pairing_is_named_in_the_report(system: str) -> None:
    section = section_of(9, rounds=4, system=system)
    paired(section)
    lowest = Bye.objects.get(kind="U").participant
    request_bye(actor=DESK, participant_id=lowest.pk, round_number=3, kind="H")
    other = section.participants.get(tpn=4)
    request_bye(actor=DESK, participant_id=other.pk, round_number=2, kind="Z")
    row = Section.objects.select_related("event").get(pk=section.pk)
    data = tournament_report(row)
    lines = [line for line in data.decode().splitlines() if "asked later" in line]
    assert lines == (
        [f"### Half-point byes asked later @ Round 1: {lowest.tpn}=3"] if system == "uschess" else []
    )
    report = read_report(data)
    assert [check.differences for check in check_rounds(report, system=system)] == [()]
    assert report_preview(report, system=system).unused == ()
    copied = import_report(actor=DESK, event=EventFactory(), name="Copy", report=report)
    again = tournament_report(Section.objects.get(pk=copied.pk)).decode().splitlines()
    assert [line for line in again if "asked later" in line] == lines


def test_bye_known_before_the_pairing_has_no_comment() -> None:
    section = section_of(9, rounds=4, system="uschess")
    request_bye(actor=DESK, participant_id=section.participants.get(tpn=9).pk, round_number=3, kind="H")
    paired(section)
    row = Section.objects.select_related("event").get(pk=section.pk)
    assert b"asked later" not in tournament_report(row)


@pytest.mark.parametrize(("system", "records"), [("uschess", ["240 H 003 0009"]), ("dubov", [])])
def test_report_for_rating_names_a_later_bye_that_counted_for_the_pairing(
    system: str, records: list[str]
) -> None:
    """The bye of round 1 would go to number 9, who has a half-point bye in round 3 (28L3)."""
    section = section_of(9, rounds=4, system=system)
    request_bye(actor=DESK, participant_id=section.participants.get(tpn=9).pk, round_number=3, kind="H")
    request_bye(actor=DESK, participant_id=section.participants.get(tpn=7).pk, round_number=3, kind="Z")
    played(section)
    data = tournament_report(Section.objects.select_related("event").get(pk=section.pk), for_rating=True)
    assert [line for line in data.decode().splitlines() if line.startswith("240")] == records
    assert [check.differences for check in check_rounds(read_report(data), system=system)] == [()]


def test_pages_pair_a_round_again_with_the_byes_that_were_known_when_it_was_paired() -> None:
    """Number 9 has a half-point bye in round 3, so number 8 has the bye of round 1, and asks for round 3 only then."""
    section = section_of(9, rounds=4, system="uschess")
    request_bye(actor=DESK, participant_id=section.participants.get(tpn=9).pk, round_number=3, kind="H")
    row = paired(section)
    free = Bye.objects.get(kind="U").participant
    request_bye(actor=DESK, participant_id=free.pk, round_number=3, kind="H")
    assert pair_round(round_as_paired(section, 1).before).bye == free.pk
    row = begin_manual_phase(actor=DESK, round_id=row.pk, seen_version=row.version, public=True)
    row = end_manual_phase(actor=DESK, round_id=row.pk, seen_version=row.version)
    assert (row.manual, row.engine_pairing["bye"]) == (False, free.pk)


def test_numbers_in_the_comment_follow_the_players() -> None:
    line = "### Half-point byes asked later @ Round 1: 9=3 12=4"
    assert with_numbers(line, {9: 10, 12: 13}.get) == "### Half-point byes asked later @ Round 1: 10=3 13=4"
