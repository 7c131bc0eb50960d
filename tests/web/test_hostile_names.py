"""What people type is text everywhere: no page takes it for markup, no table for a formula, and every file keeps it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import product
from unittest import mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils.html import escape
from openpyxl import load_workbook

from api.v1.view import ReaderThrottle
from evenboard_engine import Colour
from pairing.by_hand import change_by_hand
from ratings.models import RatingList
from tests.answers import answers_in
from tests.factories import section_of
from tests.registrations.factories import joined_page, registration_parts
from tests.shared_rows import SharedRows
from tests.web.hostile import MARK, Hall, comes_from_text, escaped_twice, hostile, injected
from tests.web.markup import faults, html_of
from tests.web.staff.test_overtaken import opened
from tests.web.test_access import TABLE, Address, routes
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.actions.people import invite_by_link, invite_by_name
from tournaments.actions.stored_copies import take_copy
from tournaments.files.report_writing import tournament_report
from tournaments.models import Bye, Player, Screen
from tournaments.queries.player_results import player_link
from tournaments.seating import SeatingStep, SeatMove
from web.views.public import paper, programs
from web.views.staff import reports

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

MORE = {
    "screen": ["?show=names", "?show=standings", "?show=aro"],
    "results": ["?by=newest", f"?q={MARK}"],
    "pairings": [f"?q={MARK}"],
    "players": ["?by=rating", f"?q={MARK}"],
    "aro": ["?by=name"],
    "entries": [f"?q={MARK}", "?sort=club"],
    "check-in": ["?show=missing"],
    "names": [f"?q={MARK}"],
    "why-player": ["?other=2"],
    "why": ["?other=2"],
    "compare": ["?show=different"],
    "log": [f"?subject={MARK}"],
    "site": [f"?q={MARK}"],
}
"""Pages that show other parts if they are asked for."""
FILES = {
    *("list-csv", "csv", "list-xlsx", "xlsx", "registrations-workbook", "entry-list-workbook", "log-file"),
    *("report", "copy-now", "kept-copy", "event-copy"),
}
TYPED = (
    "name", "city", "chief_arbiter", "deputy_arbiters", "time_control", "reason", "message", "club", "note", "username",
    "first_name", "last_name", "email", "q", "rating_list", "fide_id", "birth_date", "code", "rows", "text",
    "federation",
)  # fmt: skip


@pytest.fixture(scope="module", params=Hall.WHICH[:1])
def made(
    request: pytest.FixtureRequest, shared_rows: SharedRows, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Hall]:
    """The middle of play, if a test does not say another state."""
    folder = tmp_path_factory.mktemp("hostile")
    with (
        override_settings(VAR_DIR=folder, BACKUP_DIR=str(folder / "backups")),
        mock.patch.object(ReaderThrottle, "rate", "100000/min"),
        shared_rows(lambda: Hall(request.param)) as hall,
    ):
        yield hall


@pytest.fixture
def hall(made: Hall) -> Hall:
    return deepcopy(made)


@pytest.fixture
def client(hall: Hall) -> Client:
    client = Client()
    client.force_login(hall.user)
    return client


def addresses(hall: Hall) -> list[Address]:
    """Return every address that there is for the section, with every document, of every round. Pages of the event and
    of the site are the same in each state of the section: those of the first state are enough.
    """
    section = hall.section
    _, token = invite_by_link(actor=hall.actor, event=hall.event, role="arbiter", note=hostile("invited"))
    invited = invite_by_name(actor=hall.actor, event=hall.event, username=hall.guest.username, role="arbiter")
    bye = Bye.objects.filter(participant__section=section).first()
    pair = section.forbidden_pairs.first()
    incident = section.incidents.first()
    last = section.played_rounds.latest("number")
    screen = Screen.objects.create(event=hall.event, name=hostile("screen"), message=hostile("message"))
    values = {
        "event": hall.event.slug,
        "section": section.slug,
        "tpn": 1,
        "participant": section.participants.get(tpn=1).pk,
        "game": last.games.latest("board").pk,
        "link": player_link(last.games.latest("board"), Colour.WHITE),
        "bye": bye.pk if bye else 0,
        "revision": section.log.latest("revision").revision,
        "name": take_copy(section, "asked").name,
        "board": 1,
        "token": token,
        "invitation": invited.pk,
        "listing": RatingList.objects.create(
            series="=<x-h>",
            file_name=hostile("file"),
            state="asking",
            table="rating_player_0",
            warnings=[{"line": 1, "code": "id_unreadable", "text": hostile("line")}],
        ).pk,
        "event_list": RatingList.objects.create(
            event=section.event,
            series="=<x-h>",
            given_by=hostile("giver"),
            file_name=hostile("file"),
            state="asking",
            table="rating_player_1",
            warnings=[{"line": 1, "code": "id_unreadable", "text": hostile("line")}],
        ).pk,
        "device": 1,
        "bracket": 1,
        "part": 1,
        "chapter": "results",
        "step": "check",
        "taken": "prizes",
        "role": section.event.roles.first().pk,
        "edition": 1,
        "trf": "16",
        "period": 2,
        "pair": pair.pk if pair else 0,
        "rule": 1,
        "incident": incident.pk if incident else 0,
        "screen": screen.pk,
        "code": screen.code,
        **registration_parts(section, name=hostile("registered"), club=hostile("club")),
        "person": joined_page(section.participants.get(tpn=1)),
    }
    choices = {"document": paper.DOCUMENTS, "number": range(1, last.number + 1), "kind": ("csv", "json")}
    found = {}
    for route in routes():
        used = [name for name in choices if f"{{{name}}}" in route.path]
        for chosen in product(*(choices[name] for name in used)):
            path = route.path.format_map({**values, **dict(zip(used, chosen, strict=True))})
            found[path] = Address(route.name, path)
    assert {address.name for address in found.values()} == TABLE.keys()
    here = f"/{hall.event.slug}/{section.slug}/" if section.slug != "middle" else "/"
    return [one for one in found.values() if one.path.startswith(here) and one.name not in FILES]


NAME = re.compile(r"עב [\w-]+ player \d+|עב late")
"""The end of a name of a player: it has letters from right to left."""


def shown(answer: HttpResponse, address: str) -> bool:
    """Return whether the answer is a page that shows a hostile text. Fails if the text is more than text."""
    html = html_of(answer)
    assert injected(html) == [], address
    return MARK in html


@pytest.mark.slow
@pytest.mark.parametrize("made", Hall.WHICH, indirect=True)
def test_no_page_takes_a_text_for_markup_or_mixes_a_name_with_its_neighbours(
    hall: Hall, client: Client
) -> None:
    """Names from right to left stand apart, tables have captions and heads with a scope, headings are in order."""
    with_text, wrong = 0, {}
    for address in addresses(hall):
        for more in ["", *MORE.get(address.name, [])]:
            answer = client.get(address.path + more)
            if html := html_of(answer):
                with_text += MARK in html
                wrong[address.path + more] = faults(html, NAME, comes_from_text) + escaped_twice(html)
    assert {path: found for path, found in wrong.items() if found} == {}
    assert with_text > 40


@pytest.mark.parametrize("made", Hall.WHICH, indirect=True)
def test_no_answer_to_a_form_takes_a_text_for_markup(hall: Hall, client: Client) -> None:
    sent = {name: hostile(name) for name in TYPED} | {"version": "0", "result": "1-0", "rating": "2400"}
    with_text = 0
    for address in addresses(hall):
        if TABLE[address.name][1] and address.name != "logout":
            with transaction.atomic():
                answer = client.post(address.path, sent, follow=True)
                transaction.set_rollback(True)
            with_text += shown(answer, address.path)
    assert with_text > 15


def cells(answer: HttpResponse) -> list[str]:
    """Return the cells of a table with something hostile, as a spreadsheet shows them."""
    if answer.headers["Content-Type"].startswith("text/csv"):
        rows: Iterable[Iterable[object]] = csv.reader(
            io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"
        )
    else:
        book = load_workbook(io.BytesIO(answer.content))
        assert [cell for row in book.active.rows for cell in row if cell.data_type == "f"] == []
        rows = book.active.values
    return [cell for row in rows for cell in row if isinstance(cell, str) and MARK in cell]


def texts(value: object) -> Iterator[str]:
    """Yield every text in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def names(hall: Hall) -> set[str]:
    return set(hall.section.participants.values_list("player__name", flat=True))


