"""A player keeps one board in all rounds. The pairing does not change, only the numbers of boards."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournaments.declarations.entries import FIX_BOARD
from tournaments.errors import Refusal
from tournaments.models import Game, Participant, Round, Section
from tournaments.models.events import HIGHEST_BOARD
from tournaments.seating import FixedBoards, SeatedBoard, at_fixed_boards, numbered_boards
from tournaments.snapshot import fixed_boards

from .ledger import Actor, act, locked_participant, section_of
from .roster import label_of_entry

# Refusals
FIXED_BOARD_TAKEN = Refusal("fixed_board_taken", _("Board %(board)s is the fixed board of %(name)s."))
FIXED_BOARD_OUT_OF_RANGE = Refusal(
    "fixed_board_out_of_range", _("Write the number of a board, from 1 to %(most)s.")
)


def fix_board(
    *, actor: Actor, participant_id: int, board: int | None, step_free: bool = False
) -> Participant:
    """Give a player a board for all rounds, or with None take it away. step_free: nobody needs steps to reach it.

    Rounds without any result change at once: a draft gets new numbers, and in a published round two pairs change
    places. Other rounds keep their boards. Two players with fixed boards who meet play as `seating.FixedBoards` says.
    Raises NotFound; DomainError: section_closed, fixed_board_out_of_range, fixed_board_taken.
    """
    with act(section_id=section_of(participant_id), actor=actor, action=FIX_BOARD) as log:
        participant = locked_participant(participant_id)
        if board is not None and not 1 <= board <= HIGHEST_BOARD:
            raise FIXED_BOARD_OUT_OF_RANGE.error(most=HIGHEST_BOARD)
        step_free = step_free and board is not None
        others = log.section.participants.exclude(pk=participant.pk).select_related("player")
        if board is not None and (other := others.filter(fixed_board=board).first()):
            raise FIXED_BOARD_TAKEN.error(board=board, name=other.player.name)
        log.subject = label_of_entry(participant)
        log.before = {"fixed_board": participant.fixed_board, "step_free": participant.step_free}
        log.after = {"fixed_board": board, "step_free": step_free}
        log.unchanged = log.before == log.after
        if log.unchanged:
            return participant
        participant.fixed_board, participant.step_free = board, step_free
        participant.save(update_fields=["fixed_board", "step_free"])
        log.after["participant"] = participant.pk
        _change_rounds(log.section, fixed_boards(log.section.participants.all()))
    return participant


def _change_rounds(section: Section, fixed: FixedBoards) -> None:
    """Give the boards of the rounds without any result their numbers."""
    begun = Game.objects.filter(round__section=section).exclude(result="").values("round")
    for row in section.played_rounds.exclude(state=Round.State.FINISHED).exclude(pk__in=begun):
        games = {game.pk: game for game in row.games.order_by("board")}
        tables = [SeatedBoard(game.pk, game.board, game.white_id, game.black_id) for game in games.values()]
        if row.is_draft:
            boards = numbered_boards((table.players for table in tables), fixed)
            wanted = dict(zip(games, boards, strict=True))
        else:
            wanted = {table.key or 0: table.board for table in at_fixed_boards(tables, fixed)}
        _move(row, games, wanted)


def _move(row: Round, games: Mapping[int, Game], wanted: Mapping[int, int]) -> None:
    """Write the boards that differ. They are deleted and written again, since no two games of a round may share one."""
    moved = [game for key, game in games.items() if game.board != wanted[key]]
    if not moved:
        return
    Game.objects.filter(pk__in=[game.pk for game in moved]).delete()
    for game in moved:
        game.board, game.version = wanted[game.pk], game.version + 1
    Game.objects.bulk_create(moved)
    row.version += 1
    if row.is_published:
        row.changed_at = timezone.now()
    row.save(update_fields=["version", "changed_at"])
