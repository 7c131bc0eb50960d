"""What the format has no record for: comments on actions, expulsions and imported rounds."""

from __future__ import annotations

import pytest

from evenboard_engine import PROGRAM
from evenboard_engine.trf import read_report
from tests.exports.report_trf.conftest import RATINGS, fresh, section_key, starting_with
from tests.factories import EventFactory
from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.actions.sections import leave_fide_mode
from tournaments.files.report_writing import tournament_report
from tournaments.models import (
    ActionLog,
    ForbiddenPair,
    Integrity,
    Participant,
    Section,
)
from tournaments.queries.standings import standings_table

pytestmark = pytest.mark.django_db


READINGS = (
    "### C.04.4.1 Dubov System, edition of 2025",
    "### Upfloats of forfeited games: do not count",
)


def imported(file: bytes) -> Section:
    return import_report(actor=Actor.command(), event=EventFactory(), name="Copy", report=read_report(file))


def test_an_expelled_player_is_expelled_after_an_import_too(section: MadeSection) -> None:
    gus = Participant.objects.get(pk=section_key(section, "Gus"))
    withdraw_participant(actor=Actor.command(), participant_id=gus.pk, reason="Phone", expelled=True)
    sent = tournament_report(fresh(section))
    assert starting_with(section, "### Exp") == ["### Expulsion @ Round 2: 7"]
    copied = imported(sent)
    entry = copied.participants.get(tpn=7)
    assert (entry.status, entry.left_after, entry.byes.filter(round_number__gt=2).count()) == (
        "expelled",
        2,
        0,
    )
    assert [line for line in tournament_report(copied).decode().splitlines() if "Expulsion" in line] == [
        "### Expulsion @ Round 2: 7"
    ]
    assert [row.tpn for row in standings_table(copied).rows] == [
        row.tpn for row in standings_table(section.row).rows
    ]


def test_expulsion_of_an_unknown_player_is_only_a_comment(section: MadeSection) -> None:
    lines = ["### Expulsion @ Round 2: 9", "### Expulsion @ Round 3: 7"]  # two rounds, seven players
    copied = imported(tournament_report(section.row) + "\r\n".join(lines).encode() + b"\r\n")
    assert not copied.participants.filter(status="expelled").exists()
    assert copied.report_records[-2:] == lines


def test_a_section_that_left_fide_mode_is_not_in_fide_mode_after_an_import(section: MadeSection) -> None:
    leave_fide_mode(actor=Actor.command(), section_id=section.row.pk, reason="club evening", asked=True)
    copied = imported(tournament_report(fresh(section)))
    assert (copied.fide_mode, copied.fide_mode_left_in_round) == (False, 2)
    comments = [line for line in tournament_report(copied).decode().splitlines() if "FIDE mode" in line]
    assert comments == ["### FIDE mode exited @ Round 2"]


def test_unused_records_are_written_back(section: MadeSection) -> None:
    Section.objects.update(report_records=["NED 1 x", "### seen before", "202 BH/C1", "182 Another"])
    assert starting_with(section, "NED", "###", "202", "212", "182") == [
        f"182 {PROGRAM}",
        "202 ARO,TPN",
        "212 PTS,ARO,TPN",
        "NED 1 x",
        "### seen before",
        *READINGS,
        "### Withdrawal @ Round 0: 4",
    ]


def test_actions_that_affect_pairing_are_comments(section: MadeSection) -> None:
    game = section.game(2, 2)
    add_bye(section, "Gus", 4, "F")

    def log(integrity: Integrity, number: int, **values: object) -> None:
        ActionLog.objects.create(
            event=section.row.event,
            section=section.row,
            who="x",
            action="x",
            integrity=integrity,
            round_number=number,
            revision=ActionLog.objects.count() + 1,
            **values,
        )

    log(Integrity.NONE, 1, subject="not told")
    log(Integrity.ADJOURNMENT, 2, before={"result": "adj"}, after={"result": "1-0", "game": game.pk})
    log(Integrity.CORRECTION, 2, before={"result": "0-1"}, after={"result": "1-0", "game": game.pk})
    log(Integrity.ADJOURNMENT, 1, before={}, after={"result": "1-0", "game": 0})
    log(Integrity.REGENERATION, 2, after={"numbers": [[3, 4], [4, 3]]})
    log(Integrity.FULL_POINT_BYE, 4, after={"participant": section_key(section, "Gus"), "round": 4})
    log(Integrity.FULL_POINT_BYE, 5, after={"participant": section_key(section, "Gus"), "round": 5})
    log(Integrity.IMPORT, 2, subject="spring.trf")
    log(Integrity.FIDE_MODE, 2, reason="club evening")
    assert starting_with(section, "###") == [
        *READINGS,
        "### Adjournment @ Round 2: 2-3 1-0",
        "### Correction @ Round 2: 2-3: 0-1 => 1-0",
        "### Regeneration @ Round 2: 3=>4 4=>3",
        "### Import @ Round 2: spring.trf",
        "### FIDE mode exited @ Round 2",
        "### FPB @ Round 4: 7=FPB",
        "### Withdrawal @ Round 0: 4",
    ]


