"""What other web sites and programs get: frames, JSON, previews, calendar, feed and PGN."""

from __future__ import annotations

import re
from datetime import date, time
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evenboard_engine import Result
from tests.factories import EventRoleFactory, UserFactory
from tests.web.public.conftest import WHEN, MadeSection
from tests.web.public.tables import rows
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.rounds import set_round_starts
from tournaments.errors import DomainError
from tournaments.models import RoundStart

NOBODY = Actor.command()
ATOM = "{http://www.w3.org/2005/Atom}"


def allow(six: MadeSection, **changes: object) -> None:
    edit_event(actor=NOBODY, event=six.row.event, **changes)
    six.row.event.refresh_from_db()


def framed_by(answer: HttpResponse) -> tuple[list[str], str | None]:
    """Return who may show the answer in a frame, by the new header and by the old one."""
    found = re.search(r"frame-ancestors ([^;]+)", answer["Content-Security-Policy"])
    assert found
    return found[1].split(), answer.headers.get("X-Frame-Options")


# Frames -----------------------------------------------------------------------------------------------------


def test_lists_to_embed_have_nothing_around_them(six: MadeSection, client: Client):
    answer = client.get(f"{six.url}embed/pairings/")
    assert rows(answer) == [
        ["Board", "White", "Result", "Black"],
        ["1", "Bauer, Bernd IM", "½–½", "Adams, Ann GM"],
        ["2", "Dvořák, Dušan FM", "no result", "Costa, Carla"],
        ["–", "Ferrari, Fabio", "half-point bye"],
    ]
    assert "<nav" not in answer.content.decode()
    assert rows(client.get(f"{six.url}embed/standings/"))[1][:2] == ["1", "Adams, Ann GM ENG"]
    assert client.get(f"{six.url}embed/crosstable/").status_code == 404


@pytest.mark.parametrize("known", [False, True])
def test_only_the_sites_that_the_organiser_named_may_frame_a_list(
    six: MadeSection, client: Client, *, known: bool
):
    if known:
        client.force_login(EventRoleFactory(event=six.row.event, user=UserFactory(username="ada")).user)
    page = f"{six.url}embed/standings/"
    assert framed_by(client.get(page)) == (["'none'"], "DENY")
    allow(six, embed_sites="https://Club.example/\nhttps://*.chess.example:8443 https://club.example")
    first = client.get(page)
    sites = ["https://club.example", "https://*.chess.example:8443"]
    assert framed_by(first) == (sites, None)
    assert framed_by(client.get(page)) == (sites, None)
    same = client.get(page, headers={"If-None-Match": first["ETag"]}) if not known else first
    assert framed_by(same) == (sites, None)
    assert framed_by(client.get(f"{six.url}standings/")) == (["'none'"], "DENY")


def test_what_is_no_web_site_is_refused(six: MadeSection):
    for typed in [
        "club.example",
        "https://a;script-src *",
        "https://a.example/path",
        "javascript:alert(1)",
        "*",
        "https://'self'",
    ]:
        with pytest.raises(DomainError) as refused:
            allow(six, embed_sites=typed)
        assert refused.value.code == "embed_site", typed


def test_an_open_frame_gets_only_news(six: MadeSection, client: Client):
    revision = six.row.revision
    page = f"{six.url}embed/pairings/?seen={revision}&round=2"
    assert client.get(page).status_code == 204
    six.touch()
    assert client.get(page).status_code == 200
    six.play(3, "published", (1, 6, ""))
    six.touch()
    assert client.get(page)["HX-Refresh"] == "true"


def test_a_frame_has_a_fixed_theme_or_that_of_the_device(six: MadeSection, client: Client):
    assert (
        '<html lang="en" data-theme="dark">' in client.get(f"{six.url}embed/aro/?theme=dark").content.decode()
    )
    assert "data-theme" not in client.get(f"{six.url}embed/aro/?theme=pink").content.decode()


# Scripts of other sites -------------------------------------------------------------------------------------


