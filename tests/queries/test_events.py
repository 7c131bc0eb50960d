from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.factories import ParticipantFactory
from tests.queries.sections import make_section
from tournaments.actions.entries import edit_participant
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.roster import entry_data
from tournaments.actions.undo import undo
from tournaments.models import Event, EventRole, Participant, Section, User
from tournaments.queries import events, people
from tournaments.queries.events import EventSearch, When, event_overview, first_events, found_events
from tournaments.queries.people import first_page_facts

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return User.objects.create_user("olga")


TODAY = date(2026, 6, 15)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "today_in", lambda _zone: TODAY)


def event(name: str, start: str, end: str = "", **more: Any) -> Event:
    return Event.objects.create(name=name, slug=name.lower(), start=start, end=end or start, **more)


def first(user: User | AnonymousUser) -> dict[str, list[str]]:
    return {each.when.value: [row.name for row in each.events] for each in first_events(user)}


def found(user: User | AnonymousUser, page: int = 1, **search: Any) -> list[str]:
    return [row.name for row in found_events(user, EventSearch(**search), page).events]


def test_everybody_sees_public_events_by_their_days() -> None:
    for name, start, end in (
        ("Old", "2025-01-01", ""),
        ("Older", "2024-01-01", "2024-12-31"),
        ("Today", "2026-06-15", ""),
        ("Week", "2026-06-10", "2026-06-16"),
        ("Next", "2026-06-16", ""),
        ("Later", "2027-01-01", ""),
    ):
        event(name, start, end)
    event("No", "2026-06-15", state="draft")
    expected = {"now": ["Today", "Week"], "soon": ["Next", "Later"], "past": ["Old", "Older"]}
    assert first(AnonymousUser()) == expected
    assert found(AnonymousUser()) == ["Later", "Next", "Today", "Week", "Old", "Older"]
    for when, names in expected.items():
        assert found(AnonymousUser(), when=When(when)) == names


def test_a_search_finds_name_place_federation_and_month() -> None:
    event("Sea Open", "2026-05-30", "2026-06-02", city="Vlissingen", federation="NED")
    event("Lake Open", "2026-06-30", city="Bled", federation="SLO")
    event("Sea Cup", "2026-07-01", city="Split", federation="CRO", state="draft")
    assert found(AnonymousUser(), words="OPEN sea") == ["Sea Open"]
    assert found(AnonymousUser(), words="bled") == found(AnonymousUser(), words="slo open") == ["Lake Open"]
    assert found(AnonymousUser(), federation="NED") == ["Sea Open"]
    assert found(AnonymousUser(), month=date(2026, 6, 1)) == ["Lake Open", "Sea Open"]
    assert found(AnonymousUser(), month=date(2026, 5, 1)) == ["Sea Open"]
    assert found(AnonymousUser(), month=date(2026, 7, 1)) == []
    assert found(AnonymousUser(), words="cup") == found(AnonymousUser(), words="%") == []
    assert (
        found(AnonymousUser(), federation="%")
        == found(AnonymousUser(), words="% sea", federation="SLO")
        == []
    )


