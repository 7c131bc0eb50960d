"""Links by which the players of a board open it on their phones.

A link is derived from the game, the player, the colour and a number. It is stored nowhere. A higher number makes the
former link worthless, and so does another player on the board.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from evenboard_engine import Colour
from tournaments.models import Game, Section

SALT = "tournaments.player_results"
BYTES = 18
"""Of the proof: 144 bits, 24 letters."""
LINK = "[1-9][0-9]{0,17}[wb][-_A-Za-z0-9]{24}"
_SIDE = ("tpn", "player__name", "player__by_initials")
_SECTION = ("slug", "name", "status", "taken_away", "players_confirm")
_EVENT = ("slug", "name", "state", "public", "time_zone")
_SHOWN = (
    *("board", "result", "entered_by", "round__number", "round__state"),
    *(f"{side}{name}" for side in ("white", "black") for name in ("", "_pressed", "_link")),
    *(f"{side}__{name}" for side in ("white", "black") for name in _SIDE),
    *(f"round__section__{name}" for name in _SECTION),
    *(f"round__section__event__{name}" for name in _EVENT),
)
"""Columns that the page of the board shows. A thousand players open it at once, and Django works longest on columns."""
_PARTS = re.compile("([0-9]+)([wb])(.+)")


def player_link(game: Game, colour: Colour) -> str:
    """Return the secret part of the link of a player. The game comes with its round. No query."""
    return f"{game.pk}{colour.value}{_proof(game, colour, settings.SECRET_KEY)}"


def player_links(section: Section, number: int) -> dict[tuple[int, Colour], str]:
    """Return the links of all players of a round, by game and colour; none where players do not confirm results. One
    query.
    """
    if section.players_confirm == Section.PlayersConfirm.OFF:
        return {}
    games = Game.objects.filter(round__section=section, round__number=number).select_related("round")
    return {
        (game.pk, colour): player_link(game, colour) for game in games.order_by("board") for colour in Colour
    }


def game_of_link(event: str, section: str, link: str) -> tuple[Game, Colour] | None:
    """Return the game that a link of this section opens, with its round, section and players, and the colour of the
    player. None for a link that is invented, void, or of another section. One query.
    """
    parts = _PARTS.fullmatch(link)
    if parts is None:
        return None
    related = ("round__section__event", "white__player", "black__player")
    games = (
        Game.objects.select_related(*related)
        .only(*_SHOWN)
        .filter(pk=int(parts[1]), round__section__slug=section, round__section__event__slug=event)
    )
    game, colour = next(iter(games.order_by()), None), Colour(parts[2])
    return (game, colour) if game is not None and is_link_of(game, colour, link) else None


def is_link_of(game: Game, colour: Colour, link: str) -> bool:
    """Return whether this is the valid link of a player, made with the present key or a former one."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    start = f"{game.pk}{colour.value}"
    return any(constant_time_compare(link, start + _proof(game, colour, secret)) for secret in keys)


def _proof(game: Game, colour: Colour, secret: str) -> str:
    white = colour is Colour.WHITE
    player, number = (game.white_id, game.white_link) if white else (game.black_id, game.black_link)
    signed = f"{game.round.section_id}:{game.round_id}:{game.pk}:{colour.value}:{player}:{number}"
    digest = salted_hmac(SALT, signed, secret=secret, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:BYTES]).decode()
