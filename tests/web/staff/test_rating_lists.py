"""The page of rating lists: files arrive whole or in parts, tables are asked for their columns, lists are deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from ratings.actions import offering
from ratings.actions.importing import import_waiting
from ratings.formats.columns import ColumnReading
from ratings.models import KnownOrigin, RatingList
from ratings.search import find_players
from server.management.commands.import_rating_lists import LEASE
from server.management.commands.make_demo import make_demo
from tests.factories import SectionFactory
from tests.rating_lists.conftest import lists
from tests.rating_lists.made import field, imported, text
from tournaments.actions import chores
from tournaments.models import Participant, Section, SiteLog, User

__all__ = ["lists"]
LISTS = "/site/rating-lists/"
NATIONAL = "Verein;Spieler;DWZ;FIDE-ID;Jahrgang\nSK Ost;Müller, Anna;1834;4600001;1990\nSK West;Kurz, Eva;;;\n".encode()


def send(page: Client, name: str, data: bytes, **more: str) -> str:
    """Send a file, follow the answer and return the page."""
    file = SimpleUploadedFile(name, data)
    return page.post(f"{LISTS}file/", {"file": file, **more}, follow=True).content.decode()


def test_list_of_fide_is_sent_imported_and_deleted(lists: Path, owners_page: Client) -> None:
    assert "There are no rating lists yet." in owners_page.get(LISTS).content.decode()
    shown = send(owners_page, "players_list_foa.txt", text(*field(), "nonsense"), period="2026-11")
    assert "The file of FIDE 2026-11 (file) has arrived. The table shows when the list can be used." in shown
    assert 'hx-trigger="every 2s"' in shown
    assert chores.lists_are_due()
    import_waiting()
    shown = owners_page.get(LISTS).content.decode()
    assert "1 line cannot be read, of 301." in shown
    assert "Line 302, no ID: nonsense" in shown
    listing = RatingList.objects.get()
    owners_page.post(f"{LISTS}{listing.pk}/", {"do": "use"})
    shown = owners_page.get(LISTS).content.decode()
    assert "hx-trigger" not in shown
    assert find_players(RatingList.objects.get(), "player0007").players[0].standard == 2793
    shown = owners_page.post(f"{LISTS}{listing.pk}/", {"do": "drop"}, follow=True).content.decode()
    assert "FIDE 2026-11 (file) is deleted." in shown
    assert [row.action for row in SiteLog.objects.order_by("pk")] == [
        "offer_rating_list",
        "use_rating_list",
        "remove_rating_list",
    ]
    assert "no longer exists" in owners_page.post(f"{LISTS}{listing.pk}/", {"do": "drop"}).content.decode()


def test_file_is_sent_in_parts(lists: Path, owners_page: Client) -> None:
    data, token = text(*field()), ""
    for start in range(0, len(data), 20_000):
        part = SimpleUploadedFile("part", data[start : start + 20_000])
        answer = owners_page.post(f"{LISTS}part/", {"part": part, "start": start, "sent": token}).json()
        token = answer["sent"]
    assert answer["size"] == len(data)
    owners_page.post(f"{LISTS}file/", {"sent": token, "sent_name": "players_list_foa.txt"})
    import_waiting()
    assert RatingList.objects.get().rows == 300


@pytest.mark.parametrize(
    "sent", [{"sent": "../../secret"}, {"start": "x"}, {}], ids=["name", "start", "nothing"]
)
def test_part_that_belongs_to_nothing_is_refused(
    lists: Path, owners_page: Client, sent: dict[str, str]
) -> None:
    part = {"part": SimpleUploadedFile("part", b"x")} if sent else {}
    assert owners_page.post(f"{LISTS}part/", {"start": "0", **part, **sent}).status_code == 422


def test_national_list_asks_for_its_columns(lists: Path, owners_page: Client) -> None:
    shown = send(owners_page, "dwz.csv", NATIONAL)
    assert "Columns of the list" in shown
    token = shown.partition('name="sent" value="')[2][:32]
    assert [
        shown.partition(f'name="column-{place}"')[2]
        .partition(" selected")[0]
        .rpartition('value="')[2]
        .rstrip('"')
        for place in range(5)
    ] == ["", "name", "rating", "fide_id", "born"]
    answers = {
        "sent": token, "sent_name": "dwz.csv", "series": "DWZ", "period": "2026-10", "delimiter": ";",
        "encoding": "utf-8-sig", "headed": "on", "column-1": "name", "column-2": "rating", "column-3": "fide_id",
        "column-4": "born",
    }  # fmt: skip
    inside = {"address": "http://127.0.0.1/dwz.csv"}
    for wrong in ({"column-3": "rating"}, {"series": "fide"}, {"column-2": ""}, {"period": "Oct"}, inside):
        assert owners_page.post(f"{LISTS}columns/", {**answers, **wrong}).status_code == 422
    owners_page.post(f"{LISTS}columns/", {**answers, "address": "https://dwz.example/all.csv"})
    origin = KnownOrigin.objects.get()
    assert (origin.series, origin.kind, origin.asked, origin.reading["columns"]) == (
        "DWZ",
        "national",
        True,
        {"name": 1, "rating": 2, "fide_id": 3, "born": 4},
    )
    import_waiting()
    listing = RatingList.objects.get()
    assert (listing.label, listing.kind, listing.state, listing.rows) == (
        "DWZ 2026-10",
        "national",
        "ready",
        2,
    )
    assert [(one.national, one.born) for one in find_players(listing, "muller").players] == [(1834, "1990")]


@pytest.mark.parametrize("data", [b"hello", b"\0\1\2", b""], ids=["words", "bytes", "nothing"])
def test_file_that_is_no_list_is_refused(lists: Path, owners_page: Client, data: bytes) -> None:
    answer = owners_page.post(f"{LISTS}file/", {"file": SimpleUploadedFile("a.txt", data)})
    assert (answer.status_code, RatingList.objects.count()) == (422, 0)


def test_list_of_fide_is_kept_up_to_date(lists: Path, owners_page: Client, settings: Settings) -> None:
    owners_page.post(f"{LISTS}origin/", {"do": "keep"})
    origin = KnownOrigin.objects.get()
    assert (origin.address, origin.asked) == (settings.FIDE_LIST_URL, True)
    assert settings.FIDE_LIST_URL in owners_page.get(LISTS).content.decode()
    KnownOrigin.objects.update(
        asked=False, problem='["too_large", {"megabytes": 400}]', tried_at=timezone.now()
    )
    assert (
        "earlier list stays in force. The file is larger than 400 MB."
        in owners_page.get(LISTS).content.decode()
    )
    owners_page.post(f"{LISTS}origin/", {"do": "look"})
    assert KnownOrigin.objects.get().asked
    owners_page.post(f"{LISTS}origin/", {"do": "stop", "origin": origin.pk})
    assert not KnownOrigin.objects.exists()


def test_whole_file_counts_against_the_room_for_files(
    lists: Path, owners_page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offering, "MOST_WAITING", 100)
    shown = send(owners_page, "players_list_foa.txt", text(*field()))
    assert "The list could not be stored" in shown
    assert (RatingList.objects.count(), list(offering.incoming().iterdir())) == (0, [])


def test_address_of_a_national_list_is_added_and_changed(lists: Path, owners_page: Client) -> None:
    reading = ColumnReading(columns={"name": 0, "rating": 1}).stored()
    imported(b"Name;DWZ\nMuster, Max;1834\n", "dwz.csv", series="DWZ", reading=reading)
    assert "Fetch the next lists of DWZ too" in owners_page.get(LISTS).content.decode()
    origin = f"{LISTS}origin/"
    new = {"do": "address", "series": "DWZ", "origin": "", "address": "https://one.example.org/dwz.csv"}
    owners_page.post(origin, new)
    kept = KnownOrigin.objects.get()
    assert (kept.series, kept.address, kept.reading) == ("DWZ", "https://one.example.org/dwz.csv", reading)
    shown = owners_page.get(LISTS).content.decode()
    assert "Change the address of DWZ" in shown
    assert "Fetch the next lists of DWZ too" not in shown
    change = {**new, "origin": str(kept.pk), "address": "https://two.example.org/dwz.csv"}
    owners_page.post(origin, change)
    kept.refresh_from_db()
    assert (kept.address, kept.asked) == ("https://two.example.org/dwz.csv", True)
    for wrong, status in (("http://127.0.0.1/x", 422), ("nonsense with blanks", 422), ("", 422)):
        answer = owners_page.post(origin, {**change, "address": wrong})
        assert answer.status_code == status
    assert owners_page.post(origin, {**change, "origin": "999999"}).status_code == 404
    assert owners_page.post(origin, {**new, "series": "NOBODY"}).status_code == 404
    kept.refresh_from_db()
    assert kept.address == "https://two.example.org/dwz.csv"


def test_list_that_was_replaced_is_used_again(lists: Path, owners_page: Client) -> None:
    right = imported(text(*field()))
    imported(text(*field(299)))
    shown = owners_page.get(LISTS).content.decode()
    assert "This file is kept until the next list comes" in " ".join(shown.split())
    owners_page.post(f"{LISTS}{right.pk}/", {"do": "use"})
    right.refresh_from_db()
    assert right.is_ready
    assert find_players(right, "player0299").players[0].fide_id == 1299


def test_arbiter_who_organises_nothing_may_not(lists: Path, page: Client) -> None:
    answer = page.get(LISTS)
    assert (answer.status_code, "Site owners change them" in answer.content.decode()) == (403, True)


def test_page_has_few_queries(
    lists: Path, owners_page: Client, django_assert_max_num_queries: object
) -> None:
    for month in range(1, 4):
        RatingList.objects.create(series="FIDE", kind="combined", period=f"2026-0{month}", table=f"x{month}")
    with django_assert_max_num_queries(9):
        owners_page.get(LISTS)


def test_command_imports_a_file(lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "players_list_foa.txt"
    path.write_bytes(text(*field(), "nonsense"))
    with pytest.raises(CommandError, match="1 line cannot be read, of 301"):
        call_command("import_rating_lists", path)
    call_command("import_rating_lists", path, "--agree", "--month", "2026-10")
    assert "FIDE 2026-10 (file): 300 players, 1 lines not read." in capsys.readouterr().out
    path.write_bytes(b"hello")
    with pytest.raises(CommandError, match="The file is not a list of FIDE"):
        call_command("import_rating_lists", path)
    chores.take_chore(chores.RATING_LISTS, "a server", LEASE)
    with pytest.raises(CommandError, match="The server is importing a list"):
        call_command("import_rating_lists", path)


def test_list_without_an_index_or_with_a_former_one_says_so(lists: Path, owners_page: Client) -> None:
    imported(text(*field()))
    RatingList.objects.update(by_index=False, index=0)
    page = owners_page.get(LISTS).content.decode()
    assert "The search in this list is slow" in page
    assert "An earlier version of the program imported this list." in page
    call_command("import_rating_lists")
    assert "An earlier version" not in owners_page.get(LISTS).content.decode()


def test_lists_of_earlier_months_go_in_one_press_if_no_open_section_uses_them(
    lists: Path, owners_page: Client
) -> None:
    for month in ("2025-11", "2025-12", "2026-01", "2026-02"):
        imported(text(*field(30)), period=month)
    SectionFactory(event__start="2026-01-05", event__end="2026-01-09")
    SectionFactory(event__start="2025-12-05", event__end="2025-12-09", status=Section.Status.CLOSED)
    assert "Delete 2 lists of earlier months" in owners_page.get(LISTS).content.decode()
    shown = owners_page.post(f"{LISTS}origin/", {"do": "past"}, follow=True).content.decode()
    assert "earlier month" not in shown
    assert sorted(RatingList.objects.values_list("period", flat=True)) == ["2026-01", "2026-02"]


def test_owner_of_an_event_changes_no_list_of_the_site(lists: Path, owner: User, owners_page: Client) -> None:
    """One list counts in the events of all others."""
    send(owners_page, "players_list_foa.txt", text(*field()), period="2026-11")
    listing = RatingList.objects.get()
    owners_page.post(f"{LISTS}origin/", {"do": "keep"})
    User.objects.filter(pk=owner.pk).update(keeps_lists=False)
    before = [*RatingList.objects.values(), *KnownOrigin.objects.values()]
    file = SimpleUploadedFile("players_list_foa.txt", text(*field()))
    key = KnownOrigin.objects.get().pk
    for path, sent in (
        ("file/", {"file": file}),
        ("part/", {"part": file, "start": "0"}),
        ("columns/", {"sent": "x"}),
        (f"{listing.pk}/", {"do": "use"}),
        (f"{listing.pk}/", {"do": "drop"}),
        ("origin/", {"do": "stop", "origin": key}),
        ("origin/", {"do": "past"}),
        ("origin/", {"do": "address", "origin": key, "address": "https://lists.example/"}),
    ):
        assert owners_page.post(LISTS + path, sent).status_code == 403, path
    refused = owners_page.get(LISTS)
    assert refused.status_code == 403
    assert "Site owners change them" in refused.content.decode()
    assert LISTS not in owners_page.get("/").content.decode()
    assert [*RatingList.objects.values(), *KnownOrigin.objects.values()] == before


def test_the_first_login_of_a_laptop_keeps_the_lists(lists: Path, db: None) -> None:
    make_demo()
    page = Client()
    page.force_login(User.objects.get(username="organiser"))
    assert page.get(LISTS).status_code == 200


def test_list_from_a_file_never_has_the_name_of_one_that_was_fetched() -> None:
    """The name is what entries keep, and what all pages, files and programs show."""
    fetched = RatingList(series="FIDE", period="2026-11", origin=RatingList.Origin.KNOWN)
    by_hand = RatingList(series="FIDE", period="2026-11")
    assert (fetched.label, by_hand.label) == ("FIDE 2026-11", "FIDE 2026-11 (file)")
    assert len(by_hand.label) <= Participant._meta.get_field("rating_list").max_length
