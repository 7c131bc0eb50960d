"""The pages of pairing by hand, with forms and without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.answers import answers_in
from tests.factories import section_of
from tests.web.staff.conftest import address, enter, paired, played
from tests.web.staff.hand_page import HandPage, key, text
from tournaments.files.report_writing import tournament_report
from tournaments.models import Bye, Event, ForbiddenPair, Section


@pytest.fixture
def draft(page: Client, section: Section) -> HandPage:
    """Round 1 of eight players, open: 1-5, 6-2, 3-7, 8-4."""
    paired(section, published=False)
    hand = HandPage(page, section)
    hand.begin()
    return hand


def test_phase_is_opened_from_a_page_that_says_what_happens(page: Client, section: Section) -> None:
    paired(section, published=False)
    hand = HandPage(page, section)
    before = page.get(hand.path)
    assert before.status_code == 200
    assert "You can change pairs, colours and the bye one by one" in text(before)
    answer = hand.begin()
    assert (answer.status_code, answer.url) == (302, hand.path)
    assert "Pairing by hand is open." in text(page.get(hand.path))
    assert hand.begin().status_code == 302


def test_two_clicks_change_places(draft: HandPage) -> None:
    first = draft.send(player=key(draft.section, 5))
    assert first.url == f"{draft.path}?picked={key(draft.section, 5)}"
    shown = draft.page.get(first.url)
    assert "is picked. Pick the other player" in text(shown)
    assert f'name="picked" value="{key(draft.section, 5)}"' in shown.content.decode()
    answer = draft.swap(5, 2)
    assert answer.status_code == 302
    assert draft.boards == [(1, 2), (6, 5), (3, 7), (8, 4)]


def test_every_change_can_be_made_to_a_player(draft: HandPage) -> None:
    draft.do("colours", 1)
    assert draft.boards[0] == (5, 1)
    draft.do("unpair", 1)
    assert "2 players are not paired yet" in text(draft.page.get(draft.path))
    draft.do("bye", 1)
    draft.do("zero", 5)
    shown = text(draft.page.get(draft.path))
    assert "zero-point bye" in shown
    assert "not paired yet" not in shown
    draft.send(do="engine")
    assert draft.boards == [(2, 6), (7, 3), (4, 8)] or len(draft.boards) == 3


def test_change_against_the_rules_asks_first(page: Client, section: Section) -> None:
    played(section)
    row = paired(section, published=False)
    hand = HandPage(page, section, row.number)
    hand.begin()
    before = hand.boards
    white, black = section.played_rounds.get(number=1).games.values_list("white__tpn", "black__tpn").first()
    other = next(b if a == white else a for a, b in before if white in (a, b))
    asked = hand.swap(other, black)
    assert asked.status_code == 422
    assert "Nothing is changed yet." in text(asked)
    assert 'have met already, in round 1. <span class="art">C1' in text(asked)
    assert hand.boards == before
    again = {"again": "swap", "again-player": key(section, other), "again-other": key(section, black)}
    done = hand.send(**again, answer=answers_in(asked))
    assert done.status_code == 200 or done.status_code == 302
    assert {white, black} in [set(pair) for pair in hand.boards]


def test_pages_before_the_end_and_after_it_name_the_broken_rules(page: Client, section: Section) -> None:
    played(section)
    hand = HandPage(page, section, paired(section, published=False).number)
    hand.begin()
    first = hand.boards[0]
    met = {
        a: b
        for pair in section.played_rounds.get(number=1).games.values_list("white__tpn", "black__tpn")
        for a, b in (pair, pair[::-1])
    }
    again = met[first[0]]
    hand.agree(picked=key(section, first[1]), player=key(section, again))
    sentences = re.findall(r"<li class=\"l3\">.*?</span>\s*(.*?)\s*<span", text(page.get(hand.path)))
    assert len(sentences) > 0
    compared, asked = text(page.get(f"{hand.path}end/")), text(hand.end(reason="Agreed"))
    hand.keep("Agreed")
    cockpit = text(page.get(address(section, "cockpit/")))
    shown = [[sentence in one for sentence in sentences] for one in (compared, asked, cockpit)]
    assert shown == [[True] * len(sentences)] * 3
    assert "<b>Paired by hand.</b> Reason: Agreed" in cockpit


def test_unusual_change_is_made_with_a_warning(page: Client, section: Section) -> None:
    played(section)
    row = paired(section, published=False)
    hand = HandPage(page, section, row.number)
    hand.begin()
    answer = hand.do("colours", hand.boards[0][0])
    assert answer.status_code == 200
    assert "both get the opposite" in text(answer)
    assert "This is not what the rules give:" in text(answer)


def test_last_change_is_undone(draft: HandPage) -> None:
    before = draft.boards
    draft.swap(5, 2)
    shown = draft.page.get(draft.path).content.decode()
    undo = re.search(r'value="(undo:\d+)"', shown)[1]
    draft.send(do=undo)
    assert draft.boards == before
    assert "undo:" not in draft.page.get(draft.path).content.decode()


def test_stale_page_is_refused_with_the_reason(draft: HandPage) -> None:
    seen = draft.row.version
    draft.swap(5, 2)
    stale = draft.send(version=seen, picked=key(draft.section, 1), player=key(draft.section, 3))
    assert stale.status_code == 409
    assert draft.boards[0] == (1, 2)


def test_invalid_request_changes_nothing(draft: HandPage) -> None:
    before = draft.boards
    for fields in [
        {"do": "unpair", "on": "x"},
        {"do": "unpair", "on": "99999999"},
        {"do": "undo:abc"},
        {"do": "undo:999999"},
        {"picked": "1", "player": "99999999"},
        {"again": "swap", "again-player": "", "again-other": "7", "answer": "yes"},
        {"do": "swap"},
    ]:
        assert draft.send(**fields).status_code in (302, 404, 409, 422), fields
        assert draft.boards == before, fields


def test_end_without_a_difference_is_one_step(draft: HandPage) -> None:
    assert "as the rules pair it" in text(draft.page.get(f"{draft.path}end/"))
    answer = draft.end()
    assert answer.url == address(draft.section, "cockpit/")
    assert (draft.row.manual_phase, draft.row.manual) == (False, False)


def test_end_with_a_difference_shows_both_and_asks_twice(draft: HandPage) -> None:
    draft.swap(5, 2)
    shown = text(draft.page.get(f"{draft.path}end/"))
    assert "By hand" in shown
    assert "By the rules" in shown
    assert "Why the rules pair them this way" in shown
    assert "meet because both have place 1 in the order of their side." in shown
    assert draft.end().status_code == 422
    first = draft.end(reason="Sisters")
    assert first.status_code == 422
    assert "### MPA @ Round 1: 1-5 6-2 =&gt; 1-2 6-5" in text(first)
    assert "GHR 1.5" in text(first)
    assert draft.row.manual_phase is True
    second = draft.end(answer=answers_in(first), reason="Sisters")
    assert second.status_code == 302
    assert (draft.row.manual, draft.row.manual_reason) == (True, "Sisters")
    marked = [
        "Paired by hand." in text(draft.page.get(address(draft.section, f"round/1/board/{board}/")))
        for board in (1, 2, 3, 4)
    ]
    assert marked == [pair in {(1, 2), (6, 5)} for pair in draft.boards]


def test_pair_that_only_changed_its_colours_is_explained_by_its_colours(draft: HandPage) -> None:
    draft.do("colours", 1)
    shown = text(draft.page.get(f"{draft.path}end/"))
    assert "so number 1 gets White." in shown
    assert "meet because both have place" not in shown


@pytest.mark.parametrize("swapped", [(5, 2), (1, 6), (1, 8), (3, 2)])
def test_page_shows_the_line_of_the_report_file(draft: HandPage, swapped: tuple[int, int]) -> None:
    """The line is the same although the boards are renumbered when the phase ends."""
    draft.agree(picked=key(draft.section, swapped[0]), player=key(draft.section, swapped[1]))
    shown = re.search(r"### MPA @ [^<]*", text(draft.end(reason="Sisters")))
    draft.keep("Sisters")
    draft.page.post(address(draft.section, "round/1/publish/"), {"version": draft.row.version})
    assert shown is not None
    assert unescape(shown[0]) in tournament_report(draft.section).decode().splitlines()


def test_players_left_over_keep_the_phase_open(draft: HandPage) -> None:
    draft.do("unpair", 1)
    assert "Not paired yet:" in text(draft.page.get(f"{draft.path}end/"))
    answer = draft.end()
    assert answer.status_code == 422
    assert draft.row.manual_phase is True


def test_report_file_has_one_line_for_the_round_with_present_numbers(draft: HandPage) -> None:
    section = draft.section
    for other, reason in ((2, "First"), (4, "Second")):
        draft.swap(5, other)
        draft.keep(reason)
        if reason == "First":
            draft.begin()
    draft.page.post(address(section, "round/1/publish/"), {"version": draft.row.version})
    lines = [line for line in tournament_report(section).decode().splitlines() if "MPA" in line]
    assert lines == ["### MPA @ Round 1: 1-5 6-2 8-4 => 1-2 6-4 8-5"]
    section.participants.filter(tpn=2).update(tpn=90)
    lines = [line for line in tournament_report(section).decode().splitlines() if "MPA" in line]
    assert lines == ["### MPA @ Round 1: 1-5 6-90 8-4 => 1-90 6-4 8-5"]


def test_published_round_names_the_article_first(page: Client, section: Section) -> None:
    row = paired(section)
    enter(row.games.get(board=1), "1-0")
    hand = HandPage(page, section)
    shown = text(page.get(hand.path))
    assert "GHR 4.4" in shown
    assert "One board has a result and does not change." in shown
    assert hand.begin().status_code == 422
    assert hand.begin(answer=answers_in(page.get(hand.path))).status_code == 302
    assert "The whole round" not in text(page.get(hand.path))  # nothing can be done to the whole round yet
    locked = hand.swap(1, 2)
    assert locked.status_code == 422
    assert "board 1 has a result" in text(locked)
    hand.swap(2, 3)
    assert "The whole round" in text(page.get(hand.path))
    public = text(Client().get(address(section, "pairings/")))
    assert "changed" in public


def test_round_without_a_legal_pairing_is_started_by_hand(page: Client, event: Event) -> None:
    section = section_of(2, event=event, slug="two", rounds=3)
    played(section)
    answer = page.post(address(section, "pair/"), {"after_round": "1"})
    assert answer.status_code == 422
    assert "Round 2 cannot be paired by the rules" in text(answer)
    started = page.post(address(section, "by-hand/"), {"after_round": "1", "with": "proposal"})
    assert started.url == address(section, "round/2/by-hand/")
    hand = HandPage(page, section, 2)
    assert "have met already" in text(page.get(hand.path))
    assert "### MPA @ Round 2: none =&gt; " in text(hand.end(reason="Only two of them"))


def test_round_without_a_legal_pairing_cannot_be_paired_by_the_rules_and_says_so(
    page: Client, event: Event
) -> None:
    section = section_of(2, event=event, slug="two", rounds=3)
    played(section)
    page.post(address(section, "by-hand/"), {"after_round": "1", "with": "proposal"})
    hand = HandPage(page, section, 2)
    shown = page.get(hand.path)
    assert 'value="engine"' not in shown.content.decode()
    assert "The rules allow no pairing of these players." in text(shown)
    before = hand.boards
    answer = hand.send(do="engine")
    refusal = re.search(r'id="problem">(.*?) <a ', text(answer))
    assert refusal is not None
    one, two = (participant.player.name for participant in section.participants.order_by("tpn"))
    assert answer.status_code == 422
    assert unescape(refusal[1]) == (
        f"No round is possible with these players: 1 {one} and 2 {two}. They have already met all opponents who are "
        "left, or must have the same colour (C1, C3). The arbiter decides "
        "(C.04.4.1). Nothing was changed. A round would be possible if you allow this: "
        f"1 {one} and 2 {two} meet again (against C1)."
    )
    assert hand.boards == before


def test_button_of_the_rules_comes_back_when_they_allow_a_pairing(page: Client, event: Event) -> None:
    """Number 1 is kept apart from everybody. Without numbers 1 and 2, the rules pair the others."""
    section = section_of(4, event=event, slug="four")
    first, *others = section.participants.order_by("tpn")
    for other in others:
        ForbiddenPair.objects.create(section=section, first=first, second=other)
    page.post(address(section, "by-hand/"), {"after_round": "0", "with": "nothing"})
    hand = HandPage(page, section)
    assert 'value="engine"' not in page.get(hand.path).content.decode()
    for tpn in (1, 2):
        hand.do("zero", tpn)
    assert 'value="engine"' in page.get(hand.path).content.decode()
    hand.send(do="engine")
    assert [set(pair) for pair in hand.boards] == [{3, 4}]


@pytest.mark.parametrize(("edition", "cited"), [("2018", "A.8"), ("2025", "1.8.3"), ("2026", "1.9.3")])
def test_round_without_a_legal_pairing_cites_the_article_of_its_edition(
    page: Client, event: Event, edition: str, cited: str
) -> None:
    section = section_of(2, event=event, slug="two", rounds=3, options={"edition": edition})
    played(section)
    answer = page.post(address(section, "pair/"), {"after_round": "1"})
    assert f"The arbiter decides what to do (C.04.4.1, {cited})." in text(answer)


def test_missing_round_is_not_found(page: Client, section: Section) -> None:
    assert page.get(address(section, "round/1/by-hand/")).status_code == 404
    assert page.get(address(section, "round/1/by-hand/end/")).status_code == 404


def test_page_asks_the_database_as_often_for_many_as_for_few(page: Client, event: Event) -> None:
    counted = []
    for players, slug in ((8, "few"), (60, "many")):
        section = section_of(players, event=event, slug=slug)
        played(section)
        paired(section, published=False)
        hand = HandPage(page, section, 2)
        hand.begin()
        one, other = hand.boards[0][0], hand.boards[1][0]
        hand.agree(picked=key(section, one), player=key(section, other))
        for path in (hand.path, f"{hand.path}end/"):
            with CaptureQueriesContext(connection) as captured:
                assert page.get(path).status_code == 200
            counted.append(len(captured))
    assert counted[:2] == counted[2:]
    assert max(counted) <= 16


def test_pairs_of_the_rules_instead_end_the_phase(draft: HandPage) -> None:
    by_the_rules = draft.boards
    draft.swap(5, 2)
    assert "Use the pairs of the rules instead" in text(draft.page.get(f"{draft.path}end/"))
    answer = draft.end(do="engine")
    assert (answer.status_code, answer.url) == (302, address(draft.section, "cockpit/"))
    assert (draft.row.manual_phase, draft.row.manual, draft.boards) == (False, False, by_the_rules)


def test_change_for_nobody_is_refused_without_a_number_of_the_database(draft: HandPage) -> None:
    before = draft.boards
    for what in ["half", "zero", "bye", "unpair", "colours"]:
        for on in ("", "0", "x", "999999"):
            answer = draft.send(do=what, on=on)
            assert answer.status_code == 422, on
            assert "No player of this section was chosen, so nothing changed. Pick a player first." in text(
                answer
            ), what
            assert "is not in round" not in text(answer), what
            assert (draft.boards, Bye.objects.count()) == (before, 0), on
