"""Players who left a round robin, in its report file, after an import and for the checker."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenboard_engine import Result
from evenboard_engine.cli.command import main
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.trf import read_report, write_report
from evenboard_engine.trf.file_warnings import file_warnings
from pairing.rounds import pair_all_rounds, pair_next_round, publish_round
from tests.factories import EventFactory
from tests.queries.sections import make_section
from tests.systems.round_robin.test_section import (
    DESK,
    all_published,
    by_number,
    drawn,
    enter,
    leave_after,
    results_of,
)
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.reports import import_report
from tournaments.files.report_reading import report_preview
from tournaments.files.report_writing import tournament_report
from tournaments.models import Game, Section
from tournaments.queries.crosstables import results_table
from tournaments.queries.standings import standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def imported(data: bytes) -> Section:
    return import_report(actor=DESK, event=EventFactory(), name="Copy", report=read_report(data))


def test_file_without_scoring_is_not_given_an_allocated_bye() -> None:
    lines = tournament_report(all_published(4)).splitlines(keepends=True)
    without = {b"142", b"162", b"172", b"182", b"192", b"202", b"212", b"222", b"XXS"}
    report = read_report(b"".join(line for line in lines if line[:3] not in without))
    codes = [one.code for one in report_preview(report, system="round-robin", rounds=3).adjustments]
    assert [code for code in codes if code.startswith("scoring")] == ["scoring_assumed_fixed"]


def comments(data: bytes) -> list[str]:
    return [line for line in data.decode().splitlines() if line.startswith("### ") and "@" in line]


def places(section: Section) -> list[tuple[int | None, int, int]]:
    return [(row.tpn, row.place, row.points) for row in standings_table(section).rows]


def crosstable(section: Section) -> list[tuple[object, ...]]:
    return [
        (
            *(row.tpn, row.points, row.place, row.withdrawn, row.counted),
            [[turn.outcome for turn in turns or ()] for turns in row.cells],
        )
        for row in results_table(section).rows
    ]


def with_leaver() -> Section:
    """Four players, all rounds played. Number 4 beat number 1 and left: with all games, number 2 would be first."""
    section = all_published(4)
    results = {
        (1, 4): Result.BLACK_WINS,
        (2, 3): Result.WHITE_WINS,
        (1, 2): Result.DRAW,
        (3, 1): Result.BLACK_WINS,
    }
    games = {
        (game.white.tpn, game.black.tpn): game
        for game in Game.objects.filter(round__section=section).select_related("white", "black")
    }
    for pair, result in results.items():
        enter(games[pair], result)
    withdraw_participant(actor=DESK, participant_id=by_number(section, 4).pk)
    return section


@pytest.mark.parametrize("for_rating", [False, True])
def test_round_trip_keeps_who_left_and_all_places(for_rating: bool) -> None:
    section = with_leaver()
    sent = tournament_report(section, for_rating=for_rating)
    assert comments(sent) == ["### Withdrawal @ Round 1: 4"]
    copied = imported(sent)
    gone = copied.participants.get(tpn=4)
    assert (gone.status, gone.left_after, gone.byes.count()) == ("withdrawn", 1, 0)
    assert places(copied) == places(section) == [(1, 1, 15), (2, 2, 15), (3, 3, 0)]
    assert crosstable(copied) == crosstable(section)
    again = tournament_report(copied, for_rating=for_rating)
    assert [line for line in again.splitlines() if line.startswith(b"001")] == [
        line for line in sent.splitlines() if line.startswith(b"001")
    ]
    assert comments(again) == comments(sent)


def test_checker_counts_the_games_that_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sent = tournament_report(with_leaver())
    assert [one.code for one in file_warnings(read_report(sent))] == []
    file = tmp_path / "table.trf"
    file.write_bytes(sent)
    assert main(["--round-robin", str(file), "-c"]) == 0
    assert "3 rounds checked, no difference; standings by PTS,TPN: no wrong place" in capsys.readouterr().out
    file.write_bytes(sent.replace(b"### Withdrawal", b"### Something"))
    assert main(["--round-robin", str(file), "-c"]) == 1


def test_games_of_rounds_to_come_are_forfeited_after_an_import_too() -> None:
    section = drawn(4)
    first = pair_next_round(actor=DESK, section_id=section.pk, after_round=0)
    publish_round(actor=DESK, round_id=first.pk, seen_version=0)
    leave_after(section, 4, 1)
    copied = imported(tournament_report(section))
    pair_all_rounds(actor=DESK, section_id=copied.pk, after_round=1)
    assert results_of(copied, by_number(copied, 4)) == [(1, "1-0"), (2, "-:+"), (3, "+:-")]


def test_preview_says_that_somebody_withdrew() -> None:
    preview = report_preview(read_report(tournament_report(with_leaver())), system="round-robin")
    assert "1 player has withdrawn." in [str(one) for one in preview.adjustments]
    assert preview.unused == ()


def test_a_swiss_report_names_withdrawals_too() -> None:
    swiss = make_section({"Ann": 2000, "Bob": 1900}, "Ann 1-0 Bob").row
    withdraw_participant(actor=DESK, participant_id=by_number(swiss, 1).pk)
    data = tournament_report(swiss)
    assert comments(data) == ["### Withdrawal @ Round 1: 1"]
    copied = imported(data)
    assert by_number(copied, 1).status == "withdrawn"


def test_random_tournaments_with_leavers_agree_with_the_checker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranks count only the games that count, by tie-breaks that a round robin may use (VCL4THP.13 Q103, Q105)."""
    uncounted = 0
    for number in range(25):
        made = generate(
            str(number), GeneratorSettings(players=5 + number % 6, retirements=9, system="round-robin")
        ).report
        used = {code.partition("/")[0] for code in made.text("212").split(",")}
        assert not used & {"BH", "FB", "AOB"}
        uncounted += sum(player.rank is None for player in made.players)
        file = tmp_path / f"{number}.trf"
        file.write_bytes(write_report(made))
        assert main(["--round-robin", str(file), "-c"]) == 0, capsys.readouterr().out
    assert uncounted > 10
