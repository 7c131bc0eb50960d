"""A system that lives in tests alone has every page, sheet, list and file of a section. None names another system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from evenboard_engine import SYSTEMS
from evenboard_engine.systems.options import ChoiceOption
from evenboard_engine.tests.systems.toy import ladder_known
from evenboard_engine.trf import read_report
from tests.answers import agreed
from tests.factories import SectionFactory
from tests.house.packages import PROGRAM
from tests.systems.every_address import ARO, OTHER_SYSTEM, words_found
from tests.systems.toy_desk import OWN, SETTINGS, Desk
from tournaments.actions.copies import load_copy_as_event
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.entry_lists import read_entries
from tournaments.files.entry_preview import entry_list_preview
from tournaments.models import Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
CHOSEN = {"start": "bottom", "turned": "off", "reach": "30", "far": "20", "gap": "none"}


@pytest.fixture(autouse=True)
def ladder() -> Iterator[None]:
    with ladder_known():
        yield


@pytest.fixture
def desk() -> Desk:
    """Round 1 of six players is played, and round 2 is paired."""
    made = Desk()
    made.enter(6)
    made.done("initial-colour/", colour="w")
    made.pair()
    made.publish()
    made.results()
    made.pair()
    return made


def test_form_offers_each_system_with_its_options() -> None:
    desk = Desk()
    assert (desk.section.system, desk.section.options) == ("ladder", CHOSEN)
    html = desk.client.get(desk.new).content.decode()
    assert re.findall(r'name="system"[^>]*value="([\w-]+)"', html) == [*SYSTEMS]
    choices = {
        f"{system.code}_{option.name}"
        for system in SYSTEMS.values()
        for option in system.choices
        if isinstance(option, ChoiceOption)
    }
    assert set(re.findall(r'<select name="([\w-]+)"', html)) >= {"acceleration", *choices}
    assert "Neighbours on a ladder meet. It is for tests." in html
    settings = desk.get("settings/?change=all")
    assert set(re.findall(r'<select name="([\w-]+)"', settings)) >= {"acceleration", "start", "dubov_edition"}


def test_unknown_system_is_refused_at_its_field() -> None:
    desk = Desk()
    answer = desk.client.post(desk.new, {**SETTINGS, "name": "B", "system": "lim"})
    assert (answer.status_code, Section.objects.count()) == (422, 1)
    assert "Select a valid choice." in answer.content.decode()


def test_settings_change_the_options_and_the_system() -> None:
    desk = Desk()
    desk.done("settings/", **{**SETTINGS, **OWN, "start": "top", "turned": "on", "gap": "2½"})
    desk.section.refresh_from_db()
    changed = {**CHOSEN, "start": "top", "turned": "on", "gap": "2.5"}
    assert desk.section.options == changed
    log = desk.get("log/")
    expected = (
        "start of the ladder",
        "from the top",
        "turned colours",
        "largest gap",
        "2½ points",
        "no limit",
    )
    assert [words for words in expected if words not in log] == []
    html = desk.get("settings/?change=all")
    assert re.search(r'<input type="checkbox" name="turned"[^>]* checked', html)
    assert re.search(r'<input type="text" name="gap" value="2½"', html)
    desk.done("settings/", **{**SETTINGS, **OWN, "reach": "", "system": "dubov", "dubov_edition": "2018"})
    desk.section.refresh_from_db()
    assert desk.section.system == "dubov"
    assert desk.section.options == {"edition": "2018", "upfloats": "played"}
    accelerated = {**SETTINGS, "edition": "2018", "upfloats": "played", "acceleration": "baku"}
    desk.done("settings/", **{**accelerated, "system": "dubov"})
    desk.section.refresh_from_db()
    assert desk.section.acceleration == "baku"
    desk.done("settings/", **accelerated)
    desk.section.refresh_from_db()
    assert (desk.section.system, desk.section.acceleration) == ("ladder", "")
    assert desk.section.options == CHOSEN


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"reach": "100"}, "Ensure this value is less than or equal to 99."),
        ({"reach": ""}, "This field is required."),
        ({"gap": "0,3"}, "Write ½ to 30 points, in steps of ½. Leave it empty for no limit."),
        ({"gap": "two"}, "Write points as 1, ½ or 0.5."),
        ({"start": "middle"}, "Select a valid choice."),
        ({"reach": "10"}, "20 is too much for “far”: “reach” is only 10."),
    ],
)
def test_wrong_values_of_options_are_refused(wrong: dict[str, str], sentence: str) -> None:
    desk = Desk()
    answer = desk.post("settings/", **{**SETTINGS, **OWN, **wrong})
    desk.section.refresh_from_db()
    assert (answer.status_code, desk.section.options) == (422, CHOSEN)
    assert sentence in answer.content.decode()


def test_all_errors_of_the_options_are_said_at_once() -> None:
    """Each at its field, and in the list at the top."""
    desk = Desk()
    html = desk.post(
        "settings/", **{**SETTINGS, **OWN, "name": "", "reach": "10", "gap": "two"}
    ).content.decode()
    assert [
        html.count(sentence)
        for sentence in (
            "This field is required.",
            "20 is too much for “far”: “reach” is only 10.",
            "Write points as 1, ½ or 0.5.",
        )
    ] == [2, 2, 2]


def test_rounds_are_paired_by_the_system_and_by_hand(desk: Desk) -> None:
    first = desk.section.played_rounds.get(number=1).games.order_by("board")
    assert list(first.values_list("white__tpn", "black__tpn")) == [(6, 5), (4, 3), (2, 1)]
    assert desk.boards() == [(3, 5), (6, 1), (2, 4)]
    row = desk.section.played_rounds.get(number=2)
    desk.done("round/2/by-hand/begin/", version=row.version)
    met = {frozenset(pair) for pair in first.values_list("white__tpn", "black__tpn")}
    white, black = desk.boards()[0]
    partner = next(iter(next(pair for pair in met if white in pair) - {white}))
    row.refresh_from_db()
    swap = {"picked": desk.key(black), "player": desk.key(partner)}
    asked = desk.client.post(f"{desk.base}round/2/by-hand/", {"version": row.version, **swap})
    assert asked.status_code == 422
    assert "are on the ladder twice." in asked.content.decode()
    assert desk.by_hand(**swap).status_code in (200, 302)
    assert {white, partner} in map(set, desk.boards())
    row.refresh_from_db()
    answers = {"version": row.version, "reason": "They asked for it"}
    compared = desk.post("round/2/by-hand/end/", **answers)
    assert (compared.status_code, OTHER_SYSTEM.findall(compared.content.decode())) == (422, [])
    assert agreed(desk.client, f"{desk.base}round/2/by-hand/end/", answers).status_code == 302
    row.refresh_from_db()
    assert row.manual
    assert OTHER_SYSTEM.findall(desk.get("round/2/by-hand/") + desk.get("round/2/why/")) == []


def test_pairings_are_explained_in_the_words_of_the_system(desk: Desk) -> None:
    html = desk.get("round/2/why/")
    assert "The ladder is read from its start." in html
    assert "Numbers in the margin are articles of the ladder, from the bottom." in html
    white, black = desk.boards()[0]
    other = next(tpn for tpn in range(1, 7) if tpn not in (white, black))
    assert "is the nearest on the ladder" in desk.get(f"round/2/why/{white}/")
    assert "on the ladder" in desk.get(f"round/2/why/{white}/?other={other}")


def test_system_without_an_aro_list_has_none(desk: Desk) -> None:
    assert ("ARO list" in desk.get("documents/"), "/aro/" in desk.get("standings/")) == (False, False)
    gone = (
        "aro/",
        "aro/1/",
        "print/aro/",
        "print/aro-names/",
        "lists/aro.csv",
        "csv/aro/",
        "screen/?show=aro",
    )
    assert [rest for rest in gone if desk.client.get(desk.base + rest).status_code != 404] == []


def test_sheets_name_the_rules_of_the_system(desk: Desk) -> None:
    assert "Ladder System, rules of the ladder, from the bottom" in desk.get("print/standings/")


@pytest.mark.slow
def test_every_address_of_a_section_answers_without_naming_another_system(desk: Desk) -> None:
    desk.publish()
    assert words_found(desk.client, desk.section, OTHER_SYSTEM, ARO, post=True) == {}


def test_report_file_goes_out_and_in_again(desk: Desk) -> None:
    desk.publish()
    desk.results("1/2")
    data = desk.client.get(f"{desk.base}report.trf").content
    assert read_report(data).text("192") == "CUSTOM_SWISS"
    compared = "### Fairness, score groups"  # what the other systems would have paired
    lines = [line for line in data.decode().splitlines() if not line.startswith(compared)]
    assert [line for line in lines if OTHER_SYSTEM.search(line)] == []
    here = f"/{desk.section.event.slug}/-/report/"
    file = SimpleUploadedFile("ladder.trf", data)
    shown = desk.client.post(here, {"file": file}, follow=True).content.decode()
    assert OTHER_SYSTEM.findall(shown.partition("<main")[2]) == []
    upload = re.search(r'name="upload" value="([^"]*)"', shown)
    assert upload
    sent = {"upload": upload[1], "name": "Again", "rounds": "5"}
    assert desk.client.post(here, sent).status_code == 302
    again = Section.objects.get(name="Again")
    assert (again.system, again.options) == ("ladder", CHOSEN)
    assert again.log.get(action="import_report").after["departures"] == []
    assert again.participants.count() == 6


def test_file_decides_the_system_of_an_empty_section() -> None:
    desk = Desk()
    desk.enter(2)
    empty = SectionFactory(event=desk.section.event)
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    made = import_report(actor=Actor.command(), section_id=empty.pk, report=report)
    assert (empty.system, made.system, made.options) == ("dubov", "ladder", CHOSEN)


def test_copy_goes_out_and_in_again(desk: Desk) -> None:
    copy = read_copy(copy_file(desk.section))
    loaded = load_copy_as_event(actor=Actor.command(), copy=copy)
    assert (loaded.system, loaded.options, loaded.played_rounds.count()) == ("ladder", CHOSEN, 2)


def test_unrated_player_is_entered_shown_and_kept_out_of_other_systems() -> None:
    desk = Desk()
    entry = {"rating_source": "typed", "first_round": "1"}
    desk.done("entries/add/", name="Rated, A", rating="1800", official_rating="1790", **entry)
    desk.done(
        "entries/add/", name="Unrated, B", rating="", team="Falken", pairing_flags=["new", "keep"], **entry
    )
    found = desk.section.participants.select_related("player").order_by("tpn")
    assert [(one.player.name, one.rating, one.team, one.pairing_flags) for one in found] == [
        ("Rated, A", 1800, "", ""),
        ("Unrated, B", 0, "Falken", "keep new"),
    ]
    second = found[1]
    html = desk.get(f"entries/{second.pk}/")
    assert re.search(r'name="rating"(?! value)[^>]*>', html)
    assert re.findall(r'name="pairing_flags" value="(\w+)"[^>]* checked', html) == ["keep", "new"]
    assert '<td class="num">0</td>' not in desk.get("players/")
    csv = desk.client.get(f"{desk.base}csv/entries/").content.decode()
    assert "Club;Team;For the pairing;" in csv
    assert "Falken;keep new;" in csv
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    assert [(player.name, player.rating) for player in report.players] == [
        ("Rated, A", 1790),
        ("Unrated, B", None),
    ]
    origins = [record.text.split() for record in report.kept if record.text.startswith("MMM")]
    assert origins == [["MMM", "1", "Rated,", "A", "1800"]]
    assert {record.text for record in report.kept} >= {"### Keep in score group: 2", "### Never rated: 2"}
    refused = desk.post("settings/", **{**SETTINGS, **OWN, "system": "dubov"})
    assert refused.status_code == 422
    assert "Unrated, B" in refused.content.decode()
    again = load_copy_as_event(actor=Actor.command(), copy=read_copy(copy_file(desk.section)))
    kept = again.participants.get(rating=0)
    assert (kept.team, kept.pairing_flags) == ("Falken", "keep new")
    empty = SectionFactory(event=desk.section.event)
    made = import_report(actor=Actor.command(), section_id=empty.pk, report=report)
    kept = made.participants.get(rating=0)
    assert (kept.team, kept.pairing_flags) == ("Falken", "keep new")
    rated = made.participants.get(player__name="Rated, A")
    assert (rated.rating, rated.official_rating) == (1800, 1790)


def test_list_brings_unrated_players_teams_and_flags() -> None:
    desk = Desk()
    table = read_entries(
        b"Name;Rating;Team;For the pairing\nRated, A;1800;Falken;\nUnrated, B;;Falken;Keep, new\n"
    )
    shown = entry_list_preview(desk.section, table)
    assert [row.reasons for row in shown.refused] == []
    entries = [row.entry for row in shown.rows]
    assert [(one.rating, one.team, one.club, one.pairing_flags) for one in entries] == [
        (1800, "Falken", "", ""),
        (0, "Falken", "", "keep new"),
    ]
    other = SectionFactory(event=desk.section.event)
    shown = entry_list_preview(other, table)
    assert [row.name for row in shown.refused] == ["Unrated, B"]
    assert [(row.entry.team, row.entry.club, row.entry.pairing_flags) for row in shown.added] == [
        ("", "Falken", "")
    ]


ROOMS = (
    "evenboard_engine/systems/dubov/",
    "evenboard_engine/systems/dubov1997/",
    "evenboard_engine/words/dubov/",
    "evenboard_engine/words/dubov1997/",
    "tournaments/migrations/",
)
ELSEWHERE = {
    "evenboard_engine/systems/registry.py": "the registry",
    "evenboard_engine/words/registry.py": "the registry of words",
    "evenboard_engine/model.py": "the system of a tournament that names none; the model cannot import the registry",
    "evenboard_engine/upper_half.py": "a plain pairing to measure the system by, legal and coloured by its articles",
    "evenboard_engine/fairness.py": "cites what the system is for; it measures each of them",
    "evenboard_engine/trf/records.py": "names a program whose files it reads, CPPDubovSystem",
    "evenboard_engine/trf/headers.py": "names a program whose files it reads, CPPDubovSystem",
    "evenboard_engine/findings.py": "docstrings list the codes of findings that a system may have",
}


def test_only_its_rooms_and_the_registries_name_a_system(root: Path) -> None:
    found = {
        file.relative_to(root).as_posix()
        for folder in (*PROGRAM, "templates", "static")
        for file in (root / folder).rglob("*")
        if file.suffix in {".py", ".html", ".js", ".css", ".txt", ".svg"}
        and "tests" not in file.relative_to(root).parts
        and "dubov" in file.read_text(encoding="utf-8").lower()
    }
    assert {name for name in found if not name.startswith(ROOMS)} == set(ELSEWHERE)
