"""An import survives a stop, shows its progress, asks when something is odd, and is visible in one moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from threading import Event

import pytest
from django.db import connections, transaction

from ratings import storage
from ratings.actions import importing, offering
from ratings.actions.importing import (
    import_list,
    import_waiting,
    outdated_lists,
    renew_outdated,
    waiting_lists,
)
from ratings.actions.offering import (
    add_part,
    drop_list,
    forget_waiting_files,
    new_file,
    new_file_of,
    path_of,
    use_list,
)
from ratings.errors import ListRefused, NotNow
from ratings.models import RatingList
from ratings.names import searchable
from ratings.search import find_players, in_force, ready_lists
from ratings.storage.layout import Done
from tests.waiting import LONG

from .made import combined_line, field, imported, offered, text, zipped

State = RatingList.State


class Stopped(Exception):
    """The program was killed."""


def test_import_from_a_zip(lists: Path) -> None:
    made = imported(zipped("players_list_foa.txt", text(*field())))
    assert (made.state, made.rows, made.bad, made.kind, made.label) == (
        "ready",
        300,
        0,
        "combined",
        "FIDE 2026-11 (file)",
    )
    assert made.bytes > 10_000
    assert made.by_index
    assert not (offering.incoming() / made.file).exists()


def test_stopped_import_goes_on_where_it_was(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "BATCH", 100)
    listing = offered(text(*field(), combined_line("bad", "Line, One", 1)))

    def stop(now: RatingList) -> None:
        if now.rows == 200:
            raise Stopped

    with pytest.raises(Stopped):
        import_list(listing.pk, stop)
    listing.refresh_from_db()
    assert (listing.state, ready_lists()) == ("loading", [])
    building = storage.building(listing.table)
    assert (building.done().lines, building.done().rows) == (201, 200)
    building.close()
    seen: list[int] = []
    assert waiting_lists() == [listing]
    made = import_list(listing.pk, lambda now: seen.append(now.rows))
    assert made is not None
    assert seen[0] == 300, "the first 200 players are not read again"
    assert (made.state, made.rows, made.bad, made.warnings) == (
        "asking", 300, 1, [{"line": 302, "code": "id_unreadable", "text": made.warnings[0]["text"]}],
    )  # fmt: skip


def test_stop_while_the_list_is_built_repeats_only_that(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = offered(text(*field()))

    def stop(now: RatingList) -> None:
        if now.step == "indexing":
            raise Stopped

    with pytest.raises(Stopped):
        import_list(listing.pk, stop)
    monkeypatch.setattr(Done, "note", None)
    made = import_list(listing.pk)
    assert made is not None
    assert (made.state, made.rows) == ("ready", 300)


def test_another_file_is_read_from_its_beginning(lists: Path) -> None:
    listing = offered(text(*field()))
    building = storage.building(listing.table)
    building.begin(Done(sha256="another", lines=200, rows=200))
    building.close()
    made = import_list(listing.pk)
    assert made is not None
    assert made.rows == 300


def test_import_that_never_ends_is_given_up(lists: Path) -> None:
    listing = offered(text(*field()))
    RatingList.objects.update(tries=importing.MOST_TRIES)
    made = import_list(listing.pk)
    assert made is not None
    assert (made.state, made.problem["code"]) == ("refused", "unexpected")


def test_process_that_was_left_over_leaves_the_list_to_the_one_that_took_it_up(lists: Path) -> None:
    """A server that is killed does not end the import that it began. Both would build one list, and lose it."""
    former, listing = imported(text(*field())), offered(text(*field(299)))
    taken_up = []

    def start_again(now: RatingList) -> None:
        if now.step == "ordering" and not taken_up:
            taken_up.append(import_list(listing.pk))

    assert import_list(listing.pk, start_again) is None
    assert [(one.state, one.rows) for one in taken_up] == [("ready", 299)]
    assert [one.pk for one in ready_lists()] == [listing.pk] != [former.pk]
    assert len(storage.kept(listing).known(9)) == 9
    assert storage.tables() == {listing.table, former.table}


def test_database_without_the_files_of_its_lists_has_none_and_takes_new_ones(lists: Path) -> None:
    former = imported(text(*field()))
    storage.delete(former.table)
    if storage.is_here(former):
        return  # in PostgreSQL the players are in the database itself
    assert ready_lists() == []
    assert imported(text(*field(299))).state == "ready"


def test_a_full_disk_is_what_the_list_says(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_listing: RatingList) -> None:
        raise storage.errors()[0]("disk full")

    monkeypatch.setattr(storage, "building", full)
    made = imported(text(*field()))
    assert (made.state, made.problem["code"]) == ("refused", "disk")


def test_list_of_the_same_month_replaces_the_former_in_one_moment(lists: Path) -> None:
    former = imported(text(*field()))
    states: list[list[int]] = []

    def look(_now: RatingList) -> None:
        states.append([one.pk for one in ready_lists()])

    again = offered(text(*field(299)))
    import_list(again.pk, look)
    assert states[-1] == [former.pk], "until the end, searches use the former list"
    assert [one.pk for one in ready_lists()] == [again.pk]


def test_list_that_was_replaced_is_kept_until_the_next_one_and_can_be_used_again(lists: Path) -> None:
    """Somebody imports a wrong file for the month, and agrees to it."""
    right = imported(text(*field()))
    wrong = imported(text(*field(200)))
    begun = storage.kept(right)
    use_list(wrong.pk)
    assert len(begun.known(9)) == 9, "a search that has begun goes on"
    assert [one.pk for one in ready_lists()] == [wrong.pk]
    use_list(right.pk)
    assert [one.pk for one in ready_lists()] == [right.pk]
    assert storage.tables() == {right.table, wrong.table}
    with pytest.raises(NotNow):
        use_list(right.pk)
    newer = imported(text(*field(299)), period="2026-12")
    assert storage.tables() == {right.table, newer.table}
    with pytest.raises(NotNow):
        use_list(wrong.pk)


def test_list_that_is_used_again_while_another_one_comes_into_force_keeps_its_players(lists: Path) -> None:
    """Somebody takes the first list back. At this moment another process puts the third one in force."""
    first, second = imported(text(*field())), imported(text(*field(200)))
    use_list(second.pk)
    third = imported(text(*field(301)[1:]))
    assert third.state == "asking"

    asks = Event()

    def other_process() -> None:
        asks.set()
        try:
            use_list(third.pk)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            use_list(first.pk)
            other = pool.submit(other_process)
            assert asks.wait(LONG)
        other.result()
    assert [one.pk for one in ready_lists()] == [third.pk]
    assert set(RatingList.objects.values_list("pk", "state")) == {
        (first.pk, State.REPLACED),
        (third.pk, State.READY),
    }
    assert storage.tables() == {first.table, third.table}


def test_import_that_fails_leaves_the_former_list_of_the_month_in_force(
    lists: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = imported(text(*field()))
    again = offered(text(*field(299)))

    def full(*_given: object) -> None:
        raise storage.errors()[0]("disk full")

    monkeypatch.setattr(importing, "_doubts", full)
    made = import_list(again.pk)
    assert made is not None
    assert (made.state, [one.pk for one in ready_lists()]) == ("refused", [former.pk])
    assert [one.fide_id for one in find_players(former, "player0007").players] == [1007]
    assert storage.tables() == {former.table}


def test_lists_of_other_months_stay(lists: Path) -> None:
    older = imported(text(*field()), period="2026-10")
    newer = imported(text(*field()), period="2026-11")
    kept = ready_lists()
    assert in_force(kept, "FIDE", "rapid") == newer
    assert in_force(kept, "FIDE", "rapid", "2026-10") == older
    assert in_force(kept, "FIDE", "rapid", "2027-03") == newer
    assert in_force(kept, "FIDE", "rapid", "2026-01") is None, "a list of a later month never counts"
    assert in_force(kept, "FIDE", "national") is None
    assert in_force(kept, "DWZ", "rapid") is None


@pytest.mark.parametrize(
    ("day", "origin", "rating", "period"),
    [
        (date(2026, 10, 30), "A", 2801, "2026-11"),
        (date(2026, 10, 30), "A", 2800, "2026-10"),
        (date(2026, 10, 28), "A", 2801, "2026-10"),
        (date(2026, 10, 30), "B", 2801, "2026-10"),
    ],
    ids=["new ratings", "made again", "not at the end", "from a file"],
)
def test_list_that_appears_before_its_month_does_not_replace_that_of_the_month(
    lists: Path, monkeypatch: pytest.MonkeyPatch, day: date, origin: str, rating: int, period: str
) -> None:
    """A tournament that began in October is compared with the list of October (VCL4THP.13 Q137)."""
    imported(text(*field()), period="2026-10")
    monkeypatch.setattr(importing.timezone, "localdate", lambda: day)
    first = combined_line(1000, "Player0000, Test", rating)
    for more in (301, 302):  # the second one was made again, with another new player
        made = imported(text(first, *field(more)[1:]), period="2026-10", origin=origin)
        assert (made.state, made.period) == ("ready", period)
    assert [one.period for one in ready_lists()] == sorted({"2026-10", period}, reverse=True)


@pytest.mark.parametrize(
    ("lines", "doubt"),
    [
        (field(200), {"code": "rows_changed", "before": 300, "now": 200}),
        (field(301)[1:], {"code": "known_missing", "missing": 1, "known": 20}),
        ([*field(), "nonsense"], {"code": "bad_lines", "bad": 1, "lines": 301}),
    ],
    ids=["fewer", "missing", "bad"],
)
def test_doubtful_list_waits_for_an_answer(lists: Path, lines: list[str], doubt: dict[str, object]) -> None:
    former = imported(text(*field()))
    made = imported(text(*lines))
    assert (made.state, made.doubts) == ("asking", [doubt])
    assert ready_lists() == [former]
    use_list(made.pk)
    assert [one.pk for one in ready_lists()] == [made.pk]
    with pytest.raises(NotNow):
        use_list(made.pk)


@pytest.mark.parametrize("packed", [False, True])
def test_first_list_that_was_cut_off_asks_although_there_is_no_earlier_one(lists: Path, packed: bool) -> None:
    """Half a number is a number: the last player would have a rating of 25."""
    whole = text(*field()).rstrip()
    for data, doubts in (
        (whole, []),
        (whole[:-60], [{"code": "cut"}]),
        (whole[: len(whole) // 2], [{"code": "cut"}]),
    ):
        made = imported(zipped("players_list_foa.txt", data) if packed else data)
        assert made.doubts == doubts
        drop_list(made.pk)


def test_repeated_ids_are_left_out_and_counted(lists: Path) -> None:
    made = imported(text(*field(20), combined_line(1003, "Twice, Same", 2900)))
    assert (made.rows, made.repeated) == (20, 1)
    assert [one.name for one in find_players(made, "1003").players] == ["Player0003, Test"]


def test_list_without_players_is_refused(lists: Path) -> None:
    made = imported(text())
    assert (made.state, made.problem) == ("refused", {"code": "nobody", "params": {}})
    assert storage.tables() == set()


def test_file_that_is_no_list_is_not_taken(lists: Path) -> None:
    with pytest.raises(ListRefused):
        offered(b"hello")
    assert RatingList.objects.count() == 0


def test_removed_list_leaves_nothing(lists: Path) -> None:
    made = imported(text(*field()))
    drop_list(made.pk)
    assert (RatingList.objects.count(), storage.tables()) == (0, set())
    with pytest.raises(NotNow):
        drop_list(made.pk)


def test_list_removed_during_its_import_leaves_nothing(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "SHOWN_EVERY", 0)
    monkeypatch.setattr(importing, "BATCH", 100)
    listing = offered(text(*field()))

    def remove(now: RatingList) -> None:
        RatingList.objects.filter(pk=now.pk).delete()

    assert import_list(listing.pk, remove) is None
    assert storage.tables() == set()


def test_list_of_an_earlier_version_is_searched_by_year_after_its_search_was_built_again(
    lists: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The year of birth was not in what is stored for the search."""
    with monkeypatch.context() as earlier:
        earlier.setattr(importing, "searched", lambda name, _year: searchable(name))
        made = imported(text(combined_line(1, "Carlsen, Magnus", 2839, year=1990), *field()))
    assert outdated_lists() == []
    RatingList.objects.update(index=0)
    assert outdated_lists() == [made]
    assert [player.fide_id for player in find_players(made, "carl 1990").players] == []
    assert renew_outdated() == 1
    (now,) = ready_lists()
    assert [player.fide_id for player in find_players(now, "carl 1990").players] == [1]
    assert [player.fide_id for player in find_players(now, "player").players] == [1000 + n for n in range(20)]
    assert (now.rows, now.label, storage.tables(), outdated_lists()) == (301, made.label, {now.table}, [])


