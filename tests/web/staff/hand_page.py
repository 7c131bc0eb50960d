"""The page of pairing by hand in a browser without scripts."""

from __future__ import annotations

import re

from django.test import Client

from evenboard_engine import ByeKind
from tests.answers import agreed, answers_in
from tests.web.staff.conftest import address
from tournaments.actions.byes import request_bye
from tournaments.actions.ledger import Actor
from tournaments.models import Bye, Round, Section


def key(section: Section, tpn: int) -> int:
    return section.participants.get(tpn=tpn).pk


class HandPage:
    """The page of a round in a browser without scripts."""

    def __init__(self, page: Client, section: Section, number: int = 1) -> None:
        self.page, self.section = page, section
        self.path = address(section, f"round/{number}/by-hand/")
        self.number = number

    @property
    def row(self) -> Round:
        return self.section.played_rounds.get(number=self.number)

    def begin(self, **fields: object) -> object:
        return self.page.post(f"{self.path}begin/", {"version": self.row.version, **fields})

    def send(self, **fields: object) -> object:
        return self.page.post(self.path, {"version": self.row.version, **fields})

    def agree(self, **fields: object) -> object:
        """Make a change, and say yes to the question."""
        return agreed(self.page, self.path, {"version": self.row.version, **fields})

    def swap(self, one: int, other: int, **fields: object) -> object:
        return self.send(picked=key(self.section, one), player=key(self.section, other), **fields)

    def do(self, what: str, tpn: int, **fields: object) -> object:
        return self.send(do=what, on=key(self.section, tpn), **fields)

    def end(self, **fields: object) -> object:
        """Send the page that compares the round, which is the first question."""
        first = answers_in(self.page.get(f"{self.path}end/"))
        return self.page.post(f"{self.path}end/", {"version": self.row.version, "answer": first, **fields})

    def keep(self, reason: str) -> object:
        """End the phase, and say yes to both questions."""
        return agreed(self.page, f"{self.path}end/", {"version": self.row.version, "reason": reason})

    @property
    def boards(self) -> list[tuple[int, int]]:
        return list(self.row.games.order_by("board").values_list("white__tpn", "black__tpn"))


def rests(section: Section, tpn: int, kind: ByeKind) -> Bye:
    """Ask for a bye of a player in round 1."""
    return request_bye(actor=Actor.command(), participant_id=key(section, tpn), round_number=1, kind=kind)


def text(answer: object) -> str:
    return re.sub(r"\s+", " ", answer.content.decode().partition("<main")[2])
