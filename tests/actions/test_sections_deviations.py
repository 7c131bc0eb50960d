"""Settings that stand once round 1 is paired or published, and departures from them (VCL4THP.13 Q57 to Q61, Q75 to
Q78, Q85 to Q88, Q109).
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from evenboard_engine.trf import read_report
from tests.actions.refusals import one_step, refused
from tests.factories import RoundFactory, section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.events import edit_section, leave_fide_mode
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.actions.undo import undo
from tournaments.declarations.sections import LOCKS, MayDeviate, StandsSince, deviating, locked
from tournaments.files.report_writing import tournament_report
from tournaments.models import Integrity, Round, Section

pytestmark = pytest.mark.django_db

EVERYTHING = frozenset(StandsSince)


def configuration(section: Section) -> list[str]:
    lines = tournament_report(section).decode().splitlines()
    return [line for line in lines if line.startswith("### Configuration")]


def outside(actor: Actor, **settings: Any) -> Section:
    section = section_of(8, **{"initial_colour": "w", **settings})
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club", asked=True)
    return section


def test_every_lock_names_fields_of_a_section() -> None:
    fields = {field.name for field in Section._meta.get_fields()}
    assert {name for lock in LOCKS for name in lock.settings} <= fields


@pytest.mark.parametrize(
    ("fide", "open_to_reason"),
    [(True, {MayDeviate.REASON}), (False, {MayDeviate.OUTSIDE, MayDeviate.REASON})],
)
def test_table_decides_what_can_change_with_a_reason(fide: bool, open_to_reason: set[MayDeviate]) -> None:
    section = Section(system="dubov", fide_mode=fide, options={})
    for lock in LOCKS:
        names = sorted(lock.settings)
        departs = lock.departure in open_to_reason
        assert deviating(section, names, EVERYTHING) == (names if departs else [])
        assert locked(section, names, EVERYTHING) == ([] if departs else names)
        assert not deviating(section, names, frozenset())
        assert not locked(section, names, frozenset())


def test_rounds_of_a_table_cannot_depart() -> None:
    section = Section(system="round-robin", fide_mode=False, options={})
    assert locked(section, ["rounds"], EVERYTHING) == ["rounds"]


def test_limit_of_byes_departs_in_fide_mode_with_a_reason_and_a_line(actor: Actor) -> None:
    section = section_of(6, initial_colour="w")
    edit_section(actor=actor, section_id=section.pk, half_bye_limit=1)
    paired(section)
    change = {"half_bye_limit": 2, "last_bye_round": 3}
    with refused("departure_to_confirm", fields=["half_bye_limit", "last_bye_round"], wrong=[]):
        edit_section(actor=actor, section_id=section.pk, **change)
    with refused("reason_required"):
        edit_section(actor=actor, section_id=section.pk, asked=True, **change)
    with one_step(section, "edit_tournament") as logged:
        edit_section(actor=actor, section_id=section.pk, asked=True, reason="typed wrongly", **change)
    assert (logged[0].integrity, logged[0].reason, logged[0].round_number) == (
        Integrity.CONFIGURATION,
        "typed wrongly",
        1,
    )
    line = "### Configuration @ Round 1: half-point byes 1 => 2, last round for byes none => 3; reason: typed wrongly"
    assert configuration(section) == [line]
    undo(actor=actor, section_id=section.pk, revision=logged[0].revision)
    assert configuration(section) == []


def test_a_draft_of_round_1_has_not_announced_the_limits(actor: Actor) -> None:
    section = RoundFactory(state=Round.State.DRAFT).section
    edit_section(actor=actor, section_id=section.pk, half_bye_limit=2, time_control="90 minutes")


def test_new_points_of_the_bye_check_the_rounds_again(actor: Actor) -> None:
    """With 9 players the first round has a bye. Worth nothing, its player has another score group in round 2."""
    section = section_of(9, initial_colour="w", rounds=5)
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club", asked=True)
    for number in (1, 2):
        row = paired(section)
        if number == 1:
            for game in row.games.all():
                enter(game, "1/2")
    with refused("departure_to_confirm", fields=["bye_points"], wrong=[2]):
        edit_section(actor=actor, section_id=section.pk, bye_points=0)
    edit_section(actor=actor, section_id=section.pk, asked=True, reason="regulations", bye_points=0)
    line = "### Configuration @ Round 2: bye 1 => 0, rounds paired differently 2; reason: regulations"
    assert configuration(section) == [line]


def test_rounds_are_not_fewer_than_were_paired_and_a_draft_is_unpaired_first(actor: Actor) -> None:
    section = outside(actor, rounds=5)
    for game in paired(section).games.all():
        enter(game, "1-0")
    row = paired(section, published=False)
    with refused("round_is_draft", round=2):
        edit_section(actor=actor, section_id=section.pk, rounds=4, asked=True, reason="storm")
    Round.objects.filter(pk=row.pk).update(state=Round.State.PUBLISHED)
    with refused("rounds_played", rounds=1, paired=2):
        edit_section(actor=actor, section_id=section.pk, rounds=1, asked=True, reason="storm")
    edit_section(actor=actor, section_id=section.pk, rounds=3, asked=True, reason="storm")
    assert configuration(section)[0].startswith("### Configuration @ Round 2: rounds 5 => 3")


def test_lines_survive_an_import_and_a_second_export(actor: Actor) -> None:
    section = outside(actor, rounds=5)
    paired(section)
    change = {"rounds": 4, "acceleration": "baku", "win_points": 20, "draw_points": 10, "bye_points": 20}
    edit_section(actor=actor, section_id=section.pk, asked=True, reason="storm", **change)
    lines = configuration(section)
    assert lines[0].endswith("; reason: storm")
    assert [re.split("; reason|, rounds paired", line)[0] for line in lines] == [
        "### Configuration @ Round 1: rounds 5 => 4, win 1 => 2, draw 0.5 => 1, bye 1 => 2, acceleration none => baku"
    ]
    read = read_report(tournament_report(section))
    copy = import_report(actor=actor, report=read, event=section.event, name="Copy")
    assert configuration(copy) == lines
