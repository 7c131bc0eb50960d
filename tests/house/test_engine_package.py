"""The engine as a package of its own: built, installed where nothing else is, and the same command under both names."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from unittest import mock
from zipfile import ZipFile

import pytest

from evenboard_engine import VERSION
from evenboard_engine.tests.commands import FIVE, FOUR, MET
from tests.waiting import LONG

WINDOWS = os.name == "nt"
REPLY = "3\n3 1\n2 4\n5 0\n"
PAIRS = "(3, 1)\n(2, 4)\n"


def of_the_readme(root: Path, language: str) -> list[str]:
    """Return the examples of the README in a language."""
    text = (root / "evenboard_engine" / "README.md").read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class Installed:
    """An environment with the wheel and nothing else. It reaches no network, and no file of the repository."""

    def __init__(self, folder: Path, engine: Path) -> None:
        self.folder = folder
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        options = ["--offline", "--no-build-isolation", "--quiet", "--python", sys.executable]
        self.run(sys.executable, "-m", "uv", "build", *options, "--out-dir", str(folder), str(engine))
        (self.wheel,) = folder.glob("*.whl")
        (self.archive,) = folder.glob("*.tar.gz")
        made = folder / "environment"
        self.run(
            sys.executable, "-m", "uv", "venv", "--offline", "--quiet", "--python", sys.executable, str(made)
        )
        self.programs = made / ("Scripts" if WINDOWS else "bin")
        self.python = str(self.programs / "python")
        install = ["pip", "install", "--offline", "--no-index", "--quiet", "--python", self.python]
        self.run(sys.executable, "-m", "uv", *install, str(self.wheel))

    def run(self, *command: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=LONG,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the source archive and from it the wheel, and install this."""
    found = Installed(
        tmp_path_factory.mktemp("package"), Path(__file__).resolve().parents[2] / "evenboard_engine"
    )
    (found.folder / "tournament.trf").write_bytes(FIVE)
    return found


@pytest.mark.slow
def test_wheel_in_an_empty_environment_pairs_a_file(installed: Installed, root: Path) -> None:
    names = "import importlib.metadata as found; print(*(one.name for one in found.distributions()))"
    assert installed.run(installed.python, "-c", names).split() == ["evenboard-engine"]
    five_lines, values = of_the_readme(root, "python")
    assert installed.run(installed.python, "-c", five_lines) == PAIRS
    assert len(list(filter(None, five_lines.splitlines()))) == 5
    assert installed.run(installed.python, "-c", values) == "[(12, 11), (13, 14)] None\n"
    commands = of_the_readme(root, "sh")[0].splitlines()
    assert {command.split()[0] for command in commands} == {"evenboard-engine", "python"}
    for program, *arguments in map(str.split, commands):
        assert installed.run(str(installed.programs / program), *arguments) == REPLY
    assert installed.run(str(installed.programs / "evenboard-engine"), "--help").startswith(
        "usage: evenboard-engine "
    )


@pytest.mark.slow
def test_wheel_has_every_module_its_types_and_no_test(installed: Installed, root: Path) -> None:
    engine = root / "evenboard_engine"
    modules = {
        path.relative_to(root).as_posix() for path in engine.rglob("*.py") if "tests" not in path.parts
    }
    head = f"evenboard_engine-{VERSION}.dist-info"
    with ZipFile(installed.wheel) as wheel:
        files = set(wheel.namelist())
        metadata = wheel.read(f"{head}/METADATA").decode()
        assert wheel.read(f"{head}/licenses/LICENSE") == (root / "LICENSE").read_bytes()
    assert {file for file in files if not file.startswith(head)} == modules | {"evenboard_engine/py.typed"}
    needed = re.findall("^Requires-Dist: (.*)$", metadata, re.MULTILINE)
    assert [one for one in needed if "extra == 'test'" not in one] == []
    assert f"\nVersion: {VERSION}\n" in metadata


@pytest.mark.slow
def test_tests_of_the_engine_run_in_its_own_folder_without_django(root: Path) -> None:
    script = (
        "import sys, pytest; sys.modules['django'] = None; "
        "sys.exit(pytest.main(['-q', '-p', 'no:django', '-p', 'no:cacheprovider', 'tests/rules']))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=root / "evenboard_engine",
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["--dubov", "five.trf", "-p"],
        ["--dubov", "five.trf", "-p", "reply.txt"],
        ["--dubov", "five.trf", "--edition", "2018", "--explain"],
        ["--uschess", "five.trf", "-p", "--option", "high=300"],
        ["--uschess", "five.trf", "-p", "--edition", "2018"],
        ["five.trf", "four.trf", "-c", "--dubov"],
        ["--dubov", "four.trf", "--standings", "BH"],
        ["--dubov", "four.trf", "--compare"],
        ["--dubov", "-g", "-o", "out.trf", "-s", "1"],
        ["--dubov", "met.trf", "-p"],
        ["four.trf", "-p"],
        ["--dubov", "four.trf", "-p", "-x"],
        ["--dubov", "nowhere.trf", "-p"],
    ],
    ids=" ".join,
)
def test_command_under_the_short_name_is_the_same(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`python -m pairing` has the same options, output, files and exit codes as `python -m evenboard_engine`."""

    def of(module: str) -> tuple[object, str, str, dict[str, bytes]]:
        folder = tmp_path / module
        folder.mkdir()
        monkeypatch.chdir(folder)
        for name, data in {"four.trf": FOUR, "five.trf": FIVE, "met.trf": MET}.items():
            Path(name).write_bytes(data)
        monkeypatch.setattr(sys, "argv", [module, *arguments])
        monkeypatch.delitem(
            sys.modules, f"{module}.__main__", raising=False
        )  # another test may have imported it
        with pytest.raises(SystemExit) as ended, mock.patch("evenboard_engine.cli.command.gc"):
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        out, err = capsys.readouterr()
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        return ended.value.code, out, err, files

    code, out, err, files = of("evenboard_engine")
    own, short = "python -m evenboard_engine", "python -m pairing"
    found = of("pairing")
    assert (found[0], found[2], found[3]) == (code, err.replace(own, short), files)
    if arguments == ["--help"]:  # the name decides where a line ends
        assert found[1].split() == out.replace(own, short).split()
    else:
        assert found[1] == out
