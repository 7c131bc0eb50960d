"""The report for rating, while games are open and after results that count only for rating."""

from __future__ import annotations

import pytest

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import Report, read_report
from pairing.rounds import pair_next_round, publish_round
from tests.exports.report_trf.conftest import fresh, rounds_of, section_key, starting_with
from tests.factories import EventFactory, section_of
from tests.queries.sections import MadeSection, make_section
from tournaments.actions.corrections import correct_for_rating
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.actions.results import record_result
from tournaments.errors import DomainError
from tournaments.files.report_check import RoundsCheck
from tournaments.files.report_reading import report_preview
from tournaments.files.report_writing import tournament_report
from tournaments.models import (
    Event,
    Game,
    Participant,
    Section,
)
from web.words.reports import report_facts

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_an_adjourned_game_is_marked_while_the_section_runs() -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna adj Bert", "Bert . Anna")
    assert rounds_of(section, "Anna") == "     2 w ?     2 b"
    assert starting_with(section, "162") == ["162  X 0.5"]
    report = read_report(tournament_report(fresh(section)))
    assert [player.points for player in report.players] == [5, 5]


@pytest.mark.parametrize(("result", "code"), [("adj", "adjourned_open"), (".", "results_missing")])
def test_no_report_for_rating_while_a_game_is_open(result: str, code: str) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, f"Anna {result} Bert", planned=1)
    with pytest.raises(DomainError) as refused:
        tournament_report(fresh(section), for_rating=True)
    assert refused.value.code == code


def test_the_report_for_rating_has_official_ratings_and_no_later_rounds(section: MadeSection) -> None:
    Participant.objects.filter(pk=section_key(section, "Anna")).update(official_rating=1987)
    assert [line[48:52] for line in starting_with(section, "001", for_rating=True)] == ["1987"] + ["    "] * 6
    assert starting_with(section, "XXZ", "240", "072", for_rating=True) == ["072 1"]
    assert all(len(line) <= 109 for line in starting_with(section, "001", for_rating=True))


def played_by_the_program(players: int, rounds: int) -> Section:
    """Return a finished section whose official ratings reverse the order of the field. Some players have none."""
    section = section_of(players, rounds=rounds)
    for entry in section.participants.all():
        assert entry.tpn is not None
        entry.official_rating = 2000 + 40 * entry.tpn if entry.tpn % 5 else None
        entry.save()
    actor = Actor.command()
    for number in range(rounds):
        row = pair_next_round(actor=actor, section_id=section.pk, after_round=number)
        publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
        for game in row.games.all():
            won = ("1-0", "0-1", "1/2")[(game.board + number) % 3]
            record_result(actor=actor, game_id=game.pk, result=won, seen_version=game.version)
    return Section.objects.get(pk=section.pk)


def test_the_report_for_rating_names_the_ratings_used_for_pairing() -> None:
    report = read_report(tournament_report(played_by_the_program(14, 5), for_rating=True))
    assert [player.rating for player in report.players[:5]] == [2040, 2080, 2120, 2160, None]
    assert [one for check in check_rounds(report) for one in check.differences] == []
    standings = check_standings(report)
    assert standings is not None
    assert standings.misplaced == ()
    without = Report(tuple(record for record in report.records if getattr(record, "code", "") != "###"))
    assert [one for check in check_rounds(without, unrated=1000) for one in check.differences] != []


def test_the_import_page_of_the_report_for_rating_has_the_ratings_used_for_pairing() -> None:
    """Two players have no official rating. The page asks for none, and all rounds can be checked."""
    section = played_by_the_program(10, 3)
    report = read_report(tournament_report(section, for_rating=True))
    assert [player.starting_rank for player in report.players if player.rating is None] == [5, 10]
    preview = report_preview(report)
    assert preview.unrated == ()
    assert [one.code for one in preview.adjustments if one.code.startswith("ratings")] == []
    facts = report_facts(report, EventFactory())
    ratings = section.participants.order_by("tpn").values_list("rating", flat=True)
    assert [player.rating for player in facts["players"]] == list(ratings)
    assert (facts["unrated"], facts["departures"], facts["checked"]) == (0, [], RoundsCheck(3))


@pytest.mark.parametrize("for_rating", [True, False])
def test_a_result_only_for_rating_is_imported_again_from_both_reports(for_rating: bool) -> None:
    """The report for rating also keeps the official ratings; the other report has only the tournament ratings."""
    actor = Actor.command()
    section = played_by_the_program(8, 3)
    game = Game.objects.get(round__section=section, round__number=1, board=1)
    correct_for_rating(
        actor=actor, game_id=game.pk, result="1/2", seen_version=game.version, reason="late", confirmed=True
    )
    section.refresh_from_db()

    def held(row: Section) -> list[object]:
        ratings = row.participants.order_by("tpn").values_list(
            "rating", "official_rating" if for_rating else "rating"
        )
        games = Game.objects.filter(round__section=row).order_by("round__number", "board")
        return [*ratings, *games.values_list("white__tpn", "black__tpn", "result", "rating_result")]

    sent = tournament_report(section, for_rating=for_rating)
    event = Event.objects.create(name="Copy", slug="copy", start="2026-10-17", end="2026-10-25")
    copied = import_report(actor=actor, report=read_report(sent), event=event, name="Open")
    assert held(copied) == held(section)
    again = tournament_report(Section.objects.get(pk=copied.pk), for_rating=for_rating)
    ours = ("### Rating correction", "### Tournament ratings")
    comments = [line for line in again.decode().splitlines() if line.startswith(ours)]
    assert comments == [line for line in sent.decode().splitlines() if line.startswith(ours)]
    assert f"### Rating correction @ Round 1: 1-5: {game.result} => 1/2" in comments


def test_known_dates_of_rounds_are_written(section: MadeSection) -> None:
    Section.objects.update(schedule=["", "2026-10-18T13:00"], report_records=["132 another"])
    assert starting_with(section, "132") == ["132" + " " * 98 + "26/10/18"]


def test_dates_of_later_rounds_are_not_sent_for_rating(section: MadeSection) -> None:
    Section.objects.update(schedule=["2026-10-17", "2026-10-18", "2026-10-24T10:00"])
    known = "132" + " " * 88 + "26/10/17  26/10/18"
    assert starting_with(section, "132") == [f"{known}  26/10/24"]
    assert starting_with(section, "132", for_rating=True) == [known]
