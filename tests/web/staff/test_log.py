"""The log in sentences."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from pairing.by_hand import begin_manual_phase, change_by_hand
from tests.factories import UserFactory, entry_data, section_of
from tests.web.staff.conftest import address, enter, paired
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import allow_half_byes, withdraw_participant
from tournaments.actions.entry_lists import import_entries
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import (
    check_in,
    check_in_all,
    close_check_in,
    open_check_in,
    settle_absences,
)
from tournaments.actions.sections import edit_section
from tournaments.actions.undo import undo
from tournaments.entry_data import ImportRow
from tournaments.hash_chain import shown_digits
from tournaments.models import Event, Section, User
from tournaments.rights import RIGHTS
from tournaments.seating import SeatingStep, SeatMove
from web.views.staff.log import refuse_undo_without_right
from web.words.log_sentences import value_text

HTMX = {"HX-Request": "true"}


def sentences(html: str) -> list[str]:
    """The sentences of the rows, newest first."""
    return re.findall(r"<td>([^<]*?)<span class=\"sub\">", html)


def test_log_has_sentences_for_a_round(page: Client, section: Section) -> None:
    row = paired(section)
    game = row.games.select_related("white__player", "black__player").get(board=1)
    enter(game, "1-0")
    enter(game, "1/2")
    enter(game, "")
    players = f"{game.white} – {game.black}"
    assert sentences(page.get(address(section, "log/")).content.decode()) == [
        f"Round 1, board 1: {players}: ½–½ cleared",
        f"Round 1, board 1: {players}: 1–0 changed to ½–½",
        f"Round 1, board 1: {players}: 1–0",
        "Round 1 published",
        "Round 1 paired: 4 boards",
    ]


def test_log_says_that_two_players_became_a_pair_by_hand(page: Client, section: Section) -> None:
    row = paired(section, published=False)
    row = begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    game = row.games.select_related("white__player", "black__player").get(board=4)
    white, black = game.white, game.black
    for move, other in ((SeatMove.UNPAIR, 0), (SeatMove.SWAP, black.pk)):
        row, _concerns = change_by_hand(
            actor=Actor.command(),
            round_id=row.pk,
            seen_version=row.version,
            step=SeatingStep(move, white.pk, other),
            confirmed=True,
        )
    assert sentences(page.get(address(section, "log/")).content.decode())[:2] == [
        f"Round 1 by hand: new pair of {white}; {black} (4: {white.tpn}–{black.tpn})",
        f"Round 1 by hand: {white} unpaired",
    ]


@pytest.mark.parametrize(
    ("marked", "sentence"),
    [
        (7, "the one player who was not marked is"),
        (6, "both players who were not marked are"),
        (5, "all 3 players who were not marked are"),
    ],
)
def test_log_says_how_many_were_marked_at_once(
    page: Client, section: Section, marked: int, sentence: str
) -> None:
    actor = Actor.command()
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    for entry in section.participants.order_by("tpn")[:marked]:
        check_in(actor=actor, participant_id=entry.pk, round_number=1)
    check_in_all(actor=actor, section_id=section.pk, round_number=1)
    found = sentences(page.get(address(section, "log/")).content.decode())
    assert found[0] == f"Round 1: {sentence} here"


def test_log_says_who_changed_what_in_an_entry(page: Client, section: Section) -> None:
    entry = section.participants.select_related("player").get(tpn=8)
    sent = {
        "name": entry.player.name,
        "rating": "2415",
        "rating_source": entry.rating_source,
        "first_round": "1",
    }
    page.post(address(section, f"entries/{entry.pk}/"), {**sent, "federation": "NED", "revision": 0})
    for allowed in (False, True):
        allow_half_byes(actor=Actor.command(), participant_id=entry.pk, allowed=allowed)
    html = page.get(address(section, "log/")).content.decode()
    assert sentences(html) == [
        f"8 {entry.player.name} may ask for half-point byes",
        f"8 {entry.player.name} may no longer ask for half-point byes",
        f"Entry of 8 {entry.player.name} changed",
    ]
    assert "rating <del>2420</del> <ins>2415</ins>" in html
    assert ">ada " in html


def test_log_has_words_for_a_command(page: Client, section: Section) -> None:
    """Ada ran the second command under her name."""
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    close_check_in(actor=Actor(User.objects.get(username="ada"), "command"), section_id=section.pk)
    html = page.get(address(section, "log/")).content.decode()
    actors = [
        " ".join(re.sub("<[^>]+>", " ", cell).split())
        for cell in re.findall(r'<td class="mid-wide">(.*?)</td>', html)
    ]
    assert actors == ["ada a command on the server", "Command on the server"]


def test_search_by_htmx_gets_only_the_rows(page: Client, section: Section) -> None:
    paired(section)
    answer = page.get(address(section, "log/?q=publish"), headers=HTMX)
    html = answer.content.decode()
    assert html.lstrip().startswith('<div id="log"')
    assert sentences(html) == ["Round 1 published"]


def test_log_accepts_any_query(page: Client, section: Section) -> None:
    paired(section)
    for query in ["page=0", "page=x", "page=" + "9" * 400, "page=-1", "q=" + "x" * 9_000, "q=%00"]:
        assert page.get(address(section, f"log/?{query}")).status_code == 200, query


def test_log_uses_the_words_of_the_buttons(page: Client, section: Section) -> None:
    row = paired(section)
    page.post(address(section, "round/1/unpublish/"), {"version": row.version})
    row.refresh_from_db()
    page.post(address(section, "round/1/unpair/"), {"version": row.version})
    sentences_shown = sentences(page.get(address(section, "log/")).content.decode())
    assert sentences_shown[:2] == ["Round 1 unpaired", "Round 1 unpublished"]


def test_search_names_the_actions_as_the_log_does(page: Client, section: Section) -> None:
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    close_check_in(actor=Actor.command(), section_id=section.pk)
    html = page.get(address(section, "log/")).content.decode()
    options = dict(re.findall(r'<option value="([a-z_]+)">([^<]+)</option>', html))
    assert (options["open_check_in"], options["close_check_in"]) == ("check-in opened", "check-in closed")


def test_search_finds_what_the_log_shows_for_a_command(page: Client, section: Section) -> None:
    """Ada ran the second command under her name, and the third action is from her browser."""
    ada = User.objects.get(username="ada")
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    close_check_in(actor=Actor(ada, "command"), section_id=section.pk)
    open_check_in(actor=Actor(ada, "192.0.2.1"), section_id=section.pk, after_round=0)
    for words, found in [
        ("Command on the server", ["Round 1: check-in closed", "Round 1: check-in opened"]),
        ("SERVER", ["Round 1: check-in closed", "Round 1: check-in opened"]),
        ("ada server", ["Round 1: check-in closed"]),
        ("192.0.2", ["Round 1: check-in opened"]),
        ("servers", []),
    ]:
        html = page.get(address(section, "log/"), {"q": words}).content.decode()
        assert sentences(html) == found, words


def details(html: str) -> list[str]:
    """The values of the newest row, as "name: before → after", without who did it and the seal."""
    (words,) = re.findall(r"<dl>(.*?)</dl>", html, re.DOTALL)[:1]
    return [f"{name}: {value}" for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", words)][1:-1]


def test_log_writes_pairs_as_people_do(page: Client, event: Event) -> None:
    section = section_of(26, event=event)
    row = paired(section, published=False)
    pairs = [
        f"{white}–{black}"
        for white, black in row.games.order_by("board").values_list("white__tpn", "black__tpn")
    ]
    assert details(page.get(address(section, "log/")).content.decode()) == [
        f"pairs: – → {', '.join(pairs[:8])} and 5 more"
    ]


def test_log_writes_absences_as_people_do(page: Client, section: Section) -> None:
    choices = {section.participants.get(tpn=tpn).pk: "Z" for tpn in (3, 5)}
    choices[section.participants.get(tpn=6).pk] = "H"
    settle_absences(
        actor=Actor.command(), section_id=section.pk, round_number=1, choices=choices, proceed=True
    )
    assert details(page.get(address(section, "log/")).content.decode()) == [
        "byes: – → zero-point bye: 3, 5; half-point bye: 6"
    ]


def test_log_writes_a_withdrawal_with_its_byes_as_people_do(page: Client, section: Section) -> None:
    entry = section.participants.get(tpn=3)
    for number in (2, 3):
        request_bye(
            actor=Actor.command(), participant_id=entry.pk, round_number=number, kind="Z", proceed=True
        )
    withdraw_participant(actor=Actor.command(), participant_id=entry.pk)
    assert details(page.get(address(section, "log/")).content.decode()) == [
        "byes: zero-point bye in rounds 2, 3 → –",
        "left after round: – → 0",
        "status: active → withdrawn",
    ]


def test_log_writes_imported_entries_as_people_do(page: Client, section: Section) -> None:
    entry = section.participants.select_related("player").get(tpn=3)
    name = entry.player.name
    rows = [
        ImportRow(
            entry=entry_data(
                name, entry.rating, club="SK Ost", federation="NED", rating_source=entry.rating_source
            ),
            participant_id=entry.pk,
        ),
        ImportRow(entry=entry_data("Zed, Zoe", 1500)),
    ]
    import_entries(actor=Actor.command(), section_id=section.pk, rows=rows, source="list.csv")
    shown = details(page.get(address(section, "log/")).content.decode())
    assert "added: – → 9 Zed, Zoe 1500" in shown
    assert f"entries: {name}: club – → {name}: club SK Ost" in shown
    assert not [line for line in shown if re.search(r"[\[\]{}\"]|&quot;", line)]


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("byes", 4, "4"),
        ("byes", {"3": "H", "7": "U"}, "half-point bye: 3; pairing-allocated bye: 7"),
        ("boards", [[1, 4, 2]], "1: 4–2"),
        ("boards", [3, 4], "3, 4"),
        ("engine", {"pairs": [[1, 2]], "bye": 3}, "1–2; bye 3"),
        ("players", [3, 16], "3–16"),
        ("adjourned", [[1, 3], [2, 4], [2, 5]], "round 1, board 3; round 2, boards 4, 5"),
        ("departures", [{"round": 2, "expected": [], "found": []}], "2"),
        ("unheard_of", {"rating": [[1, 2], [3, 4]], "note": ""}, "rating 1–2, 3–4, note –"),
        ("result", "what", "what"),
    ],
)
def test_values_of_the_log_are_written_as_people_do(name: str, value: object, text: str) -> None:
    assert value_text(name, value) == text


def test_log_shows_its_newest_seal_and_is_checked(page: Client, section: Section) -> None:
    assert "Seal of action" not in page.get(address(section, "log/")).content.decode()
    assert "There is no row yet." in page.get(address(section, "log/check/")).content.decode()
    paired(section)
    section.refresh_from_db()
    head = shown_digits(section.log_head)
    html = page.get(address(section, "log/")).content.decode()
    assert f'Seal of action 2: <b class="seal">{head}</b>' in html
    assert f"<dt>seal</dt><dd>{head}</dd>" in html
    html = page.get(address(section, "log/check/")).content.decode()
    assert "<b>All 2 rows match their seals.</b>" in html
    assert f'<code class="whole-seal">{section.log_head}</code>' in html
    section.log_head = "0" * 64
    section.save(update_fields=["log_head"])
    html = page.get(address(section, "log/check/")).content.decode()
    ((fault, meaning),) = re.findall(r"<b>(No\. 2 .*?)</b> (.*?)\. ", html)
    assert fault.startswith(
        f"No. 2 (round published, Command on the server, {_at(section)}) is the newest row, and it is not"
    )
    assert meaning == "Somebody removed the rows after it outside the program"


def _at(section: Section) -> str:
    return f"{section.log.latest('revision').at:%-d %b %Y %H:%M:%S}"


def test_who_may_not_do_an_action_undoes_no_undo_of_its_undo(section: Section) -> None:
    """An arbiter who undid the last of three steps would change the settings that only a chief arbiter may change."""
    chief = Actor(UserFactory())
    edit_section(actor=chief, section_id=section.pk, rounds=section.rounds + 1)
    first = Section.objects.get(pk=section.pk).revision
    for step in range(3):
        rows = section.log.filter(revision=first + step)
        with pytest.raises(PermissionDenied):
            refuse_undo_without_right(RIGHTS["arbiter"], section, rows)
        refuse_undo_without_right(RIGHTS["chief"], section, rows)
        undo(actor=chief, section_id=section.pk, revision=first + step)
