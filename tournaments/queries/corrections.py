"""What the correction of a game would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum

from evenboard_engine import Result, RoundPairing
from tournaments.declarations.results import CORRECT_RESULT
from tournaments.models import ActionLog, Game, Round, Section

from .by_hand import engines_pairing
from .field import PlayerCell, SectionField, load_field
from .forbidden_pairs import forbidden_in
from .log import undone_in
from .rounds import RoundPairings, round_pairings
from .standings import StandingRow, standings_of


class CorrectionWindow(StrEnum):
    """The corrections that GHR 4.3 still allows in a round.

    DRAFT: none, the round has no results yet. RUNNING: only colours; results are entered as usual. OPEN: the same in
    each round until the section is closed, where all rounds are fixed. REPAIR: the next round is a draft, which can be
    unpaired. NEXT: the next round is being played; a correction counts for the round after it. ENDED: all results of
    the next round are in; only corrections that were reported before that count. MISLAID: an earlier round, outside
    FIDE mode; only corrections that were reported in time count. RATING: only for rating.
    """

    DRAFT = "draft"
    RUNNING = "running"
    OPEN = "open"
    REPAIR = "repair"
    NEXT = "next"
    ENDED = "ended"
    MISLAID = "mislaid"
    RATING = "rating"


def window_of(field: SectionField, number: int) -> CorrectionWindow:
    """Return which corrections are possible in round `number`. field: with drafts."""
    shown, last = field.round(number), field.rounds[-1]
    if field.section.is_closed:
        return CorrectionWindow.RATING
    if field.section.fixed_rounds:
        return CorrectionWindow.DRAFT if shown.is_draft else CorrectionWindow.OPEN
    if number < last.number - 1:
        return CorrectionWindow.RATING if field.section.in_fide_mode else CorrectionWindow.MISLAID
    if number == last.number:
        return CorrectionWindow.DRAFT if shown.is_draft else CorrectionWindow.RUNNING
    if last.is_draft:
        return CorrectionWindow.REPAIR
    running = any(game.is_open for game in field.games if game.round_id == last.pk)
    return CorrectionWindow.NEXT if running else CorrectionWindow.ENDED


@dataclass(frozen=True, slots=True)
class Correctable:
    """A round and what can be corrected in it. rating_results: by key of the game. corrected: keys of games.

    more_rounds: a round can still be paired, so that a correction can count for a pairing.
    """

    view: RoundPairings
    window: CorrectionWindow
    last: Round
    rating_results: dict[int, str]
    corrected: frozenset[int]
    more_rounds: bool


def correctable_round(section: Section, number: int) -> Correctable:
    """Return a round and what can be corrected in it. Raises Round.DoesNotExist.

    Four queries, two more if an adjourned game of the round ended after a later round was paired.
    """
    field = load_field(section, before_round=number, include_drafts=True)
    view = round_pairings(field, number)
    games = [game for game in field.games if game.round_id == view.round_id]
    return Correctable(
        view,
        window_of(field, number),
        field.rounds[-1],
        {game.pk: game.rating_result for game in games if game.rating_result},
        frozenset(_corrected_games(games)),
        field.rounds[-1].number < section.rounds and not section.fixed_rounds,
    )


def _corrected_games(games: Sequence[Game]) -> Iterator[int]:
    """Yield the keys of games that were corrected after a round was paired with them.

    The late result of an adjourned game is no correction. Whether it was corrected later is in the log.
    """
    late = []
    for game in games:
        if any(then["turned"] or then["result"] != Result.ADJOURNED for then in game.earlier):
            yield game.pk
        elif game.earlier:
            late.append(game)
    if not late:
        return
    shown = late[0].round
    undone = undone_in(shown.section_id)
    rows = ActionLog.objects.filter(
        section=shown.section_id, action=CORRECT_RESULT.name, round_number=shown.number
    )
    boards = {row.after["board"] for row in rows if row.revision not in undone}
    yield from (game.pk for game in late if game.board in boards)


@dataclass(frozen=True, slots=True)
class Moved:
    """A row of the standings that changes. Points are in tenths."""

    before: StandingRow
    after: StandingRow


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """What a correction changes. moved: by new place.

    pairs: (White, Black) of the round after the game's, as the rules would pair it with the corrected result, if the
    pair differs from the pairing by the rules with the old result.
    paired: the number of that round; None if it is not paired, or not by the rules. is_late: a later round is paired.
    next_pairing: the first round that is paired with the correction; None after the last round.
    """

    moved: tuple[Moved, ...]
    pairs: tuple[tuple[PlayerCell, PlayerCell], ...]
    paired: int | None
    next_pairing: int | None
    is_late: bool = True

    @property
    def plain(self) -> list[list[int]]:
        """Return all that a person sees of it as numbers, for the question before a correction."""
        rows = [
            [row.participant_id, was.place or 0, was.points, row.place or 0, row.points]
            for was, row in ((each.before, each.after) for each in self.moved)
        ]
        pairs = [[white.participant_id, black.participant_id] for white, black in self.pairs]
        return [*rows, *pairs, [self.paired or 0, self.next_pairing or 0, int(self.is_late)]]


def correction_preview(section: Section, game: Game, *, result: str, turned: bool) -> CorrectionPreview:
    """Compare the standings and the pairing of the next round before and after. Five queries and two pairings."""
    field = load_field(section, include_drafts=True)
    former = tuple(field.games)
    corrected = tuple(_corrected(one, result, turned) if one.pk == game.pk else one for one in former)
    other = replace(field, games=corrected).before(field.before_round)
    before = {row.participant_id: row for row in standings_of(field).rows}
    moved = tuple(
        Moved(before[row.participant_id], row)
        for row in standings_of(other).rows
        if (row.place, row.points) != (before[row.participant_id].place, before[row.participant_id].points)
    )
    if section.fixed_rounds:
        return CorrectionPreview(moved, (), None, None, is_late=False)
    number = game.round.number + 1
    last = field.rounds[-1].number
    following = last + 1 if last < section.rounds else None
    if number > last:
        return CorrectionPreview(moved, (), None, following, is_late=False)
    stood, would = (
        _pairing(replace(field, games=games), number) for games in (_as_of(former, number), corrected)
    )
    if stood is None or would is None:
        return CorrectionPreview(moved, (), None, following)
    had = {(pair.white, pair.black) for pair in stood.pairs}
    apart = tuple(
        (field.side(pair.white), field.side(pair.black))
        for pair in would.pairs
        if (pair.white, pair.black) not in had
    )
    return CorrectionPreview(moved, apart, number, following)


def _corrected(game: Game, result: str, turned: bool) -> Game:
    other = copy(game)
    other.result = result
    if turned:
        other.white_id, other.black_id = game.black_id, game.white_id
    return other


def _as_of(games: tuple[Game, ...], number: int) -> tuple[Game, ...]:
    return tuple(game.as_of(number) if game.earlier else game for game in games)


def _pairing(field: SectionField, number: int) -> RoundPairing | None:
    """Pair a round by the rules, with the players who were in it."""
    stood = field.before(number)
    shown = stood.round(number)
    here = {
        key for game in stood.games if game.round_id == shown.pk for key in (game.white_id, game.black_id)
    }
    here |= {bye.participant_id for bye in stood.byes if bye.round_number == number and bye.kind == "U"}
    absent = frozenset(key for key in stood.participants if key not in here)
    return engines_pairing(replace(stood.engine, absent=absent, forbidden=forbidden_in(field, number)))
