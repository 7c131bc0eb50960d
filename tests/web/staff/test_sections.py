"""Events, their people, sections and their settings."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.answers import agreed, answers_in
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import Event, EventRole, Section, User

EVENT = {"name": "Zomertoernooi", "start": "2026-07-01", "end": "2026-07-09", "state": "public"}
FIELD = r"""<(?:input|select|textarea)[^>]* name="(\w+)\""""
SECTION = {
    "name": "Open",
    "rounds": "9",
    "win_points": "1",
    "draw_points": "½",
    "loss_points": "0",
    "bye_points": "1",
    "system": "dubov",
    "dubov_upfloats": "played",
    "upfloats": "played",
}
"""Of a new section, where options have the name of their system, and of the settings."""


def test_new_event_asks_five_things_and_folds_the_rest(owners_page: Client) -> None:
    html = owners_page.get("/new/").content.decode().partition("<main")[2]
    first, _fold, rest = html.partition("<details")
    asked = re.findall(r'<input[^>]* name="(?!csrf)(\w+)"', first)
    assert asked == ["name", "start", "end", "city", "federation"]
    assert 'name="time_zone"' in rest.partition("</details>")[0]


def test_person_who_makes_an_event_owns_it(owners_page: Client, owner: User) -> None:
    answer = owners_page.post("/new/", EVENT)
    made = Event.objects.get(name="Zomertoernooi")
    assert (answer.status_code, answer.url) == (302, f"/{made.slug}/-/new-section/")
    assert made.public
    assert list(made.roles.values_list("user", "role")) == [(owner.pk, EventRole.Role.OWNER)]


def test_new_event_with_wrong_values_has_errors_at_the_fields(owners_page: Client) -> None:
    for wrong, sentence in [
        ({"name": ""}, "This field is required."),
        ({"end": "2026-06-30"}, "The last day is before the first day."),
        ({"start": "soon"}, "Enter a valid date."),
        ({"federation": "12"}, "A federation is three capital letters"),
        ({"federation": "Atlantis"}, "A federation is three capital letters"),
        ({"federation": "HOL"}, "Federation “HOL” is not a FIDE code. Use NED (Netherlands)."),
        ({"federation": "zzz"}, "Federation “ZZZ” is not a FIDE code."),
        ({"deputy_arbiters": "x" * 2_001}, "at most 2000 characters"),
    ]:
        answer = owners_page.post("/new/", {**EVENT, **wrong})
        assert answer.status_code == 422, wrong
        assert re.search(rf'<span class="err"[^>]*>[^<]*{re.escape(sentence)}', answer.content.decode()), (
            wrong
        )


def test_a_federation_may_be_typed_by_its_name_and_a_zone_by_its_city(owners_page: Client) -> None:
    """Cut to three letters, Austria would be Australia."""
    page = owners_page.get("/new/").content.decode()
    assert re.search(r'name="federation"[^>]*maxlength="40"', page)
    for typed, code in (("Austria", "AUT"), ("österreich", "AUT"), ("aus", "AUS")):
        owners_page.post("/new/", {**EVENT, "name": typed, "federation": typed, "time_zone": "vienna"})
        made = Event.objects.get(name=typed)
        assert (made.federation, made.time_zone) == (code, "Europe/Vienna")


def test_empty_form_is_an_error_not_a_new_page(owners_page: Client) -> None:
    assert owners_page.post("/new/", {}).status_code == 422


@pytest.mark.parametrize("name", ["New", "Login", "Site", "API", "İstanbul", "世界", "-"])
def test_events_of_any_name_get_an_address_that_works(owners_page: Client, name: str) -> None:
    owners_page.post("/new/", {**EVENT, "name": name})
    made = Event.objects.get(name=name)
    answer = owners_page.get(f"/{made.slug}/")
    assert answer.status_code == 200
    assert f"<h1>{name}</h1>" in answer.content.decode()


def test_event_is_changed_and_keeps_its_address(owners_page: Client, event: Event) -> None:
    answer = owners_page.post(f"/{event.slug}/-/edit/", {**EVENT, "state": "draft"})
    event.refresh_from_db()
    assert (answer.status_code, answer.url) == (302, "/rijswijk/")
    assert (event.name, event.public) == ("Zomertoernooi", False)


