"""A player forfeits a board, withdraws, is expelled or returns; a section leaves FIDE mode."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.answers import agreed, answers_in
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import ActionLog, Bye, Game, Participant, Player, Section


def board(section: Section, number: int = 1) -> Game:
    return section.played_rounds.latest("number").games.select_related("white", "black").get(board=number)


def opened(page: Client, section: Section, rest: str) -> str:
    answer = page.get(address(section, rest))
    assert answer.status_code == 200
    return answer.content.decode()


def test_absent_player_forfeits_by_one_choice(page: Client, section: Section) -> None:
    paired(section)
    game = board(section)
    path = f"game/{game.pk}/absent/"
    assert "Forfeit and withdraw" in opened(page, section, path)
    answer = page.post(address(section, path), {"absent": "white", "version": game.version})
    assert (answer.status_code, answer.url) == (302, address(section, "cockpit/"))
    assert board(section).result == "-:+"
    assert "The board already has a result" in opened(page, section, path)


def test_absent_player_forfeits_and_is_withdrawn_by_one_choice(page: Client, section: Section) -> None:
    paired(section)
    game = board(section)
    sent = {"absent": "black", "version": game.version, "withdraw": "yes"}
    page.post(address(section, f"game/{game.pk}/absent/"), sent)
    gone = Participant.objects.get(pk=game.black_id)
    assert (board(section).result, gone.status, gone.left_after) == ("+:-", "withdrawn", 1)
    assert ActionLog.objects.latest("pk").action == "forfeit_and_withdraw"
    assert ActionLog.objects.latest("pk").reason == "absent in round 1"


@pytest.mark.parametrize(
    ("absent", "withdraw", "sentence"),
    [
        ("white", "", "Round 1, board 1: {white} – {black}: – +"),
        ("both", "yes", "Round 1, board 1: {white} – {black}: – –. Withdrawn: {white}; {black}"),
    ],
)
def test_forfeit_of_an_absent_player_is_undone_by_one_toast(
    page: Client, section: Section, absent: str, withdraw: str, sentence: str
) -> None:
    paired(section)
    game = board(section)
    sent = {"absent": absent, "version": game.version, "withdraw": withdraw}
    html = page.post(address(section, f"game/{game.pk}/absent/"), sent, follow=True).content.decode()
    toast = re.search(r'data-toast>\s*<span>(.*?)</span>\s*<form method="post" action="(.*?)"', html)
    assert toast is not None
    assert unescape(toast[1]) == sentence.format(white=game.white, black=game.black)
    answer = page.post(unescape(toast[2]), {"back": address(section, "cockpit/")})
    assert (answer.status_code, answer.url) == (302, address(section, "cockpit/"))
    assert board(section).result == ""
    assert set(section.participants.values_list("status", flat=True)) == {"active"}


def test_toast_undoes_all_of_its_steps_or_none(page: Client, section: Section) -> None:
    paired(section)
    game = board(section)
    sent = {"absent": "white", "version": game.version, "withdraw": "yes"}
    html = page.post(address(section, f"game/{game.pk}/absent/"), sent, follow=True).content.decode()
    toast = re.search(r'data-toast>.*?<form method="post" action="(.*?)"', html, re.DOTALL)
    assert toast is not None
    enter(board(section), "1-0")  # another arbiter has changed the result since
    answer = page.post(unescape(toast[1]), {"back": address(section, "cockpit/")})
    assert answer.status_code == 422
    assert board(section).result == "1-0"
    assert Participant.objects.get(pk=game.white_id).status == "withdrawn"


@pytest.mark.parametrize(
    ("sent", "status"), [({}, 422), ({"absent": "nobody"}, 422), ({"absent": "white", "version": "9"}, 409)]
)
def test_impossible_forfeit_is_refused(
    page: Client, section: Section, sent: dict[str, str], status: int
) -> None:
    paired(section)
    answer = page.post(address(section, f"game/{board(section).pk}/absent/"), sent)
    assert answer.status_code == status
    assert 'id="problem"' in answer.content.decode()
    assert board(section).result == ""


def test_withdrawal_during_a_round_leads_to_the_forfeit(page: Client, section: Section) -> None:
    paired(section)
    game = board(section)
    path = f"entries/{game.white_id}/leave/"
    assert "Forfeit this board, – +" in opened(page, section, path)
    sent = {"board": "forfeit", "version": game.version, "reason": "ill"}
    assert page.post(address(section, path), sent).url == address(section, "cockpit/")
    gone = Participant.objects.get(pk=game.white_id)
    assert (board(section).result, gone.status, gone.left_after) == ("-:+", "withdrawn", 1)


def test_withdrawal_during_a_round_may_leave_the_game_alone(page: Client, section: Section) -> None:
    paired(section)
    game = board(section)
    page.post(address(section, f"entries/{game.white_id}/leave/"), {"board": "only", "version": 0})
    assert (board(section).result, Participant.objects.get(pk=game.white_id).status) == ("", "withdrawn")
    html = opened(page, section, "cockpit/")
    assert "has left the section" in html
    assert "Forfeit – +" in html


def test_withdrawal_from_a_draft_pairs_it_again(page: Client, section: Section) -> None:
    row = paired(section, published=False)
    game = board(section)
    path = f"entries/{game.black_id}/leave/"
    assert "Pair round 1 again without the player" in opened(page, section, path)
    assert page.post(address(section, path), {"board": "again", "round": 7}).status_code == 409
    page.post(address(section, path), {"board": "again", "round": row.version})
    again = section.played_rounds.get()
    assert (again.is_draft, again.games.count()) == (True, 3)
    assert game.black_id not in set(again.games.values_list("black", flat=True))
    assert Bye.objects.get().source == "allocated"


def test_withdrawal_before_any_result_may_pair_a_published_round_again(
    page: Client, section: Section
) -> None:
    row = paired(section)
    game = board(section)
    path = f"entries/{game.black_id}/leave/"
    assert "Unpair round 1 and pair it again without the player" in opened(page, section, path)
    page.post(address(section, path), {"board": "again", "round": row.version})
    again = section.played_rounds.get()
    assert (again.is_draft, again.games.count()) == (True, 3)
    logged = section.log.order_by("-pk").values_list("action", flat=True)[:4]
    assert list(logged) == ["pair_next_round", "withdraw_participant", "unpair_round", "unpublish_round"]


def test_published_round_with_a_result_is_not_paired_again(page: Client, section: Section) -> None:
    row = paired(section)
    enter(row.games.get(board=2), "1-0")
    game = board(section)
    path = f"entries/{game.black_id}/leave/"
    assert "Take round 1 back" not in opened(page, section, path)
    answer = page.post(address(section, path), {"board": "again", "round": row.version})
    assert answer.status_code == 422
    assert section.participants.get(pk=game.black_id).is_active


def test_withdrawal_from_a_draft_may_keep_the_draft(page: Client, section: Section) -> None:
    paired(section, published=False)
    game = board(section)
    page.post(address(section, f"entries/{game.black_id}/leave/"), {"board": "only", "version": 0})
    assert section.played_rounds.get().games.count() == 4
    assert "Unpair the round and pair it again without the player" in opened(page, section, "cockpit/")


def test_expulsion_needs_a_reason_and_takes_the_player_out_of_the_standings(
    page: Client, section: Section
) -> None:
    played(section)
    game = board(section)
    path = address(section, f"entries/{game.white_id}/leave/")
    assert "Expulsion" in page.get(f"{path}?expel=1").content.decode()
    answer = page.post(path, {"expel": "1", "reason": " "})
    assert answer.status_code == 422
    assert "Give a reason." in answer.content.decode()
    page.post(path, {"expel": "1", "reason": "two phones"}, follow=True)
    name = Player.objects.get(entries=game.white_id).name
    assert Participant.objects.get(pk=game.white_id).status == "expelled"
    listed = re.findall(r'<th scope="row" class="nm"><a[^>]*>([^<]*)', opened(page, section, "standings/"))
    assert len(listed) == section.participants.count() - 1
    assert name not in listed
    log = ActionLog.objects.get(action="expel_participant")
    assert log.reason == "two phones"
    assert "expelled" in opened(page, section, "entries/")


def test_return_after_a_withdrawal(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=3)
    played(section)
    page.post(address(section, f"entries/{entry.pk}/leave/"), {})
    assert "withdrawn" in opened(page, section, "standings/")
    assert "The player left after round 1." in opened(page, section, f"entries/{entry.pk}/")
    page.post(address(section, f"entries/{entry.pk}/readmit/"))
    entry.refresh_from_db()
    assert (entry.status, entry.left_after) == ("active", None)


def test_half_point_byes_are_forbidden_and_allowed_for_a_player(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=3)
    for allowed, words in (("no", "may no longer ask"), ("yes", "may ask for half-point byes")):
        path = address(section, f"entries/{entry.pk}/half-byes/")
        html = page.post(path, {"allowed": allowed}, follow=True).content.decode()
        entry.refresh_from_db()
        assert (entry.half_bye_allowed, words in html) == (allowed == "yes", True)


def test_missing_player_is_not_found(page: Client, section: Section) -> None:
    assert page.get(address(section, "entries/0/leave/")).status_code == 404
    assert page.post(address(section, "entries/0/half-byes/")).status_code == 404
    entry = section.participants.get(tpn=3)
    page.post(address(section, f"entries/{entry.pk}/leave/"), {})
    assert page.post(address(section, f"entries/{entry.pk}/leave/"), {}).status_code == 422


def test_late_entry_says_its_number_and_the_new_numbers_of_others(page: Client, section: Section) -> None:
    for _ in range(4):
        played(section)
    sent = {"name": "Late, Lea", "rating": 2465, "rating_source": "typed", "first_round": 1, "missed": ""}
    assert "the players below move down by one" in opened(page, section, "entries/add/")
    answer = page.post(address(section, "entries/add/"), sent)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "5 pairing numbers of Section A change (4 → 5, 5 → 6, 6 → 7, 7 → 8 and 1 more)." in html
    html = agreed(page, address(section, "entries/add/"), sent, follow=True).content.decode()
    assert (
        "Late, Lea is entered as number 4 and plays from round 5 on. 5 other players have new numbers" in html
    )
    late = section.participants.get(player__name="Late, Lea")
    assert (late.tpn, late.first_round, late.byes.count()) == (4, 5, 0)
    last = {**sent, "name": "Latest, Leo", "rating": 1000}
    html = page.post(address(section, "entries/add/"), last, follow=True).content.decode()
    assert "Latest, Leo is entered as number 10 and plays from round 5 on." in html
    assert "new numbers" not in html, "nobody has another number by this entry"


def test_late_entry_with_half_points_for_many_rounds_asks_first(page: Client, section: Section) -> None:
    for _ in range(2):
        played(section)
    sent = {"name": "Late, Lea", "rating": 2465, "rating_source": "typed", "first_round": 1, "missed": "H"}
    answer = page.post(address(section, "entries/add/"), sent)
    assert answer.status_code == 422
    assert "Enter the player with these byes" in answer.content.decode()
    assert not section.participants.filter(player__name="Late, Lea").exists()
    again = page.post(address(section, "entries/add/"), {**sent, "answer": answers_in(answer)})
    assert "Give the new numbers" in again.content.decode()
    assert len(answers_in(again)) == 2  # what was answered is not asked again
    page.post(address(section, "entries/add/"), {**sent, "answer": answers_in(again)})
    late = section.participants.get(player__name="Late, Lea")
    assert list(late.byes.values_list("round_number", "kind")) == [(1, "H"), (2, "H")]


def test_fide_mode_is_left_after_two_questions_and_never_comes_back(page: Client, section: Section) -> None:
    path = address(section, "settings/fide-mode/")
    assert "Leave FIDE mode" in opened(page, section, "settings/")
    first = page.get(path)
    assert "permanently" not in first.content.decode()
    assert page.post(path, {"step": "leave", "reason": "club rules"}).status_code == 200
    question = page.post(path, {"answer": answers_in(first)})
    again, yes = question.content.decode(), answers_in(question)
    assert "This cannot be undone" in again
    assert "### FIDE mode exited" in again
    assert page.post(path, {"answer": yes, "reason": ""}).status_code == 422
    section.refresh_from_db()
    assert section.fide_mode
    assert page.post(path, {"answer": yes, "reason": "club rules"}).status_code == 302
    section.refresh_from_db()
    assert (section.fide_mode, section.fide_mode_left_in_round) == (False, 0)
    for rest in ("cockpit/", "entries/", "byes/", "log/", "settings/", "check-in/"):
        assert "Not in FIDE mode" in opened(page, section, rest)
    event_page = f"/{section.event.slug}/"
    assert "Not in FIDE mode" in page.get(event_page).content.decode()
    assert "Not in FIDE mode" not in Client().get(event_page).content.decode()
    assert page.post(path, {"answer": yes, "reason": "again"}).status_code == 422
    assert "### FIDE mode exited @ Round 0" in opened(page, section, "report.trf")


def test_limits_of_byes_are_settings_that_stay_open(page: Client, section: Section) -> None:
    paired(section)
    sent = {"name": section.name, "half_bye_limit": "2", "last_bye_round": "5"}
    assert page.post(address(section, "settings/"), sent).status_code == 422  # players were told others
    sent |= {"reason": "The organiser's rules say two."}
    assert agreed(page, address(section, "settings/"), sent).status_code == 302
    section.refresh_from_db()
    assert (section.half_bye_limit, section.last_bye_round) == (2, 5)
    assert "half-point byes per player" in opened(page, section, "log/")


def test_fixed_board_is_saved_and_shown_in_words_to_everybody(page: Client, section: Section) -> None:
    row = paired(section)
    entry = row.games.get(board=3).white
    path = address(section, f"entries/{entry.pk}/board/")
    html = page.post(path, {"board": "1", "step_free": "on"}, follow=True).content.decode()
    assert "plays at board 1, which is step-free, in all rounds" in html
    assert "Write the number of a board" in page.post(path, {"board": "x"}).content.decode()
    words = '1 <small class="step-free">step-free</small>'
    visitor = Client()
    for public in ("pairings/", "names/", f"players/{entry.tpn}/", "print/boards/1/"):
        shown = visitor.get(address(section, public)).content.decode()
        assert words in shown or "Plays at board 1, step-free, in every round" in shown, public
    for paper in ("print/slips/1/", "print/cards/1/"):
        assert words in opened(page, section, paper)
    page.post(path, {"board": ""})
    assert words not in opened(page, section, "pairings/")
