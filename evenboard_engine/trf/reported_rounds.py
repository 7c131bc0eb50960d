"""What a report file says of its rounds: games, byes, absent players, pairs that must not meet, late entries.

Everyone who turns a report into something else asks here, so a line has one meaning everywhere. Players are starting
ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evenboard_engine.model import Bye, ByeKind, Colour, Game

from .asked_later import asked_later
from .codes import BYE_OF_SYMBOL, RESULT_OF_SYMBOLS
from .prohibitions import ForbiddenGroup, forbidden_groups
from .records import Absentees, AnnouncedBye
from .report import Report

WHITE = Colour.WHITE


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game without a result. line: of White."""

    round: int
    white: int
    black: int
    line: int


@dataclass(frozen=True, slots=True)
class ReportedRounds:
    """The rounds of a report, in the order of its players.

    paired: the last round that was paired. games: with a result. open: without one.
    byes: in a paired round those of its columns, also the allocated one. In a later round those announced in its
    columns or in record 240; where both name a player, the columns count. An allocated bye that was typed ahead is a
    full-point bye there: the pairing of the round has not given it.
    absent: in a paired round the players without a game or a bye; it scores like a zero-point bye. In the round after
    the paired ones the players of XXZ, whether they have a bye or not.
    forbidden: groups of players of whom no two meet, each with its rounds.
    """

    paired: int
    games: tuple[Game, ...]
    open: tuple[OpenGame, ...]
    byes: tuple[Bye, ...]
    absent: Mapping[int, frozenset[int]]
    forbidden: tuple[ForbiddenGroup, ...]

    def absent_in(self, number: int) -> frozenset[int]:
        return self.absent.get(number, frozenset())

    def first_round(self, player: int) -> int:
        """Return the first paired round in which a player has a game or a bye, or the round after the paired ones.

        A player whose first round is not round 1 is a late entry. Only if all rounds were asked for.
        """
        return next(
            (number for number in range(1, self.paired + 1) if player not in self.absent_in(number)),
            self.paired + 1,
        )


def reported_rounds(report: Report, *, to_pair: int | None = None) -> ReportedRounds:
    """Return what the report says of its rounds. Cost: linear.

    to_pair: only what was known when this round was paired: the rounds before it, and its byes and absent players. The
    answer of the pairing is left out: its games and the allocated bye. None: all rounds.
    """
    paired = report.rounds_paired
    by_rank = {player.starting_rank: player for player in report.players}
    games: list[Game] = []
    open_games: list[OpenGame] = []
    byes: dict[tuple[int, int], Bye] = {}
    absent: dict[int, set[int]] = defaultdict(set)
    ended: dict[int, set[int]] = defaultdict(set)  # by the last round of the player's line
    for player in report.players:
        me = player.starting_rank
        for number, entry in enumerate(player.entries[:to_pair], start=1):
            if entry.opponent is None:
                if not entry.symbol:
                    absent[number].add(me)
                elif number > paired:
                    kind = BYE_OF_SYMBOL[entry.symbol]
                    byes[number, me] = Bye(number, me, ByeKind.FULL if kind is ByeKind.ALLOCATED else kind)
                elif number != to_pair or entry.symbol != "U":
                    byes[number, me] = Bye(number, me, BYE_OF_SYMBOL[entry.symbol])
            elif number != to_pair and (
                entry.colour is WHITE or (entry.colour is None and me < entry.opponent)
            ):  # a forfeit may have no colours; then the smaller starting rank has White
                theirs = by_rank[entry.opponent].entry(number)
                result = RESULT_OF_SYMBOLS.get((entry.symbol, theirs.symbol))
                if result is not None:
                    games.append(Game(number, me, entry.opponent, result))
                else:
                    open_games.append(OpenGame(number, me, entry.opponent, player.line))
        ended[len(player.entries)].add(me)
    for bye in _announced_byes(report):
        if paired < bye.round <= (to_pair or bye.round):
            byes.setdefault((bye.round, bye.player), bye)
    out = _absent_by_round(absent, ended, min(paired, to_pair or paired))
    out[paired + 1] = frozenset(me for record in report.of_type(Absentees) for me in record.players)
    return ReportedRounds(
        paired, tuple(games), tuple(open_games), tuple(byes.values()), out, forbidden_groups(report)
    )


def _absent_by_round(
    absent: Mapping[int, set[int]], ended: Mapping[int, set[int]], last: int
) -> dict[int, frozenset[int]]:
    """Return who is absent in each round up to the last. Rounds without a change share one set."""
    out: dict[int, frozenset[int]] = {}
    gone: frozenset[int] = frozenset()
    for number in range(1, last + 1):
        gone = gone | ended[number - 1] if number - 1 in ended else gone
        if missing := gone | absent[number] if number in absent else gone:
            out[number] = missing
    return out


def later_half_byes(report: Report, number: int) -> tuple[Bye, ...]:
    """Return the half-point byes after round `number`, as far as they were known when it was paired (`asked_later`)."""
    found = {
        Bye(later, player.starting_rank, ByeKind.HALF)
        for player in report.players
        for later, entry in enumerate(player.entries, start=1)
        if later > number and entry.opponent is None and entry.symbol == ByeKind.HALF.value
    }
    announced = {bye for bye in _announced_byes(report) if bye.kind is ByeKind.HALF and bye.round > number}
    unknown = {Bye(later, rank, ByeKind.HALF) for rank, later in asked_later(report, number)}
    return tuple(sorted((found | announced) - unknown, key=lambda bye: (bye.round, bye.player)))


def _announced_byes(report: Report) -> Iterator[Bye]:
    """Yield the byes of records 240; equal lines count once."""
    records = report.of_type(AnnouncedBye)
    for number, kind, players in dict.fromkeys((one.round, one.kind, one.players) for one in records):
        for me in players:
            yield Bye(number, me, kind)
