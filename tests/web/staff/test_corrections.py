"""The pages of corrections (GHR 4.3)."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.answers import answers_in
from tests.factories import section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.actions.sections import leave_fide_mode
from tournaments.models import Event, Game, Section


@pytest.fixture
def under_way(section: Section) -> Section:
    """Round 1 drawn on all four boards, round 2 being played."""
    played(section)
    paired(section)
    return section


def text(answer: object) -> str:
    return re.sub(r"\s+", " ", answer.content.decode().partition("<main")[2])


def game_of(section: Section, number: int, board: int = 1) -> Game:
    return Game.objects.get(round__section=section, round__number=number, board=board)


def send(page: Client, section: Section, number: int, board: int, **fields: str) -> object:
    game = game_of(section, number, board)
    values = {"version": str(game.version), "reason": "Both said so", "effect": "next", **fields}
    return page.post(address(section, f"round/{number}/corrections/{board}/"), values)


def sure(page: Client, section: Section, number: int, board: int, **fields: str) -> object:
    """Send a correction, and say yes to the question."""
    given = answers_in(send(page, section, number, board, **fields))
    return send(page, section, number, board, **fields, answer=given)


def test_page_stays_in_its_place_before_the_first_round(page: Client, section: Section) -> None:
    here = address(section, "round/1/corrections/")
    assert f'href="{here}"' in page.get(address(section, "pairings/")).content.decode()
    shown = text(page.get(here))
    assert "When the round is over, its results can be corrected here." in shown
    assert "There are no results yet." in shown
    assert page.get(address(section, "round/2/corrections/")).status_code == 404


def test_finished_round_leads_to_its_corrections(page: Client, under_way: Section) -> None:
    assert "/round/1/corrections/" in text(page.get(address(under_way, "round/1/results/")))
    shown = text(page.get(address(under_way, "round/1/corrections/")))
    assert "Round 2 is being played." in shown
    assert shown.count("Correct<span") == 4
    found = text(page.get(address(under_way, "round/1/corrections/?q=2")))
    assert found.count("Correct<span") == 1


def test_each_place_leads_to_the_correction_of_a_board_and_back(
    page: Client, client: Client, under_way: Section
) -> None:
    """In one press from Pairings, Results, the crosstable, the page and the entry of a player; in play to the entry."""
    player = game_of(under_way, 1, 2).white
    form, entry = (address(under_way, f"round/1/corrections/{board}/") for board in (2, 1))
    places = {
        "round/1/pairings/": (form, entry),
        "round/1/results/": (form, entry),
        "results/1/": (form, entry),
        "crosstable/": (form, entry, address(under_way, "round/2/board/1/")),
        f"players/{player.tpn}/": (form,),
        f"entries/{player.pk}/": (form,),
        "round/2/pairings/": (address(under_way, "round/2/board/2/"),),
    }
    for place, leads in places.items():
        shown = page.get(address(under_way, place)).content.decode()
        assert all(f'href="{lead}"' in shown for lead in leads), place
    for place in ("round/1/pairings/", "results/1/", "crosstable/", f"players/{player.tpn}/"):
        assert "change-result" not in client.get(address(under_way, place)).content.decode()
    for place in ("crosstable/", f"players/{player.tpn}/?x=1"):
        here = address(under_way, place)
        came = {"Referer": f"http://testserver{here}"}
        shown = page.get(form, headers=came).content.decode()
        assert f'href="{here}"' in shown, "Cancel leads back"
        result = "0-1" if place == "crosstable/" else "1-0"
        asked = send(page, under_way, 1, 2, result=result, back=here)
        assert f'name="back" value="{here}"' in asked.content.decode()
        given = answers_in(asked)
        assert send(page, under_way, 1, 2, result=result, back=here, answer=given).url == here
    elsewhere = page.get(form, headers={"Referer": "http://elsewhere.example/demo/open/crosstable/"})
    assert f'href="{address(under_way, "round/1/corrections/")}"' in elsewhere.content.decode()
    answer = sure(page, under_way, 1, 3, result="1-0", back="//elsewhere.example/")
    assert answer.url == address(under_way, "round/1/corrections/")
    game = game_of(under_way, 2)
    values = {f"result-{game.pk}": "1-0", f"version-{game.pk}": game.version, f"was-{game.pk}": ""}
    back = address(under_way, "round/2/pairings/")
    assert page.post(address(under_way, "round/2/board/1/"), values | {"back": back}).url == back


def test_result_leads_to_what_changes_it_now(page: Client, under_way: Section) -> None:
    """Adjourned: to the entry. Draft: nowhere. Closed: to the correction for rating. All rounds fixed: to the entry."""
    Game.objects.filter(pk=game_of(under_way, 1).pk).update(result="adj")
    shown = page.get(address(under_way, "round/1/pairings/")).content.decode()
    assert address(under_way, "round/1/board/1/") in shown
    Section.objects.filter(pk=under_way.pk).update(status="closed")
    shown = page.get(address(under_way, "round/1/pairings/")).content.decode()
    assert address(under_way, "round/1/corrections/2/") in shown
    assert "/board/" not in shown
    Section.objects.filter(pk=under_way.pk).update(status="open")
    under_way.played_rounds.filter(number=2).update(state="draft")
    assert "change-result" not in page.get(address(under_way, "round/2/pairings/")).content.decode()


def test_correction_is_previewed_before_it_is_made(page: Client, under_way: Section) -> None:
    answer = send(page, under_way, 1, 1, result="0-1")
    shown = text(answer)
    assert answer.status_code == 200
    assert "Nothing is changed yet." in shown
    assert "<del>½</del> <ins>1</ins>" in shown
    assert "would be" in shown
    assert "from the pairing of round 3 on" in shown
    assert game_of(under_way, 1).result == "1/2"
    yes = answers_in(answer)
    other = send(page, under_way, 1, 1, result="1-0", answer=yes)
    assert (other.status_code, game_of(under_way, 1).result) == (200, "1/2"), "another result is asked about"
    answer = send(page, under_way, 1, 1, result="0-1", answer=yes)
    assert answer.url == address(under_way, "round/1/corrections/")
    assert game_of(under_way, 1).result == "0-1"
    assert "corrected" in text(page.get(answer.url))
    why = text(page.get(address(under_way, "round/2/why/")))
    assert "Corrected since:" in why
    assert "round 1, board 1" in why


def test_yes_to_a_correction_counts_for_the_changes_that_were_shown(page: Client, under_way: Section) -> None:
    yes = answers_in(send(page, under_way, 1, 1, result="0-1"))
    sure(page, under_way, 1, 2, result="1-0")  # other standings now
    again = send(page, under_way, 1, 1, result="0-1", answer=yes)
    assert (again.status_code, game_of(under_way, 1).result) == (200, "1/2")
    assert "Nothing is changed yet." in text(again)
    done = send(page, under_way, 1, 1, result="0-1", answer=answers_in(again))
    assert (done.status_code, game_of(under_way, 1).result) == (302, "0-1")


def test_round_that_has_ended_is_corrected_for_rating_unless_it_was_reported_before(
    page: Client, under_way: Section
) -> None:
    for game in Game.objects.filter(round__number=2):
        enter(game, "1-0")
    shown = text(page.get(address(under_way, "round/1/corrections/1/")))
    assert re.search(r'value="rating"[^>]*checked', shown)
    rating = text(send(page, under_way, 1, 1, result="0-1", effect="rating"))
    assert "For rating only." in rating
    sure(page, under_way, 1, 1, result="0-1", effect="rating")
    game = game_of(under_way, 1)
    assert (game.result, game.rating_result) == ("1/2", "0-1")
    sure(page, under_way, 1, 1, result="1-0", effect="next")
    assert game_of(under_way, 1).result == "1-0"


def test_next_round_that_is_a_draft_can_be_unpaired_first(page: Client, section: Section) -> None:
    played(section)
    row = paired(section, published=False)
    shown = text(page.get(address(section, "round/1/corrections/")))
    assert "Unpair round 2" in shown
    page.post(address(section, "round/2/unpair/"), {"version": row.version})
    assert "Change its results on the page Results" in text(send(page, section, 1, 1, result="0-1"))
    assert section.played_rounds.get().is_published


def test_old_rounds_offer_only_a_correction_for_rating(page: Client, under_way: Section) -> None:
    for game in Game.objects.filter(round__number=2):
        enter(game, "1-0")
    paired(under_way)
    shown = text(page.get(address(under_way, "round/1/corrections/1/")))
    assert 'value="rating"' in shown
    assert 'value="next"' not in shown
    assert send(page, under_way, 1, 1, result="0-1", effect="next").status_code == 422


def test_colours_are_turned_together_with_the_real_result(page: Client, under_way: Section) -> None:
    before = game_of(under_way, 1)
    shown = text(send(page, under_way, 1, 1, result="0-1", turned="on"))
    assert re.search(r"<ins>[^<]*\(5\)", shown)
    sure(page, under_way, 1, 1, result="0-1", turned="on")
    after = game_of(under_way, 1)
    assert (after.white_id, after.black_id) == (before.black_id, before.white_id)


def test_colours_turned_in_the_running_round_come_after_no_pairing(page: Client, under_way: Section) -> None:
    enter(game_of(under_way, 2), "1-0")
    shown = text(send(page, under_way, 2, 1, result="0-1", turned="on"))
    assert "from the pairing of round 3 on. The report file has a line about the correction." in shown
    assert "after a pairing" not in shown
    assert "The report file says that the correction came after a pairing." in text(
        send(page, under_way, 1, 1, result="0-1", turned="on")
    )


def test_form_keeps_what_was_typed_and_says_what_is_missing(page: Client, under_way: Section) -> None:
    answer = send(page, under_way, 1, 1, result="0-1", reason="")
    assert answer.status_code == 422
    assert re.search(r'value="0-1"[^>]*selected', text(answer))
    for nonsense in ({"result": "adj"}, {"result": "x"}, {"effect": "never", "result": "1-0"}):
        assert send(page, under_way, 1, 1, **nonsense).status_code == 422
    same = send(page, under_way, 1, 1, result="1/2")
    assert (same.status_code, "already has this result" in text(same)) == (422, True)
    stale = sure(page, under_way, 1, 1, result="0-1", version="77")
    assert stale.status_code == 409
    assert game_of(under_way, 1).result == "1/2"


def test_missing_boards_are_not_found(page: Client, under_way: Section) -> None:
    assert page.get(address(under_way, "round/1/corrections/99/")).status_code == 404
    assert page.get(address(under_way, "round/9/corrections/")).status_code == 404


def test_pages_ask_the_database_as_often_for_many_as_for_few(page: Client, event: Event) -> None:
    counted = []
    for players, slug in ((8, "few"), (60, "many")):
        section = section_of(players, event=event, slug=slug)
        played(section)
        paired(section)
        asked = []
        for path in ("round/1/corrections/", "round/1/corrections/1/"):
            with CaptureQueriesContext(connection) as captured:
                assert page.get(address(section, path)).status_code == 200
            asked.append(len(captured))
        with CaptureQueriesContext(connection) as captured:
            assert send(page, section, 1, 1, result="0-1").status_code == 200
        counted.append([*asked, len(captured)])
    assert counted[0] == counted[1]
    assert max(counted[0]) <= 31


def test_older_round_names_the_ways_left_and_outside_fide_mode_asks_for_the_time_of_the_report(
    page: Client, under_way: Section
) -> None:
    for game in game_of(under_way, 2).round.games.all():
        enter(game, "1/2")
    paired(under_way)
    form = address(under_way, "round/1/corrections/1/")
    shown = text(page.get(form))
    assert "FIDE mode allows changes only in the last two rounds." in shown
    assert f'<a href="{address(under_way, "log/")}">go back to before a round</a>' in shown
    assert f'<a href="{address(under_way, "settings/fide-mode/")}">leave FIDE mode</a>' in shown
    assert 'value="next"' not in shown
    assert sure(page, under_way, 1, 1, result="0-1").status_code == 422
    leave_fide_mode(actor=Actor.command(), section_id=under_way.pk, reason="rules of the club", asked=True)
    shown = text(page.get(form))
    assert "In time, but not entered then: it counts for the standings and the next pairing" in shown
    assert re.search(r'value="rating"[^>]* checked', shown)
    shown = text(send(page, under_way, 1, 1, result="0-1"))
    assert "from the pairing of round 4 on" in shown
    assert "Round 2 is already paired" in shown
    assert sure(page, under_way, 1, 1, result="0-1").status_code == 302
    assert game_of(under_way, 1).result == "0-1"


def test_late_result_of_an_adjourned_game_is_not_called_corrected(page: Client, section: Section) -> None:
    """It is marked as corrected when a real result is corrected later."""
    row = played(section)
    enter(row.games.get(board=1), "adj")
    enter(row.games.get(board=2), "adj")
    paired(section)
    for board in (1, 2):
        late = row.games.get(board=board)
        record_result(
            actor=Actor.command(), game_id=late.pk, result="1-0", seen_version=late.version, confirmed=True
        )
    sure(page, section, 1, 2, result="0-1")
    shown = text(page.get(address(section, "round/1/corrections/")))
    assert shown.count('<span class="pill warn">corrected</span>') == 1


@pytest.fixture
def last_round(event: Event) -> Section:
    """Round 2 of 2 is being played."""
    section = section_of(8, event=event, slug="two-rounds", rounds=2)
    played(section)
    paired(section)
    return section


def test_correction_during_the_last_round_names_no_pairing_after_it(
    page: Client, last_round: Section
) -> None:
    shown = text(page.get(address(last_round, "round/1/corrections/1/")))
    assert "A mistake reported before the end of round 2 counts for the standings (GHR 4.3)." in shown
    assert (
        '<input type="hidden" name="effect" value="next"><p>In time: it counts for the standings.</p>'
        in shown
    )
    preview = text(send(page, last_round, 1, 1, result="0-1"))
    assert (
        "counts for the standings. The report file says that the correction came after a pairing." in preview
    )


def test_correction_after_the_last_round_names_no_pairing_after_it(page: Client, last_round: Section) -> None:
    for game in game_of(last_round, 2).round.games.all():
        enter(game, "1-0")
    shown = text(page.get(address(last_round, "round/1/corrections/1/")))
    assert "A mistake reported before the end of round 2 counts for the standings. A correction that" in shown
    assert "next pairing" not in shown
    assert (
        "The correction counts for the standings. The report file has a line about the correction."
        in text(send(page, last_round, 2, 1, result="0-1", turned="on"))
    )


def test_draft_of_the_last_round_can_be_unpaired_and_names_no_pairing_after_it(
    page: Client, event: Event
) -> None:
    section = section_of(8, event=event, slug="two-rounds", rounds=2)
    played(section)
    paired(section, published=False)
    shown = text(page.get(address(section, "round/1/corrections/")))
    assert "Otherwise the correction counts only for the standings." in shown
    assert "pairing after round" not in shown
