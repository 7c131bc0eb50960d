"""Results that the players of a board press on their phones, and new links for them."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from evenboard_engine import Colour
from tournaments.declarations.results import AGREE_RESULT, PRESS_RESULT, RENEW_PLAYER_LINK
from tournaments.errors import NOT_FOUND, UNKNOWN_RESULT, Refusal, Stale
from tournaments.models import Game, Section
from tournaments.models.rounds import PRESSED
from tournaments.queries.player_results import is_link_of

from .ledger import Actor
from .results import act_on_game

# Refusals
PLAYERS_CONFIRM_NOTHING = Refusal(
    "players_confirm_nothing",
    _("Players of this section do not enter results on their phones. Give the slip to an arbiter."),
)
RESULT_STANDS = Refusal(
    "result_stands",
    _("The result of board %(board)s is already entered: %(stands)s. If it is wrong, call an arbiter."),
    raises=Stale,
)
PLAYERS_AGREED = Refusal(
    "players_agreed",
    _("Both players of board %(board)s pressed %(stands)s. If it is wrong, call an arbiter."),
    raises=Stale,
)

WAYS = Section.PlayersConfirm


def press_result(*, game_id: int, colour: Colour, link: str, result: str) -> Game:
    """Note the result that a player pressed on a phone. It can be pressed differently until both players agree.

    If both pressed the same result, it is the result of the game, read twice, where the section takes it in place of
    the slips. Where it is a help beside them, it waits for the slip as the second reading (`write_result`). Only such a
    result changes the version of the game: a press alone refuses no arbiter's form.
    link: checked again after the lock, because an arbiter may just have made it worthless.
    Raises NotFound; Stale: result_stands, players_agreed; DomainError: unknown_result, players_confirm_nothing,
    section_closed, round_not_published.
    """
    if result not in PRESSED:
        raise UNKNOWN_RESULT.error(result=result)
    white = colour is Colour.WHITE
    own, other = ("white_pressed", "black_pressed") if white else ("black_pressed", "white_pressed")
    with act_on_game(Actor.player(), game_id, PRESS_RESULT) as (log, game):
        if not is_link_of(game, colour, link):
            raise NOT_FOUND.error(kind="game", id=game_id)
        way = log.section.players_confirm
        if way == WAYS.OFF:
            raise PLAYERS_CONFIRM_NOTHING.error()
        if game.result:
            raise RESULT_STANDS.error(board=game.board, stands=game.result)
        if game.pressed and result != game.pressed and way == WAYS.BESIDE:
            raise PLAYERS_AGREED.error(board=game.board, stands=game.pressed)
        former, theirs = getattr(game, own), getattr(game, other)
        agreed = theirs == result and way == WAYS.INSTEAD
        log.before = {"pressed": former}
        log.after = {
            "pressed": result,
            "colour": colour.value,
            "theirs": theirs,
            "board": game.board,
            "game": game.pk,
        }
        log.unchanged = former == result and not agreed
        setattr(game, own, result)
        changed = [own]
        if agreed:
            log.renamed = AGREE_RESULT
            log.before["result"], log.after["result"] = "", result
            game.result = game.second_result = result
            game.entered_at = game.second_at = timezone.now()
            game.entered_by = game.second_by = game.over_by = game.over_at = None
            game.version += 1
            changed += ["result", "second_result", "entered_at", "second_at", "entered_by", "second_by"]
            changed += ["over_by", "over_at", "version"]
        if not log.unchanged:
            game.save(update_fields=changed)
    return game


def renew_player_link(*, actor: Actor, game_id: int, colour: Colour) -> Game:
    """Make the link of a player worthless, with what was pressed by it, and return the game, which has a new link.

    An undo brings back what was pressed, but no former link. Raises NotFound; DomainError: round_not_published,
    section_closed, not_own_board, result_stands (the link of such a game opens nothing).
    """
    number, pressed = (
        ("white_link", "white_pressed") if colour is Colour.WHITE else ("black_link", "black_pressed")
    )
    with act_on_game(actor, game_id, RENEW_PLAYER_LINK) as (log, game):
        if game.result:
            raise RESULT_STANDS.error(board=game.board, stands=game.result)
        log.before = {"pressed": getattr(game, pressed)}
        log.after = {"pressed": "", "colour": colour.value, "board": game.board, "game": game.pk}
        setattr(game, number, getattr(game, number) + 1)
        setattr(game, pressed, "")
        # the journal does not have the number of the link, and rows that are kept must be read again
        game.version += 1
        game.save(update_fields=[number, pressed, "version"])
    return game
