"""What the tests of imports share: files, the upload, and the button of a preview."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.answers import answers_in
from tests.factories import section_of
from tests.web.staff.conftest import paired, played
from tournaments.files.report_writing import tournament_report
from tournaments.models import Event, Section

CSV = """Name;Rating;Federation;Title
Novák, Jan;2010;CZE;FM
Lindqvist, Åke;;SWE;
Surname0001, Given;2555;NED;
"""


@pytest.fixture(autouse=True)
def var_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def section(event: Event) -> Section:
    """Two players whose names the list above knows."""
    section = section_of(2, event=event, name="Section A", slug="a")
    for entry in section.participants.select_related("player"):
        entry.player.name = f"Surname000{entry.tpn}, Given"
        entry.player.save()
    return section


def upload(page: Client, url: str, data: bytes | str, name: str = "entries.csv") -> tuple[int, str]:
    content = data.encode() if isinstance(data, str) else data
    answer = page.post(url, {"file": SimpleUploadedFile(name, content)}, follow=True)
    return answer.status_code, answer.content.decode()


def confirm(page: Client, url: str, **fields: object) -> HttpResponse:
    """Press the button of the preview at this address."""
    return page.post(url, {**shown(page.get(url).content.decode()), **fields})


def shown(html: str) -> dict[str, object]:
    """Return the values that the form of a preview sends back: the file, and the rounds that it showed."""
    answers = answers_in(html)
    return {"upload": token(html), **({"answer": answers} if answers else {})}


def token(html: str) -> str:
    """The token of the file that a preview shows."""
    return "".join(re.findall(r'name="upload" value="(\w+)"', html))


def names(section: Section) -> list[str]:
    return list(section.participants.order_by("pk").values_list("player__name", flat=True)[2:])


@pytest.fixture
def report(event: Event) -> bytes:
    """The report file of another section: six players, one round played, one running."""
    section = section_of(6, event=event, rounds=5)
    section.participants.update(official_rating=F("rating"))
    played(section)
    paired(section)
    return tournament_report(section)


@pytest.fixture
def odd(report: bytes) -> bytes:
    """The same file with an invalid title, an invalid number of players, and White and Black of round 1 exchanged."""
    lines = report.decode().splitlines()
    for at, line in enumerate(lines):
        if line.startswith("001    3"):
            line = f"{line[:10]} XM{line[13:]}"
        if line.startswith("001"):
            line = f"{line[:96]}{'b' if line[96] == 'w' else 'w'}{line[97:]}"
        lines[at] = "062 9" if line.startswith("062") else line
    return "\n".join(lines).encode()


def lacking(data: bytes, *, rounds: bool = False, rating: bool = False) -> str:
    """A report file without its number of rounds, or without the rating of a player."""
    lines = data.decode().splitlines()
    if rounds:
        lines = [line for line in lines if not line.startswith(("XXR", "142"))]
    if rating:
        lines = [f"{line[:48]}    {line[52:]}" if line.startswith("001    6") else line for line in lines]
    return "\n".join(lines)
