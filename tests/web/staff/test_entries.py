"""The list of entries, the form of one entry, withdrawal and return."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.answers import agreed, answers_in
from tests.factories import (
    ByeFactory,
    EventRoleFactory,
    ParticipantFactory,
    PlayerFactory,
    UserFactory,
    entry_data,
    section_of,
)
from tests.web.staff.conftest import LogIn, address, paired
from tournaments.actions.entries import add_participant
from tournaments.actions.ledger import Actor
from tournaments.models import Bye, Event, Participant, Player, Section
from web.views.public import lists
from web.views.staff import byes, entries

HTMX = {"HX-Request": "true"}


def names(html: str) -> list[str]:
    """Return the names in the list, in order."""
    return re.findall(r'<th scope="row" class="nm"><a [^>]*>([^<]*)</a>', html)


def listed(page: Client, section: Section, query: str = "") -> list[str]:
    return names(page.get(address(section, f"entries/{query}")).content.decode())


@pytest.fixture
def three(section: Section) -> Section:
    section.participants.all().delete()
    for name, rating, federation, club in (
        ("Şahin, Ece", 2100, "TUR", "Zuid"),
        ("Ångström, Bo", 2300, "SWE", "West"),
        ("Müller, Al", 2200, "GER", ""),
    ):
        player = PlayerFactory(event=section.event, name=name, federation=federation)
        ParticipantFactory(section=section, player=player, rating=rating, club=club)
    return section


def test_list_is_in_the_order_of_numbers(page: Client, three: Section) -> None:
    assert listed(page, three) == ["Şahin, Ece", "Ångström, Bo", "Müller, Al"]


def test_list_is_sorted_on_request(page: Client, three: Section) -> None:
    for sort, order in [
        ("name", ["Ångström, Bo", "Müller, Al", "Şahin, Ece"]),
        ("rating", ["Ångström, Bo", "Müller, Al", "Şahin, Ece"]),
        ("federation", ["Müller, Al", "Ångström, Bo", "Şahin, Ece"]),
        ("club", ["Müller, Al", "Ångström, Bo", "Şahin, Ece"]),
        ("nonsense", ["Şahin, Ece", "Ångström, Bo", "Müller, Al"]),
    ]:
        assert listed(page, three, f"?sort={sort}") == order, sort


def test_search_finds_without_accents_and_in_any_order(page: Client, three: Section) -> None:
    for words in ["angstrom", "ANGSTRÖM", "bo swe", "west", "2"]:
        assert listed(page, three, f"?q={words}") == ["Ångström, Bo"], words


def test_long_list_comes_in_parts(page: Client, three: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "WHOLE", 2)
    monkeypatch.setattr(lists, "PART", 2)
    assert [listed(page, three, f"?part={number}") for number in ("1", "2", "3", "x")] == [
        ["Şahin, Ece", "Ångström, Bo"],
        ["Müller, Al"],
        ["Müller, Al"],
        ["Şahin, Ece", "Ångström, Bo"],
    ]
    html = page.get(address(three, "entries/?sort=name&part=2")).content.decode()
    assert (names(html), "Rows 3 to 3 of 3." in html) == (["Şahin, Ece"], True)
    assert f'rel="prev" href="{address(three, "entries/?sort=name")}"' in html
    assert listed(page, three, "?q=muller") == ["Müller, Al"]


def test_search_by_htmx_gets_only_the_list(page: Client, three: Section) -> None:
    html = page.get(address(three, "entries/?q=ece"), headers=HTMX).content.decode()
    assert html.lstrip().startswith('<div id="list" data-part>')
    assert names(html) == ["Şahin, Ece"]


def test_list_shows_the_number_that_an_entry_had_before(page: Client, three: Section) -> None:
    three.participants.filter(tpn=3).update(former_tpn=2, renumbered_before=1)
    html = page.get(address(three, "entries/")).content.decode()
    cells = re.findall(r'<td class="num quiet">(.*?)</td>', html)
    assert [re.sub("<[^>]+>", "", cell) for cell in cells] == ["1", "2", "3 (was 2)"]


ENTRY = {"name": "Novák, Jan", "rating": "2010", "rating_source": "typed", "first_round": "1"}


def test_entry_by_hand_is_added(page: Client, section: Section) -> None:
    answer = page.post(address(section, "entries/add/"), {**ENTRY, "federation": "cze", "title": "FM"})
    assert (answer.status_code, answer.url) == (302, address(section, "entries/"))
    entry = section.participants.get(player__name="Novák, Jan")
    assert (entry.rating, entry.player.federation, entry.player.title) == (2010, "CZE", "FM")


def test_wrong_value_has_an_error_at_its_field_and_keeps_the_text(page: Client, section: Section) -> None:
    for wrong, sentence in [
        ({"name": ""}, "This field is required."),
        ({"name": "\u202e"}, "is not a name. Correct it."),
        ({"name": "=SUM(A1)"}, "Name “=SUM(A1)” is not a name. Correct it."),
        ({"name": "x" * 121}, "Ensure this value has at most 120 characters"),
        ({"name": "a\x00b"}, "Null characters are not allowed."),
        ({"rating": "two thousand"}, "Enter a whole number."),
        ({"rating": "0"}, "Novák, Jan needs a rating."),
        ({"rating": "50"}, "Rating “50” is not a rating. Use a number from 100 to 3999."),
        ({"rating": "9" * 400}, "is not a rating. Use a number from 100 to 3999."),
        ({"official_rating": "99"}, "Official rating “99” is not a rating."),
        ({"federation": "N1"}, "A federation is three capital letters"),
        ({"federation": "DEU"}, "Federation “DEU” is not a FIDE code. Use GER (Germany)."),
        ({"federation": "HOL"}, "Federation “HOL” is not a FIDE code. Use NED (Netherlands)."),
        ({"federation": "NRO"}, "Federation “NRO” is not a FIDE code. Is it NOR (Norway)?"),
        ({"federation": "XYZ"}, "Federation “XYZ” is not a FIDE code. Use the code of FIDE, such as NED, or"),
        ({"birth_date": "2999/01/01"}, "Birth date “2999/01/01” is in the future. Correct the year."),
        ({"birth_date": "12-05-1988"}, "Birth date “12-05-1988” can be read in two ways. Use YYYY/MM/DD."),
        ({"title": "XX"}, "Select a valid choice."),
        ({"fide_id": "-5"}, "Ensure this value is greater than or equal to 1."),
        ({"birth_date": "yesterday"}, "Birth date “yesterday” is not a date. Use YYYY/MM/DD or a year."),
        ({"birth_date": "1990/02/30"}, "Birth date “1990/02/30” is not a date."),
        ({"first_round": "20"}, "There is no round 20; the section has 7."),
    ]:
        answer = page.post(address(section, "entries/add/"), {**ENTRY, "club": "Kept", **wrong})
        html = answer.content.decode()
        assert answer.status_code == 422, wrong
        assert re.search(rf'<span class="err"[^>]*>[^<]*{re.escape(sentence)}', html), wrong
        assert 'value="Kept"' in html, wrong
        assert section.participants.count() == 8, wrong


def test_entry_sent_twice_is_entered_once(page: Client, section: Section) -> None:
    answers = [page.post(address(section, "entries/add/"), ENTRY).status_code for _ in range(2)]
    assert answers == [302, 422]
    assert section.participants.filter(player__name="Novák, Jan").count() == 1


def test_second_entry_with_a_name_is_accepted_with_a_warning(page: Client, section: Section) -> None:
    page.post(address(section, "entries/add/"), ENTRY)
    answer = page.post(address(section, "entries/add/"), {**ENTRY, "name": "NOVAK,  Jan", "rating": "2050"})
    assert answer.status_code == 302
    assert "Another entry has the name NOVAK, Jan: 10 Novák, Jan." in page.get(answer.url).text


def test_imported_values_may_stay_when_an_entry_is_changed(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=8)
    Participant.objects.filter(pk=entry.pk).update(rating=50)
    entry.player.federation = "DEU"
    entry.player.save()
    sent = {**ENTRY, "rating": "50", "federation": "DEU", "revision": section.revision}
    assert page.post(address(section, f"entries/{entry.pk}/"), sent).status_code == 302
    entry.player.refresh_from_db()
    assert (entry.player.name, entry.player.federation) == ("Novák, Jan", "DEU")


def test_entry_is_changed(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=8)
    sent = {**ENTRY, "rating": "2600", "revision": section.revision}
    answer = page.post(address(section, f"entries/{entry.pk}/"), sent)
    entry.refresh_from_db()
    assert answer.status_code == 302
    assert (entry.rating, entry.tpn, entry.player.name) == (2600, 1, "Novák, Jan")


def test_withdrawal_and_return(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=4)
    away = page.post(address(section, f"entries/{entry.pk}/withdraw/"), {"reason": "ill"})
    entry.refresh_from_db()
    assert (away.status_code, entry.status) == (302, Participant.Status.WITHDRAWN)
    again = page.post(address(section, f"entries/{entry.pk}/withdraw/"))
    assert again.status_code == 422
    assert "has already withdrawn" in again.content.decode()
    back = page.post(address(section, f"entries/{entry.pk}/readmit/"))
    entry.refresh_from_db()
    assert (back.status_code, entry.status) == (302, Participant.Status.ACTIVE)


def test_entry_is_removed_before_it_is_paired(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=4)
    assert page.post(address(section, f"entries/{entry.pk}/remove/")).status_code == 302
    assert section.participants.count() == 7


def test_removal_that_changes_numbers_in_a_running_section_asks_first(page: Client, section: Section) -> None:
    late = section.participants.get(tpn=2)
    type(late).objects.filter(pk=late.pk).update(first_round=2)
    paired(section)
    remove = address(section, f"entries/{late.pk}/remove/")
    answer = page.post(remove)
    assert answer.status_code == 422
    assert "6 pairing numbers of Section A change (3 → 2, 4 → 3," in answer.content.decode()
    assert section.participants.count() == 8
    agreed(page, remove)
    assert section.participants.count() == 7


def test_correction_of_a_rating_asks_before_numbers_change(page: Client, section: Section) -> None:
    paired(section)
    entry = section.participants.select_related("player").get(tpn=3)
    edit = address(section, f"entries/{entry.pk}/")
    sent = {"name": entry.player.name, "federation": "NED", "rating": 2600, "rating_source": "typed"}
    sent |= {"first_round": 1}
    html = page.post(edit, sent).content.decode()
    assert "3 pairing numbers of Section A change" in html
    assert html.index("Give the new numbers") < html.index('name="name"')
    assert 'id="question" tabindex="-1" autofocus' in html
    yes = answers_in(page.post(edit, sent))
    more = page.post(edit, {**sent, "rating": 2610, "answer": yes})
    assert (more.status_code, section.participants.get(tpn=3).pk) == (422, entry.pk), (
        "another rating is asked about"
    )
    page.post(edit, {**sent, "answer": yes})
    entry.refresh_from_db()
    assert (entry.tpn, entry.rating) == (1, 2600)


@pytest.mark.parametrize(
    ("official", "after", "warned"),
    [("1990", "1990", True), ("1990", "2240", False), ("2240", "1990", False), (None, None, False)],
)
def test_correction_of_a_rating_reminds_of_the_official_rating(
    page: Client, section: Section, official: str | None, after: str | None, warned: bool
) -> None:
    """The official rating is the one in the report. It stays as it is if only the other rating is changed."""
    entry = section.participants.select_related("player").get(tpn=8)
    section.participants.filter(pk=entry.pk).update(rating=1990, official_rating=official)
    sent = {"name": entry.player.name, "rating": "2240", "rating_source": "typed", "first_round": "1"}
    answer = page.post(
        address(section, f"entries/{entry.pk}/"), {**sent, "official_rating": after or ""}, follow=True
    )
    sentence = (
        f"The rating of {entry.player.name} is now 2240. The official rating is still 1990, and the report for rating "
        "has the official rating. If it is wrong, edit the entry and change it too."
    )
    notes = re.findall(r'<p class="note warn" role="status">([^<]*)</p>', answer.content.decode())
    assert notes == ([sentence] if warned else [])


def test_paired_entry_cannot_be_removed(page: Client, section: Section) -> None:
    paired(section)
    entry = section.participants.get(tpn=4)
    answer = page.post(address(section, f"entries/{entry.pk}/remove/"))
    assert answer.status_code == 422
    assert "Withdraw the player instead." in answer.content.decode()
    assert section.participants.count() == 8


@pytest.mark.parametrize("action", ["", "withdraw/", "readmit/", "remove/"])
def test_missing_entry_is_not_found(page: Client, section: Section, action: str) -> None:
    for key in (0, 10**6, 10**18, 10**40):
        assert page.post(address(section, f"entries/{key}/{action}"), ENTRY).status_code == 404


def test_page_says_what_was_done_to_an_entry(page: Client, section: Section) -> None:
    entry = section.participants.select_related("player").get(tpn=3)
    name = entry.player.name
    for action, sentence in [
        ("withdraw/", f"{name} has withdrawn and is not paired from the next round on."),
        ("readmit/", f"{name} plays again and is paired from the next round on."),
        ("remove/", f"The entry of {name} is removed."),
    ]:
        answer = page.post(address(section, f"entries/{entry.pk}/{action}"), follow=True)
        assert sentence in answer.content.decode()
    sent = {"name": "Vrba, Ota", "rating": "1900", "rating_source": "typed", "first_round": "1"}
    answer = page.post(address(section, "entries/add/"), sent, follow=True)
    assert "Vrba, Ota is entered." in answer.content.decode()


def test_removal_is_offered_only_while_it_can_work(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=3)
    form = address(section, f"entries/{entry.pk}/")
    assert "Remove entry" in page.get(form).content.decode()
    paired(section)
    assert "Remove entry" not in page.get(form).content.decode()


def test_player_moves_to_another_section_and_back_by_the_undo_of_the_message(
    page: Client, section: Section
) -> None:
    youth = section_of(2, event=section.event, name="Youth", slug="youth", rounds=3)
    entry = section.participants.get(tpn=3)
    ByeFactory(participant=entry, round_number=5, kind="Z")
    form = page.get(address(section, f"entries/{entry.pk}/")).text
    assert re.findall(r'value="(\w+)"\s*>\s*Youth', form) == ["youth"]
    answer = page.post(address(section, f"entries/{entry.pk}/move/"), {"to": "youth"}, follow=True)
    assert f"3 {entry.player.name} moved to Youth" in answer.text
    assert "Youth does not allow all byes of" in answer.text
    assert [section.participants.count(), youth.participants.count()] == [7, 3]
    (undo,) = re.findall(r'action="([^"]+there=[^"]+)"', answer.text)
    log = page.get(address(youth, "log/")).text
    assert "came from Section A" in log
    assert page.post(undo).status_code == 302
    assert [section.participants.count(), youth.participants.count()] == [8, 2]
    assert section.participants.get(pk=entry.pk).byes.count() == 1


def test_move_needs_the_right_in_both_sections_and_asks_about_a_third(
    page: Client, section: Section, event: Event, log_in: LogIn
) -> None:
    youth, third = (section_of(0, event=event, name=name, slug=name.lower()) for name in ("Youth", "Blitz"))
    entry = section.participants.get(tpn=3)
    entry.player.fide_id = 4100000
    entry.player.save()
    to = address(section, f"entries/{entry.pk}/move/")
    only_here = log_in(EventRoleFactory(event=event, section=section, user=UserFactory()).user)
    assert "Another section" not in only_here.get(address(section, f"entries/{entry.pk}/")).text
    assert only_here.post(to, {"to": "youth"}).status_code == 403
    ParticipantFactory(section=third, player=entry.player)
    asked = page.post(to, {"to": "youth"})
    assert (asked.status_code, youth.participants.count()) == (422, 0)
    assert "Already entered in another section (Blitz)" in asked.text
    assert agreed(page, to, {"to": "youth"}).status_code == 302
    assert youth.participants.get().player == entry.player


def test_move_that_asks_two_questions_keeps_the_first_answer(
    page: Client, section: Section, event: Event
) -> None:
    """Without it, each answer brought the other question back."""
    youth, third = (section_of(0, event=event, name=name, slug=name.lower()) for name in ("Youth", "Blitz"))
    paired(section)
    late = add_participant(
        actor=Actor.command(),
        section_id=section.pk,
        entry=entry_data(rating=2900, fide_id=4100000),
        asked=True,
    )
    ParticipantFactory(section=third, player=late.player)
    to, sent, asked = address(section, f"entries/{late.pk}/move/"), {"to": "youth"}, []
    while (answer := page.post(to, sent)).status_code == 422 and len(asked) < 4:
        form = answer.text.rpartition(to)[2].partition("</form>")[0]
        sent = {"to": "youth", "answer": re.findall(r'name="answer"\s+value="(\w+)"', form)}
        asked.append(len(sent["answer"]))
    assert asked == [1, 2]
    assert youth.participants.get().player == late.player


def test_player_who_plays_elsewhere_comes_back_only_after_a_question(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=3)
    entry.player.fide_id, entry.status = 4100000, Participant.Status.WITHDRAWN
    entry.player.save()
    entry.save()
    other = section_of(0, event=section.event, name="Youth", slug="youth")
    ParticipantFactory(section=other, player=entry.player)
    again = address(section, f"entries/{entry.pk}/readmit/")
    asked = page.post(again)
    assert asked.status_code == 422
    assert "Already entered in another section (Youth)" in asked.text
    assert not section.participants.get(tpn=3).is_active
    assert agreed(page, again).status_code == 302
    assert section.participants.get(tpn=3).is_active


def test_list_shows_players_of_one_state_with_their_numbers(page: Client, section: Section) -> None:
    first, second, *_others = section.participants.order_by("tpn")
    Participant.objects.filter(pk=first.pk).update(status="withdrawn")
    box = 'name="player"'
    Bye.objects.create(participant=second, round_number=1, kind="H", source=Bye.Source.REQUESTED)
    html = page.get(address(section, "entries/")).content.decode()
    states = re.findall(r'href="\?state=([a-z-]+)[^>]*>\s*([^<]*?)\s*<', html)
    shown = {key: " ".join(words.split()) for key, words in states}
    assert shown["withdrawn"] == "Withdrawn 1"
    assert shown["bye"] == "Bye 1"
    assert shown["active"] == "Playing 7"
    assert html.count(box) == 7  # who has withdrawn cannot be chosen
    html = page.get(address(section, "entries/?state=bye")).content.decode()
    assert html.count(box) == 1
    assert second.player.name in html


def test_players_above_the_limit_of_one_undo_are_not_left_out_silently(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list posts the players: an address has no room for the numbers of thousands."""
    html = page.get(address(section, "entries/")).content.decode()
    way, sentence = address(section, "entries/chosen/"), "One press is for 2: those below."
    assert re.search(rf'id="chosen"\s+method="post"\s+action="{way}"', html)
    away = [*range(10_000, 13_000)]
    whole = page.post(way, {"player": [*away, *section.participants.values_list("pk", flat=True)]})
    assert "Withdraw 8 players" in whole.content.decode()
    monkeypatch.setattr(byes, "MOST_STEPS", 2)
    chosen = list(section.participants.order_by("tpn").values_list("pk", flat=True))
    for count, warned in ((2, False), (3, True)):
        html = page.post(way, {"player": chosen[:count]}).content.decode()
        assert ((sentence in html), html.count('name="player"')) == (warned, 2)
    cards = page.post(way, {"player": chosen, "do": "cards"}).content.decode()
    assert all(name in cards for name in section.participants.values_list("player__name", flat=True))


