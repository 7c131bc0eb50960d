"""For a file that contradicts itself, every command names the place and the player, and pairs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenboard_engine.cli.command import main
from evenboard_engine.tests.trf.contradictions import CONTRADICTIONS, broken


@pytest.mark.parametrize("task", ["-p", "-c", "--explain"])
@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_reported_with_its_place_and_nothing_is_paired(
    name: str, task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, lines = CONTRADICTIONS[name]
    path = tmp_path / "broken.trf"
    path.write_bytes(data)
    assert main(["--dubov", str(path), task]) == 3
    assert capsys.readouterr() == ("", "".join(f"pairing: {line}\n" for line in lines))


def test_the_unchanged_file_is_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "good.trf"
    path.write_bytes(broken())
    assert main(["--dubov", str(path), "-p"]) == 0
    assert capsys.readouterr().err == ""


def test_a_warning_is_marked_as_one_and_the_command_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.trf"
    path.write_bytes(broken(records=("062 9", "142 7", "152 W", "042 next May")))
    assert main(["--dubov", str(path), "-p"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "3"
    assert err.splitlines() == [
        "pairing: warning: line 1, column 5: the number of players is 9 here, but the file has 5",
        (
            "pairing: warning: line 4, column 5: the start date must look like 2026/12/31, not 'next May'; "
            "the newest edition of the rules is taken"
        ),
    ]
