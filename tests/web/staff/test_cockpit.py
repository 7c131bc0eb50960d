"""The cockpit: its one next step, what blocks it, and the answer to its polling."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from pairing.rounds import publish_round
from tests.answers import agreed
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.web.staff.conftest import LogIn, address, enter, paired, played
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots
from tournaments.actions.presence import check_in_all, open_check_in
from tournaments.actions.results import confirm_result, mark_over
from tournaments.actions.sections import close_section
from tournaments.actions.undo import undo
from tournaments.models import Bye, Event, Game, Player, Round, Section, User
from tournaments.queries import site
from tournaments.queries.cockpit import cockpit as cockpit_of

HTMX = {"HX-Request": "true"}


def black_button(html: str) -> str:
    """The text of the one primary control of a page, without its key."""
    (button,) = re.findall(r'<(?:a|button) class="btn go"[^>]*>(.*?)</(?:a|button)>', html, re.DOTALL)
    return re.sub(r"<kbd.*?</kbd>", "", button).strip()


def cockpit(page: Client, section: Section) -> str:
    answer = page.get(address(section, "cockpit/"))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("language", ["", "/de"])
@pytest.mark.parametrize("query", ["", "?seen=3&note=%C3%A9+%26"])
def test_the_former_address_leads_to_the_cockpit_for_good(
    page: Client, section: Section, language: str, query: str
) -> None:
    former, now = (f"{language}{address(section, rest)}{query}" for rest in ("desk/", "cockpit/"))
    for answer in (page.get(former), page.head(former)):
        assert (answer.status_code, answer.url) == (301, now)
    assert page.post(former).status_code == 405


def test_the_former_address_has_the_right_of_the_cockpit(
    page: Client, section: Section, log_in: LogIn
) -> None:
    former = address(section, "desk/")
    assert Client().get(former).url == f"/login/?next={former}"
    assert Client().get(former, headers=HTMX)["HX-Redirect"] == "/login/"
    stranger = log_in(UserFactory())
    assert stranger.get(former).status_code == 403
    section.event.state = "draft"
    section.event.save()
    assert stranger.get(former).status_code == 404


def test_cockpit_of_an_empty_section_asks_for_entries(page: Client, event: Event) -> None:
    html = cockpit(page, section_of(0, event=event))
    assert black_button(html) == "Import entries"


def test_cockpit_asks_for_the_lot_when_players_are_there(page: Client, event: Event) -> None:
    html = cockpit(page, section_of(4, event=event, initial_colour=""))
    assert black_button(html) == "Draw the initial-colour by lot"


def test_cockpit_offers_to_pair_round_1(page: Client, section: Section) -> None:
    html = cockpit(page, section)
    assert black_button(html) == "Pair round 1"
    assert 'name="after_round" value="0"' in html


def test_cockpit_of_a_draft_shows_its_boards_and_offers_to_publish(page: Client, section: Section) -> None:
    row = paired(section, published=False)
    html = cockpit(page, section)
    assert black_button(html) == "Check round 1"
    assert "Publish round 1" in html
    assert all(str(game.white.player) in html for game in row.games.select_related("white__player"))
    assert "Unpair round 1" in html


def test_cockpit_of_a_draft_that_was_checked_offers_to_publish(page: Client, section: Section) -> None:
    row = paired(section, published=False)
    answer = page.post(address(section, "round/1/check/"), {"version": row.version})
    assert (answer.status_code, answer.url) == (302, address(section, "cockpit/"))
    html = cockpit(page, section)
    assert black_button(html) == "Publish round 1"
    assert "Round 1 follows the rules, checked" in html
    assert page.post(address(section, "round/1/check/"), {"version": 9}).status_code == 409


def rate(page: Client, section: Section, number: int, rating: int) -> None:
    """Edit the rating of a player, and agree to new numbers."""
    entry = section.participants.select_related("player").get(tpn=number)
    sent = {"name": entry.player.name, "rating": rating, "rating_source": "typed", "first_round": 1}
    answer = agreed(page, address(section, f"entries/{entry.pk}/"), sent)
    assert answer.status_code == 302


def rerated(page: Client, section: Section) -> Round:
    """A draft of round 1, and then a rating with which the rules pair it differently."""
    row = paired(section, published=False)
    rate(page, section, 1, 1000)
    return row


def keys_of(html: str, label: str) -> list[str]:
    """Return the keys that press the button with this label."""
    ((attributes, _label),) = re.findall(rf'<button class="btn([^>]*)>({label})', html)
    return re.findall(r'data-key(?:-also)?="(.*?)"', attributes)


def test_cockpit_of_a_draft_says_that_a_rating_was_changed_after_the_pairing(
    page: Client, section: Section
) -> None:
    row = rerated(page, section)
    warning = (
        "An entry, an earlier result or a setting was changed after round 1 was paired. Check the round."
    )
    assert warning in cockpit(page, section)
    page.post(address(section, "round/1/check/"), {"version": row.version})
    assert warning not in cockpit(page, section)


def test_undo_of_a_publication_is_no_change_of_the_data(page: Client, section: Section) -> None:
    row = paired(section)
    undo(actor=Actor.command(), section_id=section.pk, revision=section.log.latest("pk").revision)
    assert Round.objects.get(pk=row.pk).is_draft
    assert "was changed after round 1 was paired" not in cockpit(page, section)
    rate(page, section, 1, 1000)
    assert "was changed after round 1 was paired" in cockpit(page, section)


def test_draft_that_differs_from_the_rules_is_paired_again_by_the_black_button(
    page: Client, section: Section
) -> None:
    """No key publishes it, so two Enters cannot."""
    row = rerated(page, section)
    page.post(address(section, "round/1/check/"), {"version": row.version})
    html = cockpit(page, section)
    assert "Round 1 differs from the rules, checked" in html
    assert black_button(html) == "Pair round 1 again"
    assert (keys_of(html, "Pair round 1 again"), keys_of(html, "Publish round 1")) == (["Enter"], [])
    again = address(section, "round/1/pair-again/")
    assert page.post(again, {"version": row.version + 7}).status_code == 409
    answer = page.post(again, {"version": row.version})
    assert (answer.status_code, answer.url) == (302, address(section, "cockpit/"))
    row = section.played_rounds.get()
    assert row.is_draft
    page.post(address(section, "round/1/check/"), {"version": row.version})
    html = cockpit(page, section)
    assert ("Round 1 follows the rules, checked" in html, black_button(html)) == (True, "Publish round 1")
    row.refresh_from_db()
    page.post(address(section, "round/1/publish/"), {"version": row.version})
    assert page.post(again, {"version": row.version + 1}).status_code == 422


def test_check_counts_only_until_something_is_changed_that_can_change_the_pairing(
    page: Client, section: Section
) -> None:
    row = paired(section, published=False)
    page.post(address(section, "round/1/check/"), {"version": row.version})
    page.post(address(section, "screens/message/"), {"message": "Lunch"})
    third = section.participants.get(tpn=3)
    request_bye(actor=Actor.command(), participant_id=third.pk, round_number=2, kind="Z")
    assert black_button(cockpit(page, section)) == "Publish round 1"
    rate(page, section, 3, 1000)
    assert black_button(cockpit(page, section)) == "Check round 1"


def test_round_paired_by_hand_that_differs_can_be_published_with_enter(
    page: Client, section: Section
) -> None:
    """The arbiter has made the difference and given a reason."""
    row = paired(section, published=False)
    games = list(row.games.order_by("board"))
    games[0].black_id, games[1].black_id = games[1].black_id, games[0].black_id
    Game.objects.filter(round=row).delete()
    Game.objects.bulk_create(games)
    Round.objects.filter(pk=row.pk).update(manual=True, manual_reason="Neighbours")
    page.post(address(section, "round/1/check/"), {"version": row.version})
    html = cockpit(page, section)
    assert "Round 1 differs from the rules, checked" in html
    assert black_button(html) == "Publish round 1"


def test_cockpit_leads_to_boards_with_two_results_and_settles_them(page: Client, section: Section) -> None:
    row = played(section)
    game = row.games.get(board=2)
    confirm_result(actor=Actor.command(), game_id=game.pk, result="1-0", seen_version=game.version)
    html = cockpit(page, section)
    assert black_button(html) == "Decide about 1 board"
    assert "Two results" in html
    for chosen, result, version in (("1-0", "1-0", 2), ("1/2", "1/2", None)):
        if version is None:
            game.refresh_from_db()
            confirm_result(actor=Actor.command(), game_id=game.pk, result="1/2", seen_version=game.version)
            game.refresh_from_db()
            chosen, result, version = "1-0", "1-0", game.version
        answer = page.post(
            address(section, f"game/{game.pk}/settle/"), {"result": chosen, "version": version}
        )
        assert answer.status_code == 302
        game.refresh_from_db()
        assert (game.result, game.second_result) == (result, result)
    assert black_button(cockpit(page, section)).startswith(("Verify", "Pair"))


def test_settling_a_settled_conflict_is_refused(page: Client, section: Section) -> None:
    game = played(section).games.get(board=1)
    answer = page.post(address(section, f"game/{game.pk}/settle/"), {"result": "1-0", "version": 0})
    assert answer.status_code == 409
    answer = page.post(address(section, f"game/{game.pk}/settle/"), {"result": "2-0", "version": 1})
    assert answer.status_code == 422
    assert page.post(address(section, "game/0/settle/"), {}).status_code == 404


def test_cockpit_of_a_running_round_lists_what_is_missing(page: Client, section: Section) -> None:
    row = paired(section)
    first, *_rest = row.games.order_by("board")
    enter(first, "1-0")
    html = cockpit(page, section)
    assert black_button(html) == "Enter results"
    assert html.count("Add result") == 3
    assert "3 boards of 4" in html


LABELS = re.compile(
    "Add a player|Import entries|Enter results|Add result|Decide about|Pair by hand"
    "|Pair round|Publish round"
    "|Unpair|Type the drawn numbers|Drawing of lots|Draw the|Not possible yet|Close the section|Open check-in"
)
"""What the cockpit offers to arbiters."""


@pytest.mark.parametrize("role", ["viewer", "organiser"])
def test_cockpit_offers_nothing_that_its_reader_may_not_do(
    page: Client, event: Event, log_in: LogIn, role: str
) -> None:
    reader = log_in(EventRoleFactory(event=event, role=role).user)

    def offered(section: Section) -> tuple[set[str], set[str]]:
        shown = [cockpit(client, section).partition("<main")[2] for client in (page, reader)]
        return set(LABELS.findall(shown[0])), set(LABELS.findall(shown[1]))

    empty, few = section_of(0, event=event), section_of(1, event=event)
    entries = {"Add a player", "Import entries"}
    for each in (empty, few):
        may = entries if role == "organiser" else set()
        assert offered(each) == (entries, may)
    no_colour = section_of(4, event=event, initial_colour="")
    assert offered(no_colour) == ({"Draw the"}, set())
    lots = section_of(4, event=event, system="round-robin")
    assert offered(lots)[1] == set()
    draw_lots(actor=Actor.command(), section_id=lots.pk)
    assert offered(lots) == ({"Pair round", "Drawing of lots"}, {"Drawing of lots"})
    assert black_button(cockpit(page, lots)) == "Pair all rounds, 1 to 3"
    section = section_of(8, event=event, rounds=2)
    assert offered(section) == ({"Pair round", "Open check-in"}, set())
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    assert offered(section) == ({"Decide about"}, set())
    check_in_all(actor=Actor.command(), section_id=section.pk, round_number=1)
    paired(section, published=False)
    assert offered(section) == ({"Pair by hand", "Publish round", "Unpair"}, set())
    draft = section.played_rounds.get()
    publish_round(actor=Actor.command(), round_id=draft.pk, seen_version=draft.version)
    games = list(section.played_rounds.get().games.all())
    mark_over(actor=Actor.command(), game_id=games[1].pk, over=True, seen_version=games[1].version)
    assert offered(section) == ({"Enter results", "Add result", "Decide about"}, set())
    for game in games:
        enter(game, "adj" if game is games[0] else "1-0")
    assert offered(section) == ({"Pair round", "Open check-in"}, set())
    played(section)
    assert "Add result" in offered(section)[0]
    assert "Add result" not in offered(section)[1]
    enter(games[0], "1/2")
    for client in (page, reader):
        posts = set(re.findall(r'action="([^"]*/last-step/[^"]*)"', cockpit(client, section)))
        assert bool(posts) == (client is page)


def test_cockpit_offers_the_next_round_when_all_is_in(page: Client, section: Section) -> None:
    played(section)
    assert black_button(cockpit(page, section)) == "Pair round 2"


def test_cockpit_says_all_results_are_in_only_of_the_round_while_an_earlier_game_is_adjourned(
    page: Client, event: Event
) -> None:
    section = section_of(4, event=event, rounds=2)
    game = played(section).games.get(board=2)
    played(section)
    everything = "All 2 results of the last round are in, and no game is open."
    assert everything in cockpit(page, section)
    Game.objects.filter(pk=game.pk).update(result="adj")
    html = cockpit(page, section)
    assert ("One adjourned game counts as a draw: round 1, board 2." in html, everything in html) == (
        True,
        False,
    )


def test_cockpit_after_the_last_round_leads_to_the_game_that_is_adjourned(page: Client, event: Event) -> None:
    section = section_of(4, event=event, rounds=1)
    game = played(section).games.get(board=2)
    enter(game, "adj")
    html = cockpit(page, section)
    assert black_button(html) == "Enter results"
    assert "Waits for step 1: the adjourned games." in html
    assert "One adjourned game counts as a draw: " in html
    assert html.count(f'href="{address(section, "round/1/results/")}#board-2"') == 2


def test_notices_of_the_cockpit_have_links(page: Client, section: Section) -> None:
    enter(played(section).games.get(board=2), "adj")
    html = cockpit(page, section)
    assert f'<a href="{address(section, "round/1/results/")}#board-2">Round 1: board 2.' in html
    without = address(section, "entries/?without=fide_id")
    assert f'<a href="{without}">8 players have no FIDE ID.</a>' in html
    Player.objects.filter(entries__tpn=3).update(fide_id=4_100_018)
    listed = page.get(without).content.decode()
    assert "Players without a FIDE ID: 7" in listed
    assert listed.count('<td class="num quiet">') == 7
    section.participants.filter(tpn=5).update(status="withdrawn")  # the report still has the player
    assert f'<a href="{without}">7 players have no FIDE ID.</a>' in cockpit(page, section)
    assert "Players without a FIDE ID: 7" in page.get(without).content.decode()


def test_cockpit_asks_about_players_who_lost_by_forfeit(page: Client, section: Section) -> None:
    row = played(section)
    first, second = row.games.select_related("white__player", "black__player").order_by("board")[:2]
    enter(first, "+:-")
    html = unescape(cockpit(page, section))
    leave = address(section, f"entries/{first.black_id}/leave/")
    name = first.black.player.name
    question = "lost round 1 by forfeit and will be paired again. Decide: play, bye or withdraw?"
    asked = f'<a href="{leave}">{name} {question}</a>'
    assert asked in html
    enter(second, "-:-")
    assert f'<a href="{address(section, "byes/")}">' in cockpit(page, section)
    for entry in (first.black, second.white, second.black):
        withdraw_participant(actor=Actor.command(), participant_id=entry.pk)
    assert "by forfeit and" not in cockpit(page, section)


def test_cockpit_of_a_published_round_leads_to_its_paper(page: Client, section: Section) -> None:
    paired(section)
    html = cockpit(page, section)
    for document in ("boards", "names", "slips"):
        assert f'href="{address(section, f"print/{document}/1/")}"' in html


def test_refusal_keeps_the_address_of_the_cockpit(page: Client, section: Section) -> None:
    answer = page.post(address(section, "pair/"), {"after_round": 7}, headers={**HTMX, "HX-Boosted": "true"})
    assert (answer.status_code, answer["HX-Push-Url"]) == (409, address(section, "cockpit/"))


def test_polling_of_the_cockpit_gets_nothing_while_nothing_changed(page: Client, section: Section) -> None:
    answer = page.get(address(section, f"cockpit/?seen={section.revision}"), headers=HTMX)
    assert (answer.status_code, answer.content) == (204, b"")


def test_polling_of_the_cockpit_gets_the_live_part_after_a_change(page: Client, section: Section) -> None:
    paired(section)
    answer = page.get(address(section, f"cockpit/?seen={section.revision}"), headers=HTMX)
    html = answer.content.decode()
    section.refresh_from_db()
    assert answer.status_code == 200
    assert html.lstrip().startswith('<div id="live"')
    assert f'data-seen="{section.revision}"' in html


def test_boosted_request_gets_the_whole_cockpit(page: Client, section: Section) -> None:
    answer = page.get(address(section, "cockpit/"), headers={**HTMX, "HX-Boosted": "true"})
    assert answer.content.lstrip().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("seen", ["", "abc", "-1", "9" * 400])
def test_cockpit_accepts_any_revision_that_a_page_sends(page: Client, section: Section, seen: str) -> None:
    assert page.get(address(section, f"cockpit/?seen={seen}"), headers=HTMX).status_code == 200


def test_adjourned_game_is_not_in_on_the_cockpit(page: Client, section: Section) -> None:
    row = paired(section)
    for game in row.games.all():
        enter(game, "adj" if game.board == 2 else "1-0")
    html = cockpit(page, section)
    assert "all results are in" not in html
    assert ", 3 of 4 results, 1 adjourned" in html
    assert "Results<small>3 of 4</small>" in html
    assert "3 in, 1 adjourned</span>" in html


def test_round_with_only_an_adjourned_game_cannot_be_unpublished(page: Client, section: Section) -> None:
    row = paired(section)
    unpublish = f'action="{address(section, "round/1/unpublish/")}"'
    assert unpublish in cockpit(page, section)
    enter(row.games.get(board=2), "adj")
    assert unpublish not in cockpit(page, section)


def test_cockpit_and_settings_say_what_closing_does(page: Client, event: Event) -> None:
    section = section_of(4, event=event, rounds=1)
    played(section)
    assert "Final standings" in page.get(address(section, "standings/")).content.decode()
    link = f'href="{address(section, "close/")}"'
    for html in (cockpit(page, section), page.get(address(section, "settings/")).content.decode()):
        assert link in html
        assert "standings final" not in html
        assert "standings are final" not in html
    assert "A closed section is frozen" in page.get(address(section, "close/")).content.decode()


def test_cockpit_strikes_out_actions_that_were_undone(page: Client, section: Section) -> None:
    paired(section)
    played_game = section.played_rounds.get().games.get(board=1)
    enter(played_game, "1-0")
    section.refresh_from_db()
    sentence = f"Round 1, board 1: {played_game.white} – {played_game.black}: 1–0"
    assert f"<span>{sentence} <span" in unescape(cockpit(page, section))
    page.post(address(section, "log/1/undo-since/"), {"seen": section.revision})
    html = unescape(cockpit(page, section))
    assert f'<del>{sentence}</del> <span class="quiet">Command on the server, undone</span>' in html
    assert html.count("<del>") == 3
    assert "<del>3 actions undone" not in html


def test_cockpit_does_not_offer_a_round_without_players(page: Client, section: Section) -> None:
    for entry in section.participants.all():
        Bye.objects.create(participant=entry, round_number=1, kind="Z", source=Bye.Source.ABSENT)
    html = cockpit(page, section)
    assert black_button(html) == "Byes and absences"
    assert "Pair round 1" not in html
    assert "<span>0 players can be paired. A round needs at least two.</span>" in html
    assert "Ready</span>" not in html


@pytest.mark.parametrize(("free", "warned"), [(299, True), (300, False)])
def test_cockpit_warns_before_the_disk_of_the_server_is_full(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch, free: int, warned: bool
) -> None:
    disks = [
        site.Disk(("data",), 900 * site.MB, 9_000 * site.MB),
        site.Disk(("backups",), free * site.MB + 1, 9_000 * site.MB),
    ]
    monkeypatch.setattr(site, "disks", lambda: disks)
    html = cockpit(page, section)
    assert ('id="disk"' in html) is warned
    assert (
        "The disk of the server has only 299 MB left. When it is full, no result can be saved." in html
    ) is warned


def test_a_notice_is_left_alone_until_its_facts_change_or_the_section_is_closed(
    page: Client, section: Section, arbiter: User
) -> None:
    def parts() -> tuple[bool, bool]:
        """Return whether the notice stands among the others, and below them as hidden."""
        before, _fold, after = cockpit(page, section).partition('id="left-alone"')
        return "8 players have no FIDE ID." in before, "8 players have no FIDE ID." in after

    def press(notice: str, left: str) -> int:
        return page.post(address(section, "cockpit/notice/"), {"notice": notice, "left": left}).status_code

    (key,) = re.findall(r'name="notice" value="(no_fide_id[^"]*)"', cockpit(page, section))
    assert (parts(), press(key, "yes"), parts()) == ((True, False), 302, (False, True))
    html = cockpit(page, section)
    assert f"Hidden by {arbiter.label}," in html
    assert "until closing" in html
    logged = section.log.latest("pk")
    assert (logged.action, logged.who) == ("leave_notice", arbiter.label)
    assert "Notice hidden: FIDE ID" in html
    assert press(key, "yes") == 302, "somebody else has done it already"
    assert section.log.latest("pk") == logged
    undo(actor=Actor.command(), section_id=section.pk, revision=logged.revision)
    assert (parts(), press(key, "yes"), parts()) == ((True, False), 302, (False, True))
    assert (press(key, ""), parts()) == (302, (True, False)), "taken back"
    press(key, "yes")
    Player.objects.filter(entries__section=section, entries__tpn=8).update(fide_id=8)
    html = cockpit(page, section)
    assert "7 players have no FIDE ID." in html
    assert "left-alone" not in html
    assert press(key, "yes") == 409, "the page shows other facts than those of today"
    (key,) = re.findall(r'name="notice" value="(no_fide_id[^"]*)"', html)
    press(key, "yes")
    played(section)
    assert "left-alone" in cockpit(page, section), "it is about no round, so the next one changes nothing"
    close_section(actor=Actor.command(), section_id=section.pk, early=True, reason="rain", proceed=True)
    assert "left-alone" not in cockpit(page, section)


def test_what_blocks_the_next_step_cannot_be_left_alone(page: Client, section: Section) -> None:
    paired(section, published=False)
    withdraw_participant(actor=Actor.command(), participant_id=section.participants.get(tpn=8).pk)
    state = cockpit_of(section)
    kept = [one for one in state.notices if one.code == "draft_outdated"]
    assert (len(kept), kept[0].can_be_left) == (1, False)
    html = cockpit(page, section)
    assert kept[0].key not in html
    answer = page.post(address(section, "cockpit/notice/"), {"notice": kept[0].key, "left": "yes"})
    assert (answer.status_code, "cannot be hidden" in answer.content.decode()) == (422, True)