@pytest.mark.parametrize("most", [0, 1, 1_000])
def test_a_search_finds_parts_of_words_in_rare_and_usual_ones(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MOST_ENDS", most)
    event("Stadtmeisterschaft", "2026-06-03", city="Köln", federation="GER")
    event("Open-78 Köln", "2026-06-02", city="Łódź", federation="POL")
    event("Open 1978", "2026-06-01", federation="GER")
    for typed, names in {
        "meister": ["Stadtmeisterschaft"],
        "koln": ["Stadtmeisterschaft", "Open-78 Köln"],
        "KÖLN pen 7": ["Open-78 Köln"],
        "lodz": ["Open-78 Köln"],
        "open-78": ["Open-78 Köln", "Open 1978"],
        "978": ["Open 1978"],
        "open nowhere": [],
        "x": [],
    }.items():
        assert found(AnonymousUser(), words=typed) == names, typed
    assert found(AnonymousUser(), words="k", federation="GER") == ["Stadtmeisterschaft"]
    assert found(AnonymousUser(), words="open", federation="GER") == ["Open 1978"]
    actor, koln = Actor.command(), Event.objects.get(city="Köln")
    edit_event(actor=actor, event=koln, city="Bonn")
    assert found(AnonymousUser(), words="koln") == ["Open-78 Köln"]
    assert found(AnonymousUser(), words="bonn meister") == ["Stadtmeisterschaft"]
    new = create_event(actor=actor, name=f"{'Ä' * 100}b", start=TODAY, end=TODAY)
    assert found(AnonymousUser(), words="a" * 60) == [new.name]


@pytest.mark.parametrize("when", [When.ANY, When.NOW, When.SOON, When.PAST])
def test_a_search_for_a_usual_word_reads_a_few_events_and_goes_on_where_it_stopped(
    when: When, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MOST_ENDS", 0)
    monkeypatch.setattr(events, "MOST_READ", 4)
    for number in range(9):
        for days in (number // 3 - 20, number // 3 + 20):
            day = TODAY + timedelta(days)
            event(f"A{number} {days}", f"{day}", city="Bled" if number % 3 else "Split")
        event(f"A{number}", f"{TODAY - timedelta(9)}", f"{TODAY + timedelta(number // 3)}", city="Bled")
    asked = EventSearch(words="bled", when=when)
    expected = {
        row.name for row in found_events(user, EventSearch(when=when), 1, 50).events if row.city == "Bled"
    }
    parts = [found_events(user, asked, 1)]
    while parts[-1].reached:
        parts.append(found_events(user, replace(asked, beyond=parts[-1].reached), 1))
    names = [row.name for part in parts for row in part.events]
    assert (len(parts) > 1, len(names), set(names)) == (True, len(expected), expected)
    assert found_events(user, EventSearch(when=when), 1).reached is None
    june = found_events(AnonymousUser(), EventSearch(month=TODAY), 1)
    assert (len(june.events), june.reached) == (9, date(2026, 6, 6))


def test_a_search_finds_players_whom_everybody_sees(user: User) -> None:
    def entered(of: str, name: str, *, state: str = "public", **more: Any) -> Participant:
        made = event(of, "2026-06-15", state=state)
        section = made.sections.create(name="A", slug="a", rounds=5)
        return ParticipantFactory(section=section, player__name=name, player__event=made, **more)

    private = entered("Club", "Kovács, Béla", state="draft")
    entered("Lake", "Kovács, Anna Mária", player__fide_id=700_001)
    entered("Sea", "Ковалёв, Пётр")
    entered("Hill", "Kovács, Anna", player__by_initials=True, player__fide_id=700_002)
    entered("Bay", "Kovács, Carl", status="expelled")
    entered("Fen", "Kovács, Dora")
    Section.objects.filter(event__name="Fen").update(taken_away=True)

    def by(player: str, who: User | AnonymousUser = AnonymousUser()) -> list[str]:  # noqa: B008
        return found(who, player=player)

    for typed in ("kovacs", "KOVÁCS, an", "Anna Mária Kovács", "700001"):
        assert by(typed) == ["Lake"], typed
    assert by("Kovalev") == by("Ковалёв Пётр") == by("Petr Kovalev") == ["Sea"]
    assert by("mária") == by("700002") == by("%") == by("-") == by("\U0010ffff") == []
    assert by("kova") == ["Sea", "Lake"]
    role = EventRole.objects.create(
        event=private.section.event, user=user, role="arbiter", section=private.section
    )
    assert by("kovacs", user) == ["Lake"]  # who works in one section does not learn who plays in others
    EventRole.objects.filter(pk=role.pk).update(section=None)
    assert by("kovacs", user) == ["Lake", "Club"]
    actor = Actor.command()
    anna = Participant.objects.get(player__fide_id=700_001)
    edit_participant(actor=actor, participant_id=anna.pk, entry=replace(entry_data(anna), name="Szabó, Anna"))
    assert (by("kovacs"), by("szabo")) == ([], ["Lake"])
    undo(actor=actor, section_id=anna.section_id, revision=1)
    assert (by("kovacs"), by("szabo")) == (["Lake"], [])
    erase_player(actor=actor, event=anna.section.event, player_id=anna.player_id, typed="Kovács, Anna Mária")
    assert by("kovacs") == by("700001") == by("erased") == by("erased player") == []


def test_many_events_come_in_parts(user: User) -> None:
    for number in range(120):
        made = event(f"E{number:03}", "2026-06-15")
        EventRole.objects.create(event=made, user=user, role="arbiter")
    lists = {each.when: each for each in first_events(AnonymousUser())}
    assert (len(lists[When.NOW].events), lists[When.NOW].more) == (12, True)
    parts = [found(AnonymousUser(), page) for page in range(1, 7)]
    assert [len(part) for part in parts] == [25, 25, 25, 25, 20, 0]
    assert sorted(name for part in parts for name in part) == [f"E{number:03}" for number in range(120)]
    own, now, *_none = first_events(user)
    assert (own.when, len(own.events), own.more, now.when) == (When.OWN, 10, True, When.NOW)
    assert not {row.name for row in own.events} & {row.name for row in now.events}
    assert len(found(user, 5, when=When.OWN)) == 20
    for newest in (119, 50, 5):  # enough of the person's among them, or too few
        with mock.patch.object(events, "NEWEST", newest):
            assert first_events(user, works_in_many=True) == first_events(user)
    for many, works_in_many in (120, False), (119, True):
        with mock.patch.object(people, "MANY", many):
            assert first_page_facts(user).works_in_many is works_in_many


def test_a_private_event_is_listed_for_its_arbiters(user: User) -> None:
    made = event("No", "2026-02-02", state="draft")
    assert (first(user), found(user)) == ({}, [])
    EventRole.objects.create(event=made, user=user, role="arbiter", until=TODAY - timedelta(days=1))
    assert (first(user), found(user)) == ({}, [])  # the role has ended
    EventRole.objects.update(until=TODAY)
    assert (first(user), found(user)) == ({"own": ["No"]}, ["No"])
    assert [row.roles for row in first_events(user)[0].events] == [("arbiter",)]


def test_an_event_with_many_people_is_listed_once(user: User) -> None:
    made = event("Yes", "2026-02-02")
    for name in ("a", "b"):
        EventRole.objects.create(event=made, user=User.objects.create_user(name), role="owner")
    assert (first(user), found(user)) == ({"past": ["Yes"]}, ["Yes"])
    assert first_events(user)[0].events[0].roles == ()


def test_a_superuser_sees_all_as_owner() -> None:
    made = event("No", "2026-02-02", state="draft")
    root = User.objects.create_superuser("root")
    assert (first(root), first_events(root)[0].events[0].roles) == ({"past": ["No"]}, ("owner",))
    EventRole.objects.create(event=made, user=root, role="clerk")
    assert (first(root), first_events(root)[0].events[0].roles) == ({"own": ["No"]}, ("owner",))


def test_own_events_say_how_many_boards_are_open(user: User) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna . Bert")
    EventRole.objects.create(event=section.row.event, user=user, role="arbiter")
    rows = [each.events[0].sections[0] for who in (user, AnonymousUser()) for each in first_events(who)]
    assert [row.open for row in rows] == [1, 0]


def test_a_section_shows_its_round_and_a_draft_only_to_staff(user: User) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800}, "Anna 1-0 Bert", "Bert . Anna", draft=True
    )
    Participant.objects.filter(player__name="Carl").update(status="expelled")
    about = section.row.event
    (row,) = event_overview(about, user).sections
    assert (row.name, row.slug, row.rounds, row.players, row.closed) == ("Open", "open", 5, 2, False)
    assert (row.round_number, row.round_state) == (1, "finished")
    EventRole.objects.create(event=about, user=user, role="arbiter")
    (row,) = event_overview(about, user).sections
    assert (row.round_number, row.round_state) == (2, "draft")


def test_each_line_is_a_deputy() -> None:
    made = Event.objects.create(
        name="E", slug="e", start="2026-02-02", end="2026-02-02", deputy_arbiters="FA Ilves\r\n\r\n NA Costa "
    )
    assert event_overview(made, AnonymousUser()).deputy_arbiters == ("FA Ilves", "NA Costa")
