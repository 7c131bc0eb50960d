""" "Why this pairing?" for arbiters: a round, a player, and why not another opponent."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pairing.engine.trf import read_report
from pairing.rounds.actions import pair_next_round
from pairing.rounds.by_hand import begin_manual_phase, change_by_hand, end_manual_phase, start_by_hand
from pairing.rounds.seating import Move, Step
from tests.factories import EventFactory, UserFactory, entry_data, section_of
from tests.web.staff.conftest import LogIn, address, enter, paired, played
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import edit_participant, import_report, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Event, ForbiddenPair, Section
from tournaments.queries.explanation import explain_round

DIFFERS = "The rules give another round with today's data."


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


@pytest.mark.parametrize("number", [1, 2])
def test_every_player_has_a_page_for_every_round(page: Client, two_rounds: Section, number: int) -> None:
    for tpn in range(1, 10):
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
    told = [page.get(address(section, f"round/2/why/{tpn}/")).content.decode() for tpn in (3, 5, 1)]
    assert "is not paired in this round. The player has a half-point bye." in told[0]
    assert "is not paired in this round. The player was withdrawn after round 1." in told[1]
    assert "is not paired in this round." not in told[2]


def test_page_draws_s1_and_g2(page: Client, section: Section) -> None:
    paired(section)
    text = page.get(address(section, "round/1/why/2/")).content.decode()
    assert text.count('<path d="M0') == 3
    assert text.count('<path class="pick" d="M0') == 1
    assert "style=" not in text.partition("<main")[2]


def sentences(text: str) -> list[tuple[str, list[str]]]:
    """Return the sentences at the head of the page, each with the articles in the margin."""
    return statements(text.partition('<section class="why-lead"')[2].partition("</section>")[0])


def statements(html: str) -> list[tuple[str, list[str]]]:
    """Return the sentences of this part of a page, each with the articles in the margin."""
    items = re.findall(r'<li><span>(.*?)</span>\s*<span class="arts">(.*?)</li>', html, re.DOTALL)
    return [
        (said.replace("\u00a0", " "), re.findall(r'<span class="art">(.*?)</span>', arts))
        for said, arts in items
    ]


def surname(section: Section, tpn: int) -> str:
    return section.participants.get(tpn=tpn).player.name.partition(",")[0]


def test_page_of_a_player_leads_with_the_picture_and_three_sentences(page: Client, section: Section) -> None:
    paired(section)
    text = page.get(address(section, "round/1/why/2/")).content.decode()
    second, sixth = f"2 {surname(section, 2)}", f"6 {surname(section, 6)}"
    assert text.index('<div class="match">') < text.index("8 players with 0 points")
    members, order, colours = [said for said, _ in sentences(text)]
    assert members.endswith(
        "still to be paired. They can all be paired with each other, so nobody is floated up."
    )
    assert order == (f"{second} and {sixth} meet because both have place 2 in the order of their side.")
    assert colours == (
        f"Neither {sixth} nor {second} has played. {second} is ranked higher. Odd numbers get the initial-colour and "
        "even numbers the other colour, so number 2 gets Black."
    )
    assert [articles for _, articles in sentences(text)] == [["1.3.1", "2.2.1"], ["2.2.6", "4.4"], ["5.2.1"]]


def test_page_of_a_round_leads_with_the_picture_and_three_sentences(
    page: Client, two_rounds: Section
) -> None:
    text = page.get(address(two_rounds, "round/2/why/")).content.decode()
    said = sentences(text)
    assert len(said) == 3
    assert said[0][0].startswith("The number of players is odd, so one gets the bye.")
    assert said[1][0].startswith("The players are paired in 2 brackets, from the highest score down.")
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
    assert [[said for said, _ in statements(head)] for head in heads] == [
        [
            (
                "Only one player with 1 point is left. The bracket has an odd number of players of its own, so one "
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
    ((said, articles),) = sentences(text)
    assert (said[:29], articles) == ("The number of players is odd,", ["2.1"])
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
    assert "is higher in the initial ranking than 9\u00a0" in text


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("99", "No other player has this number."),
        ("1", "No other player has this number."),
        ("x", "Type a pairing number."),
        ("²", "Type a pairing number."),
        ("<b>", "Type a pairing number."),
    ],
)
def test_wrong_number_in_why_not_is_answered(page: Client, section: Section, other: str, said: str) -> None:
    paired(section)
    answer = page.get(address(section, "round/1/why/1/"), {"other": other})
    assert (answer.status_code, said in answer.content.decode()) == (200, True)


def test_page_says_that_the_round_was_changed_later(page: Client, section: Section) -> None:
    row = paired(section)
    game = row.games.get(board=1)
    game.white_id, game.black_id = game.black_id, game.white_id
    game.save()
    assert DIFFERS in page.get(address(section, "round/1/why/")).content.decode()
    assert DIFFERS in page.get(address(section, "round/1/why/1/")).content.decode()


def test_changed_data_are_named_as_the_reason(page: Client, section: Section) -> None:
    """1 and 8 exchange their numbers after round 1, so 8 would meet the 4 players of the upper half."""
    paired(section)
    first, last = (section.participants.get(tpn=tpn) for tpn in (1, 8))
    for entry, tpn in ((first, 100), (last, 1), (first, 8)):
        section.participants.filter(pk=entry.pk).update(tpn=tpn)
    shown = note(page.get(address(section, "round/1/why/")))
    assert shown == (
        "The rules give another round with today's data. Ratings, pairing numbers, entries or settings were changed "
        "after the round was paired. This page explains the pairs that the rules give."
    )


def test_page_of_a_player_who_moves_up_says_each_reason_once(page: Client, event: Event) -> None:
    """1 may not meet 5, so 6 moves up to 1. The head says so; below it is only why 1 and 5 cannot meet."""
    section = moved(event)
    text = page.get(address(section, "round/1/why/6/")).content.decode()
    above, _, folded = text.partition("<details")
    assert above.count("moves up from place 2 to place 1") == 1
    assert above.count("The arbiter keeps") == 1
    assert "The arbiter keeps" in folded


def note(answer: HttpResponse) -> str:
    """Return the words of the note about the difference between the round and the rules; "" without a note."""
    found = re.search(r'<div class="note warn">(.*?)</div>', answer.content.decode(), re.DOTALL)
    return " ".join(unescape(re.sub(r"<.*?>", " ", found[1])).split()) if found else ""


def names_and_colours(answer: HttpResponse) -> list[str]:
    """Return the colours and names at the head of the page of a player."""
    duo = answer.content.decode().partition('block duo">')[2].partition("<section")[0]
    return [
        " ".join(re.sub(r"<.*?>", " ", part).split())
        for part in re.findall(r'<span class="small quiet">(.*?)</strong>', duo, re.DOTALL)
    ]


def imported(event: Event, opponents: dict[int, str], players: int, *lines: str) -> Section:
    """Import a file with round 1. opponents: the entry of each player in it; else a half-point bye."""
    told = ["012 Counted", "142 5", "XXC white1", *lines]
    for rank in range(1, players + 1):
        cell = f"{opponents[rank]:>8}" if rank in opponents else "0000 - H"
        points = {"1": "1.0", "0": "0.0"}.get(cell[-1], "0.5")
        told.append(
            f"001 {rank:>4}      {f'Player{rank}':<33} {2300 - rank:>4} {'':27}{points:>4} {rank:>4}  {cell:>8}"
        )
    report = read_report("\n".join(told).encode())
    return import_report(actor=Actor.command(), event=event, report=report, name="Taken")


def test_colours_of_a_file_that_counts_other_numbers_are_shown_as_they_were_played(
    page: Client, event: Event
) -> None:
    """GHR 2.4: 2 was not paired, so by our reading 3 is number 2 with Black. In the file 3 has number 3 and White."""
    games = {1: "5 w 1", 3: "6 w 1", 4: "7 b 0", 5: "1 b 0", 6: "3 b 0", 7: "4 w 1"}
    section = imported(event, games, 7)
    answer = page.get(address(section, "round/1/why/3/"))
    assert names_and_colours(answer) == ["White Player3", "Black Player6"]
    assert note(answer) == (
        "The report file numbers the players differently. In round 1, it also counts 2 Player2, who was not "
        "paired. By our reading of GHR 2.4, a player has no number before being paired, so odd and even numbers "
        "change. The page shows the colours as they were played. By our reading, 3 Player3 counts as number 2 and has "
        "Black."
    )
    assert sentences(answer.content.decode())[-1][0] == (
        "Neither 3 Player3 nor 6 Player6 has played. 3 Player3 is ranked higher. Odd numbers get the initial-colour "
        "and even numbers the other colour, so number 3 gets White."
    )
    unmoved = page.get(address(section, "round/1/why/1/"))
    assert names_and_colours(unmoved) == ["White Player1", "Black Player5"]
    assert "counts as number" not in note(unmoved)
    whole = page.get(address(section, "round/1/why/")).content.decode()
    row = re.search(r'<tr><td class="num quiet">\d</td>[^\n]*Player3<[^\n]*', whole)
    assert row is not None
    assert row[0].index("Player3<") < row[0].index("Player6<")


def test_file_that_does_not_follow_the_rules_is_named_as_the_reason(page: Client, event: Event) -> None:
    games = {1: "2 w 1", 2: "1 b 0", 3: "4 w 1", 4: "3 b 0"}
    section = imported(event, games, 4)
    answer = page.get(address(section, "round/1/why/1/"))
    assert names_and_colours(answer) == ["White Player1", "Black Player2"]
    assert note(answer) == (
        "The report file pairs this round differently from the rules. The round was imported with the pairs of the "
        "file. By the rules, 1 Player1 has White against 3 Player3. The page explains this below."
    )
    assert ">By the rules</h2>" in answer.content.decode()


def test_pairs_made_by_hand_are_named_with_their_reason(page: Client, section: Section) -> None:
    row = paired(section, published=False)
    actor = Actor.command()
    row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
    first = section.participants.get(tpn=1)
    step = Step(Move.COLOURS, first.pk)
    row, _ = change_by_hand(actor=actor, round_id=row.pk, seen_version=row.version, step=step, confirmed=True)
    open_answer = page.get(address(section, "round/1/why/2/"))
    assert note(open_answer).startswith(
        "This round is being paired by hand. This player has the same pairing"
    )
    row = end_manual_phase(
        actor=actor, round_id=row.pk, seen_version=row.version, reason="Stairs", confirmed=True
    )
    one, five = f"1 {surname(section, 1)}", f"5 {surname(section, 5)}"
    answer = page.get(address(section, "round/1/why/1/"))
    assert [said.partition(",")[0] for said in names_and_colours(answer)] == [
        f"White {surname(section, 5)}",
        f"Black {surname(section, 1)}",
    ]
    assert note(answer) == (
        "Pairs of this round were made by hand. Reason: Stairs "
        f"By the rules, {one} has White against {five}. The page explains this below."
    )


def test_page_says_that_the_rules_cannot_pair_the_round(page: Client, event: Event) -> None:
    """Nothing was changed after the round was paired, so the page does not blame the data of today."""
    section = section_of(2, event=event, slug="two", rounds=3)
    played(section)
    actor = Actor.command()
    row = start_by_hand(actor=actor, section_id=section.pk, after_round=1, proposal=True)
    one, two = (participant.player.name for participant in section.participants.order_by("tpn"))
    why = (
        f"No round is possible with these players: 1 {one} and 2 {two}. They have already met all opponents who are "
        "left, or must have the same colour (C1, C3)."
    )
    impossible = "The rules allow no pairing for this round."
    told = note(page.get(address(section, "round/2/why/")))
    assert told == f"{impossible} The arbiters are pairing it by hand. {why}"
    end_manual_phase(
        actor=actor, round_id=row.pk, seen_version=row.version, reason="Only two", confirmed=True
    )
    for rest in ("round/2/why/", "round/2/why/1/"):
        told = note(page.get(address(section, rest)))
        assert told == f"{impossible} The arbiters paired it by hand. {why} Reason: Only two"


def test_page_does_not_call_a_round_impossible_that_the_rules_could_pair_earlier(
    page: Client, section: Section
) -> None:
    """The rules gave a round when it was paired by hand. Then its players were kept apart."""
    actor = Actor.command()
    row = paired(section, published=False)
    row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
    players = list(section.participants.order_by("tpn"))
    step = Step(Move.COLOURS, players[0].pk)
    row, _ = change_by_hand(actor=actor, round_id=row.pk, seen_version=row.version, step=step, confirmed=True)
    end_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version, reason="Stairs", confirmed=True)
    for other in players[1:]:
        ForbiddenPair.objects.create(section=section, first=players[0], second=other)
    assert note(page.get(address(section, "round/1/why/"))) == (
        "No explanation. With today's data, the rules give no round. The round is paired by hand. Reason: Stairs"
    )


def test_adjourned_game_is_not_called_corrected(page: Client, section: Section) -> None:
    """Of two adjourned games, the one that ends in a draw changes nothing and is not named."""
    row = paired(section)
    for game in row.games.all():
        enter(game, "adj" if game.board < 3 else "1/2")
    actor = Actor.command()
    pair_next_round(actor=actor, section_id=section.pk, after_round=1, proceed=True)
    for board, result in ((1, "1-0"), (2, "1/2")):
        game = row.games.get(board=board)
        record_result(actor=actor, game_id=game.pk, result=result, seen_version=game.version, confirmed=True)
    text = page.get(address(section, "round/2/why/")).content.decode()
    assert "Corrected since" not in text
    said = re.search(r"<b>Adjourned when this round was paired:</b> (.*?)</p>", text)
    assert said is not None
    assert said[1] == (
        "round 1, board 1. For this round, an adjourned game counts as a draw. Its result counts only for later rounds."
    )


def test_player_without_an_opponent_is_not_asked_for_another_one(page: Client, two_rounds: Section) -> None:
    asked = ["Why not another opponent?" in _text(page, two_rounds, tpn) for tpn in (9, 1)]
    assert asked == [False, True]


def _text(page: Client, section: Section, tpn: int) -> str:
    return page.get(address(section, f"round/1/why/{tpn}/")).content.decode()


def test_former_round_is_explained_with_the_data_before_it(page: Client, event: Event) -> None:
    """A player who withdrew after a round was present when it was paired."""
    section = section_of(8, event=event, slug="later")
    played(section)
    section.participants.filter(tpn=3).update(status="withdrawn")
    row = paired(section)
    for game in row.games.all():
        enter(game, "1-0")
    assert DIFFERS not in page.get(address(section, "round/1/why/")).content.decode()
    text = page.get(address(section, "round/2/why/3/")).content.decode()
    assert "is not paired in this round." in text


def test_forbidden_pairs_are_part_of_the_explanation(page: Client, event: Event) -> None:
    section = section_of(8, event=event, slug="apart")
    first, fifth = (section.participants.get(tpn=tpn) for tpn in (1, 5))
    ForbiddenPair.objects.create(section=section, first=first, second=fifth)
    paired(section)
    text = page.get(address(section, "round/1/why/1/")).content.decode()
    assert "The arbiter keeps 1\u00a0" in text
    assert DIFFERS not in text


def test_page_says_that_the_rules_give_no_round_now(page: Client, event: Event) -> None:
    section = section_of(4, event=event, slug="four")
    paired(section)
    Section.objects.filter(pk=section.pk).update(initial_colour="")
    for rest in ("round/1/why/", "round/1/why/1/"):
        answer = page.get(address(section, rest))
        assert (answer.status_code, "No explanation." in answer.content.decode()) == (200, True)


@pytest.mark.parametrize("rest", ["round/3/why/", "round/3/why/1/", "round/1/why/99/", "round/0/why/"])
def test_unknown_round_or_player_is_404(page: Client, two_rounds: Section, rest: str) -> None:
    assert page.get(address(two_rounds, rest)).status_code == 404


@pytest.mark.parametrize("rest", ["round/1/why/", "round/1/why/1/"])
def test_only_arbiters_of_the_section_see_the_pages(
    client: Client, log_in: LogIn, section: Section, rest: str
) -> None:
    paired(section)
    stranger = log_in(UserFactory(username="sam"))
    assert client.get(address(section, rest)).status_code == 302
    assert stranger.get(address(section, rest)).status_code == 403


def test_private_event_is_404_for_strangers(db: None, log_in: LogIn) -> None:
    section = section_of(4, event=EventFactory(public=False))
    paired(section)
    stranger = log_in(UserFactory(username="sam"))
    assert stranger.get(address(section, "round/1/why/")).status_code == 404


@pytest.mark.parametrize("rest", ["round/2/why/", "round/2/why/1/?other=2"])
def test_number_of_queries_does_not_grow_with_the_field(page: Client, event: Event, rest: str) -> None:
    counts = []
    for size, slug in ((8, "few"), (60, "many")):
        section = section_of(size, event=event, slug=slug)
        played(section)
        paired(section)
        with CaptureQueriesContext(connection) as captured:
            assert page.get(address(section, rest)).status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 15


def test_numbers_and_ratings_that_changed_since_are_those_of_the_round(
    page: Client, section: Section
) -> None:
    """Number 8 gets the highest rating, so everybody has another number. Round 1 was paired with the old ones."""
    played(section)
    former = [surname(section, tpn) for tpn in range(1, 9)]
    eighth = section.participants.get(tpn=8)
    changed = entry_data(eighth.player.name, 2600, federation="NED", rating_source=eighth.rating_source)
    edit_participant(actor=Actor.command(), participant_id=eighth.pk, entry=changed, asked=True)
    played(section)
    assert surname(section, 1) == former[7]
    text = page.get(address(section, "round/1/why/8/")).content.decode()
    assert "today's data" not in text.replace("&#x27;", "'")
    assert f"8\u00a0{former[7]}" in text
    assert "2420" in text
    assert "2600" not in text
    assert (
        "8 players have other pairing numbers today. 1 player has another rating today. This page shows those with "
        "which the round was paired."
    ) in text
    again = page.get(address(section, "round/2/why/1/")).content.decode()
    assert f"1\u00a0{former[7]}" in again
    assert "another rating today" not in again


def test_explanation_knows_the_boards(two_rounds: Section) -> None:
    found = explain_round(two_rounds, 2)
    assert found.explainer is not None
    assert sorted(found.boards.values()) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert found.differs is False


def test_arbiters_find_the_page_from_the_boards(page: Client, client: Client, section: Section) -> None:
    paired(section, published=False)
    why = f'href="{address(section, "round/1/why/")}"'
    draft = page.get(address(section, "desk/")).content.decode()
    section.played_rounds.update(state="published")
    results = page.get(address(section, "round/1/results/")).content.decode()
    pairings = page.get(address(section, "round/1/pairings/")).content.decode()
    public = client.get(address(section, "round/1/pairings/")).content.decode()
    assert [why in text for text in (draft, results, pairings, public)] == [True, True, True, False]
