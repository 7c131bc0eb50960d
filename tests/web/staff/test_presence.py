"""The pages of check-in and absences."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from tests.answers import agreed, answers_in
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import address, paired
from tests.web.staff.test_cockpit import black_button
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import check_in, open_check_in
from tournaments.models import Bye, CheckIn, Participant, Section, User
from tournaments.queries.presence import presence_list

HTMX = {"HX-Request": "true"}
JSON = {"Accept": "application/json"}


@pytest.fixture
def asked(section: Section) -> Section:
    """A section with an open check-in for round 1; number 1 is checked in."""
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    check_in(actor=Actor.command(), participant_id=section.participants.get(tpn=1).pk, round_number=1)
    section.refresh_from_db()
    return section


def key(section: Section, tpn: int) -> int:
    return section.participants.get(tpn=tpn).pk


def shown(page: Client, section: Section, rest: str) -> str:
    answer = page.get(address(section, rest))
    assert answer.status_code == 200
    return answer.content.decode()


def test_check_in_is_opened_from_the_cockpit(page: Client, section: Section) -> None:
    assert "Open check-in" in shown(page, section, "cockpit/")
    answer = page.post(address(section, "check-in/open/"), {"after_round": 0})
    assert (answer.status_code, answer.url) == (302, address(section, "check-in/"))
    html = shown(page, section, "check-in/")
    assert "8 not here yet" in html
    assert html.count('aria-pressed="false" data-name') == 8
    assert page.post(address(section, "check-in/open/"), {"after_round": 4}).status_code == 409


def test_player_is_marked_by_a_form_and_by_a_script(page: Client, asked: Section) -> None:
    two, three = key(asked, 2), key(asked, 3)
    answer = page.post(address(asked, f"check-in/{two}/"), {"round": 1, "here": "yes"})
    assert (answer.status_code, answer.url) == (302, address(asked, f"check-in/#p-{two}"))
    answer = page.post(address(asked, f"check-in/{three}/"), {"round": 1, "here": "yes"}, headers=JSON)
    assert (answer.status_code, answer.json()) == (200, {"here": True})
    answer = page.post(address(asked, f"check-in/{two}/"), {"round": 1, "here": "no"}, headers=JSON)
    assert answer.json() == {"here": False}
    assert set(CheckIn.objects.values_list("participant", flat=True)) == {key(asked, 1), three}


def test_mark_that_waited_for_another_login_is_not_written_under_its_name(
    page: Client, asked: Section, arbiter: User
) -> None:
    state = page.get(address(asked, "check-in/"), headers=JSON).json()
    assert (state["user"], len(state["token"]) > 20) == (arbiter.pk, True)
    path, sent = address(asked, f"check-in/{key(asked, 2)}/"), {"round": 1, "here": "yes"}
    answer = page.post(path, {**sent, "user": arbiter.pk + 1}, headers=JSON)
    assert (answer.status_code, answer.json()) == (403, {"code": "other_user"})
    assert not CheckIn.objects.filter(participant=key(asked, 2)).exists()
    assert page.post(path, {**sent, "user": arbiter.pk}, headers=JSON).status_code == 200
    page.logout()
    assert page.get(address(asked, "check-in/"), headers=JSON).status_code == 302
    assert page.post(path, sent, headers=JSON).status_code == 403


def test_mark_for_a_round_that_is_not_asked_about_is_refused(page: Client, asked: Section) -> None:
    path = address(asked, f"check-in/{key(asked, 2)}/")
    for sent in ({"round": 2}, {"round": "x"}, {}):
        answer = page.post(path, sent, headers=JSON)
        assert answer.status_code == 422
        assert "is not open" in answer.json()["sentence"]
        assert page.post(path, sent).status_code == 422
    assert page.post(address(asked, "check-in/0/"), {"round": 1}).status_code == 404


def test_polling_of_the_list_gets_nothing_while_nothing_changed(page: Client, asked: Section) -> None:
    for rest in ("check-in/", "absences/"):
        quiet = page.get(address(asked, f"{rest}?seen={asked.revision}"), headers=HTMX)
        assert (quiet.status_code, quiet.content) == (204, b"")
        news = page.get(address(asked, f"{rest}?seen={asked.revision - 1}"), headers=HTMX)
        assert news.content.decode().lstrip().startswith('<div id="live"')


def test_one_choice_for_one_player(page: Client, asked: Section) -> None:
    for tpn, choice in ((2, "H"), (3, "Z"), (4, "W")):
        sent = {"round": 1, "player": key(asked, tpn), "choice": choice}
        answer = page.post(address(asked, "absences/"), sent)
        assert (answer.status_code, answer.url) == (302, address(asked, "absences/"))
    assert list(Bye.objects.order_by("kind").values_list("participant__tpn", "kind")) == [(2, "H"), (3, "Z")]
    assert asked.participants.get(tpn=4).status == "withdrawn"


def test_choice_on_the_cockpit_leads_back_to_it_and_says_what_was_done(page: Client, asked: Section) -> None:
    assert '<input type="hidden" name="next" value="cockpit">' in shown(page, asked, "cockpit/")
    sent = {"round": 1, "player": key(asked, 2), "choice": "Z", "next": "cockpit"}
    answer = page.post(address(asked, "absences/"), sent, follow=True)
    assert answer.request["PATH_INFO"] == address(asked, "cockpit/")
    name = asked.participants.get(tpn=2).player.name
    html = unescape(answer.content.decode())
    assert f"Zero-point bye: 2 {name}." in html
    assert f"Round 1, absences decided. Zero-point bye: 2 {name}" in html  # the last changes


def test_all_who_are_not_marked_are_here_by_one_press(page: Client, asked: Section) -> None:
    assert "All others are here" in shown(page, asked, "check-in/")
    answer = page.post(address(asked, "check-in/all/"), {"round": 1}, follow=True)
    assert "All 8 are here" in answer.content.decode()
    assert page.post(address(asked, "check-in/all/"), {"round": 2}).status_code == 422


def test_choice_for_all_is_looked_at_before_it_is_made(page: Client, asked: Section) -> None:
    Participant.objects.filter(pk=key(asked, 8)).update(half_bye_allowed=False)
    html = shown(page, asked, "absences/?all=H")
    assert "Give 6 players a half-point bye in round 1?" in html
    assert "These players may not have half-point byes, and get none here" in html
    assert "Nothing is done yet. 2 players would remain to be paired in round 1." in html
    assert Bye.objects.count() == 0
    players = [key(asked, tpn) for tpn in range(2, 8)]
    page.post(address(asked, "absences/"), {"round": 1, "player": players, "choice": "H"})
    assert Bye.objects.count() == 6


def only_key(html: str, text: str) -> list[str]:
    """Return the keys of the controls with a text."""
    controls = re.findall(r"<(?:a|button) [^>]*>[^<]*", html)
    return [key for each in controls if text in each for key in re.findall(r'data-key="(\w+)"', each)]


def test_choice_for_all_that_leaves_nobody_to_pair_is_not_offered(page: Client, section: Section) -> None:
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    for choice, button in (("Z", "Give 8 zero-point byes"), ("W", "Withdraw 8 players")):
        html = shown(page, section, f"absences/?all={choice}")
        assert "Round 1 needs at least two players without a bye." in html
        assert f">{button}<" not in re.sub(r"\s*\n\s*", "", html)


def test_enter_chooses_for_all_absentees_only_if_most_players_are_here(page: Client, asked: Section) -> None:
    for tpn in (2, 3, 4):
        check_in(actor=Actor.command(), participant_id=key(asked, tpn), round_number=1)
    assert only_key(shown(page, asked, "absences/?all=Z"), "Give 4 zero-point byes") == []
    assert only_key(shown(page, asked, "check-in/"), "Decide about 4 absences") == []
    check_in(actor=Actor.command(), participant_id=key(asked, 5), round_number=1)
    assert only_key(shown(page, asked, "absences/?all=Z"), "Give 3 zero-point byes") == ["Enter"]
    assert only_key(shown(page, asked, "absences/?all=W"), "Withdraw 3 players") == []
    assert only_key(shown(page, asked, "check-in/"), "Decide about 3 absences") == ["Enter"]


def test_many_absences_are_counted_in_the_log_as_in_the_message(page: Client, section: Section) -> None:
    """The names of many players are longer than the subject of a row of the log."""
    for entry in section.participants.select_related("player"):
        entry.player.name = f"{entry.player.name}, {'Maximiliana ' * 3}".strip()
        entry.player.save()
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    players = [key(section, tpn) for tpn in range(1, 9)]
    page.post(address(section, "absences/"), {"round": 1, "player": players, "choice": "Z"})
    html = unescape(shown(page, section, "log/"))
    (names, more) = re.findall(r"Round 1, absences decided\. Zero-point bye: ([^<]*?) and (\d+) more", html)[
        0
    ]
    assert names.count(";") + 1 + int(more) == 8
    assert all(name.endswith("Maximiliana") for name in names.split("; "))


def test_bye_beyond_the_limits_is_asked_about(page: Client, asked: Section) -> None:
    Bye.objects.create(participant_id=key(asked, 2), round_number=5, kind="H")
    sent = {"round": 1, "player": key(asked, 2), "choice": "H"}
    answer = page.post(address(asked, "absences/"), sent)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert black_button(html) == "Give 1 half-point bye"
    assert "Nothing is done yet." in html
    yes = answers_in(answer)
    more = page.post(
        address(asked, "absences/"), {**sent, "player": [key(asked, 2), key(asked, 3)], "answer": yes}
    )
    assert (more.status_code, Bye.objects.filter(round_number=1).count()) == (422, 0), (
        "asked about one player"
    )
    assert page.post(address(asked, "absences/"), {**sent, "answer": yes}).status_code == 302
    assert Bye.objects.filter(round_number=1, kind="H").count() == 1


def test_impossible_choice_changes_nothing(page: Client, asked: Section) -> None:
    for sent in [
        {"round": "1", "player": "2", "choice": "F"},
        {"round": "7", "player": "2", "choice": "Z"},
        {"round": "", "player": "x", "choice": "Z"},
        {"round": "1", "player": "9" * 400, "choice": "Z"},
        {},
    ]:
        if sent.get("player") == "2":
            sent = {**sent, "player": str(key(asked, 2))}
        answer = page.post(address(asked, "absences/"), sent)
        assert answer.status_code in (302, 409, 422), sent
        assert Bye.objects.count() == 0, sent


def test_cockpit_lists_who_is_not_here_and_what_blocks_the_pairing(page: Client, asked: Section) -> None:
    html = shown(page, asked, "cockpit/")
    assert black_button(html) == "Check-in"
    assert "Decide about 7 absences" in html
    assert html.count("Not here</span>") == 7
    answer = page.post(address(asked, "pair/"), {"after_round": 0})
    assert answer.status_code == 422
    assert "7 players are not checked in" in answer.content.decode()


def test_closing_check_in_pairs_players_who_were_not_seen(page: Client, asked: Section) -> None:
    assert "would be paired" not in page.get(address(asked, "cockpit/")).content.decode()
    assert agreed(page, address(asked, "check-in/close/")).url == address(asked, "cockpit/")
    cockpit = page.get(address(asked, "cockpit/")).content.decode()
    assert "7 players are not checked in and would be paired in round 1: " in cockpit
    assert page.post(address(asked, "pair/"), {"after_round": 0}).status_code == 302
    assert asked.played_rounds.get().games.count() == 4


def test_close_check_in_counts_for_the_absent_players_that_the_page_named(
    page: Client, asked: Section
) -> None:
    yes = answers_in(page.get(address(asked, "check-in/")))
    page.post(address(asked, f"check-in/{key(asked, 2)}/"), {"round": 1}, headers=JSON)
    again = page.post(address(asked, "check-in/close/"), {"answer": yes})
    asked.refresh_from_db()
    assert (again.status_code, asked.check_in_round) == (422, 1)
    assert "See who is absent" in again.content.decode()
    assert page.post(address(asked, "check-in/close/"), {"answer": answers_in(again)}).status_code == 302
    asked.refresh_from_db()
    assert asked.check_in_round is None


def test_check_in_of_a_section_that_is_paired_to_the_end(page: Client, section: Section) -> None:
    Section.objects.filter(pk=section.pk).update(rounds=1)
    section.refresh_from_db()
    paired(section)
    assert "No round is left to be paired." in shown(page, section, "check-in/")
    assert page.post(address(section, "check-in/open/"), {"after_round": 1}).status_code == 422


@pytest.mark.parametrize("ago", ["60000", "99999999999999999999"])
def test_mark_that_was_made_before_a_later_one_is_refused_with_a_sentence(
    page: Client, asked: Section, ago: str
) -> None:
    """A phone without a connection sends the age of a mark. A clock that jumped makes it old, and never new."""
    sent = {"here": "no", "round": 1, "ago": ago}
    answer = page.post(address(asked, f"check-in/{key(asked, 1)}/"), sent, headers=JSON)
    assert (answer.status_code, answer.json()["here"]) == (409, True)
    assert "is still here: somebody marked “here” at" in answer.json()["sentence"]
    assert CheckIn.objects.filter(participant=key(asked, 1)).exists()


def replaced(page: Client, section: Section, rest: str = "check-in/") -> list[str]:
    """Return the sentences about players whose mark a phone without a connection has replaced."""
    lines = re.findall(
        r"Round 1: [^<]* A phone without a connection[^<]*\.", unescape(shown(page, section, rest))
    )
    return [re.sub(r"\d\d:\d\d", "13:00", each) for each in lines]


def test_mark_of_a_phone_that_replaced_one_of_the_desk_is_shown_until_the_player_is_marked_again(
    page: Client, asked: Section, log_in: Callable[[User], Client]
) -> None:
    phone = log_in(EventRoleFactory(event=asked.event, user=UserFactory(username="bo")).user)
    of_2 = address(asked, f"check-in/{key(asked, 2)}/")
    page.post(of_2, {"here": "yes", "round": 1})
    assert replaced(page, asked) == []
    phone.post(of_2, {"here": "no", "round": 1, "ago": "0", "waited": "yes"}, headers=JSON)
    sentence = (
        f"Round 1: {asked.participants.get(tpn=2)} is not here. A phone without a connection marked “not here”"
        " at 13:00, after ada had marked “here”."
    )
    assert replaced(page, asked) == [sentence] * 2  # for the eye, and for a screen reader
    assert replaced(page, asked, "cockpit/") == [sentence]
    page.post(of_2, {"here": "yes", "round": 1})
    assert replaced(page, asked) == []
    assert replaced(page, asked, "cockpit/") == [sentence]  # among the latest actions


def test_mark_that_replaced_one_of_the_desk_is_not_shown_after_the_player_got_a_bye(
    page: Client, asked: Section, log_in: Callable[[User], Client]
) -> None:
    phone = log_in(EventRoleFactory(event=asked.event, user=UserFactory(username="bo")).user)
    for tpn in (2, 3):
        path = address(asked, f"check-in/{key(asked, tpn)}/")
        page.post(path, {"here": "yes", "round": 1})
        phone.post(path, {"here": "no", "round": 1, "waited": "yes"}, headers=JSON)
    assert "1 more such mark</a>" in shown(page, asked, "check-in/")
    page.post(
        address(asked, "absences/"), {"player": key(asked, 3), "choice": "Z", "round": 1, "next": "absences"}
    )
    assert [each.split(" is not")[0] for each in replaced(page, asked)] == [
        f"Round 1: {asked.participants.get(tpn=2)}"
    ] * 2
    assert "1 more such mark" not in shown(page, asked, "check-in/")


def test_mark_with_an_age_that_is_no_number_counts_as_made_now(page: Client, asked: Section) -> None:
    sent = {"here": "no", "round": 1, "ago": "-5"}
    answer = page.post(address(asked, f"check-in/{key(asked, 1)}/"), sent, headers=JSON)
    assert (answer.status_code, answer.json()) == (200, {"here": False})


def test_a_long_list_of_absences_comes_in_parts_and_one_choice_is_for_all(
    page: Client, asked: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.views.staff.presence.WHOLE", 6)
    monkeypatch.setattr("web.views.public.lists.PART", 3)
    parts = [shown(page, asked, f"absences/?part={part}") for part in (1, 2, 3)]
    assert [html.count('<li class="absent">') for html in parts] == [3, 3, 1]
    assert ["7 players are not here" in html for html in parts] == [True, True, True]
    assert 'data-live="' + address(asked, "absences/") + '?part=2"' in parts[1]
    assert "Give 7 players a zero-point bye" in shown(page, asked, "absences/?all=Z")


def test_a_long_check_in_comes_in_parts_and_is_searched_whole(
    page: Client, asked: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight players in parts of three; number 1 is here, and number 2 has a bye."""
    monkeypatch.setattr("web.views.staff.presence.WHOLE", 6)
    monkeypatch.setattr("web.views.public.lists.PART", 3)
    Bye.objects.create(participant_id=key(asked, 2), round_number=1, kind="Z")
    whole = [row.participant_id for row in presence_list(asked, 1).rows]

    def rows(query: str) -> list[int]:
        return [int(each) for each in re.findall(r'id="p-(\d+)"', shown(page, asked, f"check-in/{query}"))]

    assert [rows(f"?part={part}") for part in (1, 2, 3, 9)] == [whole[:3], whole[3:6], whole[6:], whole[6:]]
    assert [rows("?parts=2"), rows("?parts=9"), rows("?part=2&parts=3")] == [whole[:6], whole, whole[3:]]
    assert rows(f"?q={asked.participants.get(pk=whole[-1]).player.name}") == whole[-1:]
    others = [each for each in whole if each not in (key(asked, 1), key(asked, 2))]
    assert rows("?show=missing") + rows("?show=missing&part=2") == others
    html = shown(page, asked, "check-in/?show=missing&part=2")
    assert f'data-live="{address(asked, "check-in/")}?show=missing&amp;part=2"' in html
    assert "6 not here yet" in html
    sent = {"round": 1, "here": "yes", "part": "2", "show": "missing", "q": ""}  # a form without a script
    answer = page.post(address(asked, f"check-in/{others[3]}/"), sent)
    assert answer.url == address(asked, f"check-in/?show=missing&part=2#p-{others[3]}")
