"""One player in one round: the board, or the bye. A phone asks for it where a page does not hold the player's row."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from evenboard_engine import ByeKind, Colour, Result
from tournaments.models import Bye, Game, Participant, Round, Section
from tournaments.snapshot import rulings_of

from .field import Side
from .pairings import round_board_list
from .turns import Turn, bye_turn, game_turn, points_of


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a round. With a game, board, white and black are set; with a bye, bye is set. Neither: not paired.

    side: the player, with the points before the round.
    """

    side: Side
    board: int | None = None
    white: Side | None = None
    black: Side | None = None
    result: Result | None = None
    bye: ByeKind | None = None


def seat(section: Section, number: int, participant_id: int) -> Seat:
    """Return what the player does in a published round. At most six queries, for any number of players.

    Raises Round.DoesNotExist for a draft, and Participant.DoesNotExist for a player whom the list of the round has not.
    """
    if section.fixed_rounds:
        return _seat_in_the_list(section, number, participant_id)
    shown = section.played_rounds.exclude(state=Round.State.DRAFT).get(number=number)
    entry = section.participants.select_related("player").get(pk=participant_id)
    game = (
        Game.objects.filter(Q(white=entry) | Q(black=entry), round=shown)
        .select_related("white__player", "black__player")
        .first()
    )
    if game:
        points = _points_before(section, number, game.white, game.black)
        white, black = (_side(one, points[one.pk]) for one in (game.white, game.black))
        own = white if participant_id == game.white_id else black
        return Seat(own, board=game.board, white=white, black=black, result=game.outcome)
    side = _side(entry, _points_before(section, number, entry)[entry.pk])
    bye = Bye.objects.filter(participant=entry, round_number=number).first()
    if bye:
        return Seat(side, bye=ByeKind(bye.kind))
    if entry.is_active and entry.first_round <= number:
        return Seat(side)
    raise Participant.DoesNotExist("the player is not in the list of the round")


def _seat_in_the_list(section: Section, number: int, participant_id: int) -> Seat:
    """Return the same from the whole list: only all games together say which of them count for the standings."""
    view = round_board_list(section, number)
    for row in view.boards:
        for side in (row.white, row.black):
            if side.participant_id == participant_id:
                return Seat(side, board=row.board, white=row.white, black=row.black, result=row.result)
    for free in view.byes:
        if free.side.participant_id == participant_id:
            return Seat(free.side, bye=free.kind)
    for out in view.out:
        if out.side.participant_id == participant_id and not out.withdrawn:
            return Seat(out.side)
    raise Participant.DoesNotExist("the player is not in the list of the round")


def _points_before(section: Section, number: int, *entries: Participant) -> dict[int, int]:
    """Return the points of these players before the round, in tenths. Two queries."""
    rules, keys = section.point_system, [entry.pk for entry in entries]
    played = Game.objects.filter(Q(white__in=keys) | Q(black__in=keys), round__number__lt=number)
    turns = {(key, at): Turn(at, gained=rules.zero_bye) for key in keys for at in range(1, number)}
    for game in played.select_related("round"):
        for key, colour in ((game.white_id, Colour.WHITE), (game.black_id, Colour.BLACK)):
            if key in keys:
                turns[key, game.round.number] = game_turn(game, game.round, colour, rules)
    for bye in Bye.objects.filter(participant__in=keys, round_number__lt=number):
        turns[bye.participant_id, bye.round_number] = bye_turn(bye, rules)
    return {
        entry.pk: points_of((turns[entry.pk, at] for at in range(1, number)), rulings_of(entry))
        for entry in entries
    }


def _side(entry: Participant, points: int) -> Side:
    player = entry.player
    return Side(
        participant_id=entry.pk,
        tpn=entry.tpn,
        name=entry.shown_name,
        title=player.title,
        federation=player.federation,
        rating=entry.rating,
        points=points,
    )
