"""Dates and numbers as the reader's language writes them."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils.translation import override

from base.reader import date_format
from tests.web.public.conftest import MadeSection

DAY = dt.date(2026, 11, 2)


@pytest.mark.parametrize(
    ("language", "long", "short"),
    [
        ("en", "2 November 2026", "2 Nov 2026"),
        ("de", "2. November 2026", "2. Nov. 2026"),
        ("es", "2 de noviembre de 2026", "2 nov 2026"),
        ("fr", "2 novembre 2026", "2 nov. 2026"),
        ("nl", "2 november 2026", "2 nov 2026"),
        ("pl", "2 listopada 2026", "2 lis 2026"),
        ("ru", "2 ноября 2026", "2 ноя 2026"),
        ("uk", "2 листопада 2026", "2 лис 2026"),
    ],
)
def test_dates_follow_the_language(language: str, long: str, short: str) -> None:
    with override(language):
        assert (date_format(DAY, "j F Y"), date_format(DAY, "j M Y")) == (long, short)
        page = Template('{{ day|date:"j F Y" }}{{ none|date:"j M" }}').render(
            Context({"day": DAY, "none": None})
        )
    assert page == long


def test_the_first_of_a_month_is_an_ordinal_in_french() -> None:
    with override("fr"):
        assert [date_format(dt.date(2026, 7, day), "j M Y") for day in (1, 11)] == [
            "1er juil. 2026",
            "11 juil. 2026",
        ]


@pytest.mark.django_db
def test_pages_have_the_decimal_mark_of_the_language_and_files_the_point(
    six: MadeSection, client: Client
) -> None:
    six.row.tie_breaks = ["AOB"]
    six.row.save()
    six.touch()
    found = {path: client.get(f"{path}{six.url}standings/1/").content.decode() for path in ("", "/fr", "/ru")}
    assert ["1.000" in found[path] for path in found] == [True, False, False]
    assert ["1,000" in found[path] for path in found] == [False, True, True]
    assert "1.000" in client.get(f"/ru{six.url}lists/1/standings.csv").content.decode("utf-8-sig")


HEBREW = "אלימלך, נועם"


@pytest.mark.django_db
def test_a_name_from_right_to_left_turns_nothing_beside_it(six: MadeSection, client: Client) -> None:
    player = six.players[1].player
    player.name = HEBREW
    player.save()
    six.touch()
    paths = [
        "pairings/", "names/", "results/?by=newest", "standings/", "crosstable/", "aro/", "players/", "players/1/",
        "screen/", "screen/?show=names", "screen/?show=standings", "screen/?show=aro", "print/boards/",
        "print/names/", "print/standings/", "print/starting-list/", "print/aro/", "print/crosstable/",
        "print/names-large/", "print/boards-large/",
    ]  # fmt: skip
    for path in paths:
        page = client.get(six.url + path).content.decode()
        shown = re.sub(r'<title>.*?</title>|<span class="sr">.*?</span>|="[^"]*"', "", page)
        assert shown.count(HEBREW) == shown.count(f"<bdi>{HEBREW}</bdi>") > 0, path
        assert "<bdi>Bauer" not in page, path
