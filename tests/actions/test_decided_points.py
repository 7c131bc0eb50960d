"""The arbiter takes points away or adds them (Laws of Chess, 12.9)."""

from __future__ import annotations

import pytest

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.trf import read_report
from pairing.rounds import pair_next_round
from tests.actions.refusals import refused
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.decided_points import decide_points
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.reports import import_report
from tournaments.actions.undo import undo
from tournaments.files.report_writing import tournament_report
from tournaments.models import ActionLog, Participant, Section
from tournaments.queries.field import load_field
from tournaments.queries.standings import standings_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(db: None) -> Section:
    """Two rounds are played, and White won each game."""
    section = section_of(8)
    for _number in (1, 2):
        for game in paired(section).games.all():
            enter(game, "1-0")
    return section


def leader(section: Section) -> Participant:
    row = standings_table(section).rows[0]
    return section.participants.select_related("player").get(pk=row.participant_id)


def decide(actor: Actor, entry: Participant, points: int, number: int = 1, **asked: object) -> Participant:
    values = {"reason": "mobile phone", "confirmed": True, **asked}
    return decide_points(actor=actor, participant_id=entry.pk, round_number=number, points=points, **values)


def score(entry: Participant) -> int:
    section = Section.objects.get(pk=entry.section_id)
    return load_field(section).histories[entry.pk].score


def test_penalty_counts_for_standings_and_the_next_pairing_and_is_undone(
    actor: Actor, played: Section
) -> None:
    entry = leader(played)
    assert score(entry) == 20
    decide(actor, entry, -5, 2)
    assert score(entry) == 15
    decide(actor, entry, 15, 1, reason="protest upheld")
    assert score(entry) == 30
    log = ActionLog.objects.filter(section=played).first()
    assert (log.action, log.reason, log.after["points"]) == ("decide_points", "protest upheld", 15)
    undo(actor=actor, section_id=played.pk, revision=log.revision)
    assert score(entry) == 15


def test_what_makes_no_sense_is_refused(actor: Actor, played: Section) -> None:
    entry = leader(played)
    last = next(row for row in standings_table(played).rows if not row.points)
    loser = Participant.objects.get(pk=last.participant_id)
    with refused("points_after_round", round=3, last=2):
        decide(actor, entry, -5, 3)
    for points in (0, 101):
        with refused("points_out_of_range", most=10):
            decide(actor, entry, points)
    with refused("reason_required"):
        decide(actor, entry, -5, reason=" ")
    with refused("points_below_zero", name=loser.player.name):
        decide(actor, loser, -1)
    with refused("points_below_zero"):
        decide(actor, entry, -15, 1)
    with refused("points_unconfirmed", name=entry.player.name, round=1, last=2, before=20, after=15):
        decide(actor, entry, -5, confirmed=False)
    pair_next_round(actor=actor, section_id=played.pk, after_round=2)
    with refused("round_is_draft", round=3):
        decide(actor, entry, -5)
    assert score(entry) == 20


def test_report_says_when_and_why_and_its_check_knows_it(actor: Actor, played: Section) -> None:
    """Round 2 was paired before the arbiter decided on round 1, so it still follows the rules."""
    entry = leader(played)
    decide(actor, entry, -5, 1)
    decide(actor, entry, -2, 1, reason="came late")
    number = entry.tpn
    data = tournament_report(Section.objects.get(pk=played.pk))
    lines = data.decode().splitlines()
    assert f"299          -0.7  001 {number:4}" in lines
    assert [line for line in lines if line.startswith("### Points")] == [
        f"### Points @ Round 1: {number}: -0.5 after round 2: mobile phone",
        f"### Points @ Round 1: {number}: -0.2 after round 2: came late",
    ]
    checked = check_rounds(read_report(data))
    assert [one for one in checked if one.differences] == []
    again = import_report(actor=actor, report=read_report(data), event=EventFactory(), name="Again")
    assert again.participants.get(tpn=number).rulings == Participant.objects.get(pk=entry.pk).rulings
    assert not any(line.startswith("### Points") for line in again.report_records)


def test_erasing_a_player_clears_the_reasons_that_name_the_player(actor: Actor, played: Section) -> None:
    entry = leader(played)
    other = played.participants.exclude(pk=entry.pk).select_related("player").first()
    name = entry.player.name
    decide(actor, other, 5, reason=f"protest against {name}")
    new_name = erase_player(actor=actor, event=played.event, player_id=entry.player_id, typed=name)
    (row,) = Participant.objects.get(pk=other.pk).rulings
    assert row["reason"] == f"protest against {new_name}"
