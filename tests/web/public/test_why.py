"""The explanations for visitors: who may read them, what they say, the steps, and the file to check a round."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from base.cache import clear_caches
from evenboard_engine import PROGRAM, SYSTEMS, VERSION, RoundPairing, Tournament, pair_round
from evenboard_engine.cli.command import main
from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.rounds import unpublish_round
from tests.factories import EventFactory, EventRoleFactory, ParticipantFactory, section_of
from tests.web.staff.conftest import address, enter, paired, played
from tests.web.staff.why.conftest import sentences, surname
from tournaments.actions.copies import load_copy
from tournaments.actions.forbidden_pairs import keep_apart
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots
from tournaments.actions.sections import edit_section
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.models import EnginePackage, Game, Round, Section
from tournaments.queries import why
from tournaments.seating import SeatingStep, SeatMove
from web import why as explained
from web.why import ROWS

PAGES = ("explained/", "explained/1/", "explained/work/1/", "explained/file.trf")
pytestmark = pytest.mark.django_db


def section_with(players: int, system: str = "dubov", **settings: object) -> Section:
    event = EventFactory(name="Rijswijk Open", slug="rijswijk", **settings)
    section = section_of(players, event=event, slug="a", name="Section A", system=system)
    if SYSTEMS[system].fixed_rounds:
        draw_lots(actor=Actor.command(), section_id=section.pk)
        section.refresh_from_db()
    return section


def read(section: Section, rest: str) -> str:
    answer = Client().get(address(section, rest))
    assert answer.status_code == 200, rest
    return unescape(answer.content.decode()).replace("\u00a0", " ")


def statuses(section: Section, number: int = 1) -> set[int]:
    pages = [address(section, f"round/{number}/{page}") for page in PAGES]
    return {Client().get(page).status_code for page in (*pages, api(section, number))}


def api(section: Section, number: int) -> str:
    return f"/api/v1/public/sections/{section.pk}/rounds/{number}/explained/"


def explain_to(section: Section, readers: str) -> None:
    edit_section(actor=Actor.command(), section_id=section.pk, explained_to=readers)


def test_visitors_read_of_published_rounds_what_the_section_allows() -> None:
    """Nobody: no page. Players: the pages, but search engines leave them out. Everybody: programs read it too.

    The organiser lets search engines list this event.
    """
    section = section_with(8, indexed=True)
    draft = paired(section, published=False)
    assert statuses(section) == {404}
    assert statuses(section, 2) == {404}
    draft.delete()
    published = paired(section)
    found = {}
    for readers in Section.ExplainedTo.values:
        explain_to(section, readers)
        answers = [Client().get(address(section, f"round/1/{page}")) for page in PAGES]
        found[readers] = (
            {answer.status_code for answer in answers},
            {answer["X-Robots-Tag"] for answer in answers},
            Client().get(api(section, 1)).status_code,
            "explained/1/" in read(section, "round/1/pairings/"),
            "explained/1/" in read(section, "players/1/"),
        )
    assert found == {
        "nobody": ({404}, {"noindex"}, 404, False, False),
        "players": ({200}, {"noindex"}, 404, True, True),
        "everybody": ({200}, {"all"}, 200, True, True),
    }
    unpublish_round(actor=Actor.command(), round_id=published.pk, seen_version=published.version)
    assert statuses(section) == {404}


def test_private_event_and_hidden_section_are_never_explained_to_visitors() -> None:
    section = section_with(8, state="draft")
    explain_to(section, "everybody")
    paired(section)
    assert statuses(section) == {404}
    section.event.state = "public"
    section.event.save()
    assert statuses(section) == {200}
    section.taken_away = True
    section.save()
    assert statuses(section) == {404}


def test_board_has_a_picture_and_three_sentences_and_then_the_steps() -> None:
    section = section_with(8)
    paired(section)
    text = read(section, "round/1/explained/2/")
    second, sixth = f"2 {surname(section, 2)}", f"6 {surname(section, 6)}"
    assert text.count('<div class="match">') == 1
    members, order, colours = [sentence for sentence, _ in sentences(text)]
    assert members.startswith("8 players with 0 points are still to be paired.")
    assert order == f"{second} and {sixth} meet because both have place 2 in the order of their side."
    assert colours.startswith(f"Neither {sixth} nor {second} has played.")
    assert "The bracket, step by step" in text
    assert address(section, "round/1/why/") not in text  # the pages of arbiters
    assert Client().get(address(section, "round/1/explained/5/")).status_code == 404


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_is_explained_and_worked_out(system: str) -> None:
    """Each board has a page, each pair is the answer of one step, and the file gives the same pairs by the command."""
    section = section_with(8, system)
    played(section)
    shown = played(section)
    whole = read(section, "round/2/explained/")
    for game in shown.games.all():
        assert '<section class="why-lead"' in read(section, f"round/2/explained/{game.board}/")
    brackets = {int(found) for found in re.findall(r"explained/work/(\d+)/", whole)}
    answers = {
        frozenset(map(int, pair))
        for number in brackets
        for pair in re.findall(
            r'data-first="(\d+)"\s+data-second="(\d+)"', read(section, f"round/2/explained/work/{number}/")
        )
    }
    assert answers == {frozenset(pair) for pair in shown.games.values_list("white_id", "black_id")}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("players", [8, 9])
def test_command_of_the_page_prints_the_pairs_of_the_round(
    system: str, players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is found by its name, has the checksum of the page, and names nobody."""
    section = section_with(players, system)
    section.participants.filter(tpn=3).update(club="Caïssa", team="Caïssa")
    played(section)
    Game.objects.filter(round__section=section, board=2).update(result="adj")
    shown = paired(section)
    page = read(section, "round/2/explained/")
    answer = Client().get(address(section, "round/2/explained/file.trf"))
    (command,) = re.findall(r"<code>python (evenboard-engine-.*? -p)</code>", page)
    _engine, option, name, _pairs = command.split()
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert hashlib.sha256(answer.content).hexdigest() in page
    assert name == f"rijswijk-a-round-2-{hashlib.sha256(answer.content).hexdigest()[:12]}.trf"
    content = answer.content.decode()
    assert f"182 {PROGRAM}" in content
    assert not any(word in content for word in ("Surname", "Given", "NED", "Caïssa", "Rijswijk"))

    (tmp_path / name).write_bytes(answer.content)
    with mock.patch("os.getcwd", return_value=str(tmp_path)):
        assert main([option, str(tmp_path / name), "-p"]) == 0
    printed = capsys.readouterr().out.split("\n")[1:]
    games = shown.games.order_by("board").values_list("white__tpn", "black__tpn")
    byes = section.participants.filter(byes__round_number=2, byes__source="allocated")
    expected = [f"{white} {black}" for white, black in games]
    expected += [f"{tpn} 0" for tpn in byes.values_list("tpn", flat=True)]
    assert [line for line in printed if line] == expected


