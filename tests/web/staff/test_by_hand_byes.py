"""Byes on the pages of pairing by hand: what is refused, what is asked, and what is disabled."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from evenboard_engine import ByeKind
from tests.answers import answers_in
from tests.factories import section_of
from tests.web.staff.conftest import paired, played
from tests.web.staff.hand_page import HandPage, key, rests, text
from tournaments.models import Bye, Event, Participant, Section
from tournaments.queries.by_hand import HandPlace, hand_round
from tournaments.seating import SeatMove


@pytest.mark.parametrize("kind", [ByeKind.HALF, ByeKind.FULL, ByeKind.ZERO])
def test_player_with_a_bye_is_refused_in_words(page: Client, section: Section, kind: ByeKind) -> None:
    name = section.participants.get(tpn=8).player.name
    rests(section, 8, kind)
    paired(section, published=False)
    hand = HandPage(page, section)
    hand.begin()
    before = hand.boards
    word = {ByeKind.HALF: "half-point bye", ByeKind.FULL: "full-point bye", ByeKind.ZERO: "zero-point bye"}
    sentence = f"{name} has a bye in this round: {word[kind]}. Cancel the bye first (X)."
    for what in ("colours", "bye", "half", "zero", "swap"):
        answer = hand.swap(8, 1) if what == "swap" else hand.do(what, 8)
        assert (answer.status_code, sentence in unescape(text(answer))) == (422, True), what
        assert hand.boards == before, what


def test_second_half_point_bye_asks_as_the_form_does(page: Client, section: Section) -> None:
    """VCL4THP.13, Q174."""
    rests(section, 8, ByeKind.HALF)
    played(section)
    paired(section, published=False)
    hand = HandPage(page, section, 2)
    hand.begin()
    answer = hand.do("half", 8)
    assert answer.status_code == 422
    assert "The competition rules allow one (C.05, 6.7.4)" in text(answer)
    assert "Nothing is changed yet." in text(answer)
    assert Bye.objects.filter(round_number=2, kind=ByeKind.HALF).count() == 0
    again = {"again": "half", "again-player": key(section, 8), "again-other": ""}
    assert hand.send(**again, answer=answers_in(answer)).status_code in (200, 302)
    assert Bye.objects.get(round_number=2, kind=ByeKind.HALF).participant.tpn == 8


def test_half_point_bye_beyond_the_limits_asks_and_within_them_does_not(
    page: Client, section: Section
) -> None:
    Section.objects.filter(pk=section.pk).update(half_bye_limit=1, last_bye_round=1)
    rests(section, 8, ByeKind.HALF)
    played(section)
    paired(section, published=False)
    hand = HandPage(page, section, 2)
    hand.begin()
    asked = text(hand.do("half", 8))
    assert "would have 2." in asked
    assert "a bye is worth points up to round 1, and this is round 2" in asked
    Section.objects.filter(pk=section.pk).update(half_bye_limit=None, last_bye_round=None)
    hand.do("half", 7)
    assert Bye.objects.get(round_number=2, kind=ByeKind.HALF).participant.tpn == 7


def test_bye_that_both_rounds_have_is_no_difference(page: Client, event: Event) -> None:
    section = section_of(7, event=event, slug="odd")
    paired(section, published=False)
    hand = HandPage(page, section)
    hand.begin()
    (one, _black), (other, _other_black) = hand.boards[:2]
    hand.agree(picked=key(section, one), player=key(section, other))
    shown = text(page.get(f"{hand.path}end/"))
    assert "The rules give other pairs." in shown
    assert "pairing-allocated bye" not in shown.partition("Why the rules")[0]
    holder = Participant.objects.get(byes__source=Bye.Source.ALLOCATED)
    hand.agree(do="bye", on=key(section, hand.boards[0][0]))
    moved = text(page.get(f"{hand.path}end/")).partition("Why the rules")[0]
    assert moved.count("pairing-allocated bye") == 2
    assert holder.player.name in moved


def test_buttons_that_cannot_work_for_a_bye_are_disabled(page: Client, section: Section) -> None:
    """Without scripts too: the page of a picked player says why."""
    rests(section, 8, ByeKind.HALF)
    paired(section, published=False)
    hand = HandPage(page, section)
    hand.begin()
    shown = text(page.get(f"{hand.path}?picked={key(section, 8)}"))
    buttons = re.findall(
        r'name="do" value="(\w+)" data-key="\w" aria-describedby="impossible"( disabled)?>', shown
    )
    assert buttons == [
        ("colours", " disabled"),
        ("unpair", ""),
        ("bye", " disabled"),
        ("half", " disabled"),
        ("zero", " disabled"),
    ]
    assert "To change anything else, cancel the bye first.</span>" in shown


@pytest.mark.parametrize(
    ("tpn", "place"), [(1, HandPlace.BOARD), (2, HandPlace.POOL), (7, HandPlace.BYE), (8, HandPlace.REST)]
)
def test_disabled_changes_are_those_that_are_refused(
    page: Client, event: Event, tpn: int, place: HandPlace
) -> None:
    section = section_of(8, event=event, slug="even")
    rests(section, 8, ByeKind.HALF)
    paired(section, published=False)
    hand = HandPage(page, section)
    hand.begin()
    if place is HandPlace.BYE:
        tpn = Participant.objects.get(byes__source=Bye.Source.ALLOCATED).tpn
    if place is HandPlace.POOL:
        hand.do("unpair", tpn)
    seat = hand_round(section, 1).seats[key(section, tpn)]
    assert seat.place is place
    for move in (SeatMove.COLOURS, SeatMove.UNPAIR, SeatMove.BYE, SeatMove.HALF, SeatMove.ZERO):
        refused = hand.do(move, tpn).status_code == 422
        assert (move, refused) == (move, move in seat.impossible)
        if not refused:
            hand.send(do=f"undo:{Section.objects.get(pk=section.pk).revision}")
