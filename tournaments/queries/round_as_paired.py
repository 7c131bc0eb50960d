"""A round and what it was paired from: the rounds before it and the players who took part, as they were then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evenboard_engine import Tournament
from evenboard_engine.findings import Published
from tournaments.models import Bye, ForbiddenPair, Game, Round, Section

from .by_hand import asked_before, forbidden_in, kept_apart, waiting_in
from .field import SectionField, load_field


@dataclass(frozen=True, slots=True)
class RoundAsPaired:
    """known: the section before the round with today's data. field: as it was when the round was paired.

    shown: the round. games: of it, in the order of boards. bye: the player with the allocated bye. played: the pair
    (White, Black) of the round, by participant. waiting: who still waits for a pair by hand. before: what the engine
    paired, and who waits; everybody else is absent.
    """

    known: SectionField
    field: SectionField
    shown: Round
    games: tuple[Game, ...]
    bye: int | None
    played: Mapping[int, tuple[int, int]]
    waiting: frozenset[int]
    before: Tournament

    @property
    def published(self) -> Published:
        """Return the round as the engine compares it."""
        pairs = tuple((game.white_id, game.black_id) for game in self.games)
        return Published(self.shown.number, pairs, () if self.bye is None else (self.bye,))


def round_as_paired(
    section: Section, number: int, entries: Mapping[int, tuple[int, int]] | None = None
) -> RoundAsPaired:
    """Read a round and what it was paired from. Drafts count.

    entries: the (pairing number, rating) with which the round was paired, where others than today's, by participant.
    Raises Round.DoesNotExist. Five queries.
    """
    known = load_field(section, before_round=number, include_drafts=True)
    field = known.as_paired().with_entries(entries) if entries else known.as_paired()
    return _round_of(known, field, forbidden_in(section, number))


def rounds_today(field: SectionField, forbidden: Sequence[ForbiddenPair] = ()) -> Iterator[RoundAsPaired]:
    """Yield the rounds of a field that the reader may see, each with what is known today of the rounds before it.

    forbidden: of the section, for those who pair the rounds again. No database query.
    """
    for shown in field.rounds:
        before = field.before(shown.number)
        yield _round_of(before, before, kept_apart(forbidden, shown.number))


def _round_of(
    known: SectionField, field: SectionField, forbidden: frozenset[tuple[int, int]]
) -> RoundAsPaired:
    shown = field.round(field.before_round)
    games = tuple(game for game in field.games if game.round_id == shown.pk)
    bye = next(
        (
            bye.participant_id
            for bye in field.byes
            if bye.round_number == shown.number and bye.source == Bye.Source.ALLOCATED
        ),
        None,
    )
    played = {key: (game.white_id, game.black_id) for game in games for key in (game.white_id, game.black_id)}
    here = {bye, *played}
    resting = {bye.participant_id for bye in field.byes if bye.round_number == shown.number}
    waiting = frozenset(waiting_in(field, shown.number, here | resting) if shown.manual_phase else ())
    before = replace(
        field.engine,
        byes=(*field.engine.byes, *asked_before(field, shown)),
        absent=frozenset(field.participants) - here - waiting,
        forbidden=forbidden,
    )
    return RoundAsPaired(known, field, shown, games, bye, played, waiting, before)