def test_scripts_of_any_site_may_read_the_lists_as_json(six: MadeSection, client: Client):
    page = f"/api/v1/public/sections/{six.row.pk}/standings/"
    for headers in ({}, {"If-None-Match": client.get(page)["ETag"]}):
        answer = client.get(page, headers=headers)
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer
    asked_first = client.options(page)
    assert (asked_first.status_code, asked_first["Access-Control-Allow-Headers"]) == (204, "If-None-Match")
    assert asked_first["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "Access-Control-Allow-Origin" not in client.get(f"{six.url}standings/")


# Previews ---------------------------------------------------------------------------------------------------


def test_a_link_to_a_public_page_has_a_preview_without_players(six: MadeSection, client: Client):
    found = dict(
        re.findall(
            r'<meta property="(og:[^"]+)" content="([^"]*)"',
            client.get(f"{six.url}players/1/").content.decode(),
        )
    )
    assert found == {
        "og:type": "website",
        "og:site_name": "Evenboard",
        "og:title": "Veldhaven Open, Section A",
        "og:description": "Pairings, results and standings of the chess tournament",
    }


# The calendar -----------------------------------------------------------------------------------------------


def events_of(content: bytes) -> list[dict[str, str]]:
    """Read a calendar as a program does: lines that continue are joined, names and values apart."""
    lines = content.decode().replace("\r\n ", "").split("\r\n")
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    found: list[dict[str, str]] = []
    for line in lines:
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and line != "END:VEVENT":
            name, _colon, value = line.partition(":")
            found[-1][name] = value
    return found


def test_rounds_are_a_calendar_in_universal_time(six: MadeSection, client: Client):
    event = six.row.event
    allow(
        six,
        time_zone="Europe/Amsterdam",
        name="Veldhaven Open, mit sehr langem Namen; für Übungen im Umbrechen",
    )
    days = [date(2026, 10, 24), date(2026, 10, 25), date(2026, 10, 26)]
    starts = dict(
        enumerate([RoundStart(days[0], time(14)), RoundStart(days[1], time(14)), RoundStart(days[2])], 1)
    )
    set_round_starts(actor=NOBODY, section_id=six.row.pk, starts=starts)
    answer = client.get(f"{six.url}calendar.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found = events_of(answer.content)
    times = [
        {name: text for name, text in one.items() if name.startswith("DT") and name != "DTSTAMP"}
        for one in found
    ]
    assert times == [  # the clocks go back in between
        {"DTSTART": "20261024T120000Z", "DTEND": "20261024T160000Z"},
        {"DTSTART": "20261025T130000Z", "DTEND": "20261025T170000Z"},
        {"DTSTART;VALUE=DATE": "20261026"},
    ]
    assert found[0]["SUMMARY"] == (
        "Veldhaven Open\\, mit sehr langem Namen\\; für Übungen im Umbrechen\\, Section A: Round 1"
    )
    of_event = client.get(f"/{event.slug}/-/calendar.ics")
    assert events_of(of_event.content) == found
    assert answer["Content-Disposition"] != of_event["Content-Disposition"]


def test_the_calendars_of_a_section_and_of_its_event_have_different_names(six: MadeSection, client: Client):
    addresses = (f"{six.url}calendar.ics", f"/{six.row.event.slug}/-/calendar.ics")
    named = [re.findall(r"X-WR-CALNAME:(.*)\r\n", client.get(each).content.decode()) for each in addresses]
    assert named == [["Veldhaven Open\\, Section A"], ["Veldhaven Open"]]


def test_an_empty_calendar_is_offered_as_empty(six: MadeSection, client: Client):
    client.force_login(EventRoleFactory(event=six.row.event, user=UserFactory()).user)
    empty = "It is empty, because no round of this section has a day yet."
    assert empty in client.get(f"{six.url}other-sites/").content.decode()
    set_round_starts(actor=NOBODY, section_id=six.row.pk, starts={2: RoundStart(date(2026, 11, 15))})
    page = client.get(f"{six.url}other-sites/").content.decode()
    assert (empty in page, "The rounds of this section." in page) == (False, True)


def test_a_round_that_moves_keeps_its_name_in_the_calendar(six: MadeSection, client: Client):
    def on(day: int) -> dict[str, str]:
        set_round_starts(actor=NOBODY, section_id=six.row.pk, starts={1: RoundStart(date(2026, 11, day))})
        (found,) = events_of(client.get(f"{six.url}calendar.ics").content)
        return found

    first, second = on(14), on(15)
    assert first["UID"] == second["UID"]
    assert int(first["SEQUENCE"]) < int(second["SEQUENCE"])


# The feed ---------------------------------------------------------------------------------------------------


def test_the_feed_has_what_was_published(six: MadeSection, client: Client):
    six.play(3, "draft", (1, 6, ""))
    six.row.played_rounds.filter(number=1).update(finished_at=WHEN.replace(day=21))
    six.touch()
    answer = client.get(f"{six.url}feed.xml")
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.content)  # noqa: S314 - our own answer
    entries = [
        (entry.findtext(f"{ATOM}title"), entry.findtext(f"{ATOM}published"))
        for entry in feed.iter(f"{ATOM}entry")
    ]
    assert sorted(entries) == [
        ("Pairings of round 1", "2026-11-20T14:52:00+00:00"),
        ("Pairings of round 2", "2026-11-20T14:52:00+00:00"),
        ("Standings after round 1", "2026-11-21T14:52:00+00:00"),
    ]
    link = feed.find(f"{ATOM}entry/{ATOM}link")
    assert link is not None
    assert link.attrib["href"] == f"http://testserver{six.url}standings/1/"
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == 3


# PGN --------------------------------------------------------------------------------------------------------


def test_the_boards_of_a_round_are_pgn_if_the_organiser_allows_it(six: MadeSection, client: Client):
    page = f"{six.url}round/2/boards.pgn"
    six.players[1].player.fide_id = 1234567
    six.players[1].player.name = 'Adams "Annie", Ann'
    six.players[1].player.save()
    assert client.get(page).status_code == 404
    allow(six, public_pgn=True)
    assert (
        client.get(page).content.decode()
        == """\
[Event "Veldhaven Open, Section A"]
[Site "Veldhaven NED"]
[Date "????.??.??"]
[Round "2.1"]
[White "Bauer, Bernd"]
[Black "Adams \\"Annie\\", Ann"]
[Result "1/2-1/2"]
[Board "1"]
[WhiteTitle "IM"]
[WhiteElo "2300"]
[WhiteTeam "GER"]
[BlackTitle "GM"]
[BlackElo "2400"]
[BlackTeam "ENG"]

1/2-1/2

[Event "Veldhaven Open, Section A"]
[Site "Veldhaven NED"]
[Date "????.??.??"]
[Round "2.2"]
[White "Dvořák, Dušan"]
[Black "Costa, Carla"]
[Result "*"]
[Board "2"]
[WhiteTitle "FM"]
[WhiteElo "2100"]
[WhiteTeam "CZE"]
[BlackElo "2200"]
[BlackTeam "POR"]

*
"""
    )


def test_arbiters_get_boards_with_fide_ids(six: MadeSection, client: Client):
    six.players[1].player.fide_id = 1234567
    six.players[1].player.save()
    client.force_login(EventRoleFactory(event=six.row.event, user=UserFactory(username="ada")).user)
    content = client.get(f"{six.url}round/2/transmission.pgn").content.decode()
    assert re.findall(r'\[(\w+FideId) "(\d+)"\]', content) == [("BlackFideId", "1234567")]


@pytest.mark.parametrize("result", [Result.ADJOURNED, Result.WHITE_WINS_BY_FORFEIT])
def test_a_result_that_pgn_does_not_know_is_open(six: MadeSection, client: Client, result: Result):
    allow(six, public_pgn=True)
    six.row.played_rounds.get(number=2).games.filter(board=2).update(result=result)
    known = {Result.ADJOURNED: "*", Result.WHITE_WINS_BY_FORFEIT: "1-0"}[result]
    assert '[Round "2.2"]' in (content := client.get(f"{six.url}round/2/boards.pgn").content.decode())
    assert content.count(f'[Result "{known}"]') == 1


# What it costs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rest", ["embed/pairings/", "embed/aro/", "feed.xml", "calendar.ics"])
def test_a_second_visit_costs_one_query(six: MadeSection, client: Client, rest: str):
    client.get(six.url + rest)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(six.url + rest).status_code == 200
    assert len(captured) == 1
