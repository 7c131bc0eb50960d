"""The pages of a round and of a player: pictures, sentences, why not another opponent, and who may see them."""

from __future__ import annotations

import re
from html import unescape
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from base.cache import clear_caches
from tests.factories import EventFactory, UserFactory, section_of
from tests.web.staff.conftest import LogIn, address, paired, played
from tests.web.staff.why.conftest import DIFFERS, sentences, statements, surname
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.models import Event, ForbiddenPair, Section
from tournaments.queries.why import explain_round


@pytest.fixture
def two_rounds(event: Event) -> Section:
    section = section_of(9, event=event, slug="nine")
    played(section)
    paired(section, published=False)
    return section


def test_page_of_a_round_has_a_section_for_each_bracket(page: Client, two_rounds: Section) -> None:
    answer = page.get(address(two_rounds, "round/2/why/"))
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "The number of players is odd, so one gets the bye." in text
    assert "Bracket of ½ point" in text
    assert DIFFERS not in text


def test_every_player_has_a_page_for_every_round(page: Client, two_rounds: Section) -> None:
    for number, tpn in product((1, 2), range(1, 10)):
        answer = page.get(address(two_rounds, f"round/{number}/why/{tpn}/"))
        text = answer.content.decode()
        assert answer.status_code == 200
        assert '<section class="why-lead"' in text
        assert "{" not in text.partition("<main")[2]
        assert DIFFERS not in text


def test_page_of_a_player_out_of_the_round_names_the_reason(page: Client, event: Event) -> None:
    actor = Actor.command()
    section = section_of(9, event=event, slug="nine")
    asked, gone = (section.participants.get(tpn=tpn) for tpn in (3, 5))
    request_bye(actor=actor, participant_id=asked.pk, round_number=2, kind="H")
    played(section)
    withdraw_participant(actor=actor, participant_id=gone.pk)
    paired(section, published=False)
    pages = [page.get(address(section, f"round/2/why/{tpn}/")).content.decode() for tpn in (3, 5, 1)]
    assert "is not paired in this round. The player has a bye: half-point bye." in pages[0]
    assert "is not paired in this round. The player was withdrawn after round 1." in pages[1]
    assert "is not paired in this round." not in pages[2]


def test_page_draws_s1_and_g2(page: Client, section: Section) -> None:
    paired(section)
    text = page.get(address(section, "round/1/why/2/")).content.decode()
    assert text.count('<path d="M0') == 3
    assert text.count('<path class="pick" d="M0') == 1
    assert "style=" not in text.partition("<main")[2]


@pytest.mark.parametrize(
    ("system", "first", "second"),
    [
        (
            "dubov",
            [("S1", "by pairing number"), ("G2", "by pairing number")],
            [("White's side", "S1, by ARO"), ("Black's side", "G2, by pairing number")],
        ),
        (
            "dubov-1997",
            [("Upper half", "by pairing number"), ("Lower half", "by pairing number")],
            [("White's side", "by ARO"), ("Black's side", "by rating")],
        ),
    ],
)
def test_columns_of_the_picture_are_named_as_in_the_system(
    page: Client, event: Event, system: str, first: list[tuple[str, str]], second: list[tuple[str, str]]
) -> None:
    section = section_of(8, event=event, slug="eight", system=system)
    played(section)
    paired(section)
    heads = [
        re.findall(
            r'<h3>(.*?) <span class="quiet">(.*?)</span></h3>', unescape(page.get(found).content.decode())
        )
        for found in (address(section, "round/1/why/2/"), address(section, "round/2/why/2/"))
    ]
    assert heads == [first, second]


def test_picture_of_a_dutch_bracket_shows_who_floats(page: Client, event: Event) -> None:
    """C.04.3, 1.4: who moved down and the opponent have an arrow, who is not paired is named; reasons are a list."""
    section = section_of(9, event=event, slug="nine", system="dutch")
    played(section)
    paired(section)
    text = unescape(page.get(address(section, "round/2/why/")).content.decode())
    bracket = text.partition('id="b2"')[2].partition("</section>")[0]
    assert re.findall(r'aria-label="(downfloat|upfloat)"', bracket) == ["downfloat", "upfloat"]
    assert re.search(
        r"Not paired in this bracket:\s+\d\xa0\w+", re.sub(r"<[^>]*>|\u2068|\u2069", "", bracket)
    )
    below = bracket.partition('<ul class="below">')[2].partition("</ul>")[0]
    assert all("could be left over for the bye" in sentence for sentence, _articles in statements(below))
    assert f'<p class="paper-only">{event.name}, {section.name}</p>' in text


