"""A server set up by docs/install.md, line by line as it is written there, answers in each language."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import pytest
import yaml
from django.core.management import get_commands
from django.utils import translation

from tests.house.packages import PROGRAM
from tests.house.serving import Started
from tests.machine import find_postgres
from tests.waiting import LONG

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = (*PROGRAM, "locale", "manage.py", "requirements.txt", "static", "templates")
PASSWORD = "p@ss/w:rd ?#%20"


PREPARED = ".venv/bin/python manage.py migrate"


def with_plain_password(address: str) -> str:
    """Return the settings of a command: the password is not in the address but beside it, as it is."""
    name, place = address.split(":", 1)[0], address.rpartition("@")[2]
    return f"PGPASSWORD={shlex.quote(PASSWORD)} DATABASE_URL=postgres://{name}@{place}"


def recipe(heading: str) -> list[str]:
    """Return the commands of the first block below a heading of docs/install.md."""
    text = (ROOT / "docs/install.md").read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return (
        re.split(r"\n(?! {4})", text[text.index("\n    ") :].lstrip("\n"))[0].replace("    ", "").splitlines()
    )


@pytest.fixture
def server(tmp_path: Path, postgres_url: str) -> Iterator[Started]:
    """Run the recipe in a copy of the program, and return its last command, the server.

    In place of what needs root or a network: `sudo` runs the command as the superuser of a private PostgreSQL, `apt`
    looks at what it is asked to install, and the environment is that of this run, after a look at what `pip` is asked.
    """
    place = tmp_path / "program"
    place.mkdir()
    for name in INSTALLED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, place / name)
    database = urlsplit(postgres_url)
    login = f"CREATE ROLE installed LOGIN PASSWORD '{PASSWORD}'"
    scripts = {
        "programs/sudo": '[ "$1 $2" = "-u postgres" ] && shift 2; exec "$@"',
        "programs/apt": '[ "$*" = "install postgresql python3-venv" ]',
        "programs/createuser": f'[ "$*" = "--pwprompt installed" ] && psql --command {shlex.quote(login)} postgres',
        "programs/python3": f'[ "$*" = "-m venv .venv" ] && cp -r {shlex.quote(str(tmp_path))}/venv .venv',
        "venv/bin/pip": '[ "$*" = "install --require-hashes --no-deps -r requirements.txt" ]',
        "venv/bin/python": f'exec {shlex.quote(sys.executable)} "$@"',
    }
    for file, script in scripts.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    address = f"installed:{quote(PASSWORD, safe='')}@{database.hostname}:{database.port}/installed"
    script = "\n".join(recipe("On a server with PostgreSQL"))
    for written, here in {
        "evenboard:PASSWORD@localhost:5432/evenboard": address,
        "--pwprompt evenboard": "--pwprompt installed",
        "--owner=evenboard evenboard": "--owner=installed installed",
        "createsuperuser": "createsuperuser --noinput",
    }.items():
        assert script.count(written) == 1, written
        script = script.replace(written, here)
    script = script.replace(PREPARED, f"{PREPARED}\n{with_plain_password(address)} {PREPARED} --check", 1)
    environment = {
        "HOME": str(tmp_path),
        "PATH": f"{tmp_path}/programs:{find_postgres()}:{os.environ['PATH']}",
        "PORT": "0",
        "PGHOST": str(database.hostname),
        "PGPORT": str(database.port),
        "PGUSER": str(database.username),
        "PGPASSWORD": str(database.password),
        "DJANGO_SUPERUSER_USERNAME": "owner",
        "DJANGO_SUPERUSER_EMAIL": "",
        "DJANGO_SUPERUSER_PASSWORD": "a long password of the owner",
    }
    lines = script.splitlines()
    started = Started(["bash", "-ec", "\n".join([*lines[:-1], f"exec {lines[-1]}"])], place, environment)
    yield started
    if started.process.poll() is None:
        started.process.kill()
    started.process.communicate()


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.skipif(os.name == "nt", reason="a recipe for Linux")
def test_the_recipe_of_the_manual_makes_a_server_with_all_translations(server: Started) -> None:
    assert server.url, server.printed
    head = {"Host": "chess.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    with urlopen(Request(f"{server.url}/readyz", headers=head), timeout=LONG) as answer:  # noqa: S310
        state = json.loads(answer.read())
    assert (state["ready"], state["translations"]) == (True, {"ok": True, "missing": []})
    for code in ("de", "fr", "ru"):
        with translation.override(code):
            word = translation.gettext("Log in")
        assert word != "Log in"
        with urlopen(Request(f"{server.url}/{code}/", headers=head), timeout=LONG) as answer:  # noqa: S310
            assert word in answer.read().decode(), code


def blocks(heading: str) -> str:
    """Return all commands below a heading of docs/install.md."""
    text = (ROOT / "docs/install.md").read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    return "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))


@pytest.mark.skipif(os.name == "nt", reason="a line for a shell")
def test_the_line_that_copies_the_database_copies_also_what_the_log_has_alone(tmp_path: Path) -> None:
    """While the program runs, the newest rows are in the file beside the database."""
    (tmp_path / "var").mkdir()
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    line = next(
        line for line in blocks("On a laptop: Windows, macOS, Linux").splitlines() if "VACUUM" in line
    )
    with closing(sqlite3.connect(tmp_path / "var/evenboard.sqlite3", isolation_level=None)) as running:
        running.execute("PRAGMA journal_mode=WAL")
        running.execute("CREATE TABLE results (result TEXT)")
        running.execute("INSERT INTO results VALUES ('1-0')")
        assert (tmp_path / "var/evenboard.sqlite3-wal").stat().st_size > 0
        subprocess.run(["sh", "-ec", line], cwd=tmp_path, check=True)
    copy = tmp_path / "copy.sqlite3"
    with closing(sqlite3.connect(copy)) as copied:
        assert copied.execute("SELECT result FROM results").fetchall() == [("1-0",)]
    assert copy.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name == "nt", reason="lines for a shell")
def test_the_lines_for_compose_write_its_secrets_and_name_services_and_commands_that_exist(
    tmp_path: Path,
) -> None:
    """Docker is a program that writes down what it is asked, because a test has none."""
    docker = tmp_path / "bin/docker"
    docker.parent.mkdir()
    docker.write_text('#!/bin/sh\necho "$*" >> asked\n')
    docker.chmod(0o755)
    lines = [line for line in blocks("With Docker Compose").splitlines() if "=" not in line.split(" ")[0]]
    text = (
        (ROOT / "docs/install.md")
        .read_text("utf-8")
        .split("## With Docker Compose\n")[1]
        .split("## Mail\n")[0]
    )
    inline = re.findall(r"`(docker compose [^`]+)`", text)
    assert (len(lines), len(inline) >= 3) == (4, True)
    environment = {"PATH": f"{docker.parent}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-ec", "\n".join([*lines, *inline])], cwd=tmp_path, env=environment, check=True)
    written = dict(line.split("=", 1) for line in (tmp_path / ".env").read_text().splitlines())
    assert {name: len(value) for name, value in written.items()} == {
        "POSTGRES_PASSWORD": 48,
        "SECRET_KEY": 64,
    }
    assert (tmp_path / ".env").stat().st_mode & 0o077 == 0
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    required = set(re.findall(r"\$\{(\w+):\?", (ROOT / "docker-compose.yml").read_text()))
    assert required == set(written)
    asked = (tmp_path / "asked").read_text().splitlines()
    commands = set(get_commands())
    for one in asked:
        words = one.split()
        assert words.pop(0) == "compose", one
        if words[0] == "--file":
            assert (ROOT / words[1]).is_file(), one
            del words[:2]
        if words[0] == "up":
            scaled = [word.split("=")[0] for word in words if "=" in word]
            assert set(scaled) <= set(compose["services"]), one
            continue
        service, *run = words[words.index("exec") + 1 :]
        assert service in compose["services"], one
        if run[:2] == ["python", "manage.py"]:
            assert run[2] in commands, one
        else:
            assert run == ["pg_dump", "--username=evenboard", "evenboard"], one
            database = compose["services"]["db"]["environment"]
            assert (database["POSTGRES_USER"], database["POSTGRES_DB"]) == ("evenboard", "evenboard")
    assert "compose exec web python manage.py createsuperuser" in asked