def test_edition_and_count_of_upfloats_are_written_once(section: MadeSection) -> None:
    made = section.row
    made.report_records = [
        "### Upfloats of forfeited games: do not count",
        "### C.04.4.1 Dubov System, edition of 2018",
    ]
    made.options = {"edition": "2026", "upfloats": "paired"}
    made.save()
    assert starting_with(section, "###") == [
        "### C.04.4.1 Dubov System, edition of 2026",
        "### Upfloats of forfeited games: count",
        "### Withdrawal @ Round 0: 4",
    ]


def test_forbidden_pairs_have_a_comment_that_they_are_outside_the_rules(section: MadeSection) -> None:
    one, other = section.people["Anna"], section.people["Gus"]
    ForbiddenPair.objects.create(section=section.row, first=one, second=other)
    assert starting_with(section, "###")[-2] == (
        "### Forbidden pairs (260, XXP) are the arbiter's and outside FIDE's rules"
    )


@pytest.mark.parametrize(("by_hand", "heads"), [(1, ["MPA", "Import"]), (2, ["MPA"])])
def test_round_by_hand_has_one_comment_after_an_import(
    section: MadeSection, by_hand: int, heads: list[str]
) -> None:
    """Round 2 of the section breaks the rules. If the file says that it was paired by hand, that is enough."""
    line = f"### MPA @ Round {by_hand}: 1-5 => 1-4\r\n"
    copied = imported(tournament_report(fresh(section)) + line.encode())
    departures = copied.log.get(action="import_report").after["departures"]
    assert [one["round"] for one in departures] == [2]
    comments = [line for line in tournament_report(copied).decode().splitlines() if " @ Round " in line]
    assert [line.split(" ")[1] for line in comments] == [*heads, "Withdrawal"]


def test_an_import_has_comments_on_rounds_against_the_rules() -> None:
    """VCL4THP.13 Q55: pairs of the engine => pairs of the file, with the current pairing numbers."""
    section = make_section(RATINGS)
    keys = {name: person.pk for name, person in section.people.items()}
    ActionLog.objects.create(
        event=section.row.event,
        section=section.row,
        who="x",
        action="import_report",
        subject="spring.trf",
        integrity=Integrity.IMPORT,
        round_number=4,
        revision=1,
        after={
            "rounds_checked": 3,
            "departures": [
                {
                    "round": 1,
                    "expected": [[keys["Anna"], keys["Dora"]], [keys["Gus"], 0]],
                    "found": [[keys["Anna"], keys["Gus"]], [keys["Dora"], 0]],
                },
                {"round": 3, "expected": [], "found": [[keys["Bert"], 10**9]]},
            ],
        },
    )
    assert starting_with(section, "### Import") == [
        "### Import @ Round 1: 1-4 7=PAB => 1-7 4=PAB",
        "### Import @ Round 3: none => 2-?",
        "### Import @ Round 4: not checked",
    ]


def test_a_long_comment_of_an_import_is_cut() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900})
    one, other = (person.pk for person in section.people.values())
    ActionLog.objects.create(
        event=section.row.event,
        section=section.row,
        who="x",
        action="import_report",
        integrity=Integrity.IMPORT,
        round_number=1,
        revision=1,
        after={
            "rounds_checked": 1,
            "departures": [{"round": 1, "expected": [[one, other]] * 2001, "found": []}],
        },
    )
    (line,) = starting_with(section, "### Import")
    assert line == "### Import @ Round 1: " + "1-2 " * 2000 + "... => none"