def test_page_of_a_player_leads_with_the_picture_and_three_sentences(page: Client, section: Section) -> None:
    paired(section)
    text = page.get(address(section, "round/1/why/2/")).content.decode()
    second, sixth = f"2 {surname(section, 2)}", f"6 {surname(section, 6)}"
    assert text.index('<div class="match">') < text.index("8 players with 0 points")
    members, order, colours = [sentence for sentence, _ in sentences(text)]
    assert members.endswith(
        "still to be paired. They can all be paired with each other, so nobody is floated up."
    )
    assert order == (f"{second} and {sixth} meet because both have place 2 in the order of their side.")
    assert colours == (
        f"Neither {sixth} nor {second} has played. {second} is ranked higher. Odd numbers get the "
        "initial-colour (White) and even numbers the other colour, so number 2 gets Black."
    )
    assert [articles for _, articles in sentences(text)] == [["1.3.1", "2.2.1"], ["2.2.6", "4.4"], ["5.2.1"]]


def test_page_of_a_round_leads_with_the_picture_and_three_sentences(
    page: Client, two_rounds: Section
) -> None:
    text = page.get(address(two_rounds, "round/2/why/")).content.decode()
    shown = sentences(text)
    assert len(shown) == 3
    assert shown[0][0].startswith("The number of players is odd, so one gets the bye.")
    assert shown[1][0].startswith("The players are paired in 2 brackets, from the highest score down.")
    assert text.count('<svg class="sides"') == text.count('<div class="match">') == 2
    assert "style=" not in text.partition("<main")[2]


def test_each_bracket_of_a_round_leads_with_its_picture_and_three_sentences(
    page: Client, two_rounds: Section
) -> None:
    text = page.get(address(two_rounds, "round/2/why/")).content.decode()
    brackets = text.split('<section class="stack" id="b')[1:]
    heads = [bracket.partition('<details class="more">')[0] for bracket in brackets]
    assert [head.count('<div class="match">') for head in heads] == [1, 1]
    second, third, seventh = (f"{tpn} {surname(two_rounds, tpn)}" for tpn in (2, 3, 7))
    assert [[sentence for sentence, _ in statements(head)] for head in heads] == [
        [
            (
                "Only one player with 1 point is left. The bracket has an odd number of players, so one "
                f"player is floated up. {second} is floated up."
            ),
            "1 player is due White (G1). 1 player is due Black (G2).",
            "Each player meets the one at the same place on the other side.",
        ],
        [
            (
                "6 players with ½ point are still to be paired. They can all be paired with each other, so nobody is "
                "floated up."
            ),
            "3 players are due White (G1). 3 players are due Black (G2).",
            (
                "Not all pairs in this order are possible, so 2 players of G2 move to another place. "
                f"{seventh} and {third} have already met in round 1."
            ),
        ],
    ]


def test_long_bracket_is_cut_around_the_pair_and_shown_whole_below(page: Client, event: Event) -> None:
    section = section_of(60, event=event, slug="long")
    paired(section)
    text = page.get(address(section, "round/1/why/10/")).content.decode()
    head, _, below = text.partition("The whole bracket")
    assert [part.count('<svg viewBox="0 0 100 ') for part in (head, below)] == [1, 1]
    assert [part.count('<path d="M0') for part in (head, below)] == [6, 29]
    assert "6 rows above are not shown." in head
    assert "17 rows below are not shown." in head
    assert "not shown" not in below


def test_page_of_the_player_with_the_bye_has_no_picture(page: Client, two_rounds: Section) -> None:
    text = page.get(address(two_rounds, "round/1/why/9/")).content.decode()
    ((sentence, articles),) = sentences(text)
    assert (sentence[:29], articles) == ("The number of players is odd,", ["2.1"])
    assert '<div class="match">' not in text


def moved(event: Event) -> Section:
    """Eight players, paired, of whom 1 and 5 may not meet."""
    section = section_of(8, event=event, slug="moved")
    first, fifth = (section.participants.get(tpn=tpn) for tpn in (1, 5))
    ForbiddenPair.objects.create(section=section, first=first, second=fifth)
    paired(section)
    return section


def test_page_of_a_player_who_moves_down_says_who_could_not_meet_them(page: Client, event: Event) -> None:
    """1 may not meet 5, so 5 moves down to 2. The table has the reason, so no second list repeats it."""
    section = moved(event)
    text = page.get(address(section, "round/1/why/5/")).content.decode()
    one, five = f"1 {surname(section, 1)}", f"5 {surname(section, 5)}"
    assert sentences(text)[1] == (
        f"{five} moves down from place 1 to place 2 because {one} cannot be paired with {five}.",
        ["2.2.6", "4.4"],
    )
    assert "The opponents who come earlier in the order" in text
    assert " the opponent?" not in text


