"""Reports of a round robin in which games of several rounds have no result yet, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.__main__ import main
from tests.systems.round_robin.test_section import all_published, play
from tournaments.exports.report_trf import tournament_report

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
