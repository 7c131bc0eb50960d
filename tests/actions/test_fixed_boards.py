"""Players who keep one board in all rounds: the pairing stays as the rules give it, only the boards move."""

from __future__ import annotations

import random

import pytest
from django.db.models import F

from evenboard_engine import SYSTEMS, ByeKind
from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.rounds import pair_all_rounds, pair_next_round, publish_all_rounds
from tests.actions.refusals import refused
from tests.factories import section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.byes import request_bye
from tournaments.actions.fixed_boards import fix_board
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import undo
from tournaments.models import ActionLog, Round, Section
from tournaments.seating import SeatingStep, SeatMove, at_fixed_boards, fixed_board_of, numbered_boards

pytestmark = pytest.mark.django_db


def fix(actor: Actor, section: Section, tpn: int, board: int | None, *, step_free: bool = False) -> None:
    entry = section.participants.get(tpn=tpn)
    fix_board(actor=actor, participant_id=entry.pk, board=board, step_free=step_free)


def lots_drawn(section: Section) -> Section:
    """Give a round robin its numbers, in the order of the entries."""
    section.participants.update(equal_order=F("tpn"))
    return section


def seats(row: Round) -> dict[int, tuple[int, int]]:
    """Return the pairing numbers of each board."""
    games = row.games.order_by("board").values_list("board", "white__tpn", "black__tpn")
    return {board: (white, black) for board, white, black in games}


@pytest.mark.parametrize("system", SYSTEMS)
def test_pairing_stays_and_only_the_boards_change_in_every_system(actor: Actor, system: str) -> None:
    """Two equal sections get the same results; one has players at fixed boards, one of them step-free."""
    chance = random.Random(system)
    plain, fixed = (section_of(11, system=system, rounds=3) for _section in range(2))
    if plain.fixed_rounds:
        lots_drawn(plain), lots_drawn(fixed)
    own = {2: (True, 4), 8: (False, 5), 10: (True, 40)}
    for tpn, (steps, board) in own.items():
        fix(actor, fixed, tpn, board, step_free=not steps)
    for number in range(1, 4):
        if number == 2 and not plain.fixed_rounds:
            for section in (plain, fixed):
                entry = section.participants.get(tpn=8)
                request_bye(actor=actor, participant_id=entry.pk, round_number=3, kind=ByeKind.HALF)
        one, other = paired(plain), paired(fixed)
        usual, found = seats(one), seats(other)
        assert sorted(usual.values()) == sorted(found.values())
        wanted = {pair: fixed_board_of(pair, own) for pair in usual.values()}
        assert {board for board in wanted.values() if board} <= set(found)
        for board, pair in found.items():
            assert wanted[pair] in (board, None)
        others = [pair for pair in usual.values() if wanted[pair] is None]
        assert [pair for pair in found.values() if wanted[pair] is None] == others
        free = sorted(set(range(1, 41)) - set(filter(None, wanted.values())))
        assert [board for board, pair in found.items() if wanted[pair] is None] == free[: len(others)]
        for game in one.games.select_related("white", "black"):
            result = chance.choice(["1-0", "1/2", "0-1"])
            enter(game, result)
            enter(other.games.get(white__tpn=game.white.tpn, black__tpn=game.black.tpn), result)


def test_two_fixed_players_who_meet_play_at_the_step_free_or_the_lower_board() -> None:
    fixed = {1: (True, 3), 2: (True, 7), 3: (False, 9), 4: (False, 12)}
    pairs = {(1, 2): 3, (2, 1): 3, (1, 4): 12, (4, 3): 9, (5, 6): None}
    assert {pair: fixed_board_of(pair, fixed) for pair in pairs} == pairs
    assert numbered_boards([(5, 6), (2, 7), (8, 9), (1, 4)], fixed) == [1, 7, 2, 12]
    assert at_fixed_boards((), fixed) == ()


def test_board_counts_at_once_until_a_result_is_in_and_undo_brings_the_old_one_back(actor: Actor) -> None:
    section = section_of(10)
    draft = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    first = seats(draft)
    fix(actor, section, first[4][0], 1)
    assert list(seats(draft).values()) == [first[4], first[1], first[2], first[3], first[5]]
    shown = Section.objects.get(pk=section.pk)
    undo(actor=actor, section_id=section.pk, revision=shown.revision)
    assert seats(draft) == first
    draft.delete()
    row = paired(section)
    fix(actor, section, first[4][0], 2)
    row.refresh_from_db()
    assert seats(row) == {**first, 2: first[4], 4: first[2]}
    assert row.changed_at is not None
    enter(row.games.get(board=1), "1-0")
    fix(actor, section, first[5][0], 3, step_free=True)
    assert seats(row) == {**first, 2: first[4], 4: first[2]}
    with refused("fixed_board_taken", board=3):
        fix(actor, section, 1, 3)
    for board in (0, 10_000):
        with refused("fixed_board_out_of_range", most=9999):
            fix(actor, section, 1, board)
    before = ActionLog.objects.count()
    fix(actor, section, first[5][0], 3, step_free=True)
    assert ActionLog.objects.count() == before
    fix(actor, section, first[5][0], None, step_free=True)
    assert not section.participants.exclude(fixed_board=None).filter(step_free=True).exists()


def test_all_rounds_of_a_round_robin_change_and_pairs_by_hand_keep_the_board(actor: Actor) -> None:
    table = lots_drawn(section_of(6, system="round-robin", rounds=5))
    pair_all_rounds(actor=actor, section_id=table.pk, after_round=0)
    publish_all_rounds(actor=actor, section_id=table.pk)
    fix(actor, table, 3, 2, step_free=True)
    assert all(3 in seats(row)[2] for row in table.played_rounds.all())

    section = section_of(8)
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    first = seats(row)
    mover = first[3][0]
    fix(actor, section, mover, 3)
    row = begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version)
    step = SeatingStep(SeatMove.SWAP, *(section.participants.get(tpn=tpn).pk for tpn in (mover, first[1][0])))
    row, _new = change_by_hand(
        actor=actor, round_id=row.pk, seen_version=row.version, step=step, confirmed=True
    )
    assert (mover, first[1][1]) == seats(row)[3]
    ended = end_manual_phase(
        actor=actor, round_id=row.pk, seen_version=row.version, reason="chosen", confirmed=True
    )
    assert (mover, first[1][1]) == seats(ended)[3]
    assert sorted(seats(ended)) == [1, 2, 3, 4]