def in_a_list(hall: Hall, found: Iterable[str]) -> bool:
    """Return whether all names of players are among the texts, as typed. An expelled player may be missing."""
    players = {name for name in names(hall) if " player " in name}
    expelled = hostile("middle player 8")
    return {text for text in found if " player " in text} | {expelled} == players


OF_FIXED_ROUNDS = ("all-rounds", "published")  # made by the function that makes all others safe
WITHOUT_NAMES = ("fairness", "statistics", "rating-differences", "federations", "certificates")
"""Tables of numbers, and one of the players with a norm, whom this section does not have."""
OF_SOME = ("byes", "forbidden-pairs", "incidents")
"""Tables that name only some of the players."""


TABLES = [
    *[f"csv/{name}/" for name in reports.LISTS if name not in (*OF_FIXED_ROUNDS, *WITHOUT_NAMES)],
    *[
        f"lists/1/{name}.csv"
        for name in programs.LIST_FILES
        if name not in (*OF_FIXED_ROUNDS, *WITHOUT_NAMES)
    ],
    *["lists/players.csv", "log/file/csv/", "lists/players.xlsx", "xlsx/entries/", "log/file/xlsx/"],
]


def test_no_table_has_a_formula_and_each_keeps_the_text(hall: Hall, client: Client) -> None:
    """A request changes nothing, so one section is enough for all tables."""
    for table in TABLES:
        found = cells(client.get(f"/{hall.event.slug}/{hall.section.slug}/{table}"))
        assert [cell for cell in found if cell.lstrip()[0] in "=+-@"] == [], table
        kept = {cell.removeprefix("'") for cell in found}
        if "log" in table:
            reasons = {
                hostile(what) for what in ("correction", "for rating", "undone", "withdrawn", "message")
            }
            assert reasons <= kept, table
        elif any(name in table for name in OF_SOME):
            named = {cell for cell in kept if " player " in cell}
            assert len(named) >= 2, table
            assert named <= set(names(hall)), table
        else:
            assert in_a_list(hall, kept), table


