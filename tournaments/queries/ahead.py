"""The next round, prepared for each combination of results while the last games before it are played.

A prepared round is a pure function of what the engine is given. `Preparation` reads that, without the results of the
open games, in parts. A round is used only if the parts and these results are the same when it is paired
(docs/decisions/0097-pairing-ahead.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256
from itertools import product
from typing import Any

from evenboard_engine import VERSION, OpenGame, Result, Tournament
from evenboard_engine import Game as EngineGame
from tournaments.models import Game, PreparedRound, Section
from tournaments.seating import numbered_boards
from tournaments.snapshot import KeptGroup, engine_tournament, fixed_boards

from .field import PlayerCell, SectionField
from .forbidden_pairs import kept_groups

MOST_OPEN = 3
"""Open games with which the next round can be prepared: 27 combinations, 216 with forfeits."""
PLAYED = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
FORFEITED = (Result.WHITE_WINS_BY_FORFEIT, Result.BLACK_WINS_BY_FORFEIT, Result.DOUBLE_FORFEIT)
PARTS = {
    "players": ("players",),
    "absences": ("absent", "byes"),
    "results": ("games", "open_games"),
    "decided_points": ("rulings",),
    "apart": ("forbidden",),
}
"""What of the engine's value each part holds, in the order of a sentence about them. All else is in "settings"."""
SETTINGS = "settings"
EDITION = f"1 {VERSION}"


def value_of_next(field: SectionField) -> Tournament:
    """Return the next round as the engine pairs it, before groups of players are kept apart. One query."""
    return engine_tournament(
        field.section,
        round_number=field.before_round,
        participants=field.participants.values(),
        rounds=field.rounds,
        games=field.games,
        byes=field.byes,
        forbidden=field.section.forbidden_pairs.order_by(),
    )


@dataclass(frozen=True, slots=True)
class Preparation:
    """What the next round is prepared from.

    value: without the games that were open. groups: the players kept apart. games: White and Black of each game that
    was open, in the order of boards. parts: a digest of each part of the value and the groups.
    """

    value: Tournament
    groups: tuple[KeptGroup, ...]
    games: tuple[tuple[int, int], ...]
    parts: Mapping[str, str]

    @classmethod
    def of(cls, value: Tournament, groups: Iterable[KeptGroup], games: Iterable[Game]) -> Preparation:
        """value: of the next round. games: those that were open, in the order of boards."""
        pairs = tuple((game.white_id, game.black_id) for game in games)
        left_out = {(value.round - 1, *pair) for pair in pairs}
        base = replace(
            value,
            games=tuple(game for game in value.games if game[:3] not in left_out),
            open_games=tuple(game for game in value.open_games if game[:3] not in left_out),
        )
        found = tuple(groups)
        return cls(base, found, pairs, _digests(base, found))

    def key(self, results: Sequence[str]) -> str:
        """Return what distinguishes the round from all others. results: of the games, in their order."""
        return _digest([EDITION, self.parts, self.games, results])

    def with_results(self, results: Sequence[str]) -> Tournament:
        """Return the value as it is when the games have ended with these results; "" for one that is still open."""
        number = self.value.round - 1
        ends = tuple(zip(self.games, results, strict=True))
        games = (EngineGame(number, *pair, Result(result)) for pair, result in ends if result)
        still_open = (OpenGame(number, *pair) for pair, result in ends if not result)
        return replace(
            self.value,
            games=(*self.value.games, *games),
            open_games=(*self.value.open_games, *still_open),
        )


def _digests(value: Tournament, groups: tuple[KeptGroup, ...]) -> dict[str, str]:
    known = {name for names in PARTS.values() for name in names}
    settings = [field.name for field in fields(value) if field.name not in known]
    parts = {part: [_sorted(getattr(value, name)) for name in names] for part, names in PARTS.items()}
    parts["apart"].append([group.row for group in groups])
    parts[SETTINGS] = [_sorted(getattr(value, name)) for name in settings]
    return {part: _digest(held)[:16] for part, held in parts.items()}