def test_explanation_and_file_stay_as_the_round_was_paired() -> None:
    """Later results, ratings and names change neither the file nor the reasons; the pages have the names of today."""
    section = section_with(8)
    played(section)
    shown = paired(section)
    file = Client().get(address(section, "round/2/explained/file.trf")).content
    before = sentences(read(section, "round/2/explained/1/"))
    for game in shown.games.all():
        enter(game, "1-0")
    paired(section)
    renamed = shown.games.get(board=1).white
    renamed.player.name = "<b>Ünlü</b>, A"
    renamed.player.save()
    section.revision += 1
    section.save()
    after = sentences(read(section, "round/2/explained/1/"))
    assert [articles for _, articles in after] == [articles for _, articles in before]
    page = Client().get(address(section, "round/2/explained/1/")).content.decode()
    assert "&lt;b&gt;Ünlü&lt;/b&gt;" in page
    assert "<b>Ünlü" not in page
    explained.kept_rounds.clear()
    assert Client().get(address(section, "round/2/explained/file.trf")).content == file


def pairs_printed(folder: Path, command: str) -> list[tuple[int, ...]]:
    """Run a command of the page in a folder, with a Python that finds nothing but its own library."""
    _python, *rest = command.split()
    done = subprocess.run(
        [sys.executable, "-I", "-S", *rest], cwd=folder, capture_output=True, check=True, text=True
    )
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()[1:] if line]


