"""The games of a section as its report sends them for rating, and the official ratings of their players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenboard_engine import RESULTS, Outcome, Result
from evenboard_engine.regulations.rating_change import Play
from ratings.models import FIDE
from tournaments.models import Section

from .field import SectionField
from .rating_lists import sequence_of

HALF_WINS = {Outcome.WIN: 2, Outcome.DRAW: 1, Outcome.LOSS: 0}


@dataclass(frozen=True, slots=True)
class SentGame:
    """A game of a player. opponent: the key of the other one. half_wins: what the player scored."""

    round: int
    opponent: int
    half_wins: int


def play_of(section: Section) -> Play:
    """Return the list on which the section is rated: that of FIDE which is first in its sequence of lists."""
    codes = (code.rpartition(":") for code in sequence_of(section))
    kinds = (rating.removesuffix("+") for series, _colon, rating in codes if series == FIDE)
    return next((Play(kind) for kind in kinds if kind in set(Play)), Play.STANDARD)


def sent_games(field: SectionField) -> Mapping[int, Sequence[SentGame]]:
    """Return the games of each player, by key, in the order of the rounds. Forfeits, games without a move and adjourned
    games are not sent. A correction for rating counts (VCL4THP.13 Q192).
    """
    found: dict[int, list[SentGame]] = defaultdict(list)
    numbers = {row.pk: row.number for row in field.rounds}
    for game in sorted(field.games, key=lambda one: numbers[one.round_id]):
        written = game.rating_result or game.result
        if not written:
            continue
        meaning = RESULTS[Result(written)]
        if not (meaning.played and meaning.rated and meaning.final):
            continue
        number = numbers[game.round_id]
        found[game.white_id].append(SentGame(number, game.black_id, HALF_WINS[meaning.white]))
        found[game.black_id].append(SentGame(number, game.white_id, HALF_WINS[meaning.black]))
    return found


def official_rating_in(field: SectionField, key: int, number: int) -> int:
    """Return the official rating of a player in a round, 0 for none. Later rating periods may have another one."""
    later = field.periods.ratings.get(key, {})
    starts = [start for start in later if start <= number]
    return later[max(starts)] if starts else field.participants[key].official_rating or 0
