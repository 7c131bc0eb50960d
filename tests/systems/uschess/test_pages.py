"""A section of US Chess pairing on its pages: entries with unrated players, rounds, explanations, sheets and files."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import read_report
from tests.factories import ForbiddenPairFactory
from tests.shared_rows import SharedRows
from tests.systems.every_address import ARO, OTHER_SYSTEM, words_found
from tests.systems.toy_desk import SETTINGS, Desk
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.entry_lists import read_entries
from tournaments.files.entry_preview import entry_list_preview
from tournaments.models import Bye, RatingSource, Section
from tournaments.queries.field import load_field
from tournaments.queries.next_step_checks import rating_advice
from web.words.entry_lists import plain_row
from web.words.systems import rules_line, rules_on_paper

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

OF_FIDE = re.compile(
    r"(?<![\w-])GHR(?![\w-])|General Handling|FIDE advises|FIDE(?:'|&#x27;)?s? rules|rules of FIDE do|C\.07, 4|for FIDE"
)
"""Words about rules that are FIDE's."""
US_CHESS = "OTHER_MODMED,OTHER_SOLKOFF,OTHER_CUM"
OPTIONS = {
    "uschess_high": "200",
    "uschess_low": "80",
    "uschess_avoid_unrated": "on",
    "uschess_max_drop": "",
    "uschess_team_rule": "dont",
    "uschess_club_rule": "ignore",
}


def round_2() -> Desk:
    """Round 1 of nine players, two of them unrated, is played, and round 2 is paired."""
    made = Desk({**SETTINGS, **OPTIONS, "system": "uschess", "rounds": "4"})
    made.enter(7)
    for name in ("New, One", "New, Two"):
        made.done("entries/add/", name=name, rating="", rating_source="typed", first_round="1", team="Delft")
    made.done("initial-colour/", colour="w")
    made.pair()
    made.publish()
    made.results()
    made.pair()
    return made


@pytest.fixture(scope="module", autouse=True)
def made(shared_rows: SharedRows) -> Iterator[Desk]:
    with shared_rows(round_2) as desk:
        yield desk


@pytest.fixture
def desk(made: Desk) -> Desk:
    return made.again()


def test_every_page_of_a_section_answers(desk: Desk) -> None:
    assert desk.section.options["team_rule"] == "dont"
    desk.publish()
    assert words_found(desk.client, desk.section, OTHER_SYSTEM, ARO, OF_FIDE) == {}


def test_round_is_explained(desk: Desk) -> None:
    page = desk.get("round/2/why/")
    assert "is dropped to" in page
    assert "Score group of 1 point" in page
    assert "Each line is a score group with floaters." in page
    assert "racket" not in page
    assert "gets the bye" in page
    assert 'class="floats"' in page
    bye = Bye.objects.get(participant__section=desk.section, round_number=2)
    assert "Why does the player have the bye?" in desk.get(f"round/2/why/{bye.participant.tpn}/")


def test_rules_and_ratings_are_not_named_as_those_of_fide(desk: Desk) -> None:
    desk.publish()
    why = desk.get("round/2/why/")
    assert ('<span class="sr">Rules: </span>' in why, "Articles" in why) == (True, False)
    pages = [re.sub(r"\s+", " ", desk.get(rest)) for rest in ("fairness/", "print/fairness/")]
    assert [page.count(", in rating points") for page in pages] == [2, 2]
    assert [page for page in pages if "Elo" in page] == []
    assert "After round 1, with the pairings of round 2" in pages[1]
    desk.results()
    sheet = desk.get("print/fairness/")
    assert ("After round 2" in sheet, "with the pairings" in sheet) == (True, False)


@pytest.mark.parametrize("kept", [[], ["202 ARO,TPN", "212 PTS,ARO,TPN"]], ids=["own", "kept"])
def test_report_declares_the_tie_breaks_of_its_standings(desk: Desk, kept: list[str]) -> None:
    """Also after the import of a file of this program that declares those of another system."""
    desk.publish()
    desk.results()
    type(desk.section).objects.update(report_records=kept)
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    assert (report.texts("202"), report.texts("212")) == ((US_CHESS,), (f"PTS,{US_CHESS}",))
    check = check_standings(report, system="uschess")
    assert check is not None
    assert (check.tie_breaks, check.players, check.misplaced) == (("PTS", *US_CHESS.split(",")), 9, ())