def test_why_not_another_opponent_names_the_reason(page: Client, section: Section) -> None:
    paired(section)
    text = page.get(address(section, "round/1/why/1/?other=2")).content.decode()
    assert "are on the same side of the bracket" in text


def test_why_not_the_player_with_the_bye_says_who_comes_first_for_the_bye(
    page: Client, two_rounds: Section
) -> None:
    text = page.get(address(two_rounds, "round/1/why/1/?other=9")).content.decode()
    assert "has the bye. It is given before anybody is paired." in text
    assert "has a smaller pairing number than 9\u00a0" in text


def test_wrong_number_in_why_not_is_answered(page: Client, section: Section) -> None:
    paired(section)
    unknown, unread = "No other player has this number.", "Type a pairing number."
    for other, sentence in {"99": unknown, "1": unknown, "x": unread, "²": unread, "<b>": unread}.items():
        answer = page.get(address(section, "round/1/why/1/"), {"other": other})
        assert (answer.status_code, sentence in answer.content.decode()) == (200, True), other


def test_page_of_a_player_who_moves_up_says_each_reason_once(page: Client, event: Event) -> None:
    """1 may not meet 5, so 6 moves up to 1. The head says so; below it is only why 1 and 5 cannot meet."""
    section = moved(event)
    text = page.get(address(section, "round/1/why/6/")).content.decode()
    above, _, folded = text.partition("<main")[2].partition("<details")
    assert above.count("moves up from place 2 to place 1") == 1
    assert above.count("The arbiter keeps") == 1
    assert "The arbiter keeps" in folded


def test_player_without_an_opponent_is_not_asked_for_another_one(page: Client, two_rounds: Section) -> None:
    asked = ["Why not another opponent?" in _text(page, two_rounds, tpn) for tpn in (9, 1)]
    assert asked == [False, True]


def _text(page: Client, section: Section, tpn: int) -> str:
    return page.get(address(section, f"round/1/why/{tpn}/")).content.decode()


def test_unknown_round_or_player_is_404(page: Client, two_rounds: Section) -> None:
    for rest in ("round/3/why/", "round/3/why/1/", "round/1/why/99/", "round/0/why/"):
        assert page.get(address(two_rounds, rest)).status_code == 404, rest


def test_only_arbiters_of_the_section_see_the_pages(client: Client, log_in: LogIn, section: Section) -> None:
    paired(section)
    stranger = log_in(UserFactory(username="sam"))
    for rest in ("round/1/why/", "round/1/why/1/"):
        assert client.get(address(section, rest)).status_code == 302, rest
        assert stranger.get(address(section, rest)).status_code == 403, rest


def test_private_event_is_404_for_strangers(db: None, log_in: LogIn) -> None:
    section = section_of(4, event=EventFactory(state="draft"))
    paired(section)
    stranger = log_in(UserFactory(username="sam"))
    assert stranger.get(address(section, "round/1/why/")).status_code == 404


def test_number_of_queries_does_not_grow_with_the_field(page: Client, event: Event) -> None:
    sections = [section_of(size, event=event, slug=slug) for size, slug in ((8, "few"), (60, "many"))]
    for section in sections:
        played(section)
        paired(section)
    for rest in ("round/2/why/", "round/2/why/1/?other=2"):
        counts = []
        for section in sections:
            clear_caches()
            with CaptureQueriesContext(connection) as captured:
                assert page.get(address(section, rest)).status_code == 200
            counts.append(len(captured))
        assert counts[0] == counts[1] <= 15, rest


def test_explanation_knows_the_boards(two_rounds: Section) -> None:
    found = explain_round(two_rounds, 2)
    assert found.explainer is not None
    assert sorted(found.boards.values()) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert found.differs is False


def test_arbiters_find_the_page_from_the_boards(page: Client, client: Client, section: Section) -> None:
    paired(section, published=False)
    why = f'href="{address(section, "round/1/why/")}"'
    draft = page.get(address(section, "cockpit/")).content.decode()
    section.played_rounds.update(state="published")
    results = page.get(address(section, "round/1/results/")).content.decode()
    pairings = page.get(address(section, "round/1/pairings/")).content.decode()
    public = client.get(address(section, "round/1/pairings/")).content.decode()
    assert [why in text for text in (draft, results, pairings, public)] == [True, True, True, False]
