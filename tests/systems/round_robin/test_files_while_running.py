"""A round robin in which games of several rounds have no result yet: its report on the command line, its lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from evenboard_engine.cli.command import main
from tests.systems.round_robin.test_section import all_published, play
from tournaments.files.report_writing import tournament_report

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.mark.parametrize(
    ("played", "title"),
    [
        ((), "Provisional standings: 0 of 15 games have a result"),
        ((1, 3), "Provisional standings: 6 of 15 games have a result"),
        ((1, 2, 3, 4), "Provisional standings, round 5: 3 results missing"),
        ((1, 2, 3, 4, 5), "Standings after round 5"),
    ],
)
def test_command_line_reads_the_report_at_any_time(
    played: tuple[int, ...], title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    section = all_published(6)
    for number in played:
        play(section, number)
    file = tmp_path / "report.trf"
    file.write_bytes(tournament_report(section))
    assert main([str(file), "-c"]) == 0
    assert "5 rounds checked, no difference" in capsys.readouterr().out
    assert main([str(file), "--standings", "SB,DE"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == title


@pytest.mark.parametrize(("played", "after"), [((), 0), ((1, 2), 2), ((1, 3), 1), ((1, 2, 3, 4), 5)])
def test_json_names_the_last_round_that_is_over(played: tuple[int, ...], after: int, client: Client) -> None:
    section = all_published(6)
    for number in played:
        play(section, number)
    body = client.get(f"/api/v1/public/sections/{section.pk}/standings/").json()
    assert (body["after_round"], body["provisional"], body["final"]) == (after, True, False)


def test_page_paper_file_and_screen_call_it_provisional(client: Client) -> None:
    section = all_published(6)
    play(section, 1)
    address = f"/{section.event.slug}/{section.slug}/"
    for rest in ("standings/", "print/standings/", "lists/standings.csv", "screen/?show=standings"):
        text = client.get(address + rest).content.decode()
        assert "Provisional" in text, rest
        assert "ot final" not in text, rest
