"""A double round robin of seven on its pages, from the entries to the report file and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from html import unescape
from itertools import combinations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Q
from django.test import Client

from evenboard_engine import RESULTS, Result
from evenboard_engine.trf import read_report
from tests.answers import agreed, answers_in
from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tests.shared_rows import SharedRows
from tests.systems import every_address
from tests.systems.every_address import words_found
from tests.systems.round_robin.test_section import drawn, play
from tests.systems.toy_desk import FORM
from tournaments.actions.entries import import_report
from tournaments.actions.ledger import Actor
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_reading import report_preview
from tournaments.models import Bye, EventRole, Game, Participant, Section
from tournaments.queries.crosstables import results_table
from tournaments.queries.standings import standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

NAMES = ("Abadi, N", "Brandt, L", "Costa, M", "Dumont, R", "Eriksen, T", "Fischer, P", "Garnier, A")
SETTINGS = {
    **FORM,
    "name": "Club championship",
    "round-robin_cycles": "2",
    "round-robin_swap": "on",
    "system": "round-robin",
}
ARO = re.compile(r"\bARO\b|average rating of (?:the )?opponents|float|bracket|allocated", re.IGNORECASE)
CYCLE = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.WHITE_WINS_BY_FORFEIT)


class Desk:
    """The pages of an arbiter, and those of a visitor."""

    def __init__(self) -> None:
        event = EventFactory(name="Club", state="public")
        self.organiser = EventRoleFactory(
            event=event, role=EventRole.Role.OWNER, user=UserFactory(is_superuser=True)
        ).user
        self.client, self.visitor = Client(), Client()
        self.client.force_login(self.organiser)
        self.event = f"/{event.slug}/"
        answer = self.client.post(f"{self.event}-/new-section/", SETTINGS)
        assert answer.status_code == 302, answer.content.decode()
        self.section: Section = event.sections.get()
        self.base = f"{self.event}{self.section.slug}/"

    def again(self) -> Desk:
        """Return the same pages in new browsers."""
        desk = copy(self)
        desk.section = Section.objects.get(pk=self.section.pk)
        desk.client, desk.visitor = Client(), Client()
        desk.client.force_login(self.organiser)
        return desk

    def get(self, rest: str, *, visitor: bool = False) -> str:
        answer = (self.visitor if visitor else self.client).get(self.base + rest)
        assert answer.status_code == 200, rest
        return answer.content.decode()

    def done(self, rest: str, **fields: object) -> str:
        answer = self.client.post(self.base + rest, fields, follow=True)
        assert answer.status_code == 200, (rest, answer.content.decode())
        return answer.content.decode()

    def enter(self, names: tuple[str, ...] = NAMES) -> None:
        for place, name in enumerate(names):
            entry = {"name": name, "rating": 2100 - 20 * place, "federation": "NED"}
            self.done("entries/add/", **entry, rating_source="typed", first_round="1")

    def draw(self, seed: str = "club night") -> None:
        self.done("lots/draw/", seed=seed)
        self.section.refresh_from_db()

    def play(self, number: int, results: tuple[Result, ...] = CYCLE) -> None:
        games = Game.objects.filter(round__section=self.section, round__number=number, result="")
        for place, game in enumerate(games.order_by("board")):
            result = results[place % len(results)].value
            self.done(f"game/{game.pk}/result/", version=game.version, result=result)


def published() -> Desk:
    """Seven players with numbers drawn by lot, and all rounds published."""
    made = Desk()
    made.enter()
    made.draw()
    made.done("pair/all/", after_round=0)
    made.done("publish/all/")
    return made


@pytest.fixture(scope="module", autouse=True)
def made(shared_rows: SharedRows) -> Iterator[Desk]:
    with shared_rows(published) as desk:
        yield desk


@pytest.fixture
def desk(made: Desk) -> Desk:
    return made.again()


def words_on(html: str) -> str:
    """The words of a page that are not in its navigation."""
    return re.sub(r"<[^>]*>", " ", html.partition("<main")[2].partition("</main>")[0])


def test_from_the_entries_to_the_report_and_back() -> None:
    desk = Desk()
    assert (desk.section.system, desk.section.options["cycles"]) == ("round-robin", "2")
    desk.enter()
    assert "have no number" not in desk.get("lots/")
    desk.draw()
    assert desk.section.rounds == 14
    plan = desk.get("rounds/", visitor=True)
    assert plan.count("<section") == 14
    assert desk.visitor.get(desk.base + "round/1/pairings/").status_code == 404
    desk.done("pair/all/", after_round=0)
    assert desk.visitor.get(desk.base + "round/1/pairings/").status_code == 404
    desk.done("publish/all/")
    for number in range(1, 15):
        assert f"Round {number}" in desk.get(f"round/{number}/pairings/", visitor=True)
        desk.play(number)
    games = Game.objects.filter(round__section=desk.section)
    met = sorted(tuple(sorted(pair)) for pair in games.values_list("white__tpn", "black__tpn"))
    assert met == sorted([*combinations(range(1, 8), 2)] * 2)
    agreed(desk.client, f"{desk.base}close/")
    table = standings_table(Section.objects.get(pk=desk.section.pk))
    assert (table.final, sum(row.points for row in table.rows)) == (True, 42 * 10)
    data = desk.client.get(f"{desk.base}report.trf?for=rating").content
    report = read_report(data)
    assert report.text("192") == "FIDE_DOUBLEROUNDROBIN"
    assert (report.text("212"), report.points.allocated_bye) == ("PTS,DE,WIN,SB,KS", 0)
    assert ARO.findall(data.decode()) == []
    whole = desk.client.get(f"{desk.base}report.trf").content
    shown = desk.client.post(
        f"{desk.event}-/report/", {"file": SimpleUploadedFile("club.trf", whole)}, follow=True
    )
    upload = re.search(r'name="upload" value="([^"]*)"', shown.content.decode())
    assert upload
    sent = {"upload": upload[1], "name": "Again", "rounds": "14"}
    assert desk.client.post(f"{desk.event}-/report/", sent).status_code == 302
    again = Section.objects.get(name="Again")
    assert (again.system, again.options) == (desk.section.system, desk.section.options)
    assert again.log.get(action="import_report").after["departures"] == []
    rows = [(row.place, row.tpn, row.points) for row in table.rows]
    assert [(row.place, row.tpn, row.points) for row in standings_table(again).rows] == rows
    html = desk.client.get(f"{desk.event}{again.slug}/round/9/why/").content.decode()
    assert "Round 9 is in the second cycle." in html
    assert "By the rules" not in html


def test_a_double_round_robin_of_24_goes_from_the_draw_to_the_report_and_the_paper() -> None:
    desk = Desk()
    desk.section = drawn(24, event=desk.section.event, slug="large", options={"cycles": "2"})
    desk.base = f"{desk.event}large/"
    desk.done("pair/all/", after_round=0)
    desk.done("publish/all/")
    Game.objects.filter(round__section=desk.section).update(result=Result.DRAW.value)
    agreed(desk.client, f"{desk.base}close/")
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    assert (report.rounds, report.rounds_paired, len(report.players)) == (46, 46, 24)
    again = import_report(actor=Actor.command(), event=desk.section.event, name="Again", report=report)
    assert (again.rounds, again.played_rounds.count()) == (46, 46)
    assert len(read_copy(copy_file(desk.section)).rows["rounds"]) == 46
    assert 'class="doc cross-doc rows-6 fives small"' in desk.get("print/crosstable/")
    assert desk.get("crosstable/").count("½</b>") == 2 * 24 * 23
    sheets = desk.get("print/all-rounds/").split("<section")[1:]
    assert len(sheets) == 3
    assert re.sub(r"<[^>]*>|\s", "", sheets[0]).count("½–½") == 46 * 12


def test_open_games_of_an_imported_table_stay_open(desk: Desk) -> None:
    desk.play(3, (Result.WHITE_WINS,))
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    preview = report_preview(report, system="round-robin")
    assert (preview.results_open, [one.code for one in preview.adjustments if "open" in one.code]) == (39, [])
    again = import_report(actor=Actor.command(), event=desk.section.event, name="Again", report=report)
    results = Game.objects.filter(round__section=again).values_list("round__number", "result")
    assert sorted(set(results)) == [(number, "1-0" if number == 3 else "") for number in range(1, 15)]
    assert set(again.played_rounds.values_list("state", flat=True)) == {"published"}
    play(again, 1)
    assert standings_table(again).state.played == 6


@pytest.mark.slow
def test_words_of_the_swiss_systems_are_nowhere(desk: Desk) -> None:
    for number in (1, 2, 3):
        desk.play(number)
    version = desk.section.played_rounds.get(number=4).version
    yes = answers_in(desk.client.get(desk.base + "round/4/by-hand/"))
    desk.done("round/4/by-hand/begin/", version=version, answer=yes)
    key = by_number(desk, 3).pk
    addresses = (
        "standings/ standings/2/ crosstable/ rounds/ players/ players/1/ pairings/ results/ print/standings/ "
        "print/crosstable/ print/all-rounds/ print/starting-list/ documents/ cockpit/ entries/ lots/ "
        f"round/2/why/ round/2/why/1/ log/ screens/ screen/?show=standings round/4/by-hand/ entries/{key}/leave/"
    ).split()
    found = {rest: ARO.findall(words_on(desk.get(rest))) for rest in addresses}
    assert {rest: words for rest, words in found.items() if words} == {}
    files = ("lists/standings.csv", "lists/crosstable.csv", "lists/all-rounds.csv", "report.trf")
    texts = {rest: desk.client.get(desk.base + rest).content.decode() for rest in files}
    assert {rest: ARO.findall(text) for rest, text in texts.items()} == {rest: [] for rest in files}
    api = desk.visitor.get(f"/api/v1/public/sections/{desk.section.pk}/standings/").json()
    assert "aro" not in api["results"][0]
    assert words_found(desk.client, desk.section, every_address.ARO) == {}


def test_player_without_an_opponent_is_free_in_every_list(desk: Desk) -> None:
    for rest in ("names/", "print/names/", "print/names-large/", "screen/?show=names"):
        words = words_on(desk.get(rest))
        assert (re.findall(r"\bbye\b", words), "free" in words) == ([], True), rest


def test_pages_that_mean_nothing_here_are_not_linked(desk: Desk) -> None:
    html = desk.get("cockpit/") + desk.get("entries/")
    assert [
        word for word in ("/byes/", "/check-in/", "/entries/equal/", "initial-colour") if word in html
    ] == []
    assert "Half-point bye" not in desk.get("entries/import/")
    for rest in ("entries/equal/", "byes/", "check-in/", "forbidden-pairs/"):
        assert desk.client.get(desk.base + rest).status_code == 404, rest


def by_number(desk: Desk, tpn: int) -> Participant:
    return desk.section.participants.get(tpn=tpn)


def test_cockpit_leads_through_the_lots_to_all_rounds() -> None:
    desk = Desk()
    desk.enter()
    assert f'href="{desk.base}lots/"' in desk.get("cockpit/")
    desk.draw()
    html = desk.get("cockpit/")
    assert "pair/all/" in html
    desk.done("pair/all/", after_round=0)
    html = desk.get("cockpit/")
    assert re.findall(r'class="btn go"[^>]*>\s*(\S+ \S+ \d+ drafts|.*?)\s*<', html) == [
        "Publish all 14 drafts"
    ]
    desk.done("publish/all/")
    html = desk.get("cockpit/")
    assert ("publish/all/" in html, "Enter results" in html) == (False, True)


def test_numbers_drawn_at_the_board_are_typed_on_the_page() -> None:
    desk = Desk()
    desk.enter(NAMES[:4])
    keys = list(desk.section.participants.order_by("-tpn").values_list("pk", flat=True))
    desk.section.refresh_from_db()
    fields = {f"place-{key}": place for place, key in enumerate(keys, start=1)}
    asked = desk.client.post(desk.base + "lots/", {**fields, "revision": desk.section.revision})
    assert "Nothing is saved yet." in asked.content.decode()
    desk.done("lots/", **fields, revision=desk.section.revision, answer=answers_in(asked))
    assert list(desk.section.participants.order_by("tpn").values_list("pk", flat=True)) == keys


def test_two_players_cannot_have_drawn_one_number() -> None:
    desk = Desk()
    desk.enter(NAMES[:4])
    first, second, third, fourth = desk.section.participants.order_by("tpn").values_list("pk", flat=True)
    before = dict(desk.section.participants.values_list("pk", "tpn"))
    fields = {f"place-{first}": 2, f"place-{second}": 2, f"place-{third}": 1, f"place-{fourth}": 4}
    desk.section.refresh_from_db()
    answer = desk.client.post(desk.base + "lots/", {**fields, "revision": desk.section.revision})
    assert answer.status_code == 422
    page = words_on(answer.content.decode())
    assert page.count("Also typed for") == 2
    assert (f"Also typed for {NAMES[1]}." in page, f"Also typed for {NAMES[0]}." in page) == (True, True)
    assert dict(desk.section.participants.values_list("pk", "tpn")) == before


def test_draw_names_its_seed_until_it_is_undone() -> None:
    desk = Desk()
    desk.enter()
    desk.draw()
    assert "<b>club night</b>" in desk.get("lots/")
    desk.done(f"log/{desk.section.log.latest('pk').revision}/undo/", reason="")
    assert "<b>club night</b>" not in desk.get("lots/")


def test_all_rounds_that_one_press_pairs_have_one_undo() -> None:
    desk = Desk()
    desk.enter()
    desk.draw()
    shown = desk.done("pair/all/", after_round=0)
    paired = desk.section.played_rounds.count()
    assert paired > 3
    found = re.search(r'action="([^"]*/undo/[?][^"]*also=[^"]*)"', shown)
    assert found is not None
    assert desk.client.post(unescape(found[1])).status_code == 302
    assert desk.section.played_rounds.count() == 0


def test_current_round_is_the_first_without_results(desk: Desk) -> None:
    desk.play(1)
    desk.play(3)
    assert "Round 2" in words_on(desk.get("pairings/", visitor=True))
    assert "9 of 42 games have a result." not in words_on(desk.get("standings/", visitor=True))
    assert "6 of 42 games have a result." in words_on(desk.get("standings/", visitor=True))


def test_crosstable_has_both_games_of_each_pair(desk: Desk) -> None:
    for number in range(1, 15):
        desk.play(number)
    table = results_table(desk.section)
    for one, other in combinations(range(7), 2):
        mine, theirs = table.rows[one].cells[other], table.rows[other].cells[one]
        assert mine is not None
        assert theirs is not None
        assert [turn.round for turn in mine] == [turn.round for turn in theirs]
        assert len(mine) == 2
        assert mine[0].colour is not mine[1].colour
        for here, there in zip(mine, theirs, strict=True):
            meaning = RESULTS[here.result]
            assert {here.outcome, there.outcome} == {meaning.white, meaning.black}
    text = desk.client.get(desk.base + "lists/crosstable.csv").content.decode("utf-8-sig")
    head, first, *_rest = text.splitlines()
    assert head == "No;Name;Title;Federation;Rating;1;2;3;4;5;6;7;Points;Place"
    assert first.split(";")[5] == "×"
    assert all(len(cell.split()) == 2 for cell in first.split(";")[6:12])


def test_table_has_no_initial_colour_in_its_files_and_its_preview_names_the_system(desk: Desk) -> None:
    data = desk.client.get(f"{desk.base}report.trf").content
    shown = desk.client.post(
        f"{desk.event}-/report/", {"file": SimpleUploadedFile("a.trf", data)}, follow=True
    )
    words = " ".join(words_on(shown.content.decode()).split())
    assert "Tournament Club Pairing system Round robin Players 7 " in words
    again = import_report(actor=Actor.command(), event=desk.section.event, name="A", report=read_report(data))
    copy = desk.client.get(f"{desk.event}{again.slug}/report.trf").content
    colours = [re.findall(rb"^(?:152|XXC).*$", one, re.MULTILINE) for one in (data, copy)]
    assert (again.initial_colour, colours) == ("", [[], []])


def test_leaver_has_no_slips_and_one_line_in_the_cockpit(desk: Desk) -> None:
    desk.play(1)
    gone = Bye.objects.get(participant__section=desk.section, round_number=2).participant
    board = Game.objects.filter(Q(white=gone) | Q(black=gone), round__number=4)
    desk.done(f"entries/{gone.pk}/leave/", reason="ill")
    away = desk.get("cockpit/").partition('id="d-away"')[2].partition("</section>")[0]
    assert (away.count(gone.player.name), "free" in away) == (1, False)
    slips = desk.get("print/slips/4/")
    played = Game.objects.filter(round__section=desk.section, round__number=4).exclude(pk__in=board)
    names = {name for game in played for name in (game.white.player.name, game.black.player.name)}
    assert (len(names), {name for name in NAMES if name in slips}) == (4, names)


def test_early_leaver_is_shown_and_not_counted(desk: Desk) -> None:
    for number in (1, 2, 3):
        desk.play(number)
    gone = by_number(desk, 3)
    page = words_on(desk.get(f"entries/{gone.pk}/leave/"))
    assert "fewer than half" in page
    desk.done(f"entries/{gone.pk}/leave/", reason="ill")
    html = words_on(desk.get("standings/", visitor=True))
    assert "do not count for the standings" in html
    assert "do not count for the standings" in words_on(desk.get("crosstable/", visitor=True))
    assert "do not count for the standings" in words_on(desk.get("print/standings/"))
    rows = standings_table(desk.section).rows
    assert {row.tpn for row in rows} == {1, 2, 4, 5, 6, 7}
    logged = desk.section.log.get(action="withdraw_participant").after["forfeited"]
    first = "round {} board {}, round {} board {}".format(*logged[0], *logged[1])
    assert first in words_on(desk.get("log/"))
    assert "The points in the file include games that do not count for the standings" in words_on(
        desk.get("documents/")
    )
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    sent = next(player for player in report.players if player.starting_rank == 3)
    assert sum(entry.opponent is not None for entry in sent.entries) == 12


@pytest.mark.parametrize(
    ("played", "sentence"),
    [
        (
            3,
            "completed 3 of 12 games. This is fewer than half, so none of these games counts for the standings.",
        ),
        (7, "completed 6 of 12 games. This is at least half, so all of these games count for the standings."),
    ],
)
def test_absent_page_says_what_the_withdrawal_page_says(desk: Desk, played: int, sentence: str) -> None:
    for number in range(1, played + 1):
        desk.play(number, (Result.DRAW,))
    gone = by_number(desk, 3)
    games = Game.objects.filter(round__section=desk.section, result="")
    open_games = games.filter(Q(white=gone) | Q(black=gone))
    expected = " ".join(words_on(desk.get(f"entries/{gone.pk}/leave/")).split())
    absent = " ".join(words_on(desk.get(f"game/{open_games.earliest('round__number').pk}/absent/")).split())
    whole = f"{open_games.count()} games are forfeited now. The player has {sentence}"
    assert (whole in expected, whole in absent) == (True, True)
    assert ("is not paired from round" in absent, "GHR 4.4" in absent) == (False, False)
    last = open_games.latest("round__number")
    absent = " ".join(words_on(desk.get(f"game/{last.pk}/absent/")).split())
    assert (whole in absent, "what is written above happens to the games of each" in absent) == (True, True)


def test_withdrawal_page_counts_the_wins_that_both_lose(desk: Desk) -> None:
    desk.play(1, (Result.DRAW,))
    first, second = by_number(desk, 2), by_number(desk, 3)
    desk.done(f"entries/{first.pk}/leave/", reason="ill")
    between = Game.objects.filter(white__in=(first, second), black__in=(first, second))
    wins = between.filter(result__in=("+:-", "-:+")).count()
    page = " ".join(words_on(desk.get(f"entries/{second.pk}/leave/")).split())
    assert f"{wins} games won by forfeit, against players who left before, are then lost by both." in page
    desk.done(f"entries/{second.pk}/leave/", reason="ill")
    assert (wins, between.filter(result="-:-").count()) == (2, 2)


def test_pages_need_the_same_queries_for_more_players(
    desk: Desk, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for rest, most in (("rounds/", 16), ("crosstable/", 16), ("lots/", 16)):
        with django_assert_max_num_queries(most):  # type: ignore[operator]
            desk.get(rest)