def test_event_that_moves_away_from_its_rounds_says_so(owners_page: Client, event: Event) -> None:
    section_of(2, event=event, name="Open A", rounds=2, schedule=["2026-07-04", "2026-08-01"])
    html = owners_page.post(f"/{event.slug}/-/edit/", EVENT, follow=True).content.decode()
    assert "Open A: The rounds are from 4 Jul 2026 to 1 Aug 2026, but the event is" in html
    Section.objects.update(schedule=[EVENT["start"]])
    html = owners_page.post(f"/{event.slug}/-/edit/", EVENT, follow=True).content.decode()
    assert "The rounds are" not in html


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"how": "account", "username": "\t", "role": "arbiter"}, "This field is required."),
        ({"how": "account", "username": "olga", "role": "arbiter"}, "olga is the only owner."),
        ({"how": "account", "username": "ada", "role": "king"}, "Select a valid choice."),
    ],
)
def test_impossible_role_is_refused(
    owners_page: Client, event: Event, arbiter: User, sent: dict[str, str], sentence: str
) -> None:
    answer = owners_page.post(f"/{event.slug}/-/people/", sent)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_person_is_removed(owners_page: Client, event: Event, arbiter: User) -> None:
    answer = owners_page.post(f"/{event.slug}/-/people/remove/", {"username": arbiter.username})
    assert answer.status_code == 302
    assert not event.roles.filter(user=arbiter).exists()


@pytest.mark.parametrize(("username", "status"), [("olga", 422), ("nobody", 404), ("", 404)])
def test_last_organiser_cannot_be_removed(
    owners_page: Client, event: Event, username: str, status: int
) -> None:
    answer = owners_page.post(f"/{event.slug}/-/people/remove/", {"username": username})
    assert answer.status_code == status
    assert event.roles.filter(role=EventRole.Role.OWNER).exists()


def test_later_last_round_for_byes_is_refused_with_the_settings(page: Client, section: Section) -> None:
    refused = page.post(address(section, "settings/"), {**SECTION, "rounds": "5", "last_bye_round": "6"})
    assert (refused.status_code, "cannot be 6" in refused.content.decode()) == (422, True)
    assert page.post(address(section, "settings/"), {**SECTION, "rounds": "5", "last_bye_round": "5"}).url
    shorter = page.post(address(section, "settings/"), {**SECTION, "rounds": "4", "last_bye_round": "5"})
    assert shorter.status_code == 422


def test_settings_change_before_round_1(page: Client, section: Section) -> None:
    answer = page.post(address(section, "settings/"), {**SECTION, "rounds": "5", "draw_points": "0,5"})
    section.refresh_from_db()
    assert answer.status_code == 302
    assert (section.rounds, section.draw_points, section.name) == (5, 5, "Open")


def test_round_1_locks_settings_that_pairings_depend_on(page: Client, section: Section) -> None:
    before = set(re.findall(FIELD, page.get(address(section, "settings/?change=all")).content.decode()))
    paired(section)
    html = page.get(address(section, "settings/?change=all")).content.decode()
    points = {"win_points", "draw_points", "loss_points", "bye_points"}
    locked = points | {"rounds", "chess960", "upfloats", "acceleration", "edition", "system"}
    assert (locked <= before, locked & set(re.findall(FIELD, html))) == (True, set())
    assert "disabled" not in html.partition("<main")[2]
    assert html.count('class="lock"') == len(locked)
    groups = {
        key: rest.partition("</section>")[0]
        for key, rest in re.findall(r'id="(\w+)">(\s*<div>.*?</section>)', html, re.DOTALL)
    }
    assert {key for key, group in groups.items() if "cannot change once round 1 is paired" in group} == {
        "name",
        "pairing",
        "points",
    }
    assert [html.count(sentence) for sentence in ("cannot change once", "a change needs a reason")] == [3, 2]
    page.post(address(section, "settings/"), {**SECTION, "rounds": "5"})
    section.refresh_from_db()
    assert (section.rounds, section.name) == (7, "Open")


def test_settings_are_text_with_the_reason_where_something_is_fixed(page: Client, section: Section) -> None:
    paired(section)
    html = page.get(address(section, "settings/")).content.decode()
    assert re.findall(r'href="\?change=(\w+)', html) == [
        *("name", "byes", "results", "lists", "rules", "hall", "rounds", "all")
    ]
    group = html.partition('id="pairing"')[2].partition("</section>")[0]
    assert group.count('class="lock"') == group.count("<dt>") > 3
    assert re.findall("[^>]*cannot change[^<]*", group) == [
        "In FIDE mode, fixed settings cannot change once round 1 is paired (C.04.2, 1.3; C.04.1, 1; C.04.7)."
    ]
    opened = page.get(address(section, "settings/?change=byes")).content.decode()
    assert opened.count("a change needs a reason") == 1
    assert "Changed lately" not in html
    for number in range(6):
        page.post(address(section, "settings/"), {"group": "name", "name": f"Open {number}"})
    lately = page.get(address(section, "settings/")).content.decode().partition("Changed lately")[2]
    lately = lately.partition("</section>")[0]
    assert lately.count("<li>") == 5
    assert re.search(r"<del>Open 4</del> → Open 5.*?ada", lately, re.DOTALL)
    assert not re.findall(r'<(?:input|select)[^>]* name="(?!csrf|q)', html.partition("<main")[2])