def test_json_keeps_every_text(hall: Hall, client: Client) -> None:
    here = f"/{hall.event.slug}/{hall.section.slug}/"
    api = f"/api/v1/public/sections/{hall.section.pk}/"
    log = set(texts(client.get(f"{here}log/file/json/").json()))
    assert {hostile("correction"), hostile("message"), hostile("origin")} <= log
    for path in (f"{api}standings/", f"{api}rounds/1/"):
        assert in_a_list(hall, texts(client.get(path).json())), path


def test_copies_keep_every_text(hall: Hall, client: Client) -> None:
    here = f"/{hall.event.slug}/"
    everything = names(hall) | {
        hall.event.name,
        hall.event.city,
        hall.section.name,
        hall.section.hall_message,
    }
    for path in (f"{here}{hall.section.slug}/copies/now/", f"{here}-/copy/"):
        content = json.loads(gzip.decompress(client.get(path).content))
        assert everything <= set(texts(content)), path


def test_report_file_keeps_the_characters_that_have_columns(hall: Hall) -> None:
    lines = tournament_report(hall.section).decode().splitlines()
    players = hall.section.participants.order_by("tpn").values_list("player__name", flat=True)
    assert [line[14:47] for line in lines if line[:3] == "001"] == [name[:33] for name in players]
    heads = {line[:3]: line[4:] for line in lines}
    assert [heads[code] for code in ("012", "022", "102", "122")] == [
        hall.event.name,
        hall.event.city,
        hall.event.chief_arbiter,
        hall.event.time_control,
    ]
    assert [line[4:] for line in lines if line[:3] == "112"] == hall.event.deputy_arbiters.splitlines()


