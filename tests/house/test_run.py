"""run.py makes .venv if it is missing, repairs it if it is damaged, and otherwise leaves it alone."""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
from pathlib import Path

import pytest

import run

pytestmark = pytest.mark.one_database


class House:
    """A project in its own directory; it records installations instead of installing."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.done: list[str] = []
        self.has_pip = self.healthy = self.damaged = False
        for lock in (run.LOCK, run.LOCK_DEV):
            (root / lock).write_text("one==1\n")
        monkeypatch.setattr(run, "ROOT", root)
        monkeypatch.setattr(run, "ENVIRONMENT", root / ".venv")
        monkeypatch.setattr(run, "runs", lambda code: self.healthy if code == run.STARTS else self.has_pip)
        monkeypatch.setattr(run, "make_environment", self.make)
        monkeypatch.setattr(run, "install", self.install)

    def make(self) -> None:
        (self.root / ".venv").mkdir(exist_ok=True)
        self.has_pip, self.healthy, self.damaged = True, False, False
        self.done.append("make")

    def install(self, lock: str) -> None:
        self.healthy = not self.damaged
        self.done.append(f"install {lock}")

    def ensure(self, lock: str) -> list[str]:
        self.done.clear()
        run.ensure_environment(lock)
        return list(self.done)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return House(tmp_path, monkeypatch)


def test_environment_is_made_once(house: House) -> None:
    assert house.ensure(run.LOCK) == ["make", "install requirements.txt"]
    assert house.ensure(run.LOCK) == []


def test_environment_is_installed_again_when_the_lock_changes(house: House) -> None:
    house.ensure(run.LOCK)
    (house.root / run.LOCK).write_text("one==2\n")
    assert house.ensure(run.LOCK) == ["install requirements.txt"]


def test_environment_for_tests_is_enough_for_serving(house: House) -> None:
    house.ensure(run.LOCK_DEV)
    assert house.ensure(run.LOCK) == []


def test_environment_for_serving_is_not_enough_for_tests(house: House) -> None:
    house.ensure(run.LOCK)
    assert house.ensure(run.LOCK_DEV) == ["install requirements-dev.txt"]


def test_environment_that_does_not_start_is_made_again(house: House) -> None:
    house.ensure(run.LOCK)
    house.healthy = False
    assert house.ensure(run.LOCK) == ["make", "install requirements.txt"]


def test_environment_that_installing_does_not_repair_is_made_again(house: House) -> None:
    house.ensure(run.LOCK)
    house.healthy, house.damaged = False, True
    (house.root / run.LOCK).write_text("one==2\n")
    assert house.ensure(run.LOCK) == ["install requirements.txt", "make", "install requirements.txt"]


def test_interrupted_installation_is_done_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(lock: str) -> None:
        raise run.SetupError("no network")

    with monkeypatch.context() as offline:
        offline.setattr(run, "install", break_off)
        with pytest.raises(run.SetupError):
            run.ensure_environment(run.LOCK)
    assert house.ensure(run.LOCK) == ["install requirements.txt"]


def test_runs_is_false_without_python_or_with_a_broken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PYTHON", tmp_path / "python")
    assert not run.runs("pass")
    (tmp_path / "python").write_text("not a program")
    (tmp_path / "python").chmod(0o755)
    assert not run.runs("pass")


def test_runs_tells_whether_the_code_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    assert run.runs("import sys")
    assert not run.runs("import no_such_module")


def test_options_are_passed_on_to_the_server() -> None:
    assert run.parse(["--lan", "--port", "9000", "--no-demo"]) == ["--lan", "--port=9000", "--no-demo"]
    assert run.parse([]) == []


def test_help_names_all_commands_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.parse(["--help"])
    output = capsys.readouterr().out
    for documented in ("run.py test [...]", "run.py setup", "--lan", "--port PORT", "--no-demo", "TIME_ZONE"):
        assert documented in output


def test_an_unknown_option_is_refused_before_anything_is_installed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run.main(["--wan"])
    assert "--lan" in capsys.readouterr().err


def test_run_says_that_an_old_python_is_too_old(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    assert run.main([]) == 2
    assert "needs Python 3.11 or newer; this is Python 3.9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "processes"), [([], run.PROCESSES), (["-n", "0"], 0), (["tests/house"], run.PROCESSES)]
)
def test_tests_use_all_cores_and_one_process_more_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, given: list[str], processes: int
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(run, "ensure_environment", [].append)
    monkeypatch.setattr(run, "start", lambda command: started.append(command) or 0)
    assert run.main(["test", *given]) == 0
    assert (os.cpu_count() or 1) + 1 == run.PROCESSES
    [command] = started
    assert command[:3] == [str(run.PYTHON), "-m", "pytest"]
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", "--numprocesses", type=int)
    assert parser.parse_known_args(command)[0].numprocesses == processes


def test_packages_beside_the_program_are_installed_without_a_network_and_others_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive of a release brings them; a Python that is newer than the release finds none that match."""
    asked: list[list[str]] = []
    monkeypatch.setattr(run, "ROOT", tmp_path)
    (tmp_path / run.LOCK).write_text("one==1\n")
    fits = {"--no-index": True}

    def pip(command: list[str], _total: int, _output: list[str]) -> bool:
        asked.append(command[-2:])
        return fits.get(command[-2], True)

    monkeypatch.setattr(run, "run_pip", pip)
    online, offline = ["-r", run.LOCK], ["--no-index", "--find-links=wheels"]
    run.install(run.LOCK)
    assert asked == [online]
    (tmp_path / "wheels").mkdir()
    run.install(run.LOCK)
    assert asked == [online, offline]
    fits["--no-index"] = False
    run.install(run.LOCK)
    assert asked == [online, offline, offline, online]


def test_the_start_file_for_windows_asks_for_the_same_python_in_letters_of_every_code_page(
    root: Path,
) -> None:
    """It was tried with the command interpreter of Wine (docs/windows-macos.md)."""
    text = (root / "start.cmd").read_bytes().decode("ascii")
    assert text.count("\n") == text.count("\r\n")
    assert f"sys.version_info < {run.NEEDED}" in text
    assert "Python {}.{} or newer".format(*run.NEEDED) in text
    labels = set(re.findall(r"^:(\w+)", text, re.MULTILINE))
    assert set(re.findall(r"(?:goto |call :)(\w+)", text)) == labels
    for tried in ("py -3", "python", "python3"):
        assert f"call :try {tried}\r\n" in text


def test_run_has_the_syntax_of_an_old_python_and_imports_only_the_standard_library(root: Path) -> None:
    tree = ast.parse((root / "run.py").read_text(), feature_version=(3, 7))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        )
    }
    assert imported - set(sys.stdlib_module_names) == set()
