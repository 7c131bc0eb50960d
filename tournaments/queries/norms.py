"""How far the players of a section are from title norms. A help for arbiters, not a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenboard_engine import ByeKind, Outcome
from evenboard_engine.model import RESULTS, Result
from evenboard_engine.regulations.norms import (
    Candidate,
    Code,
    NormCheck,
    NormGame,
    check_norm,
    norms_open_to,
)
from evenboard_engine.regulations.rating_change import Play
from tournaments.models import Section
from tournaments.models.player import Sex

from .field import SectionField, Side, load_field
from .sent_games import SentGame, official_rating_in, play_of, sent_games

NEAR = 150
"""A page lists a norm whose performance is at most so many points away. A file has all of them."""


@dataclass(frozen=True, slots=True)
class NormRow:
    """A player and a norm. scored: in halves of a point, of the games that count."""

    side: Side
    check: NormCheck
    games: int
    half_wins: int

    @property
    def is_near(self) -> bool:
        """Return whether a page lists it."""
        return self.check.met or self.check.value(Code.PERFORMANCE) >= self.check.norm.performance - NEAR


@dataclass(frozen=True, slots=True)
class Norms:
    """rows: those that are met first, then by missing conditions. standard: only standard chess has norms."""

    rows: tuple[NormRow, ...]
    standard: bool
    rounds: int

    @property
    def near(self) -> tuple[NormRow, ...]:
        return tuple(row for row in self.rows if row.is_near)


def norms(section: Section) -> Norms:
    """Return all norms that are open to the players. Four queries for any number of players."""
    field = load_field(section)
    if play_of(section) is not Play.STANDARD:
        return Norms((), standard=False, rounds=section.rounds)
    games, unplayed = sent_games(field), _unplayed(field)
    rows = []
    for key, entry in field.participants.items():
        if not games.get(key):
            continue
        mine = _counted(field, games, games[key])
        candidate = Candidate(
            title=entry.player.title,
            federation=entry.player.federation,
            woman=entry.player.sex == Sex.FEMALE,
            games=mine,
            unplayed=unplayed.get(key, 0),
            rounds=section.rounds,
        )
        half_wins = sum(game.half_wins for game in mine)
        for norm in norms_open_to(candidate):
            check = check_norm(norm, candidate)
            rows.append(NormRow(field.side(key), check, len(mine), half_wins))
    rows.sort(key=lambda row: (len(row.check.missed), -row.check.value(Code.PERFORMANCE)))
    return Norms(tuple(rows), standard=True, rounds=section.rounds)


def _counted(
    field: SectionField, games: Mapping[int, Sequence[SentGame]], mine: Sequence[SentGame]
) -> tuple[NormGame, ...]:
    return tuple(
        NormGame(player.federation, player.title, rating, game.half_wins)
        for game in mine
        for player, rating in [
            (
                field.participants[game.opponent].player,
                official_rating_in(field, game.opponent, game.round),
            )
        ]
        if not (field.section.fixed_rounds and not rating and _scored_nothing(field, games[game.opponent]))
    )


def _scored_nothing(field: SectionField, games: Sequence[SentGame]) -> bool:
    """Return whether an unrated player scored nothing against rated ones in a round robin (1.4.2b)."""
    return not any(game.half_wins for game in games if official_rating_in(field, game.opponent, game.round))


def _unplayed(field: SectionField) -> Mapping[int, int]:
    """Return how many forfeit wins and pairing-allocated byes each player has, by key."""
    found: dict[int, int] = {}
    for game in field.games:
        if game.result:
            meaning = RESULTS[Result(game.result)]
            for key, outcome in ((game.white_id, meaning.white), (game.black_id, meaning.black)):
                if outcome is Outcome.FORFEIT_WIN:
                    found[key] = found.get(key, 0) + 1
    for bye in field.byes:
        if bye.kind == ByeKind.ALLOCATED:
            found[bye.participant_id] = found.get(bye.participant_id, 0) + 1
    return found
