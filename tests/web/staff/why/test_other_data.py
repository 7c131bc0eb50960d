"""Rounds that today's data, a file or a hand would pair in another way."""

from __future__ import annotations

import re
from html import unescape

from django.http import HttpResponse
from django.test import Client

from evenboard_engine.trf import read_report
from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase, start_by_hand
from pairing.rounds import pair_next_round
from tests.factories import entry_data, section_of
from tests.web.staff.conftest import address, enter, paired, played
from tests.web.staff.why.conftest import DIFFERS, sentences, statements, surname
from tournaments.actions.entries import edit_participant, import_report
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Event, ForbiddenPair, Section
from tournaments.seating import SeatingStep, SeatMove


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
    report_lines = ["012 Counted", "142 5", "XXC white1", *lines]
    for rank in range(1, players + 1):
        cell = f"{opponents[rank]:>8}" if rank in opponents else "0000 - H"
        points = {"1": "1.0", "0": "0.0"}.get(cell[-1], "0.5")
        report_lines.append(
            f"001 {rank:>4}      {f'Player{rank}':<33} {2300 - rank:>4} {'':27}{points:>4} {rank:>4}  {cell:>8}"
        )
    report = read_report("\n".join(report_lines).encode())
    return import_report(actor=Actor.command(), event=event, report=report, name="Taken", system="dubov")


def test_colours_of_a_file_that_counts_other_numbers_are_shown_as_they_were_played(
    page: Client, event: Event
) -> None:
    """GHR 2.4: 2 was not paired, so by our reading 3 is number 2 with Black. In the file 3 has number 3 and White."""
    games = {1: "5 w 1", 3: "6 w 1", 4: "7 b 0", 5: "1 b 0", 6: "3 b 0", 7: "4 w 1"}
    section = imported(event, games, 7)
    answer = page.get(address(section, "round/1/why/3/"))
    assert names_and_colours(answer) == ["White Player3", "Black Player6"]
    assert note(answer) == (
        "The report file numbers the players differently. In round 1, the file also counts 2 Player2, who was not "
        "paired. By our reading of GHR 2.4, a player has no number before being paired, so odd and even numbers "
        "change. The page shows the colours as they were played. By our reading, 3 Player3 counts as number 2 and has "
        "Black."
    )
    assert sentences(answer.content.decode())[-1][0] == (
        "Neither 3 Player3 nor 6 Player6 has played. 3 Player3 is ranked higher. Odd numbers get the "
        "initial-colour (White) and even numbers the other colour, so number 3 gets White."
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
    step = SeatingStep(SeatMove.COLOURS, first.pk)
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
    assert [sentence.partition(",")[0] for sentence in names_and_colours(answer)] == [
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
    shown = note(page.get(address(section, "round/2/why/")))
    assert shown == f"{impossible} The arbiters are pairing the round by hand. {why}"
    end_manual_phase(
        actor=actor, round_id=row.pk, seen_version=row.version, reason="Only two", confirmed=True
    )
    for rest in ("round/2/why/", "round/2/why/1/"):
        shown = note(page.get(address(section, rest)))
        assert shown == f"{impossible} The arbiters paired the round by hand. {why} Reason: Only two"


def test_page_does_not_call_a_round_impossible_that_the_rules_could_pair_earlier(
    page: Client, section: Section
) -> None:
    """The rules gave a round when it was paired by hand. Then its players were kept apart."""
    actor = Actor.command()
    row = paired(section, published=False)
    row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
    players = list(section.participants.order_by("tpn"))
    step = SeatingStep(SeatMove.COLOURS, players[0].pk)
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
    results = re.search(r"<b>Adjourned when this round was paired:</b> (.*?)</p>", text)
    assert results is not None
    assert results[1] == (
        "round 1, board 1. For this round, an adjourned game counts as a draw. Its result counts only for later rounds."
    )


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
        "8 players have other pairing numbers today. 1 player has another rating today. This page shows the pairing "
        "numbers and ratings with which the round was paired."
    ) in text
    again = page.get(address(section, "round/2/why/1/")).content.decode()
    assert f"1\u00a0{former[7]}" in again
    assert "another rating today" not in again


def test_why_not_says_which_pairs_the_arbiters_made_and_parted(page: Client, section: Section) -> None:
    """The rules pair 1-5 and 2-6; by hand 5 and 6 change places."""
    actor = Actor.command()
    row = paired(section, published=False)
    row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
    five, six = (section.participants.get(tpn=tpn).pk for tpn in (5, 6))
    step = SeatingStep(SeatMove.SWAP, five, other=six)
    row, _ = change_by_hand(actor=actor, round_id=row.pk, seen_version=row.version, step=step, confirmed=True)
    end_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version, reason="Stairs", confirmed=True)
    names = {tpn: f"{tpn} {surname(section, tpn)}" for tpn in range(1, 9)}
    by_rules = answered(page, section, 2, 5)
    assert by_rules[0] == (
        f"{names[2]} and {names[5]} play each other because the arbiters paired them. By the rules:"
    )
    assert by_rules[1:] != []
    assert answered(page, section, 1, 5) == [
        f"By the rules, {names[1]} and {names[5]} would play each other. The arbiters changed the pair."
    ]
    assert answered(page, section, 1, 7)[0] == (
        f"{names[1]} and {names[7]} do not play each other. By the rules they would not either:"
    )
    assert answered(page, section, 3, 7) == [f"{names[3]} and {names[7]} do play each other."]


def answered(page: Client, section: Section, player: int, other: int) -> list[str]:
    html = page.get(address(section, f"round/1/why/{player}/?other={other}")).content.decode()
    note_html = html.partition('<div class="note" role="status">')[2].partition("</div>")[0]
    return [unescape(sentence) for sentence, _articles in statements(note_html)]
