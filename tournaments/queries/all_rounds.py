"""All rounds of a section whose rounds are fixed by the pairing numbers, played or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from evenboard_engine import Colour, NoLegalPairing, Result, pair_round
from tournaments.models import Bye, Round, RoundStart, Section

from .field import SectionField, Side, load_field
from .numbers import lots_missing


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """result: None for a game without a result, or one that is not paired yet."""

    board: int
    white: Side
    black: Side
    result: Result | None


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round as it is paired, or as the numbers will pair it. free: who has no opponent. shown: it is paired, and the
    reader may see it.
    """

    number: int
    start: RoundStart | None
    games: tuple[PlannedGame, ...]
    free: Side | None
    shown: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's round. Both None: the player is free."""

    colour: Colour | None = None
    opponent: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerRounds:
    """The rounds of one player, in order. opponent: the pairing number."""

    side: Side
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class AllRounds:
    """players: by pairing number."""

    rounds: tuple[PlannedRound, ...]
    players: tuple[PlayerRounds, ...]


def has_all_rounds(section: Section) -> bool:
    """Return whether the rounds are fixed and known. One query where they are fixed."""
    return section.fixed_rounds and not lots_missing(section.participants.all())


def all_rounds(section: Section, *, include_drafts: bool = False) -> AllRounds:
    """Return all rounds. Four queries. Raises Round.DoesNotExist if they are not fixed, or numbers are not drawn."""
    field = load_field(section, include_drafts=include_drafts)
    if not section.fixed_rounds or not field.participants or lots_missing(field.participants.values()):
        raise Round.DoesNotExist("the rounds are not known before they are paired")
    rounds = tuple(_round(field, number) for number in range(1, section.rounds + 1))
    return AllRounds(rounds, tuple(_of_players(field, rounds)))


def _round(field: SectionField, number: int) -> PlannedRound:
    start = field.section.start_of(number)
    shown = next((row for row in field.rounds if row.number == number), None)
    if shown is None:
        return _planned(field, number, start)
    games = tuple(
        PlannedGame(game.board, field.side(game.white_id), field.side(game.black_id), game.outcome)
        for game in field.games
        if game.round_id == shown.pk
    )
    free = next(
        (
            field.side(bye.participant_id)
            for bye in field.byes
            if bye.round_number == number and bye.source == Bye.Source.ALLOCATED
        ),
        None,
    )
    return PlannedRound(number, start, games, free, shown=True)


def _planned(field: SectionField, number: int, start: RoundStart | None) -> PlannedRound:
    try:
        pairing = pair_round(replace(field.engine, round=number, games=(), byes=()))
    except NoLegalPairing:  # the section has more rounds than the table
        return PlannedRound(number, start, (), None, shown=False)
    games = tuple(
        PlannedGame(board, field.side(pair.white), field.side(pair.black), None)
        for board, pair in enumerate(pairing.pairs, start=1)
    )
    free = None if pairing.bye is None else field.side(pairing.bye)
    return PlannedRound(number, start, games, free, shown=False)


def _of_players(field: SectionField, rounds: Iterable[PlannedRound]) -> Iterable[PlayerRounds]:
    turns: dict[int, list[Turn]] = {key: [] for key in field.participants}
    for played in rounds:
        found: dict[int, Turn] = {}
        for game in played.games:
            found[game.white.participant_id] = Turn(Colour.WHITE, game.black.tpn)
            found[game.black.participant_id] = Turn(Colour.BLACK, game.white.tpn)
        for key, row in turns.items():
            row.append(found.get(key, Turn()))
    return (PlayerRounds(field.side(key), tuple(row)) for key, row in turns.items())