def test_rounds_of_a_file_with_unrated_players_are_checked(desk: Desk) -> None:
    data = desk.client.get(f"{desk.base}report.trf").content
    file = SimpleUploadedFile("open.trf", data)
    here = f"/{desk.section.event.slug}/-/report/"
    page = desk.client.post(here, {"file": file}, follow=True).content.decode()
    assert "2 players have no rating and are unrated." in page
    assert "cannot be checked" not in page
    assert "tie-breaks" not in page
    made = import_report(
        actor=Actor.command(), event=desk.section.event, name="Again", report=read_report(data)
    )
    after = made.log.get(action="import_report").after
    assert (after["departures"], after.get("unchecked")) == ([], None)


def notices(section: Section) -> dict[str, int]:
    return {one.code: one.number for one in rating_advice(load_field(section))}


def test_nobody_asks_for_a_fide_id_in_a_section_that_fide_does_not_rate(desk: Desk) -> None:
    assert notices(desk.section) == {"not_fide_ratings": 0}
    assert "FIDE ID" not in desk.get("cockpit/")
    desk.section.participants.filter(tpn=1).update(rating_source=RatingSource.STANDARD)
    assert notices(desk.section) == {"no_fide_id": 9, "no_official_rating": 7}
    assert "FIDE ID" not in desk.get("cockpit/")


def test_report_for_rating_says_that_it_has_no_official_ratings(desk: Desk) -> None:
    desk.publish()
    desk.results()
    lacks = desk.get("documents/rating/").partition('id="lacks"')[2]
    assert "The file has no official ratings, because the ratings of this section are not FIDE" in lacks


@pytest.mark.parametrize("query", ["", "?for=rating&unfinished=yes"], ids=["tournament", "rating"])
def test_ratings_of_a_report_are_not_taken_for_ratings_of_fide(desk: Desk, query: str) -> None:
    desk.publish()
    desk.results()
    report = read_report(desk.client.get(f"{desk.base}report.trf{query}").content)
    made = import_report(actor=Actor.command(), event=desk.section.event, name="Again", report=report)
    assert set(made.participants.values_list("official_rating", flat=True)) == {None}
    assert notices(made) == notices(desk.section)


def test_list_of_ratings_that_are_not_official_has_no_unrated_players(desk: Desk) -> None:
    page = desk.get("entries/?without=official_rating")
    assert "Players with a rating that is not official: 7" in page
    assert "New, One" not in page.partition("<table")[2]
    assert "Players without a rating: 2" in desk.get("entries/?without=rating")


def test_number_of_games_behind_a_rating_of_us_chess_is_left_out_and_told(desk: Desk) -> None:
    file = SimpleUploadedFile("list.csv", b"Name;Rating\nKing, K;1650P8\nRook, R;1611/24\nPawn, P;1500\n")
    page = desk.client.post(f"{desk.base}entries/import/", {"file": file}, follow=True).content.decode()
    text = " ".join(page.split())
    assert "The ratings in rows 2 and 3 have the number of games behind them, which is left out." in text
    assert ("not a rating" in text, "formula" in text) == (False, False)


def test_preview_of_a_list_has_clubs_and_teams_where_the_system_asks_for_them(desk: Desk) -> None:
    file = SimpleUploadedFile("list.csv", b"Name;Rating;Club;Team\nKing, K;1800;Castle;Reds\n;1700;Rook;\n")
    page = desk.client.post(f"{desk.base}entries/import/", {"file": file}, follow=True).content.decode()
    assert re.findall(r'<th scope="col"[^>]*>(Club|Team)</th>', page) == ["Club", "Team"]
    cells = re.findall(r'<td class="nm w36 mid-wide">([^<]*)</td>', page)
    assert cells == ["Rook", "", "Castle", "Reds"]
    assert set(re.findall(r'colspan="(\d+)"', page.partition("<main")[2].partition("</main>")[0])) == {"9"}


def test_entries_have_a_column_for_teams(desk: Desk) -> None:
    assert "Team" in re.sub(
        r"<[^>]+>", " ", desk.get("entries/").partition("<thead>")[2].partition("</thead>")[0]
    )
    assert desk.get("entries/?sort=team").partition("<tbody>")[2].count(">Delft<") == 2
    found = desk.get("entries/?q=delft").partition("<tbody>")[2]
    assert re.findall(r"New, \w+(?=\s*</a>\s*<)", found) == ["New, One", "New, Two"]
    assert "The column Team has the team of a player" in desk.get("entries/import/")
    desk.section.participants.update(team="")
    type(desk.section).objects.update(system="dubov-1997")
    assert not re.search(r"\bTeam\b", desk.get("entries/") + desk.get("entries/import/"))


def test_home_page_names_the_systems(desk: Desk) -> None:
    names = "Dubov System, Dutch System, Dubov System of 1997, US Chess, Round robin"
    assert f"Chess tournaments by these pairing systems: {names}." in desk.client.get("/").content.decode()


