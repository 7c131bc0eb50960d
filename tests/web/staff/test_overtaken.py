"""Two people have the same form open: neither overwrites the changes of the other without a question."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.test import Client

from tests.answers import answers_in
from tests.web.staff.conftest import LogIn, address
from tournaments.models import Event, EventRole, ForbiddenPair, RoundStart, Section, User

Sent = dict[str, Any]


def opened(client: Client, path: str, form: int = 0) -> Sent:
    """Return what a browser would send from an unchanged form. The form is given by its number on the page.

    The settings of a section are text until somebody changes them.
    """
    text = client.get(path if "?" in path else f"{path}?change=all").content.decode()
    forms = [part for part in re.findall(r"<form.*?</form>", text, re.DOTALL) if 'name="seen"' in part]
    return fields(forms[form])


def fields(form: str) -> Sent:
    sent: Sent = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = (re.search(rf'{key}="([^"]*)"', tag) for key in ("name", "value"))
        is_choice = 'type="checkbox"' in tag or 'type="radio"' in tag
        if not name or "disabled" in tag or (is_choice and "checked" not in tag):
            continue
        text = html.unescape(value.group(1)) if value else "on" if "checkbox" in tag else ""
        sent[name.group(1)] = [*sent.get("contested", []), text] if name.group(1) == "contested" else text
    for name, body in re.findall(r'<select name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"[^>]*selected', body)
        sent[name] = chosen.group(1) if chosen else ""
    for name, body in re.findall(r'<textarea name="([^"]*)"[^>]*>\s*(.*?)</textarea>', form, re.DOTALL):
        sent[name] = html.unescape(body)
    return sent


def asked(answer: Any) -> Sent:
    """Return the form of a page with a question, as a browser would send it."""
    text = answer.content.decode()
    forms = re.findall(r"<form.*?</form>", text, re.DOTALL)
    return fields(next(form for form in forms if 'id="contested"' in form))


def clash(answer: Any) -> list[str]:
    """Return the table with both values, as text."""
    note = re.search(r'id="contested".*?</table>', answer.content.decode(), re.DOTALL)
    assert note is not None
    return [html.unescape(cell) for cell in re.findall(r"<t[dh][^>]*>([^<]+)", note.group(0))]


@pytest.fixture
def other(event: Event, log_in: LogIn) -> Client:
    """The browser of Bo, who is an organiser as well."""
    user = User.objects.create_user("bo", first_name="Bo")
    EventRole.objects.create(event=event, user=user, role=EventRole.Role.OWNER)
    return log_in(user)


def test_settings_changed_by_others_stay_if_the_form_did_not_change_them(
    owners_page: Client, other: Client, section: Section
) -> None:
    here = address(section, "settings/")
    mine, theirs = opened(owners_page, here), opened(other, here)
    assert other.post(here, {**theirs, "rounds": "5"}).status_code == 302
    assert owners_page.post(here, {**mine, "name": "Open"}).status_code == 302
    section.refresh_from_db()
    assert (section.name, section.rounds) == ("Open", 5)


@pytest.mark.parametrize(("take", "rounds"), [("theirs", 5), ("mine", 6)])
def test_setting_changed_by_two_is_a_choice_between_both_values(
    owners_page: Client, other: Client, section: Section, take: str, rounds: int
) -> None:
    here = address(section, "settings/")
    mine, theirs = opened(owners_page, here), opened(other, here)
    other.post(here, {**theirs, "rounds": "5", "win_points": "3", "draw_points": "1"})
    answer = owners_page.post(here, {**mine, "rounds": "6", "name": "Open"})
    section.refresh_from_db()
    assert (answer.status_code, section.rounds, section.name) == (409, 5, "Section A")
    assert clash(answer) == ["Their values, saved", "Your values", "Rounds", "5", "6"]
    assert "Bo changed the same fields at" in answer.content.decode()
    again = asked(answer)
    assert (again["name"], again["rounds"], again["win_points"]) == ("Open", "6", "3")
    assert owners_page.post(here, {**again, "take": take}).status_code == 302
    section.refresh_from_db()
    assert (section.rounds, section.name, section.win_points) == (rounds, "Open", 30)


def test_same_change_by_two_people_is_no_conflict(
    owners_page: Client, other: Client, section: Section
) -> None:
    here = address(section, "settings/")
    mine = opened(owners_page, here)
    other.post(here, {**mine, "rounds": "5"})
    assert owners_page.post(here, {**mine, "rounds": "5"}).status_code == 302


def test_dates_of_rounds_are_a_choice_by_round(owners_page: Client, other: Client, section: Section) -> None:
    here, post = address(section, "settings/"), address(section, "settings/rounds/")
    mine = opened(owners_page, f"{here}?change=rounds")
    other.post(post, {**mine, "day-2": "2026-11-15", "time-2": "14:00", "day-1": "2026-11-14"})
    answer = owners_page.post(post, {**mine, "day-2": "2026-11-15", "day-3": "2026-11-16"})
    assert answer.status_code == 409
    assert clash(answer)[2:] == ["Round 2", "15 Nov 2026, 14:00", "15 Nov 2026"]
    assert owners_page.post(post, {**asked(answer), "take": "theirs"}).status_code == 302
    section.refresh_from_db()
    starts = [section.start_of(number) for number in (1, 2, 3)]
    assert [str(start) for start in starts if isinstance(start, RoundStart)] == [
        "2026-11-14",
        "2026-11-15T14:00",
        "2026-11-16",
    ]


@pytest.mark.parametrize(("take", "club"), [("theirs", "Caissa"), ("mine", "SG")])
def test_entry_changed_by_two_is_a_choice(
    owners_page: Client, other: Client, section: Section, take: str, club: str
) -> None:
    entry = section.participants.get(tpn=8)
    here = address(section, f"entries/{entry.pk}/")
    mine = opened(owners_page, here)
    other.post(here, {**mine, "club": "Caissa", "federation": "NED"})
    answer = owners_page.post(here, {**mine, "club": "SG", "name": "Other, Name"})
    assert answer.status_code == 409
    assert clash(answer)[2:] == ["Club", "Caissa", "SG"]
    owners_page.post(here, {**asked(answer), "take": take})
    entry = section.participants.get(pk=entry.pk)
    assert (entry.club, entry.player.name, entry.player.federation) == (club, "Other, Name", "NED")


def test_event_changed_by_two_is_a_choice(owners_page: Client, other: Client, event: Event) -> None:
    here = f"/{event.slug}/-/edit/"
    mine = opened(owners_page, here)
    other.post(here, {**mine, "state": "draft", "city": "Delft"})
    answer = owners_page.post(here, {**mine, "city": "Den Haag", "deputy_arbiters": "Cy\r\nDi"})
    assert answer.status_code == 409
    assert clash(answer)[2:] == ["City", "Delft", "Den Haag"]
    owners_page.post(here, {**asked(answer), "take": "mine"})
    event.refresh_from_db()
    assert (event.city, event.deputy_arbiters, event.public) == ("Den Haag", "Cy\nDi", False)


def test_rounds_of_a_forbidden_pair_changed_by_two_are_a_choice(
    owners_page: Client, other: Client, section: Section
) -> None:
    first, second = section.participants.order_by("tpn")[:2]
    pair = ForbiddenPair.objects.create(
        section=section, first=first, second=second, first_round=1, reason="club"
    )
    here = address(section, f"forbidden-pairs/{pair.pk}/")
    mine = opened(owners_page, here)
    other.post(here, {**mine, "last_round": "3"})
    answer = owners_page.post(here, {**mine, "last_round": "4", "reason": "family"})
    assert answer.status_code == 409
    assert clash(answer)[2:] == ["To round", "3", "4"]
    owners_page.post(here, {**asked(answer), "take": "theirs"})
    pair.refresh_from_db()
    assert (pair.last_round, pair.reason) == (3, "family")


def test_message_on_the_screens_changed_by_two_is_a_choice(
    owners_page: Client, other: Client, section: Section
) -> None:
    here, post = address(section, "screens/"), address(section, "screens/message/")
    mine = opened(owners_page, here)
    other.post(post, {**mine, "message": "Phones off."})
    answer = owners_page.post(post, {**mine, "message": "Be seated."})
    section.refresh_from_db()
    assert (answer.status_code, section.hall_message) == (409, "Phones off.")
    assert clash(answer)[2:] == ["Message at the bottom", "Phones off.", "Be seated."]


def test_invalid_record_of_the_shown_values_is_no_server_error(owners_page: Client, section: Section) -> None:
    here = address(section, "settings/")
    for seen in ["", "{", "[]", "null", json.dumps({"rounds": [1], "x": {}}), "9" * 30_000]:
        answer = owners_page.post(here, {**opened(owners_page, here), "name": "Open", "seen": seen})
        assert answer.status_code in (302, 409), seen


def test_bye_beside_another_one_is_a_choice(owners_page: Client, other: Client, section: Section) -> None:
    entry, here = section.participants.get(tpn=5), address(section, "byes/")
    sent = {"participant": entry.pk, "rounds": "2-3"}
    other.post(here, {**sent, "rounds": "3", "kind": "Z"})
    answer = owners_page.post(here, {**sent, "kind": "H"})
    sentence = f"{entry.player.name} already has a bye in round 3: zero-point bye. You chose: half-point bye."
    assert (answer.status_code, sentence in html.unescape(answer.content.decode())) == (422, True)
    assert [(bye.round_number, bye.kind) for bye in entry.byes.all()] == [(3, "Z")]
    question = owners_page.post(here, {**sent, "kind": "H", "answer": answers_in(answer)})
    assert len(answers_in(question)) == 2  # a second half-point bye is asked about
    owners_page.post(here, {**sent, "kind": "H", "answer": answers_in(question)})
    assert [(bye.round_number, bye.kind) for bye in entry.byes.order_by("round_number")] == [
        (2, "H"),
        (3, "H"),
    ]


def test_bye_cancelled_twice_is_a_message_to_the_second(
    owners_page: Client, other: Client, section: Section
) -> None:
    entry, here = section.participants.get(tpn=5), address(section, "byes/")
    other.post(here, {"participant": entry.pk, "rounds": "3", "kind": "Z"})
    path = address(section, f"byes/{entry.byes.get().pk}/cancel/")
    other.post(path)
    answer = owners_page.post(path, follow=True)
    assert "Somebody has removed it already." in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("pair/", {"after_round": 0}),
        *[(f"round/1/{do}/", {"version": 0}) for do in ("publish", "unpair", "check")],
    ],
)
def test_old_page_of_a_round_says_who_did_what(
    owners_page: Client, other: Client, section: Section, path: str, sent: Sent
) -> None:
    other.post(address(section, "pair/"), {"after_round": 0})
    draft = section.played_rounds.get()
    other.post(address(section, "round/1/publish/"), {"version": draft.version})
    answer = owners_page.post(address(section, path), sent)
    assert answer.status_code == 409
    assert re.search(r"Nothing was done.*Bo at \d\d:\d\d: Round 1 published\.", answer.content.decode())


@pytest.mark.parametrize("path", ["", "withdraw/", "remove/"])
def test_removed_entry_is_a_message(owners_page: Client, other: Client, section: Section, path: str) -> None:
    entry = section.participants.get(tpn=8)
    here = address(section, f"entries/{entry.pk}/")
    mine = opened(owners_page, here)
    other.post(f"{here}remove/")
    answer = owners_page.post(here + path, {**mine, "club": "SG"})
    assert answer.status_code == 404
    assert "Not done" in answer.content.decode()
    assert answer.content.decode().count("This player is not in the section.") == 1


def test_choice_of_their_value_survives_an_error_in_another_field(
    owners_page: Client, other: Client, section: Section
) -> None:
    here = address(section, "settings/")
    mine = opened(owners_page, here)
    other.post(here, {**mine, "rounds": "5"})
    again = asked(owners_page.post(here, {**mine, "rounds": "6", "name": "Open"}))
    answer = owners_page.post(here, {**again, "win_points": "x", "take": "theirs"})
    assert answer.status_code == 422
    forms = re.findall(r"<form.*?</form>", answer.content.decode(), re.DOTALL)
    sent = fields(next(form for form in forms if 'name="seen"' in form))
    assert owners_page.post(here, {**sent, "win_points": "1"}).status_code == 302
    section.refresh_from_db()
    assert (section.rounds, section.name) == (5, "Open")
