"""Rounds of a report file: missing results, and rounds that do not follow the rules."""

from __future__ import annotations

import pytest

from evenboard_engine import Result
from evenboard_engine.trf import read_report
from evenboard_engine.trf.file_warnings import file_warnings
from pairing.rounds import pair_next_round
from tests.actions.report_import.conftest import GOOD, HEAD, games, imported, line
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.files.report_writing import tournament_report
from tournaments.models import ActionLog, Integrity, Section

pytestmark = pytest.mark.django_db


def test_missing_result_of_the_last_round_stays_missing(actor: Actor) -> None:
    section = imported(actor, *HEAD, line(1, 2000, (2, "w", "")), line(2, 1900, (1, "b", "")))
    assert games(section) == [(1, 1, 1, 2, "")]
    game = section.played_rounds.get().games.get()
    record_result(actor=actor, game_id=game.pk, result=Result.DRAW, seen_version=0)


def test_a_column_without_a_game_is_the_round_to_be_paired(actor: Actor) -> None:
    """Somebody typed the byes of round 2 before it was paired, among them one that only a pairing allocates."""
    section = imported(
        actor,
        *HEAD,
        "XXC white1",
        line(1, 2000, (2, "w", "1"), (0, "", "Z")),
        line(2, 1900, (1, "b", "0"), (0, "", "U")),
        line(3, 1800, (4, "w", "1")),
        line(4, 1700, (3, "b", "0")),
        line(5, 1600, (6, "b", "=")),
        line(6, 1500, (5, "w", "=")),
    )
    assert section.played_rounds.count() == 1
    byes = [
        (bye.round_number, bye.kind, bye.source)
        for one in section.participants.all()
        for bye in one.byes.all()
    ]
    assert byes == [(2, "Z", "requested"), (2, "F", "requested")]
    pair_next_round(actor=actor, section_id=section.pk, after_round=1)
    assert {number for game in games(section) if game[0] == 2 for number in game[2:4]} == {3, 4, 5, 6}


def test_missing_result_of_an_earlier_round_is_adjourned(actor: Actor) -> None:
    section = imported(
        actor,
        *HEAD,
        line(1, 2000, (2, "w", ""), (3, "w", "1")),
        line(2, 1900, (1, "b", ""), (4, "w", "1")),
        line(3, 1800, (4, "w", "1"), (1, "b", "0")),
        line(4, 1700, (3, "b", "0"), (2, "b", "0")),
    )
    assert [(r, board, result) for r, board, _, _, result in games(section) if result == "adj"] == [
        (1, 1, "adj")
    ]
    assert section.log.get().after["adjourned"] == [[1, 1]]


def test_forfeit_without_colours_gives_white_to_the_smaller_number(actor: Actor) -> None:
    section = imported(actor, *HEAD, line(1, 2000, (2, "", "-")), line(2, 1900, (1, "", "+")))
    assert games(section) == [(1, 1, 1, 2, "-:+")]


def test_player_without_any_round_enters_in_the_next_round(actor: Actor) -> None:
    section = imported(
        actor, *HEAD, line(1, 2000, (2, "w", "1")), line(2, 1900, (1, "b", "0")), line(3, 1800)
    )
    assert section.participants.get(tpn=3).first_round == 2


EXCHANGED = [
    line(1, 2400, (4, "w", "1")),
    line(2, 2300, (3, "b", "=")),
    line(3, 2200, (2, "w", "=")),
    line(4, 2100, (1, "b", "0")),
    line(5, 2000, (0, "", "U")),
]


def comment_lines(section: Section) -> list[str]:
    lines = tournament_report(section).decode().splitlines()
    return [text for text in lines if text.startswith("### Import")]


def test_rounds_that_follow_the_rules_have_no_comment(actor: Actor) -> None:
    section = imported(actor, *HEAD, "152 W", *GOOD)
    row = ActionLog.objects.get()
    assert (row.integrity, row.after["rounds_checked"], row.after["departures"]) == (Integrity.IMPORT, 1, [])
    assert comment_lines(section) == []


def test_comment_on_a_round_that_breaks_the_rules_has_the_pairing_of_the_engine(actor: Actor) -> None:
    section = imported(actor, *HEAD, "152 W", *EXCHANGED)
    assert comment_lines(section) == ["### Import @ Round 1: 1-3 4-2 => 1-4 3-2"]