def test_change_opens_one_group_which_changes_nothing_else(page: Client, section: Section) -> None:
    settings = address(section, "settings/")
    opened = page.get(f"{settings}?change=name").content.decode().partition("<main")[2]
    assert re.findall(r'<input[^>]* name="(?!csrf|seen|group)(\w+)', opened) == ["name", "chess960"]
    Section.objects.filter(pk=section.pk).update(lists_by_hand=True, half_bye_limit=3)
    assert page.post(settings, {"group": "name", "name": "Masters"}).status_code == 302
    section.refresh_from_db()
    assert (section.name, section.lists_by_hand, section.half_bye_limit) == ("Masters", True, 3)
    wrong = page.post(settings, {"group": "points", "win_points": "many"})
    assert (wrong.status_code, "Write points as 1, ½ or 0.5." in wrong.content.decode()) == (422, True)
    assert 'name="half_bye_limit"' not in wrong.content.decode()
    assert page.post(settings, {**SECTION, "group": "pairing", "rounds": "6"}).status_code == 302
    section.refresh_from_db()
    assert (section.rounds, section.options["upfloats"], section.name) == (6, "played", "Masters")


def test_organiser_hides_a_section_whose_settings_only_the_chief_arbiter_changes(
    client: Client, section: Section
) -> None:
    paired(section)
    client.force_login(EventRoleFactory(event=section.event, role="organiser").user)
    settings = client.get(address(section, "settings/")).text
    assert "<dt>Rounds</dt><dd>7" in settings
    assert 'name="rounds"' not in settings
    assert ">Hide the section<" in settings
    assert client.post(address(section, "take-away/")).status_code == 302
    assert ">Show the section again<" in client.get(address(section, "settings/")).text


def test_new_limit_of_byes_is_asked_twice_once_round_1_is_published(page: Client, section: Section) -> None:
    paired(section)
    settings = address(section, "settings/")
    sent = {**SECTION, "rounds": "7", "name": section.name, "half_bye_limit": "2"}
    first = page.post(settings, sent)
    assert first.status_code == 422
    assert "half-point byes per player" in first.content.decode()
    assert 'name="reason"' not in first.content.decode()
    other = page.post(settings, {**sent, "half_bye_limit": "5", "answer": answers_in(first)})
    assert 'name="reason"' not in other.content.decode(), "another limit is asked about from the start"
    second = page.post(settings, {**sent, "answer": answers_in(first)})
    assert 'name="reason"' in second.content.decode()
    sent |= {"answer": answers_in(second)}
    again = page.post(settings, {**sent, "reason": " "})
    assert (again.status_code, set(sent["answer"]) <= set(answers_in(again))) == (422, True)
    section.refresh_from_db()
    assert section.half_bye_limit is None
    assert page.post(settings, {**sent, "reason": "regulations"}).status_code == 302
    section.refresh_from_db()
    assert section.half_bye_limit == 2


def test_who_reads_the_explanations_can_change_after_round_1_and_back(page: Client, section: Section) -> None:
    paired(section)
    sent = {**SECTION, "name": section.name, "explained_to": "nobody"}
    assert page.post(address(section, "settings/"), sent).status_code == 302
    section.refresh_from_db()
    assert section.explained_to == "nobody"
    log = " ".join(
        unescape(re.sub("<[^>]*>", " ", page.get(address(section, "log/")).content.decode())).split()
    )
    assert "“Why this pairing?” is shown to players nobody" in log.replace(" → ", " ")
    row = section.log.latest("pk")
    page.post(address(section, f"log/{row.revision}/undo/"))
    section.refresh_from_db()
    assert section.explained_to == "players"
    page.post(address(section, "settings/"), {**SECTION, "name": section.name})  # a form without the field
    section.refresh_from_db()
    assert section.explained_to == "players"


def test_acceleration_and_edition_are_settings(page: Client, section: Section) -> None:
    chosen = {**SECTION, "name": section.name, "acceleration": "baku", "edition": "2018"}
    assert page.post(address(section, "settings/"), chosen).status_code == 302
    section.refresh_from_db()
    assert (section.acceleration, section.options["edition"]) == ("baku", "2018")
    html = page.get(address(section, "settings/")).content.decode()
    assert "2018, in force until 31 January 2026), Baku Acceleration" in html
    assert page.post(address(section, "settings/"), {**chosen, "win_points": "3"}).status_code == 422