def test_ten_thousand_players_can_be_chosen(page: Client, three: Section) -> None:
    """They come in one field: a form has at most 5,000 fields."""
    keys = [*three.participants.values_list("pk", flat=True), *range(900_000_000, 900_009_997)]
    way, players = address(three, "entries/chosen/"), " ".join(map(str, keys))
    html = page.post(way, {"players": players, "do": "club"}).content.decode()
    assert html.count('name="player"') == 3
    page.post(way, {"players": players, "do": "club", "named": "yes", "club": "Ten Thousand"})
    assert set(three.participants.values_list("club", flat=True)) == {"Ten Thousand"}


def test_chosen_players_are_named_before_they_are_withdrawn_and_one_press_brings_them_back(
    page: Client, section: Section
) -> None:
    chosen = [entry.pk for entry in section.participants.order_by("tpn")[:2]]
    names = [entry.player.name for entry in section.participants.filter(pk__in=chosen)]
    way = address(section, "entries/chosen/")
    asked = page.post(way, {"player": chosen}).content.decode()
    assert all(name in asked for name in names)
    assert "Withdraw 2 players" in asked
    assert section.participants.filter(status="withdrawn").count() == 0
    assert 'name="named" value="yes"' in asked  # the second press
    done = page.post(way, {"player": chosen, "reason": "ill", "named": "yes"}, follow=True)
    assert section.participants.filter(status="withdrawn").count() == 2
    [undo] = re.findall(r'action="([^"]*/undo/[^"]*also[^"]*)"', done.content.decode())
    page.post(undo.replace("&amp;", "&"))
    assert section.participants.filter(status="withdrawn").count() == 0
    assert page.get(way).status_code == 302
    sent = {"player": chosen, "do": "bye", "kind": "H", "named": "yes"}
    assert page.post(way, {**sent, "rounds": "x"}).status_code == 422
    done = page.post(way, {**sent, "rounds": "1"}, follow=True).content.decode()
    assert Bye.objects.filter(participant__in=chosen, kind="H").count() == 2
    assert re.search('action="[^"]*/undo/[^"]*also', done)
    cards = page.get(way, {"player": chosen, "do": "cards"}).content.decode()
    assert [cards.count(name) > 0 for name in names] == [True, True]
    assert section.participants.exclude(pk__in=chosen).first().player.name not in cards
    club = {"player": chosen, "do": "club", "named": "yes"}
    assert page.post(way, {**club, "club": " "}).status_code == 200
    done = page.post(way, {**club, "club": "SK  Noord"}, follow=True).content.decode()
    clubs = section.participants.filter(pk__in=chosen).values_list("club", flat=True)
    assert list(clubs) == ["SK Noord", "SK Noord"]
    [undo] = re.findall(r'action="([^"]*/undo/[^"]*also[^"]*)"', done)
    page.post(undo.replace("&amp;", "&"))
    assert "SK Noord" not in clubs.all()
    # A question about some of them is asked before anything is saved for anybody.
    Section.objects.filter(pk=section.pk).update(half_bye_limit=1)
    many = {**sent, "player": [entry.pk for entry in section.participants.all()], "rounds": "2"}
    asked = page.post(way, many)
    assert (asked.status_code, len(answers_in(asked)), Bye.objects.count()) == (422, 2, 2)
    assert "Give the bye anyway" in asked.content.decode()
    assert len(answers_in(page.post(way, {**many, "rounds": "3", "answer": answers_in(asked)}))) == 4
    done = page.post(way, {**many, "answer": answers_in(asked)}, follow=True).content.decode()
    assert Bye.objects.count() == 2 + section.participants.count()
    assert re.search('action="[^"]*/undo/[^"]*also', done)
    other, third = (section_of(4, event=section.event, slug=slug, name=slug.upper()) for slug in "bc")
    twice = section.participants.get(pk=chosen[1]).player
    ParticipantFactory(section=third, player=twice, tpn=5)
    Player.objects.filter(pk=twice.pk).update(fide_id=4100001)
    to = {"player": chosen, "do": "move", "to": "b", "named": "yes"}
    asked = page.post(way, to)
    assert (asked.status_code, other.participants.count()) == (422, 4)
    done = page.post(way, {**to, "answer": answers_in(asked)}, follow=True).content.decode()
    assert [other.participants.count(), section.participants.count()] == [6, 6]
    [undo] = re.findall(r'action="([^"]*/undo/[^"]*there[^"]*there[^"]*)"', done)
    agreed(page, undo.replace("&amp;", "&"))
    assert [other.participants.count(), section.participants.count()] == [4, 8]
