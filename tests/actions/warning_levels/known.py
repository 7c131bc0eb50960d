"""The actions and phases that tests know, by the names that docs/warnings.md has for them."""

from __future__ import annotations

from collections.abc import Callable

from tournaments.actions.ledger import Actor
from tournaments.models import Round, Section
from tournaments.questions import Answer

Warnings = list[str]

Do = Callable[[Section, Actor, Answer], Warnings]
"""Does it with these answers; what is told beside it."""

ACTIONS: dict[str, Do] = {}

PHASES: dict[str, Callable[[Section], None]] = {}


def action(name: str) -> Callable[[Do], Do]:
    def known(do: Do) -> Do:
        ACTIONS[name] = do
        return do

    return known


def last(section: Section) -> Round:
    row = section.played_rounds.order_by("-number").first()
    assert row is not None
    return row