def test_section_is_closed_after_its_last_round_and_opened_again(page: Client, event: Event) -> None:
    section = section_of(4, event=event, rounds=1)
    played(section)
    assert agreed(page, address(section, "close/")).status_code == 302
    section.refresh_from_db()
    assert section.is_closed
    cockpit = page.get(address(section, "cockpit/")).content.decode()
    assert "<h1>The section is closed</h1>" in " ".join(cockpit.split()).replace("> ", ">").replace(" <", "<")
    assert page.get(address(section, "report.trf?for=rating")).status_code == 200
    assert page.get(address(section, "round/1/results/")).status_code == 200
    settings = page.get(address(section, "settings/")).content.decode()
    assert "The section is closed, so its settings cannot change." in settings
    fields = re.findall(r'<(?:input|select|textarea)[^>]* name="(?!csrf|seen|reason|back|q")[^>]*>', settings)
    assert fields == []
    assert "<dt>Points for a win</dt><dd>1</dd>" in settings
    assert "The other settings can still change." not in settings
    assert page.post(address(section, "reopen/"), {"reason": "a slip was misread"}).status_code == 302
    section.refresh_from_db()
    assert not section.is_closed


def test_section_closes_early_only_with_a_reason(page: Client, section: Section) -> None:
    played(section)
    answer = agreed(page, address(section, "close/"))
    assert answer.status_code == 422
    assert "1 of 7 rounds are paired." in answer.content.decode()
    assert agreed(page, address(section, "close/"), {"reason": "the hall burnt down"}).status_code == 302


def test_page_shows_what_is_checked_before_a_section_is_closed(page: Client, section: Section) -> None:
    html = page.get(address(section, "close/")).text
    assert ("No round is paired yet." in html, "lacks nothing" in html) == (True, False)
    played(section)
    row = paired(section)
    enter(row.games.get(board=1), "1-0")
    html = page.get(address(section, "close/")).content.decode()
    assert "Round 2: no result for boards 2, 3 and 4." in html
    assert f'href="{address(section, "round/2/results/")}#board-2"' in html
    assert "players have no FIDE ID" in html
    assert "The section can be closed when nothing above is left to do." in html
    for game in row.games.filter(board__gt=1):
        enter(game, "1/2")
    html = page.get(address(section, "close/")).content.decode()
    assert "All 8 games have results." in html
    assert "5 rounds are left. If you close the section now, they are not paired." in html
    answer = page.post(address(section, "close/"), {"reason": "storm"})
    assert answer.status_code == 422
    assert "The section has 3 warnings now." in answer.content.decode()


def test_section_with_missing_results_does_not_close(page: Client, section: Section) -> None:
    row = paired(section)
    enter(row.games.get(board=1), "1-0")
    answer = page.post(address(section, "close/"), {"reason": "enough"})
    assert answer.status_code == 422
    assert "3 boards have no result" in answer.content.decode()


def test_closed_section_refuses_with_its_reason(page: Client, event: Event) -> None:
    section = section_of(4, event=event, rounds=1)
    played(section)
    agreed(page, address(section, "close/"))
    sent = {"name": "Late, Too", "rating": "2000", "rating_source": "typed", "first_round": "1"}
    answer = page.post(address(section, "entries/add/"), sent)
    assert answer.status_code == 422
    assert "The section is closed." in answer.content.decode()


def test_home_lists_own_events_before_public_events(
    owners_page: Client, event: Event, client: Client, page: Client
) -> None:
    other = EventRoleFactory().event
    html = owners_page.get("/").content.decode()
    assert html.index("Your events") < html.index(event.name) < html.index(other.name)
    assert "New event" in html
    assert "New event" not in page.get("/").content.decode()
    assert "New event" not in client.get("/").content.decode()


def test_address_of_a_section_leads_to_the_page_for_the_next_work(
    page: Client, client: Client, section: Section
) -> None:
    assert page.get(address(section)).url == address(section, "cockpit/")
    assert client.get(address(section)).url == address(section, "players/")
    paired(section, published=False)
    assert client.get(address(section)).url == address(section, "players/")


def test_address_of_a_section_leads_the_public_to_the_pairings(client: Client, section: Section) -> None:
    paired(section)
    assert client.get(address(section)).url == address(section, "pairings/")


def test_draft_counts_as_not_played(page: Client, event: Event) -> None:
    section = section_of(4, event=event, rounds=3)
    played(section)
    paired(section, published=False)
    html = page.get(address(section, "close/")).content.decode()
    assert "2 rounds are left. If you close the section now" in html


def test_new_section_can_come_from_a_report_file(owners_page: Client, event: Event) -> None:
    html = owners_page.get(f"/{event.slug}/-/new-section/").content.decode()
    assert f'href="/{event.slug}/-/report/"' in html