def test_search_that_cannot_be_built_again_stays_and_is_given_up(
    lists: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = imported(text(*field()))
    RatingList.objects.update(index=0)

    def full(_place: int, _player: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(importing, "_row", full)
    for _again in range(importing.MOST_TRIES):
        assert renew_outdated() == 0
    assert outdated_lists() == []
    assert find_players(made, "player").more
    assert storage.tables() == {made.table}


def test_sweep_deletes_what_belongs_to_no_list(lists: Path) -> None:
    kept, gone = imported(text(*field())), imported(text(*field()), period="2026-10")
    RatingList.objects.filter(pk=gone.pk).delete()
    forget_waiting_files()
    assert storage.tables() == {kept.table}


def test_all_waiting_lists_are_imported_oldest_first(lists: Path) -> None:
    for month in ("2026-08", "2026-09"):
        offered(text(*field()), period=month)
    assert import_waiting() == 2
    assert [one.period for one in ready_lists()] == ["2026-09", "2026-08"]


def test_files_that_are_sent_fill_no_disk_and_a_list_takes_no_more_parts(
    lists: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offering, "MOST_WAITING", 8)
    token = new_file()
    assert (add_part(token, 0, b"abcd"), add_part(token, 0, b"abcd")) == (4, 4)
    other = new_file()
    assert add_part(other, 0, b"1234") == 4
    with pytest.raises(ListRefused, match="disk"):
        add_part(other, 4, b"5")
    with pytest.raises(ListRefused, match="disk"):
        new_file_of([b"5"])
    assert {path.name for path in offering.incoming().iterdir()} == {token, other}
    monkeypatch.undo()
    listing = offered(text(*field()))
    with pytest.raises(ListRefused, match="file_missing"):
        add_part(listing.file, 0, b"x")


def test_file_arrives_in_parts_and_a_part_may_come_twice(lists: Path) -> None:
    token = new_file()
    assert add_part(token, 0, b"abc") == 3
    assert add_part(token, 3, b"def") == 6
    assert add_part(token, 3, b"def") == 6
    assert add_part(token, 10, b"x") == 6, "a part is missing: the sender goes on from there"
    assert path_of(token).read_bytes() == b"abcdef"
    for wrong in ("../secret", "0" * 32):
        with pytest.raises(ListRefused, match="file_missing"):
            add_part(wrong, 0, b"x")
