"""What a report file says of its rounds: games, byes, absent players, pairs that must not meet, late entries.

Everyone who turns a report into something else asks here, so a line has one meaning everywhere. Players are starting
ranks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from evenboard_engine.model import Bye, ByeKind, Colour, Game, Ruling

from .codes import BYE_OF_SYMBOL, RESULT_OF_SYMBOLS, decimal_points
from .errors import Problems
from .records import Absentees, AnnouncedBye, Prohibition
from .report import Report, from_lines

# The pairs that a report file forbids (260, XXP): lists of players of whom no two meet, each taken once.

MAX_FORBIDDEN_PAIRS = 200_000


class ForbiddenGroup(NamedTuple):
    """Players of whom no two meet in the rounds first to last (None: in all later ones). line: of its first record."""

    players: frozenset[int]
    first: int
    last: int | None
    line: int

    @property
    def pairs(self) -> int:
        return len(self.players) * (len(self.players) - 1) // 2


@from_lines
def forbidden_groups(report: Report) -> tuple[ForbiddenGroup, ...]:
    """Return the groups that records name, in the order of the file. A group that comes again is left out.

    Cost: linear. A file may name a thousand times the pairs that it has letters, so nobody counts pairs here.
    """
    known: dict[tuple[frozenset[int], int, int | None], int] = {}
    for record in report.of_type(Prohibition):
        known.setdefault((frozenset(record.players), record.first or 1, record.last), record.line)
    return tuple(ForbiddenGroup(*group, line) for group, line in known.items())


def forbidden_in(
    groups: tuple[ForbiddenGroup, ...], number: int, problems: Problems
) -> frozenset[tuple[int, int]]:
    """Return the pairs that must not meet in a round, the smaller starting rank first.

    Groups are counted before their pairs are made: above MAX_FORBIDDEN_PAIRS there is an error and no pair.
    """
    then = {group.players: group for group in groups if group.first <= number <= (group.last or number)}
    if not are_not_too_many(tuple(then.values()), MAX_FORBIDDEN_PAIRS, problems):
        return frozenset()
    return frozenset(pair for players in then for pair in combinations(sorted(players), 2))


def forbidden_spans(groups: tuple[ForbiddenGroup, ...]) -> dict[tuple[int, int], tuple[int, int | None]]:
    """Return each pair, the smaller starting rank first, with one span of rounds: from the first to the last in which
    one of the groups forbids it (None: no last one).

    The caller counts the pairs of the groups first.
    """
    spans: dict[tuple[int, int], tuple[int, int | None]] = {}
    for group in groups:
        for pair in combinations(sorted(group.players), 2):
            first, last = group.first, group.last
            if pair in spans:
                earlier, later = spans[pair]
                first = min(first, earlier)
                last = None if last is None or later is None else max(last, later)
            spans[pair] = first, last
    return spans


def are_not_too_many(groups: tuple[ForbiddenGroup, ...], limit: int, problems: Problems) -> bool:
    """Whether the groups have at most `limit` pairs in all; otherwise add the error of the line that passes it."""
    pairs = 0
    for group in groups:
        pairs += group.pairs
        if pairs > limit:
            problems.add("too_many_forbidden", line=group.line, column=5, limit=limit)
            return False
    return True


# Half-point byes that were not known yet when a round was paired, for systems that look ahead.
#
# ### Half-point byes asked later @ Round 1: 9=3 12=4
#
# After round 1 was paired, player 9 asked for a half-point bye in round 3, and player 12 for one in round 4.

_ASKED_LATER = "### Half-point byes asked later @ Round ([0-9]{1,3}):((?: [0-9]{1,5}=[0-9]{1,3})+) *"
_Request = tuple[int, int]
"""Starting rank and the round of the bye."""


def asked_later_line(number: int, requests: Iterable[_Request]) -> str:
    """Return the comment line about byes that players asked for after a round was paired."""
    written = " ".join(f"{rank}={of}" for rank, of in sorted(requests))
    return f"### Half-point byes asked later @ Round {number}: {written}"


def asked_later(report: Report, number: int) -> frozenset[_Request]:
    """Return the requests that nobody knew when this round was paired."""
    return frozenset(request for at, requests in _lines(report) if at >= number for request in requests)


def is_asked_later_line(text: str) -> bool:
    """Return whether a line is such a comment."""
    return re.fullmatch(_ASKED_LATER, text) is not None


@from_lines
def _lines(report: Report) -> tuple[tuple[int, tuple[_Request, ...]], ...]:
    found = (re.fullmatch(_ASKED_LATER, record.text) for record in report.kept)
    return tuple((int(one[1]), tuple(map(_request, one[2].split()))) for one in found if one is not None)


def _request(word: str) -> _Request:
    rank, _, of = word.partition("=")
    return int(rank), int(of)


# When and why an arbiter decided on points: 299 says only what they are.
#
# ### Points @ Round 3: 7: -0.5 after round 5: mobile phone
#
# After round 5 was paired, the arbiter took half a point from player 7, which counts after round 3. Rounds 4
# and 5 were paired without this.

_POINTS_DECIDED = (
    r"### Points @ Round (?P<round>[0-9]{1,3}): (?P<player>[0-9]{1,5}): "
    r"(?P<sign>-?)(?P<whole>[0-9]{1,3})\.(?P<tenth>[0-9]) after round (?P<after>[0-9]{1,3})(?:: (?P<reason>.*))?"
)


class DecidedLater(NamedTuple):
    """A bonus or penalty of a player, by starting rank. points: in tenths. after: the last round that was paired."""

    player: int
    round: int
    points: int
    after: int
    reason: str = ""

    def __str__(self) -> str:
        """Return the comment line."""
        head = f"### Points @ Round {self.round}: {self.player}: {decimal_points(self.points)} after round {self.after}"
        return f"{head}: {self.reason}" if self.reason else head


def decided_later(report: Report) -> tuple[DecidedLater, ...]:
    """Return what comments say of bonuses and penalties that 299 has, in the order of the file.

    A comment on another player or round is a comment without meaning.
    """
    found = _in_comments(report)
    if not found:
        return ()
    known = {(one.player, one.round) for one in report.rulings if one.of is None}
    return tuple(one for one in found if (one.player, one.round) in known)


def is_decided_later(text: str, known: Mapping[str, DecidedLater]) -> bool:
    """Return whether a line is such a comment with a meaning. known: those of its report, by their lines."""
    return text.rstrip() in known


def rulings_before(report: Report, number: int) -> tuple[Ruling, ...]:
    """Return the decisions that were known when a round was paired."""
    later = (one for one in decided_later(report) if one.after >= number)
    return (*report.rulings, *(Ruling(one.player, one.round, -one.points) for one in later))


@from_lines
def _in_comments(report: Report) -> tuple[DecidedLater, ...]:
    found = (re.fullmatch(_POINTS_DECIDED, record.text.rstrip()) for record in report.kept)
    return tuple(
        DecidedLater(
            int(one["player"]),
            int(one["round"]),
            (-1 if one["sign"] else 1) * (10 * int(one["whole"]) + int(one["tenth"])),
            int(one["after"]),
            one["reason"] or "",
        )
        for one in found
        if one is not None
    )


# Everything together, for the rounds of a report.


WHITE = Colour.WHITE


class ReportedOpenGame(NamedTuple):
    """A game without a result. line: of White."""

    round: int
    white: int
    black: int
    line: int


class ReportedRounds(NamedTuple):
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
    open: tuple[ReportedOpenGame, ...]
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
    open_games: list[ReportedOpenGame] = []
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
                    open_games.append(ReportedOpenGame(number, me, entry.opponent, player.line))
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
