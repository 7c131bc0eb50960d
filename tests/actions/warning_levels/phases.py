"""Phases of seven players."""

from __future__ import annotations

from collections.abc import Callable

from pairing.by_hand import begin_manual_phase, change_by_hand
from tests.actions.warning_levels.known import PHASES, last
from tests.web.staff.conftest import enter, paired, played
from tournaments.actions.ledger import Actor
from tournaments.models import Section
from tournaments.seating import SeatingStep, SeatMove


def phase(name: str) -> Callable[[Callable[[Section], None]], Callable[[Section], None]]:
    def known(go: Callable[[Section], None]) -> Callable[[Section], None]:
        PHASES[name] = go
        return go

    return known


@phase("before round 1")
def before(section: Section) -> None:
    pass


@phase("round 1 is a draft")
def draft(section: Section) -> None:
    paired(section, published=False)


@phase("round 1 is on")
def first(section: Section) -> None:
    paired(section)


@phase("round 1 has a result")
def begun(section: Section) -> None:
    enter(paired(section).games.get(board=1), "1-0")


@phase("round 1 is played")
def over(section: Section) -> None:
    played(section)


@phase("any round")
@phase("round 2 is on")
def second(section: Section) -> None:
    played(section)
    paired(section)


@phase("round 2 is on, a game adjourned")
def adjourned(section: Section) -> None:
    row = paired(section)
    for game in row.games.all():
        enter(game, "adj" if game.board == 1 else "1/2")
    paired(section)


@phase("round 2 is played, a game of round 1 adjourned")
def adjourned_before(section: Section) -> None:
    adjourned(section)
    for game in last(section).games.all():
        enter(game, "1/2")


@phase("round 3 is on")
def third(section: Section) -> None:
    played(section)
    second(section)


@phase("round 4 is on")
def fourth(section: Section) -> None:
    played(section)
    third(section)


@phase("round 2 by hand")
def by_hand(section: Section) -> None:
    played(section)
    row = paired(section, published=False)
    begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)


@phase("round 2 by hand, changed")
def changed(section: Section) -> None:
    by_hand(section)
    row = last(section)
    one, other = row.games.order_by("board")[:2]
    step = SeatingStep(SeatMove.SWAP, one.white_id, other.white_id)
    change_by_hand(
        actor=Actor.command(), round_id=row.pk, seen_version=row.version, step=step, confirmed=True
    )


@phase("round 1 by hand, published")
def by_hand_in_public(section: Section) -> None:
    begun(section)
    row = last(section)
    begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version, public=True)