def _sorted(value: Any) -> Any:
    """Return rows in an order that does not depend on the database."""
    return sorted(value, key=repr) if isinstance(value, tuple) else value


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, default=_plain, sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Return a value that is written in the same way by every process: sets have an order, fields have no names."""
    return [getattr(value, field.name) for field in fields(value)] if is_dataclass(value) else sorted(value)


def games_ahead(section: Section, games: Iterable[Game], before: int) -> list[Game] | None:
    """Return the games that were open when the round `before` was asked for, in the order of boards; None if this round
    is not asked for, or the last round has other boards now. games: of the last round.
    """
    asked = section.ahead
    if asked.get("round") != before:
        return None
    boards = set(asked["boards"])
    found = sorted((game for game in games if game.board in boards), key=lambda game: game.board)
    return found if len(found) == len(boards) else None


@dataclass(frozen=True, slots=True)
class SureBoard:
    """A board that is the same in all combinations."""

    board: int
    white: PlayerCell
    black: PlayerCell

    @property
    def sides(self) -> tuple[PlayerCell, PlayerCell]:
        return self.white, self.black


@dataclass(frozen=True, slots=True)
class RoundAhead:
    """The next round, as far as it is prepared.

    number: of the round. open: boards without a result. asked: somebody wants the round to be prepared. changed: what
    of `Preparation.parts` is different since then. combinations: of results that are still possible. prepared: for how
    many of them the round is paired. impossible: for how many of these the rules give no round. boards: of the round.
    sure: what is the same for all combinations, once all are prepared. bye: the player who has the bye in all of them.
    """

    number: int
    open: tuple[int, ...]
    asked: bool = False
    forfeits: bool = False
    changed: tuple[str, ...] = ()
    combinations: int = 0
    prepared: int = 0
    impossible: int = 0
    boards: int = 0
    sure: tuple[SureBoard, ...] = ()
    bye: PlayerCell | None = None

    @property
    def can_be_asked(self) -> bool:
        return 1 <= len(self.open) <= MOST_OPEN and (not self.asked or bool(self.changed))

    @property
    def is_complete(self) -> bool:
        return self.asked and not self.changed and self.prepared == self.combinations


def round_ahead(field: SectionField) -> RoundAhead | None:
    """Return the next round as far as it is prepared; None if there is nothing to prepare. A field with drafts.

    Two queries while a round is asked for, else none.
    """
    section, latest, number = field.section, field.latest, field.before_round
    if latest is None or not latest.is_published or section.fixed_rounds or section.is_closed:
        return None
    if number > section.rounds:
        return None
    games = field.games_of(latest)
    still_open = tuple(game.board for game in games if game.is_open)
    asked = section.ahead.get("round") == number
    if not asked:
        return RoundAhead(number, still_open) if 1 <= len(still_open) <= MOST_OPEN else None
    forfeits = bool(section.ahead["forfeits"])
    found = preparation_of(field)
    changed = changed_parts(section, found)
    if found is None or changed:
        return RoundAhead(number, still_open, asked=True, forfeits=forfeits, changed=changed)
    keys = [found.key(results) for results in combinations(field)]
    rows = list(section.prepared_rounds.filter(key__in=keys))
    state = RoundAhead(
        number, still_open, asked=True, forfeits=forfeits, combinations=len(keys), prepared=len(rows)
    )
    return _with_sure_boards(field, state, rows) if state.is_complete else state


def _with_sure_boards(field: SectionField, state: RoundAhead, rows: Sequence[PreparedRound]) -> RoundAhead:
    pairings = [row.engine_pairing for row in rows if row.engine_pairing is not None]
    fixed = fixed_boards(field.participants.values())

    def boards_of(pairing: Mapping[str, Any]) -> set[tuple[int, int, int]]:
        pairs = [(white, black) for white, black in pairing["pairs"]]
        return {(board, *pair) for board, pair in zip(numbered_boards(pairs, fixed), pairs, strict=True)}

    if impossible := len(rows) - len(pairings):
        return replace(state, impossible=impossible)
    byes = {pairing["bye"] for pairing in pairings}
    bye = byes.pop() if len(byes) == 1 else None
    return replace(
        state,
        boards=len(pairings[0]["pairs"]),
        sure=tuple(
            SureBoard(board, field.side(white), field.side(black))
            for board, white, black in sorted(set.intersection(*map(boards_of, pairings)))
        ),
        bye=None if bye is None else field.side(bye),
    )


def preparation_of(field: SectionField) -> Preparation | None:
    """Return what the round that is asked for would be prepared from now. One query."""
    assert field.latest is not None, "a round is played"
    games = games_ahead(field.section, field.games_of(field.latest), field.before_round)
    if games is None:
        return None
    return Preparation.of(value_of_next(field), kept_groups(field, field.before_round), games)


def changed_parts(section: Section, found: Preparation | None) -> tuple[str, ...]:
    """Return what of the parts is different since the round was asked for."""
    if found is None:
        return ("results",)
    before = section.ahead["parts"]
    return tuple(part for part in (*PARTS, SETTINGS) if found.parts[part] != before.get(part))


def combinations(field: SectionField) -> Iterator[tuple[str, ...]]:
    """Yield the results with which the games that were open can still end; a game with a result has this one."""
    assert field.latest is not None, "a round is played"
    games = games_ahead(field.section, field.games_of(field.latest), field.before_round) or ()
    outcomes = (*PLAYED, *(FORFEITED if field.section.ahead["forfeits"] else ()))
    for results in product(*([game.result] if game.result else outcomes for game in games)):
        yield tuple(str(result) for result in results)