def test_rounds_of_an_older_edition_say_so_in_the_log_and_in_every_later_file(actor: Actor) -> None:
    """The edition of 2026 judges them, so what differs may come from the edition alone."""
    section = imported(actor, *HEAD, "192 FIDE_DUTCH_2017", "152 W", *EXCHANGED)
    began = "### Import: began under the edition of 2017, checked by the edition of 2026"
    assert comment_lines(section)[0] == began
    assert section.log.get().after["older_edition"] == 2017
    exported = tournament_report(section)
    assert "older_edition" in [one.code for one in file_warnings(read_report(exported))]
    lines = exported.decode().splitlines()
    assert comment_lines(imported(actor, *lines)).count(began) == 1


def test_a_comment_has_the_present_pairing_numbers(actor: Actor) -> None:
    section = imported(actor, *HEAD, "152 W", *EXCHANGED)
    numbers = {2: 3, 3: 2}
    people = {entry.tpn: entry for entry in section.participants.all()}
    section.participants.update(tpn=None)
    for tpn, entry in people.items():
        section.participants.filter(pk=entry.pk).update(tpn=numbers.get(tpn, tpn))
    assert comment_lines(section) == ["### Import @ Round 1: 1-2 4-3 => 1-4 2-3"]


def test_comment_on_a_bye_that_breaks_the_rules_names_the_bye(actor: Actor) -> None:
    players = [
        line(1, 2400, (3, "w", "1")),
        line(2, 2300, (5, "b", "=")),
        line(3, 2200, (1, "b", "0")),
        line(4, 2100, (0, "", "U")),
        line(5, 2000, (2, "w", "=")),
    ]
    assert comment_lines(imported(actor, *HEAD, "152 W", *players)) == [
        "### Import @ Round 1: 4-2 5=PAB => 5-2 4=PAB",
    ]


def test_a_round_without_a_legal_pairing_has_a_comment(actor: Actor) -> None:
    players = [line(1, 2400, (2, "w", "1"), (2, "b", "1")), line(2, 2300, (1, "b", "0"), (1, "w", "0"))]
    assert comment_lines(imported(actor, *HEAD, "152 W", *players)) == ["### Import @ Round 2: none => 2-1"]


def test_a_forfeit_without_colours_agrees_with_either_colour(actor: Actor) -> None:
    players = [
        line(1, 2400, (4, "w", "1")),
        line(2, 2300, (5, "", "+")),
        line(3, 2200, (6, "w", "1")),
        line(4, 2100, (1, "b", "0")),
        line(5, 2000, (2, "", "-")),
        line(6, 1900, (3, "b", "0")),
    ]
    assert comment_lines(imported(actor, *HEAD, "152 W", *players)) == []
    players[0], players[3] = line(1, 2400, (4, "b", "1")), line(4, 2100, (1, "w", "0"))
    assert comment_lines(imported(actor, *HEAD, "152 W", *players)) == ["### Import @ Round 1: 1-4 => 4-1"]


def test_rounds_are_checked_with_the_provisional_rating(actor: Actor) -> None:
    players = [*EXCHANGED[:4], line(5, None, (0, "", "U"))]
    section = imported(actor, *HEAD, "152 W", *players, provisional_rating=2000)
    assert comment_lines(section) == ["### Import @ Round 1: 1-3 4-2 => 1-4 3-2"]


def test_a_game_without_result_in_an_earlier_round_counts_as_adjourned(actor: Actor) -> None:
    players = [line(1, 2400, (3, "w", ""), (2, "b", "")), line(2, 2300, (4, "b", "1"), (1, "w", "")),
               line(3, 2200, (1, "b", ""), (4, "w", "")), line(4, 2100, (2, "w", "0"), (3, "b", ""))]  # fmt: skip
    row_of = imported(actor, *HEAD, "152 W", *players)
    assert row_of.log.get().after["rounds_checked"] == 2


def test_a_round_that_cannot_be_checked_has_a_comment(actor: Actor) -> None:
    """Round 1 has only forfeits without colours, so the initial-colour is not known."""
    players = [line(1, 2400, (2, "", "+")), line(2, 2300, (1, "", "-"))]
    assert comment_lines(imported(actor, *HEAD, *players)) == ["### Import @ Round 1: not checked"]


def test_edition_is_named_by_the_file_or_in_force_on_its_first_day(actor: Actor) -> None:
    assert imported(actor, *HEAD, "192 FIDE_DUBOV", *GOOD, "042 2025/11/01").options["edition"] == "2018"
    assert imported(actor, *HEAD, "192 FIDE_DUBOV", *GOOD, "042 2026/11/01").options["edition"] == "2026"
    assert (
        imported(actor, *HEAD, "192 FIDE_DUBOV", *GOOD, "### C.04.4.1 Dubov System, edition of 2025").options[
            "edition"
        ]
        == "2025"
    )
