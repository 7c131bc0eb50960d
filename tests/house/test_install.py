"""A server set up by docs/install.md, line by line as it is written there, answers in each language."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import pytest
from django.utils import translation

from tests.house.serving import Started
from tests.machine import find_postgres
from tests.waiting import LONG

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (
    "config", "entering", "locale", "manage.py", "manual", "pairing", "ratings", "requirements.txt", "static",
    "templates", "tournaments",
)  # fmt: skip
PASSWORD = "p@ss/w:rd?#%20"


def recipe(heading: str) -> list[str]:
    """Return the commands of the first block below a heading of docs/install.md."""
    text = (ROOT / "docs/install.md").read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return (
        re.split(r"\n(?! {4})", text[text.index("\n    ") :].lstrip("\n"))[0].replace("    ", "").splitlines()
    )


@pytest.fixture
def server(tmp_path: Path, postgres_url: str) -> Iterator[Started]:
    """Run the recipe in a copy of the program, and return its last command, the server.

    In place of what needs root or a network: `sudo` runs the command as the superuser of a private PostgreSQL, and the
    environment is that of this run, after a look at what `pip` is asked to install.
    """
    place = tmp_path / "program"
    place.mkdir()
    for name in PROGRAM:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, place / name)
    database = urlsplit(postgres_url)
    login = f"CREATE ROLE installed LOGIN PASSWORD '{PASSWORD}'"
    scripts = {
        "programs/sudo": 'shift 2; exec "$@"',
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