@pytest.mark.parametrize("system", ["dubov", "uschess"])
def test_a_published_round_is_proved_years_later_with_its_file_and_its_engine(
    system: str, tmp_path: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """After an upgrade, and in a copy on another server, the file and the version are those of the publication."""
    section = section_with(8, system)
    played(section)
    with django_capture_on_commit_callbacks(execute=True):
        shown = paired(section)
    games = [*shown.games.order_by("board").values_list("white__tpn", "black__tpn")]
    file = Client().get(address(section, "round/2/explained/file.trf")).content
    kept = section.round_files.get(number=2)
    assert (kept.version, kept.rules.split(" ")[0]) == (VERSION, SYSTEMS[system].regulation.split(" ")[0])

    explained.kept_rounds.clear()
    with (
        mock.patch.object(explained, "VERSION", "9.0.0"),
        mock.patch.object(explained, "PROGRAM", "Evenboard 9.0.0"),
        mock.patch("web.views.public.why.engine_package", return_value=("0" * 64, b"another engine")),
    ):
        page = read(section, "round/2/explained/")
        assert Client().get(address(section, "round/2/explained/file.trf")).content == file
        engine = Client().get(address(section, "round/2/explained/engine.pyz"))
    assert f"Program: Evenboard {VERSION}" in page
    (command,) = re.findall(r"<code>(python \S+ \S+ \S+ -p)</code>", page)
    for name, content in zip(command.split()[1::2], (engine.content, file), strict=True):
        (tmp_path / name).write_bytes(content)
    assert engine["Content-Disposition"] == f'attachment; filename="{command.split()[1]}"'
    assert pairs_printed(tmp_path, command) == games

    copy = read_copy(copy_file(section))
    EnginePackage.objects.all().delete()
    loaded = load_copy(actor=Actor.command(), event=section.event, copy=copy, name="B", both=True)
    assert Client().get(address(loaded, "round/2/explained/file.trf")).content == file
    explained.kept_rounds.clear()
    with mock.patch("web.views.public.why.engine_package", return_value=("0" * 64, b"another engine")):
        assert "paired this round on another server" in read(loaded, "round/2/explained/")
        assert Client().get(address(loaded, "round/2/explained/engine.pyz")).status_code == 404


def test_page_says_that_a_newer_engine_would_pair_the_round_differently(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """The colours of one pair are turned, as another reading of an article would do."""

    def turned(value: Tournament, **options: bool) -> RoundPairing:
        pairing = pair_round(value, **options)
        one, *others = pairing.pairs
        return replace(pairing, pairs=(one._replace(white=one.black, black=one.white), *others))

    section = section_with(8)
    with django_capture_on_commit_callbacks(execute=True):
        paired(section)
    arbiter = Client()
    arbiter.force_login(EventRoleFactory(event=section.event).user)
    news = f"Version {VERSION} of the program paired this round. The version of today pairs it differently."
    with mock.patch.object(why, "engine_package", return_value=("0" * 64, b"")):
        assert news not in read(section, "round/1/explained/")
        clear_caches()
        with mock.patch.object(why, "pair_round", turned):
            page = read(section, "round/1/explained/")
            staff = arbiter.get(address(section, "round/1/why/")).content.decode()
    assert news in page
    assert "The version of today would pair this file differently." in page
    assert news in " ".join(staff.split())


def publish(section: Section) -> mock.MagicMock:
    """Pair a round, press Publish, read all pages, and return how often the round was explained."""
    arbiter = Client()
    arbiter.force_login(EventRoleFactory(event=section.event).user)
    with mock.patch.object(explained, "explain_round", side_effect=why.explain_round) as explain:
        row = paired(section, published=False)
        answer = arbiter.post(address(section, f"round/{row.number}/publish/"), {"version": row.version})
        assert answer.status_code == 302
        assert section.played_rounds.get(pk=row.pk).is_published
    return explain


def test_round_is_explained_once_before_it_is_published() -> None:
    section = section_with(8)
    assert publish(section).call_count == 1
    with mock.patch.object(explained, "explain_round") as explain:
        for page in (*PAGES, "explained/2/", "explained/3/"):
            read(section, f"round/1/{page}")
    assert explain.call_count == 0


def test_round_is_published_where_nobody_reads_the_explanation_and_where_it_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    section = section_with(8)
    explain_to(section, "nobody")
    assert publish(section).call_count == 0
    other = section_of(8, event=section.event, slug="b")
    with mock.patch.object(explained, "report_before", side_effect=ZeroDivisionError):
        assert publish(other).call_count == 1
    assert "could not be explained" in caplog.text


def test_pages_need_the_same_number_of_queries_for_any_number_of_players() -> None:
    counts = []
    small = section_with(8)
    for section in (small, section_of(40, event=small.event, slug="b")):
        paired(section)
        for page in PAGES:
            read(section, f"round/1/{page}")
        section.revision += 1
        section.save()
        with CaptureQueriesContext(connection) as queries:
            read(section, "round/1/explained/2/")
        counts.append(len(queries))
    assert counts == [counts[0]] * 2
    assert counts[0] <= 9


def test_pair_by_hand_is_shown_beside_the_pair_of_the_rules_without_the_reason_of_the_arbiters() -> None:
    section = section_with(8)
    row = paired(section, published=False)
    actor = Actor.command()
    row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
    one, two = row.games.order_by("board")[:2]
    change = SeatingStep(SeatMove.SWAP, one.white_id, two.white_id)
    row, _concerns = change_by_hand(actor=actor, round_id=row.pk, seen_version=row.version, step=change)
    row = end_manual_phase(
        actor=actor, round_id=row.pk, seen_version=row.version, reason="They share a car", confirmed=True
    )
    Round.objects.filter(pk=row.pk).update(state=Round.State.PUBLISHED)
    text = read(section, "round/1/explained/1/")
    assert "The arbiters changed pairs of this round by hand." in text
    assert text.count("By the rules,") == 2
    assert "They share a car" not in text
    assert '<section class="why-lead"' not in text
    assert '<section class="why-lead"' in read(section, "round/1/explained/3/")


def test_groups_that_no_round_keeps_apart_are_named_without_the_names_of_families() -> None:
    section = section_with(4)
    section.participants.update(club="SK Delft")
    keys = list(section.participants.values_list("pk", flat=True))
    for rule in ({"kind": "club"}, {"kind": "players", "value": "Vermeer", "players": keys}):
        keep_apart(actor=Actor.command(), section_id=section.pk, strict=False, reason="league", **rule)
    paired(section)
    for page in PAGES[:3]:
        shown = read(section, f"round/1/{page}")
        assert re.search(r"these players could meet: \W*SK Delft\W* and chosen players\.", shown), page
        assert "Vermeer" not in shown


def test_long_bracket_has_parts_and_every_pair_is_in_one() -> None:
    section = section_with(2 * ROWS + 4)
    paired(section)
    pages = [read(section, f"round/1/explained/work/1/?part={part}") for part in (1, 2)]
    steps = [re.findall(r'<li id="step-(\d+)"', page) for page in pages]
    assert [int(number) for found in steps for number in found] == list(range(1, ROWS + 3))
    assert read(section, "round/1/explained/work/1/?part=99").count('id="step-') == 2
    small = section_of(4, event=section.event, slug="small")
    paired(small)
    assert "Part 2" not in read(small, "round/1/explained/work/1/")
    drawn = [read(found, "round/1/explained/").count('<div class="match">') for found in (section, small)]
    assert drawn == [0, 1]


def test_programs_read_the_sentences_of_each_board() -> None:
    section = section_with(9)
    explain_to(section, "everybody")
    paired(section)
    answer = Client().get(api(section, 1)).json()
    assert (answer["number"], answer["bye"]) == (1, 9)
    assert [board["board"] for board in answer["boards"]] == [1, 2, 3, 4]
    first = answer["boards"][1]
    assert {first["white"]["tpn"], first["black"]["tpn"]} == {2, 6}
    assert [len(board["why"]) for board in answer["boards"]] == [3] * 4
    assert first["why"][2]["articles"] == ["5.2.1"]
    assert set(answer["file"]) == {"url", "sha256", "program", "engine", "rules"}


def test_page_of_a_late_entry_in_other_rounds_is_unchanged() -> None:
    """A player who enters later has no part in the explanation of an earlier round."""
    section = section_with(8)
    paired(section)
    first = read(section, "round/1/explained/")
    ParticipantFactory(section=section, tpn=9, first_round=2)
    section.revision += 1
    section.save()
    assert sentences(read(section, "round/1/explained/")) == sentences(first)