def test_report_with_forbidden_pairs_names_no_rules_of_fide(desk: Desk) -> None:
    one, two = desk.section.participants.filter(tpn__in=(1, 2)).order_by("tpn")
    ForbiddenPairFactory(section=desk.section, first=one, second=two)
    for page in (desk.get("report.trf"), desk.get("cockpit/"), desk.get("forbidden-pairs/")):
        assert OF_FIDE.findall(page) == []
    assert "### Forbidden pairs (260, XXP) are the arbiter's\n" in desk.get("report.trf").replace("\r", "")


def test_round_that_cannot_be_paired_is_offered_for_pairing_by_hand() -> None:
    """The arbiter keeps the first player apart from everybody."""
    desk = Desk({**SETTINGS, **OPTIONS, "system": "uschess", "rounds": "4"})
    desk.enter(4)
    desk.done("initial-colour/", colour="w")
    first, *others = desk.section.participants.order_by("tpn")
    for other in others:
        ForbiddenPairFactory(section=desk.section, first=first, second=other)
    refused = desk.post("pair/", after_round=0)
    page = " ".join(refused.content.decode().split())
    assert (refused.status_code, "The arbiter decides what to do (US Chess 27-29)." in page) == (422, True)
    assert "although they are a forbidden pair" in page
    desk.done("by-hand/", after_round=0, **{"with": "proposal"})
    assert len(desk.boards()) == 2
    comparison = desk.get("round/1/by-hand/end/")
    questions = ("Why do you take these pairs?", "Why did you change the pairing?")
    assert [question in comparison for question in questions] == [True, False]


def test_unrated_players_are_not_said_to_be_rated_0(desk: Desk) -> None:
    page = desk.get("entries/equal/")
    assert "Unrated: 2 players" in page
    assert "ated 0" not in page
    assert "Rating 0" not in page


def test_change_of_published_pairs_does_not_cite_fide(desk: Desk) -> None:
    desk.publish()
    page = desk.get("round/2/by-hand/")
    assert "The pairs of this round are published." in page
    assert "GHR" not in page.partition("<main")[2]


def test_no_question_about_half_point_byes_is_promised(desk: Desk) -> None:
    asks, step = "the program still asks", f"{desk.new}points/"
    assert asks not in desk.get("settings/")
    assert asks in desk.client.get(step).content.decode()  # a new section has FIDE's rules at first
    desk.client.post(desk.new, {**SETTINGS, **OPTIONS, "system": "uschess", "do": "next"})
    page = desk.client.get(step).content.decode()
    assert ("Half-point byes per player" in page, asks in page) == (True, False)


def test_settings_and_paper_name_the_system_once(desk: Desk) -> None:
    line = "US Chess, rules 27 to 29, with the float decisions of WinTD"
    assert (rules_line(desk.section), rules_on_paper(desk.section)) == (line, line)


def test_explanation_says_nothing_twice(desk: Desk) -> None:
    for rest in ("round/2/why/", *(f"round/2/why/{tpn}/" for tpn in range(1, 10))):
        steps = re.findall(
            r"<li><span>(.*?)</span>", desk.get(rest).partition("<main")[2].partition("<details")[0]
        )
        sentences = [sentence for step in steps for sentence in re.split(r"(?<=\.) (?=[A-Z0-9])", step)]
        assert sentences, rest
        assert len(set(sentences)) == len(sentences), rest


def test_explanation_calls_an_unrated_player_unrated(desk: Desk) -> None:
    tpn = desk.section.participants.get(player__name="New, One").tpn
    page = re.sub(r"\s+", " ", desk.get(f"round/1/why/{tpn}/").partition("<main")[2])
    assert re.findall(r"[^<>]*, 0 points", page) == ["2300, 0 points", "unrated, 0 points"]


def test_preview_of_a_list_calls_an_unrated_player_unrated() -> None:
    desk = Desk({**SETTINGS, **OPTIONS, "system": "uschess"})
    shown = entry_list_preview(desk.section, read_entries(b"Name;Rating\nRated, A;1800\nUnrated, B;\n"))
    rows = [plain_row(row) for row in shown.added]
    assert [(row.rating, row.remarks) for row in rows] == [(1800, ()), (None, ("Unrated.",))]
    assumed = entry_list_preview(desk.section, read_entries(b"Name;Rating\nUnrated, B;\n"), 1200)
    rows = [plain_row(row) for row in assumed.added]
    assert [(row.rating, row.remarks) for row in rows] == [(1200, ("Provisional rating.",))]
