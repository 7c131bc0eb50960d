"""The command-line client of docs/api.md runs a tournament on a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from evenboard_client.__main__ import main
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory, SectionFactory, UserFactory
from tournaments.models import Section


def test_a_tournament_from_the_command_line(
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    program = Program(UserFactory(makes_events=True, is_superuser=True), None)
    monkeypatch.setenv("EVENBOARD_URL", live_server.url)
    monkeypatch.setenv("EVENBOARD_TOKEN", program.text)
    players, typed = tmp_path / "players.csv", tmp_path / "results.txt"
    names = ("Ek, Ada", "Ås, Bo", "Kovács, Cy", "Ødegård, Di")
    players.write_text(
        "name,rating,federation,fide_id\n"
        + "".join(f'"{name}",{2400 - at},NOR,\n' for at, name in enumerate(names)),
        "utf-8",
    )
    typed.write_text("1 1-0\n2 1/2\n")

    def run(*words: object, status: int = 0) -> str:
        assert main([str(word) for word in words]) == status
        printed = capsys.readouterr()
        return printed.err if status else printed.out

    event = run("new-event", "Club night", "2026-10-17", "2026-10-17").strip()
    section = run("new-section", event, "A", 2).strip()
    assert f"section {section}: A, 2 rounds, open" in run("events")
    assert "Ødegård, Di, 2397" in run("enter", section, players)
    assert run("colour", section, "w") == "White\n"
    for _round in (1, 2):
        assert "draft" in run("pair", section)
        assert "published" in run("publish", section)
        assert run("results", section, typed) == "1 1-0\n2 1/2\n"
    assert "1-0" in run("boards", section)
    assert "nothing" not in run("pair", section, status=1).lower()
    assert run("standings", section).splitlines()[0].split()[:2] == ["1", "1.5"]
    assert "close the section" in run("close", section, status=1)
    assert run("close", section, "--yes") == "closed\n"
    run("undo", section)
    assert Section.objects.get(pk=section).status == "open"
    typed.write_text("9 1-0\n")
    assert run("results", section, typed, status=1).startswith("Line 1: the round has no board 9.\n")
    typed.write_text("1 1-0\n\nx 1-0\n")
    assert run("results", section, tmp_path / "nothing", status=1).endswith("nothing'\n")
    assert run("results", section, typed, status=1).startswith("Line 3: board: x is not a number.\n")
    monkeypatch.setenv("EVENBOARD_TOKEN", "evb_wrong")
    assert "unknown" in run("events", status=1)


def test_a_line_that_fails_is_named_and_the_command_can_be_run_again(
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    section = SectionFactory()
    program = Program(EventRoleFactory(event=section.event, role="owner").user, section.event)
    monkeypatch.setenv("EVENBOARD_URL", live_server.url)
    monkeypatch.setenv("EVENBOARD_TOKEN", program.text)
    players = tmp_path / "players.csv"
    lines = [
        "name,rating,fide_id",
        '"Ek, Ada",2100,100021',
        '"Ås, Bo",high,',
        '"Cy, Cy",9999,',
        '"Ek, Di",1900,',
    ]

    def enter() -> tuple[int, str, list[str]]:
        players.write_text("\n".join(lines) + "\n", "utf-8")
        status = main(["enter", str(section.pk), str(players)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err.splitlines()

    status, out, problems = enter()
    assert (status, out) == (1, "Ek, Ada, 2100\nEk, Di, 1900\n")
    assert problems[0] == "Line 3 (Ås, Bo): rating: high is not a number."
    assert problems[1].startswith("Line 4 (Cy, Cy): ")
    assert problems[2].startswith("/rating: ")
    assert problems[3].startswith("Lines that failed: 2.")
    lines[2:4] = ['"Ås, Bo",2000,', '"Cy, Cy",1999,']
    status, out, problems = enter()
    already = ["Ek, Ada is entered already.", "Ek, Di is entered already."]
    assert (status, out.splitlines(), problems) == (
        0,
        [already[0], "Ås, Bo, 2000", "Cy, Cy, 1999", already[1]],
        [],
    )
    assert enter()[0] == 0
    assert section.participants.count() == 4
