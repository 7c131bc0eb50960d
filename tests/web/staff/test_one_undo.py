"""One press has one undo: it writes one action that can be undone, or its message undoes all that it wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.web.staff.conftest import address, paired
from tests.web.staff.imports.conftest import token, upload
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import open_check_in
from tournaments.models import Bye, CheckIn, Game, Participant, Section
from tournaments.queries.log import LogFilter, log_rows

ACTOR = Actor.command()
Press = tuple[str, dict[str, Any]]


def key(section: Section, tpn: int) -> int:
    return section.participants.get(tpn=tpn).pk


def byes(_page: Client, section: Section) -> Press:
    return "byes/", {"participant": key(section, 3), "rounds": "2, 4-5", "kind": "Z"}


def absences(_page: Client, section: Section) -> Press:
    players = [key(section, number) for number in (3, 4, 5)]
    return "absences/", {"round": 1, "choice": "W", "player": players}


def all_here(_page: Client, section: Section) -> Press:
    open_check_in(actor=ACTOR, section_id=section.pk, after_round=0)
    return "check-in/all/", {"round": 1}


def forfeit_both(_page: Client, section: Section) -> Press:
    game = paired(section).games.get(board=1)
    return f"game/{game.pk}/absent/", {"absent": "both", "version": game.version, "withdraw": "yes"}


def leave_with_forfeit(_page: Client, section: Section) -> Press:
    game = paired(section).games.get(board=1)
    sent = {"board": "forfeit", "version": game.version, "reason": "ill"}
    return f"entries/{game.white_id}/leave/", sent


def expel_with_forfeit(_page: Client, section: Section) -> Press:
    path, sent = leave_with_forfeit(_page, section)
    return path, {**sent, "expel": "1"}


def leave_and_pair_again(_page: Client, section: Section) -> Press:
    row = paired(section)
    return f"entries/{row.games.get(board=1).white_id}/leave/", {"board": "again", "round": row.version}


def entries_list(page: Client, section: Section) -> Press:
    html = upload(page, address(section, "entries/import/"), "Name;Rating\nA, Lea;1500\nB, Leo;1600\n")[1]
    section.refresh_from_db()
    return "entries/import/check/", {"upload": token(html), "revision": section.revision}


PRESSES = [
    byes, absences, all_here, forfeit_both, leave_with_forfeit, expel_with_forfeit, leave_and_pair_again, entries_list,
]  # fmt: skip


def stands(section: Section) -> list[object]:
    """Return what the presses change."""
    of_section = {"participant__section": section}
    return [
        set(section.participants.values_list("tpn", "player__name", "status", "left_after")),
        set(Bye.objects.filter(**of_section).values_list("participant__tpn", "round_number", "kind")),
        set(CheckIn.objects.filter(**of_section).values_list("participant__tpn", "round_number")),
        set(Game.objects.filter(round__section=section).values_list("board", "white", "black", "result")),
        set(section.played_rounds.values_list("number", "state")),
    ]


@pytest.mark.parametrize("press", PRESSES, ids=lambda each: each.__name__)
def test_one_press_is_undone_by_one_undo(
    page: Client, section: Section, press: Callable[[Client, Section], Press]
) -> None:
    rest, sent = press(page, section)
    before, former = stands(section), section.log.count()
    html = page.post(address(section, rest), sent, follow=True).content.decode()
    assert stands(section) != before
    section.refresh_from_db()
    written = list(log_rows(section, LogFilter()))[: section.log.count() - former]
    undoable = [row for row in written if row.undoable]
    [toast] = re.findall(
        r'data-toast>\s*<span>.*?</span>\s*<form method="post" action="(.*?)"', html, re.DOTALL
    )
    assert (len(undoable) == 1) != ("also=" in toast)
    assert page.post(unescape(toast)).status_code == 302
    assert stands(section) == before
    assert Participant.objects.filter(section=section).count() == 8