def test_lists_that_are_read_show_every_text_as_text(hall: Hall, client: Client) -> None:
    """The previews of a table with entries, of a report file and of a copy, before anything is written."""
    here = f"/{hall.event.slug}/{hall.section.slug}/"
    row = csv.writer(text := io.StringIO(), delimiter=";")
    row.writerow(["Name", "Rating", "Club", "Federation", "Title", "Birth date", "Note"])
    row.writerow([hostile("new"), "2000", hostile("club"), "", "", "", hostile("note")])
    row.writerow(
        [hostile("wrong"), hostile("rating"), hostile("c"), hostile("f"), hostile("t"), hostile("b"), ""]
    )
    row.writerow([min(names(hall)), "2222", hostile("club"), "NED", "FM", "", ""])
    report = tournament_report(hall.section).decode().replace("XXR 5", f"XXR {hostile('rounds')}")
    copy = client.get(f"{here}copies/now/").content
    uploads = [
        (f"{here}entries/import/", "entries.csv", text.getvalue().encode()),
        (f"{here}entries/import/", f"{MARK}.csv", hostile("nothing").encode()),
        (f"/{hall.event.slug}/-/report/", "report.trf", tournament_report(hall.section)),
        (f"/{hall.event.slug}/-/report/", "report.trf", report.encode()),
        ("/new/-/load/", "copy.json.gz", copy),
        (f"/new/-/load/?into={hall.event.slug}", "copy.json.gz", copy),
    ]
    for address, name, data in uploads:
        file = SimpleUploadedFile(f"{hostile('file')} {name}", data)
        answer = client.post(address, {"file": file}, follow=True)
        assert shown(answer, f"{address} {name}"), f"{address} {name}"


def test_rows_that_may_mean_one_player_are_compared_as_text(hall: Hall, client: Client) -> None:
    """Two rows of a list with one FIDE ID, and a row with the FIDE ID of an entry."""
    known = hall.section.participants.get(tpn=1)
    Player.objects.filter(pk=known.player_id).update(fide_id=990010437)
    row = csv.writer(text := io.StringIO(), delimiter=";")
    row.writerow(["Name", "FIDE ID", "Rating", "Club"])
    names_in_the_file = [hostile("one"), hostile("two"), "<i>Ω</i>"]  # the last one has no word of the others
    for name, fide_id in zip(names_in_the_file, (990012748, 990012748, 990010437), strict=True):
        row.writerow([name, fide_id, 2000, hostile("club of the file")])
    here = f"/{hall.event.slug}/{hall.section.slug}/entries/import/"
    answer = client.post(here, {"file": SimpleUploadedFile("e.csv", text.getvalue().encode())}, follow=True)
    assert shown(answer, here)
    compared = "".join(re.findall(r'<div class="rivals-in">.*?</table>', answer.text, re.DOTALL))
    texts = [*names_in_the_file, hostile("club of the file"), known.player.name, known.club]
    assert [text for text in texts if escape(text) not in compared] == []


