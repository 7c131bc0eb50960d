"""A rating list that counts in one event alone: its people import it, and nobody of another event sees or uses it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ratings import storage
from ratings.actions import importing, offering
from ratings.actions.importing import import_waiting, waiting_lists
from ratings.actions.offering import refuse_name
from ratings.errors import ListRefused
from ratings.formats.columns import ColumnReading
from ratings.models import KnownOrigin, RatingList
from registrations.queries.rating_lists import find_listed, listed_under
from tests.api.v1.program import Program
from tests.factories import EventFactory, EventRoleFactory, ParticipantFactory, UserFactory, section_of
from tests.rating_lists.conftest import lists
from tests.rating_lists.made import combined_line, imported, offered, text
from tests.web.staff.conftest import LogIn, address, enter, paired
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import forget_what_is_over
from tournaments.actions.rating_lists import EVENT_LISTS_KEPT, set_rating_lists, take_new_ratings
from tournaments.files.report_writing import tournament_report
from tournaments.models import ActionLog, Event, EventRole, Participant, Section, SiteLog, User
from tournaments.queries.rating_lists import (
    codes_to_choose,
    found_in_lists,
    list_comparison,
    lists_in_force,
    past_lists,
    ratings_of_new,
    sections_using,
)
from web.words.log_sentences import sentence_of

__all__ = ["lists"]
HERE = "/rijswijk/-/rating-lists/"
CODE = "Club (event):national"
CLUB = "Name;Rating;FIDE ID;Born\nMüller, Anna;1834;4600001;1990-02-28\nKurz, Eva;1500;;\n".encode()
READING = ColumnReading(columns={"name": 0, "rating": 1, "fide_id": 2, "born": 3}, delimiter=";").stored()
COLUMNS = {
    "sent_name": "club.csv", "series": "Club", "delimiter": ";", "encoding": "utf-8-sig", "headed": "on",
    "column-0": "name", "column-1": "rating", "column-2": "fide_id", "column-3": "born", "period": "2026-10",
}  # fmt: skip


def list_of(event: Event | None, series: str = "Club", data: bytes = CLUB, **options: object) -> RatingList:
    given = {
        "reading": READING,
        "event": event.pk if event else None,
        "given_by": "olga",
        "period": "2026-10",
        **options,
    }
    return imported(data, "club.csv", series=series, **given)


def in_use(section: Section, *codes: str) -> Section:
    return set_rating_lists(actor=Actor.command(), section_id=section.pk, codes=codes or [CODE])


@pytest.fixture
def elsewhere(db: None) -> Section:
    """A section of another event, at the same time."""
    return section_of(2, event=EventFactory(name="Delft Open", slug="delft"), slug="a")


@pytest.fixture
def others(elsewhere: Section, log_in: LogIn) -> Client:
    """The browser of the owner of the other event."""
    user = UserFactory(username="otto")
    EventRoleFactory(event=elsewhere.event, role=EventRole.Role.OWNER, user=user)
    return log_in(user)


def test_owner_imports_a_list_that_counts_in_the_own_event_alone(
    lists: Path, owner: User, owners_page: Client, section: Section
) -> None:
    User.objects.filter(pk=owner.pk).update(keeps_lists=False)
    assert HERE in owners_page.get("/rijswijk/").content.decode()
    assert "There are no rating lists yet." in owners_page.get(HERE).content.decode()
    file = SimpleUploadedFile("club.csv", CLUB)
    shown = owners_page.post(f"{HERE}file/", {"file": file, "series": "Club"}).content.decode()
    assert "Columns of the list" in shown
    assert "Address of the next lists" not in shown
    token = shown.partition('name="sent" value="')[2][:32]
    address_too = {"address": "https://lists.example/club.csv"}
    shown = owners_page.post(
        f"{HERE}columns/", {**COLUMNS, **address_too, "sent": token}, follow=True
    ).content.decode()
    assert "The file of Club (event) 2026-10 has arrived." in shown
    assert not KnownOrigin.objects.exists()
    import_waiting()
    listing = RatingList.objects.get()
    assert (listing.event, listing.label, listing.rows, listing.state) == (
        section.event,
        "Club (event) 2026-10",
        2,
        "ready",
    )
    shown = owners_page.get(HERE).content.decode()
    assert "List of this event, imported by olga on" in shown
    assert CODE in codes_to_choose(section)
    section = in_use(section)
    [hit] = found_in_lists(section, "muller")
    assert (hit.ratings[0][2], hit.ratings[0][1].label) == (1834, "Club (event) 2026-10")
    page = owners_page.get(address(section, "entries/lists/")).content.decode()
    assert "List of this event: Club" in page
    assert HERE in page


def test_log_of_the_event_says_who_gave_accepted_and_deleted_the_list(
    lists: Path, owner: User, owners_page: Client, event: Event
) -> None:
    file = SimpleUploadedFile("players_list_foa.txt", text(combined_line(10, "Ådahl, Bo", 2400), "nonsense"))
    owners_page.post(f"{HERE}file/", {"file": file, "series": "Youth", "period": "2026-10"})
    import_waiting()
    listing = RatingList.objects.get()
    assert (listing.name, listing.state) == ("Youth (event)", "asking")
    assert "1 line cannot be read, of 2." in owners_page.get(HERE).content.decode()
    owners_page.post(f"{HERE}{listing.pk}/", {"do": "use"})
    owners_page.post(f"{HERE}{listing.pk}/", {"do": "drop"})
    rows = ActionLog.objects.filter(event=event, section=None).order_by("pk")
    assert [(row.who, sentence_of(row)) for row in rows] == [
        ("olga", "Rating list Youth (event) 2026-10 given for import"),
        ("olga", "Rating list Youth (event) 2026-10 accepted in spite of doubts"),
        ("olga", "Rating list Youth (event) 2026-10 deleted"),
    ]
    assert not SiteLog.objects.exists()
    assert not storage.tables()


def test_people_of_another_event_never_see_or_use_the_list(
    lists: Path, owner: User, event: Event, elsewhere: Section, others: Client, page: Client
) -> None:
    """By its number, its name, its code, a search, a comparison, the API and a registration."""
    listing = list_of(event)
    doubtful = list_of(event, period="2026-09")
    RatingList.objects.filter(pk=doubtful.pk).update(state=RatingList.State.ASKING)
    elsewhere = in_use(elsewhere)
    before = list(RatingList.objects.order_by("pk").values())
    there = "/delft/-/rating-lists/"
    for path in (HERE, f"{HERE}columns/"):
        assert others.get(path).status_code == 403
    for one in (listing, doubtful):
        for do in ("use", "drop"):
            assert others.post(f"{HERE}{one.pk}/", {"do": do}).status_code == 403
            answer = others.post(f"{there}{one.pk}/", {"do": do})
            assert answer.status_code == 404
            assert "no longer exists" in answer.content.decode()
            assert page.post(f"{HERE}{one.pk}/", {"do": do}).status_code == 403, "an arbiter imports no lists"
    ada = ParticipantFactory(
        section=elsewhere, player__event=elsewhere.event, player__fide_id=4600001, player__name="Müller, Anna"
    )
    assert [one.listing for one in lists_in_force(elsewhere)] == [None]
    assert CODE not in codes_to_choose(elsewhere)
    assert found_in_lists(elsewhere, "muller") == []
    assert ratings_of_new(elsewhere, {4600001: "Müller, Anna"}) == {}
    assert len(list_comparison(elsewhere)) == 0
    assert find_listed(elsewhere, "muller", all_ids=True) == []
    assert listed_under(elsewhere, 4600001) is None
    shown = [
        others.get(path).content.decode()
        for path in (
            there,
            address(elsewhere, "entries/lists/"),
            address(elsewhere, "entries/add/?q=kurz"),
            address(elsewhere, "entries/add/?q=4600001&pick=0-4600001"),
        )
    ]
    assert [html for html in shown if "(event) 2026" in html or ">1834<" in html or "Kurz, Eva" in html] == []
    program = Program(User.objects.get(username="otto"), elsewhere.event)
    path = f"sections/{elsewhere.pk}/rating-lists/"
    chosen = program.done("PUT", path, {"codes": [CODE]}, seen=program.tag(path))
    assert chosen["lists"] == [{"code": CODE, "list": ""}]
    assert CODE not in chosen["choices"]
    assert program.get(f"{path}players/?search=muller")["results"] == []
    assert program.get(f"{path}comparison/")["differences"] == []
    here = section_of(2, event=event, slug="b")
    assert program.send("GET", f"sections/{here.pk}/rating-lists/players/?search=muller").status_code == 404
    assert list(RatingList.objects.order_by("pk").values()) == before
    ada.refresh_from_db()
    assert ada.rating_list == ""


def test_lists_of_events_and_of_the_site_replace_only_their_own(
    lists: Path, owners_page: Client, event: Event, elsewhere: Section
) -> None:
    of_site = list_of(None)
    here, there = list_of(event), list_of(elsewhere.event)
    assert [one.state for one in RatingList.objects.all()] == ["ready"] * 3
    newer = list_of(event, data=CLUB.replace(b"1834", b"1900"))
    states = {pk: RatingList.objects.get(pk=pk).state for pk in (of_site.pk, here.pk, there.pk, newer.pk)}
    assert states == {of_site.pk: "ready", here.pk: "replaced", there.pk: "ready", newer.pk: "ready"}
    shown = owners_page.get("/site/rating-lists/").content.decode()
    assert "Club 2026-10" in shown
    assert "(event)" not in shown
    for do in ("use", "drop"):
        assert owners_page.post(f"/site/rating-lists/{here.pk}/", {"do": do}).status_code == 404
    list_of(event, period="2026-09")
    assert past_lists() == []


def test_section_that_uses_a_list_keeps_it_and_takes_its_ratings_as_national(
    lists: Path, owners_page: Client, section: Section, elsewhere: Section
) -> None:
    fide = imported(text(combined_line(4600001, "Müller, Anna", 1777)), period="2026-10")
    listing = list_of(section.event, "Youth", text(combined_line(4600001, "Müller, Anna", 1834)), reading={})
    section = in_use(section, "Youth (event):standard", "FIDE:standard")
    in_use(elsewhere, "Youth (event):standard", "FIDE:standard")
    one = ParticipantFactory(
        section=section, player__event=section.event, player__fide_id=4600001, rating=1400
    )
    assert sections_using(listing) == [f"{section.event.name}, {section.name}"]
    assert len(sections_using(fide)) == 2
    assert owners_page.post(f"{HERE}{listing.pk}/", {"do": "drop"}).status_code == 422
    found = list_comparison(section)
    take_new_ratings(actor=Actor.command(), section=section, chosen=[one.pk], seen_revision=section.revision)
    one.refresh_from_db()
    assert (one.rating, one.rating_source, one.rating_list, one.official_rating, one.national_rating) == (
        1834,
        "national",
        "Youth (event) 2026-10",
        1777,
        1834,
    )
    assert found.differences[0].source.listing == listing


def test_fide_id_typed_as_a_name_has_the_rating_of_a_list_that_is_not_the_main_one(
    lists: Path, owners_page: Client, section: Section
) -> None:
    list_of(section.event, "Youth", text(combined_line(4600001, "Müller, Anna", 1834)), reading={})
    section = in_use(section, "FIDE:standard", "Youth (event):standard")
    Section.objects.filter(pk=section.pk).update(rating_method="FIDON")
    owners_page.post(f"/{section.event.slug}/{section.slug}/entries/add/", {"row": "1", "name": "4600001"})
    entry = section.participants.get(player__fide_id=4600001)
    assert (entry.player.name, entry.rating, entry.official_rating, entry.national_rating) == (
        "Müller, Anna",
        1834,
        None,
        1834,
    )


def test_report_for_rating_says_that_ratings_are_from_a_list_of_the_event(
    lists: Path, owner: User, owners_page: Client, section: Section
) -> None:
    listing = list_of(section.event)
    Participant.objects.filter(section=section, tpn__lte=2).update(
        rating_list=listing.label, rating_source="national"
    )
    for game in paired(section).games.all():
        enter(game, "1/2")
    day = timezone.localdate(listing.created_at)
    line = f"### Ratings from a list of this event, Club (event) 2026-10, imported by olga on {day}: 2"
    assert line in tournament_report(section, for_rating=True).decode().splitlines()
    assert "imported by" not in tournament_report(section).decode(), "others read this one too"
    page = owners_page.get(address(section, "documents/rating/")).content.decode()
    assert "2 ratings are from Club (event) 2026-10." in page
    assert "List of this event, imported by olga" in page


@pytest.mark.parametrize(
    "name",
    [
        *(
            "fide",
            "FlDE",
            "F1DE",
            "FІDE",
            "ＦＩＤＥ",
            "FIDE std",
            "my FIDE",
            "F I D E",
            "F.I.D.E.",
            "FÎDÉ",
            "ꜰɪᴅᴇ",
        ),
        *("Fιδε FIDЕ", "Ғ|DE", "𝐅𝐈𝐃𝐄", "ꓝꓲꓓꓰ", "FI\u200bDE", "F!D3"),
    ],
)
def test_no_list_from_a_file_has_a_name_that_looks_like_fide(db: None, name: str) -> None:
    for event in (None, 1):
        with pytest.raises(ListRefused, match="name_of_fide"):
            refuse_name(name, event)


@pytest.mark.parametrize("name", ["DWZ", "dwz", "D W Z", "ＤＷＺ", "DԜZ", "D.W.Z"])
def test_list_of_an_event_has_no_name_of_a_list_that_the_server_fetches(db: None, name: str) -> None:
    KnownOrigin.objects.create(
        series="DWZ", kind="national", address="https://dwz.example/", reading={"columns": {"name": 0}}
    )
    with pytest.raises(ListRefused, match="name_taken"):
        refuse_name(name, 1)
    if name != "DWZ":  # the site imports the same series from a file too
        with pytest.raises(ListRefused, match="name_taken"):
            refuse_name(name)
    refuse_name("DWZ")
    refuse_name("Club", 1)


@pytest.mark.parametrize("name", ["Club (event)", "Club (EVENT)", "Club （event）", "...", "'"])
def test_name_of_a_list_has_letters_and_never_the_mark_of_an_event(db: None, name: str) -> None:
    with pytest.raises(ListRefused, match=r"name_taken|name_missing"):
        refuse_name(name)


def test_refused_name_is_shown_at_its_field_and_the_file_is_gone(
    lists: Path, owners_page: Client, event: Event
) -> None:
    for data in (text(combined_line(1, "Ådahl, Bo", 2400)),):
        file = SimpleUploadedFile("players_list_foa.txt", data)
        answer = owners_page.post(f"{HERE}file/", {"file": file, "series": "F1DE"})
        assert answer.status_code == 422
        assert list(answer.context["form"].errors) == ["series"]
    assert list(offering.incoming().iterdir()) == []
    assert owners_page.post(f"{HERE}file/", {"series": "Club"}).status_code == 422
    assert not RatingList.objects.exists()


def test_database_takes_no_list_of_an_event_with_the_name_of_fide(event: Event) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingList.objects.create(event=event, series="FIDE", kind="standard", table="x")


def test_number_and_size_of_the_lists_of_an_event_are_limited(
    lists: Path, owners_page: Client, event: Event, elsewhere: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MOST_OF_EVENT", 1)
    listing = list_of(event)
    assert (listing.state, listing.problem["code"]) == ("refused", "too_many_players")
    assert "can have 1 players" in owners_page.get(HERE).content.decode()
    assert list_of(None).state == "ready"
    for number in range(offering.MOST_OF_EVENT - 1):
        RatingList.objects.create(event=event, series="Club", kind="national", table=f"x{number}")
    file = SimpleUploadedFile("players_list_foa.txt", text(combined_line(1, "Ådahl, Bo", 2400)))
    answer = owners_page.post(f"{HERE}file/", {"file": file, "series": "Club"})
    assert "An event can have 5 lists of its own. Delete one first." in answer.content.decode()
    RatingList.objects.update(bytes=offering.MOST_OF_EVENTS)
    with pytest.raises(ListRefused, match="no_room"):
        list_of(elsewhere.event)


def test_lists_of_the_site_are_imported_before_those_of_events(lists: Path, event: Event) -> None:
    first = offered(CLUB, "club.csv", series="Club", reading=READING, event=event.pk)
    second = offered(text(combined_line(1, "Ådahl, Bo", 2400)))
    assert waiting_lists() == [second, first]


def test_lists_go_with_their_event_and_some_time_after_it(
    lists: Path, event: Event, elsewhere: Section
) -> None:
    now = timezone.now()
    gone, over, kept = list_of(event), list_of(elsewhere.event), list_of(None)
    event.delete()
    RatingList.objects.filter(pk=over.pk).update(created_at=now - EVENT_LISTS_KEPT - timedelta(days=1))
    Event.objects.update(start=(now - EVENT_LISTS_KEPT).date(), end=(now - EVENT_LISTS_KEPT).date())
    forget_what_is_over(now)
    assert RatingList.objects.filter(pk=over.pk).exists()
    Event.objects.update(end=(now - EVENT_LISTS_KEPT - timedelta(days=2)).date(), start="2020-01-01")
    forget_what_is_over(now)
    assert list(RatingList.objects.all()) == [kept]
    import_waiting()
    assert storage.tables() == {kept.table}
    assert gone.table != over.table


def test_page_has_few_queries(
    lists: Path, owners_page: Client, event: Event, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for month in range(1, 4):
        RatingList.objects.create(
            event=event, series="Club", kind="national", period=f"2026-0{month}", table=f"x{month}"
        )
    with django_assert_max_num_queries(8):
        owners_page.get(HERE)


OF_SITE = [
    ("GET", "", {}),
    ("POST", "file/", {"period": "2026-10"}),
    ("POST", "part/", {"start": "0"}),
    ("GET", "columns/", {}),
    ("POST", "columns/", COLUMNS),
    *(("POST", "origin/", {"do": do}) for do in ("keep", "look", "past", "stop", "address")),
    *(("POST", "{list}/", {"do": do}) for do in ("use", "drop")),
]
"""All that the page of rating lists and its buttons send: method, address below the page, fields."""


@pytest.mark.parametrize("role", EventRole.Role)
def test_roles_of_another_event_touch_neither_the_lists_of_the_site_nor_those_of_an_event(
    lists: Path, log_in: LogIn, section: Section, elsewhere: Section, role: EventRole.Role
) -> None:
    """Whoever works in Delft, by the pages and by the API. The lists are those of the site and of Rijswijk."""
    user = EventRoleFactory(event=elsewhere.event, role=role, user=UserFactory()).user
    page, program = log_in(user), Program(user, elsewhere.event)
    origin = KnownOrigin.objects.create(
        series="DWZ", kind="national", address="https://dwz.example/", reading={"columns": {"name": 0}}
    )
    rows = {event: [list_of(event), list_of(event, period="2026-09")] for event in (None, section.event)}
    for _listing, doubtful in rows.values():
        RatingList.objects.filter(pk=doubtful.pk).update(state=RatingList.State.ASKING)
    in_use(section)

    def all_lists() -> list[object]:
        incoming = sorted(offering.incoming().iterdir())
        return [*RatingList.objects.order_by("pk").values(), *KnownOrigin.objects.values(), *incoming]

    before, tables = all_lists(), storage.tables()
    for event, its_lists in rows.items():
        begin = HERE if event else "/site/rating-lists/"
        for method, path, fields in OF_SITE:
            if event and path in ("part/", "origin/"):  # only the page of the site has them
                continue
            for one in its_lists:
                sent = {**fields, "origin": origin.pk, "series": "DWZ", "address": "https://dwz.example/new"}
                if path in ("file/", "part/"):
                    name = path.strip("/")
                    sent[name] = SimpleUploadedFile(
                        "players_list_foa.txt", text(combined_line(1, "Å, B", 2400))
                    )
                send = page.get if method == "GET" else page.post
                status = send(f"{begin}{path.format(list=one.pk)}", sent).status_code
                assert status in (403, 404), (begin, path, fields, status)
    for one in (one for its_lists in rows.values() for one in its_lists):
        for do in ("use", "drop"):  # below the page of the own event
            assert page.post(f"/delft/-/rating-lists/{one.pk}/", {"do": do}).status_code in (403, 404)
    path = f"sections/{section.pk}/rating-lists/"
    for method, below, body in (
        ("GET", "", None),
        ("PUT", "", {"codes": ["FIDE:standard"]}),
        ("PATCH", "", {"minimum_rating": 1000}),
        ("GET", "players/?search=muller", None),
        ("GET", "comparison/", None),
        ("POST", "comparison/", {"entries": [1], "revision": section.revision}),
    ):
        assert program.send(method, f"{path}{below}", body, seen="*").status_code in (403, 404)
    assert (all_lists(), storage.tables()) == (before, tables)
    assert not SiteLog.objects.exists()
    section.refresh_from_db()
    assert section.rating_lists == [CODE]