def test_fide_ids_of_other_people_are_reported_as_text(hall: Hall, client: Client) -> None:
    """A report file, whose names have 33 characters, and a copy have a FIDE ID that is somebody else's in the event."""
    player = Player.objects.filter(pk=hall.section.participants.get(tpn=1).player_id)
    player.update(fide_id=990010437)
    report = tournament_report(hall.section)
    copy = client.get(f"/{hall.event.slug}/{hall.section.slug}/copies/now/").content
    others_name = f"<{MARK}>Ω"
    player.update(name=others_name)
    empty = section_of(0, event=hall.event, slug="empty")
    for address, name, data in (
        (f"/{hall.event.slug}/-/report/", "report.trf", report),
        (f"/{hall.event.slug}/{empty.slug}/entries/import/", "report.trf", report),
        (f"/new/-/load/?into={hall.event.slug}", "copy.json.gz", copy),
    ):
        answer = client.post(address, {"file": SimpleUploadedFile(name, data)}, follow=True)
        assert shown(answer, address)
        (block,) = re.findall(r'id="conflicts".*?</div>', answer.text, re.DOTALL)
        texts = (hall.event.name, others_name, hostile("")[:33])
        assert [text for text in texts if escape(text) not in block] == []


def test_questions_before_a_change_show_every_text_as_text(hall: Hall, client: Client) -> None:
    here = f"/{hall.event.slug}/{hall.section.slug}/"
    game = hall.section.played_rounds.get(number=1).games.get(board=3)
    correction = {"version": game.version, "reason": hostile("why"), "effect": "next", "result": "0-1"}
    assert shown(client.post(f"{here}round/1/corrections/3/", correction), "correction")
    equals = {f"place-{entry.pk}": "2" for entry in hall.section.participants.filter(rating=2300)}
    hall.section.refresh_from_db()
    sent = {"rating": "2300", "revision": hall.section.revision, **equals}
    assert shown(client.post(f"{here}entries/equal/", sent), "equal ratings")
    for row in hall.section.log.filter(revision__gt=0):
        assert shown(client.get(f"{here}log/{row.revision}/undo/"), f"undo of {row.action}")
    invite_by_name(actor=hall.actor, event=hall.event, username=hall.guest.username, role="arbiter")
    guest = Client()
    guest.force_login(hall.guest)
    assert shown(guest.get("/"), "invitation")


def test_values_of_two_people_are_shown_as_text(hall: Hall, client: Client) -> None:
    here = f"/{hall.event.slug}/{hall.section.slug}/screens/"
    form = opened(client, here)
    theirs = Actor(user=hall.colleague)
    set_hall_message(actor=theirs, section_id=hall.section.pk, message=hostile("theirs"))
    answer = client.post(f"{here}message/", {**form, "message": hostile("mine")})
    assert shown(answer, here)
    both = {escape(hostile(what)) for what in ("theirs", "mine")}
    assert both <= set(re.findall(r"<td>([^<]*)</td>", answer.content.decode()))


@pytest.mark.parametrize("made", Hall.WHICH[1:2], indirect=True)
def test_pages_by_hand_show_every_text_as_text(hall: Hall, client: Client) -> None:
    here = f"/{hall.event.slug}/{hall.section.slug}/round/2/by-hand/"
    row = hall.section.played_rounds.get(number=2)
    seated = [key for game in row.games.order_by("board") for key in (game.white_id, game.black_id)]
    unpaired = [key for key in hall.section.participants.values_list("pk", flat=True) if key not in seated]
    questions = 0
    for other in seated[1:]:
        with transaction.atomic():
            answer = client.post(
                here, {"version": row.version, "picked": seated[0], "player": other}, follow=True
            )
            assert shown(answer, here)
            questions += 'id="ask"' in answer.content.decode()
            transaction.set_rollback(True)
    assert questions > 0
    for step in (SeatingStep(SeatMove.SWAP, *unpaired), SeatingStep(SeatMove.SWAP, seated[0], seated[2])):
        row, _ = change_by_hand(
            actor=hall.actor, round_id=row.pk, seen_version=row.version, step=step, confirmed=True
        )
    first = client.get(f"{here}end/")
    end = {"version": row.version, "reason": hostile("kept"), "answer": answers_in(first)}
    for answer in (first, client.post(f"{here}end/", end)):
        assert shown(answer, f"{here}end/")
        assert answer.content.decode().count(MARK) > 5
